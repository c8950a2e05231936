// Collector: keywords that apply subschemas to items and members.
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "json/writer.hpp"
#include "schema/collector.hpp"
#include "schema/messages.hpp"
#include "schema/shapes.hpp"

namespace interline::schema {
namespace {

/// A member's value stands at its beginning.
std::size_t index_of_value(std::span<const json::Member> members, const json::Value* value) {
  static_assert(std::is_standard_layout_v<json::Member> && offsetof(json::Member, value) == 0);
  return static_cast<std::size_t>(reinterpret_cast<const json::Member*>(value) - members.data());
}

}  // namespace

bool Collector::array_keyword(Frame& frame, const Keyword& keyword) {
  const std::size_t size = frame.value.size();
  const auto children = model_.children_of(keyword);
  switch (keyword.id) {
    case KeywordId::prefix_items: {
      bool holds = true;
      const std::size_t count = std::min<std::size_t>(children.size(), size);
      for (std::size_t i = 0; i < count && !exceeded_; ++i) {
        if (!item(frame, children[i].node, i, Token::of_index(i))) holds = false;
      }
      if (count > 0) annotate(count == size ? "true" : std::to_string(count - 1));
      return holds;
    }
    case KeywordId::items: {
      const Keyword* prefix = model_.keyword_of(frame.node, KeywordId::prefix_items);
      return items_from(frame, children[0].node, prefix == nullptr ? 0 : prefix->count, false);
    }
    case KeywordId::contains:
      return contains(frame, keyword);
    case KeywordId::unevaluated_items:
      return items_from(frame, children[0].node, 0, true);
    default:
      return true;
  }
}

bool Collector::item(Frame& frame, NodeId schema, std::size_t index, Token token) {
  const bool holds =
      apply(schema, frame.value.items()[index], token, Token::of_index(index), nullptr);
  if (frame.tracks && holds) frame.evaluated.mark(index, frame.value.size());
  return holds;
}

bool Collector::items_from(Frame& frame, NodeId schema, std::size_t first, bool only_unevaluated) {
  bool holds = true;
  bool applied = false;
  for (std::size_t i = first; i < frame.value.size() && !exceeded_; ++i) {
    if (only_unevaluated && frame.evaluated.has(i)) continue;
    applied = true;
    if (!item(frame, schema, i, {})) holds = false;
  }
  if (applied) annotate("true");
  return holds;
}

bool Collector::contains(Frame& frame, const Keyword& keyword) {
  const Keyword* least = model_.keyword_of(frame.node, KeywordId::min_contains);
  const Keyword* most = model_.keyword_of(frame.node, KeywordId::max_contains);
  const NodeId schema = model_.children_of(keyword)[0].node;
  const bool marks =
      model_.resources[model_.nodes[frame.node].resource].dialect.base == Dialect::draft_2020_12;
  const Mark before = mark();
  std::vector<std::size_t> matching;
  for (std::size_t i = 0; i < frame.value.size() && !exceeded_; ++i) {
    const bool holds = apply(schema, frame.value.items()[i], {}, Token::of_index(i), nullptr);
    if (!holds) continue;
    matching.push_back(i);
    if (frame.tracks && marks) frame.evaluated.mark(i, frame.value.size());
  }
  if (exceeded_) return false;
  if (!wants_annotations()) undo(before);
  if (matching.size() < (least == nullptr ? 1 : count_of(*least->value))) {
    return fail(too_few_matching(least == nullptr ? nullptr : least->value));
  }
  if (most != nullptr && matching.size() > count_of(*most->value)) {
    return fail(too_many_matching(*most->value));
  }
  if (wants_annotations()) {
    std::string text;
    json::Writer writer(text);
    writer.begin_array();
    for (const std::size_t index : matching) writer.value(static_cast<std::uint64_t>(index));
    writer.end_array();
    annotate(std::move(text));
  }
  return true;
}

bool Collector::object_keyword(Frame& frame, const Keyword& keyword) {
  const std::size_t size = frame.value.size();
  switch (keyword.id) {
    case KeywordId::max_properties:
      return size <= count_of(*keyword.value) || fail(expectation(keyword));
    case KeywordId::min_properties:
      return size >= count_of(*keyword.value) || fail(expectation(keyword));
    case KeywordId::required:
      return required(frame, keyword.value->items(), {});
    case KeywordId::dependent_required: {
      bool holds = true;
      for (const json::Member& entry : keyword.value->members()) {
        if (frame.value.find(entry.name()) == nullptr) continue;
        if (!required(frame, entry.value.items(), entry.name())) holds = false;
      }
      return holds;
    }
    case KeywordId::dependent_schemas:
    case KeywordId::dependencies:
      return dependent(frame, keyword);
    case KeywordId::properties:
      return properties(frame, keyword);
    case KeywordId::pattern_properties:
      return pattern_properties(frame, keyword);
    case KeywordId::additional_properties:
    case KeywordId::unevaluated_properties:
      return other_properties(frame, keyword);
    case KeywordId::property_names:
      return property_names(frame, keyword);
    default:
      return true;
  }
}

bool Collector::required(const Frame& frame, std::span<const json::Value> names,
                         std::string_view because) {
  std::vector<std::string_view> missing;
  if (!spend(names.size())) return false;
  for (const json::Value& name : names) {
    if (frame.value.find(name.as_string()) == nullptr) missing.push_back(name.as_string());
  }
  return missing.empty() || fail(missing_names(missing, because));
}

bool Collector::dependent(Frame& frame, const Keyword& keyword) {
  bool holds = true;
  for (const Child& child : model_.children_of(keyword)) {
    if (!spend(1)) return false;
    if (frame.value.find(child.name) == nullptr) continue;
    if (child.names != nullptr) {
      if (!required(frame, child.names->items(), child.name)) holds = false;
    } else if (!in_place(frame, child.node, Token::of_name(child.name))) {
      holds = false;
    }
  }
  return holds;
}

bool Collector::member(Frame& frame, NodeId schema, std::size_t index, Token token,
                       std::vector<std::string_view>& names) {
  const json::Member& member = frame.value.members()[index];
  const bool holds = apply(schema, member.value, token, Token::of_name(member.name()), nullptr);
  if (frame.tracks && holds) frame.evaluated.mark(index, frame.value.size());
  if (wants_annotations()) names.push_back(member.name());
  return holds;
}

bool Collector::properties(Frame& frame, const Keyword& keyword) {
  bool holds = true;
  std::vector<std::string_view> names;
  const auto members = frame.value.members();
  for (const Child& child : model_.children_of(keyword)) {
    if (!spend(1)) return false;
    const json::Value* found = frame.value.find(child.name);
    if (found == nullptr) continue;
    const std::size_t index = index_of_value(members, found);
    if (!member(frame, child.node, index, Token::of_name(child.name), names)) holds = false;
  }
  annotate_names(names);
  return holds;
}

bool Collector::pattern_properties(Frame& frame, const Keyword& keyword) {
  bool holds = true;
  std::vector<std::string_view> names;
  const auto members = frame.value.members();
  for (const Child& child : model_.children_of(keyword)) {
    for (std::size_t i = 0; i < members.size() && !exceeded_; ++i) {
      const Match match = model_.patterns[child.pattern].search(members[i].name(), steps_);
      if (match == Match::budget_exceeded || !spend(1)) exceeded_ = true;
      if (match != Match::yes) continue;
      if (!member(frame, child.node, i, Token::of_name(child.name), names)) holds = false;
    }
  }
  annotate_names(names);
  return holds;
}

bool Collector::is_known_property(const Keyword* properties, const Keyword* patterns,
                                  std::string_view name) {
  if (properties != nullptr && properties->value->find(name) != nullptr) return true;
  if (patterns == nullptr) return false;
  return std::ranges::any_of(model_.children_of(*patterns), [&](const Child& child) {
    if (!spend(1)) return false;
    const Match match = model_.patterns[child.pattern].search(name, steps_);
    if (match == Match::budget_exceeded) exceeded_ = true;
    return match == Match::yes;
  });
}

/// additionalProperties and unevaluatedProperties: they differ in what they leave out.
bool Collector::other_properties(Frame& frame, const Keyword& keyword) {
  bool holds = true;
  std::vector<std::string_view> names;
  const NodeId schema = model_.children_of(keyword)[0].node;
  const bool unevaluated = keyword.id == KeywordId::unevaluated_properties;
  const Keyword* properties = model_.keyword_of(frame.node, KeywordId::properties);
  const Keyword* patterns = model_.keyword_of(frame.node, KeywordId::pattern_properties);
  for (std::size_t i = 0; i < frame.value.size() && spend(1); ++i) {
    const std::string_view name = frame.value.members()[i].name();
    const bool known =
        unevaluated ? frame.evaluated.has(i) : is_known_property(properties, patterns, name);
    if (known || exceeded_) continue;
    if (!member(frame, schema, i, {}, names)) holds = false;
  }
  annotate_names(names);
  return holds;
}

bool Collector::property_names(Frame& frame, const Keyword& keyword) {
  bool holds = true;
  const NodeId schema = model_.children_of(keyword)[0].node;
  for (const json::Member& member : frame.value.members()) {
    if (exceeded_) break;
    const json::Value name = json::Value::of_text(member.name());
    if (!apply(schema, name, {}, Token::of_name(member.name()), nullptr)) holds = false;
  }
  return holds && !exceeded_;
}

void Collector::annotate_names(std::span<const std::string_view> names) {
  if (!wants_annotations() || names.empty()) return;
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  for (const std::string_view name : names) writer.value(name);
  writer.end_array();
  annotate(std::move(text));
}

}  // namespace interline::schema
