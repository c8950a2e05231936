// Collector: references and combinations, applied to the same value.
#include "schema/collector.hpp"
#include "schema/messages.hpp"

namespace interline::schema {

/// What a subschema evaluates of the same value counts for this one.
bool Collector::in_place(Frame& frame, NodeId node, Token token) {
  return apply(node, frame.value, token, {}, frame.tracks ? &frame.evaluated : nullptr);
}

NodeId Collector::target_of(const Keyword& keyword) const {
  const Reference& reference = model_.references[keyword.index];
  if (reference.dynamic_anchor.empty()) return reference.target;
  for (const std::uint32_t resource : scope_) {
    const auto& anchors = model_.resources[resource].dynamic_anchors;
    const auto anchor = anchors.find(reference.dynamic_anchor);
    if (anchor != anchors.end()) return anchor->second;
  }
  return reference.target;
}

bool Collector::logic_keyword(Frame& frame, const Keyword& keyword) {
  const auto children = model_.children_of(keyword);
  switch (keyword.id) {
    case KeywordId::ref:
    case KeywordId::dynamic_ref:
      return in_place(frame, target_of(keyword), {});
    case KeywordId::all_of: {
      bool holds = true;
      for (std::size_t i = 0; i < children.size() && !exceeded_; ++i) {
        if (!in_place(frame, children[i].node, Token::of_index(i))) holds = false;
      }
      return holds;
    }
    case KeywordId::any_of:
      return any_of(frame, keyword);
    case KeywordId::one_of:
      return one_of(frame, keyword);
    case KeywordId::not_schema:
      return negated(frame, keyword);
    case KeywordId::if_schema: {
      const Mark before = mark();
      frame.condition = in_place(frame, children[0].node, {});
      if (!frame.condition && !exceeded_) undo(before);
      return !exceeded_;
    }
    default: {
      if (model_.keyword_of(frame.node, KeywordId::if_schema) == nullptr) return true;
      const bool due = frame.condition == (keyword.id == KeywordId::then_schema);
      return !due || in_place(frame, children[0].node, {});
    }
  }
}

/// Every branch is tried, for what it annotates and evaluates.
bool Collector::any_of(Frame& frame, const Keyword& keyword) {
  const auto children = model_.children_of(keyword);
  bool holds = false;
  for (std::size_t i = 0; i < children.size() && !exceeded_; ++i) {
    if (in_place(frame, children[i].node, Token::of_index(i))) holds = true;
    if (holds && !frame.tracks && !wants_annotations()) break;
  }
  return holds || fail(std::string(kNoBranch));
}

bool Collector::one_of(Frame& frame, const Keyword& keyword) {
  const auto children = model_.children_of(keyword);
  const Mark before = mark();
  std::size_t holding = 0;
  for (std::size_t i = 0; i < children.size() && holding < 2 && !exceeded_; ++i) {
    if (in_place(frame, children[i].node, Token::of_index(i))) ++holding;
  }
  if (holding == 1 || exceeded_) return !exceeded_;
  if (holding == 0) return fail(std::string(kNotOneBranch));
  undo(before);  // what other branches lacked is beside the point
  return fail(std::string(kTwoBranches));
}

bool Collector::negated(Frame& frame, const Keyword& keyword) {
  const Mark before = mark();
  const bool matches = apply(model_.children_of(keyword)[0].node, frame.value, {}, {}, nullptr);
  if (exceeded_) return false;
  undo(before);
  return !matches || fail(std::string(kNegated));
}

}  // namespace interline::schema
