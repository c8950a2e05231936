// Lowering, what is evaluated: the members and items that a schema's keywords apply to, for
// unevaluatedProperties and unevaluatedItems (Core 11). What always applies is known at compile
// time; a step is left for each branch that only the instance decides.
#include <algorithm>
#include <set>

#include "schema/in_place.hpp"
#include "schema/lower.hpp"

namespace interline::schema {
namespace {

// Marks of a subschema that are few become marks of the schema around it.
constexpr std::size_t kMergedNames = 64;
constexpr std::size_t kMergedSteps = 8;

std::size_t row_of(json::Kind kind) {
  return kind == json::Kind::array ? 0 : 1;
}

bool is_empty(const MarkDraft& draft) {
  return !draft.all && draft.names.empty() && draft.patterns.empty() && draft.prefix == 0 &&
         draft.steps.empty();
}

bool is_unevaluated(KeywordId id) {
  return id == KeywordId::unevaluated_items || id == KeywordId::unevaluated_properties;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <class T>
void make_unique(std::vector<T>& values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

}  // namespace

/// Only these nodes' marks are ever asked for: those with an unevaluated keyword, and what they
/// apply in place.
std::vector<bool> Lowering::marked_nodes() const {
  std::vector<bool> marked(model_.nodes.size(), false);
  std::vector<NodeId> pending;
  std::set<std::string_view> visited;  // dynamic anchors
  const auto mark = [&](NodeId node) {
    if (marked[node]) return;
    marked[node] = true;
    pending.push_back(node);
  };
  for (NodeId node = 0; node < model_.nodes.size(); ++node) {
    const auto keywords = model_.keywords_of(node);
    if (std::ranges::any_of(keywords, is_unevaluated, &Keyword::id)) mark(node);
  }
  while (!pending.empty()) {
    const NodeId node = pending.back();
    pending.pop_back();
    for_each_in_place(model_, node, [&](NodeId target, const Keyword&) { mark(target); });
    const Keyword* dynamic = model_.keyword_of(node, KeywordId::dynamic_ref);
    if (dynamic == nullptr) continue;
    const Reference& reference = model_.references[dynamic->index];
    mark(reference.target);
    if (reference.dynamic_anchor.empty() || !visited.insert(reference.dynamic_anchor).second) {
      continue;
    }
    for (const auto& [resource, anchor] : model_.dynamic_anchors.at(reference.dynamic_anchor)) {
      mark(anchor);
    }
  }
  return marked;
}

void Lowering::keep_marks(NodeId node) {
  for (const json::Kind kind : {json::Kind::array, json::Kind::object}) {
    MarkDraft draft = draft_marks(node, kind);
    const KeywordId rest = kind == json::Kind::array ? KeywordId::unevaluated_items
                                                     : KeywordId::unevaluated_properties;
    if (model_.keyword_of(node, rest) != nullptr) draft.all = true;
    mark_drafts_[row_of(kind)].emplace(node, std::move(draft));
  }
}

/// Without the node's own unevaluated keywords.
MarkDraft Lowering::draft_marks(NodeId node, json::Kind kind) {
  MarkDraft draft;
  for (const Keyword& keyword : model_.keywords_of(node)) {
    if (draft.all) break;
    if (kind == json::Kind::array) mark_items(draft, node, keyword);
    if (kind == json::Kind::object) mark_members(draft, node, keyword);
    mark_in_place(draft, node, kind, keyword);
  }
  if (draft.all) return {.all = true, .names = {}, .patterns = {}, .prefix = 0, .steps = {}};
  make_unique(draft.names);
  make_unique(draft.patterns);
  return draft;
}

void Lowering::mark_items(MarkDraft& draft, NodeId node, const Keyword& keyword) {
  const ResourceDialect& dialect = model_.resources[model_.nodes[node].resource].dialect;
  if (keyword.id == KeywordId::items) {
    draft.all = true;
  } else if (keyword.id == KeywordId::prefix_items) {
    draft.prefix = std::max(draft.prefix, keyword.count);
  } else if (keyword.id == KeywordId::contains && dialect.base == Dialect::draft_2020_12) {
    const SchemaId schema = schema_at(node, model_.children_of(keyword)[0].node);
    draft.steps.push_back({.kind = MarkStep::Kind::matching, .condition = schema});
  }
}

void Lowering::mark_members(MarkDraft& draft, NodeId node, const Keyword& keyword) {
  switch (keyword.id) {
    case KeywordId::additional_properties:
      draft.all = true;
      break;
    case KeywordId::properties:
      for (const Child& child : model_.children_of(keyword)) draft.names.push_back(child.name);
      break;
    case KeywordId::pattern_properties:
      for (const Child& child : model_.children_of(keyword)) {
        draft.patterns.push_back(child.pattern);
      }
      break;
    case KeywordId::dependent_schemas:
    case KeywordId::dependencies:
      for (const Child& child : model_.children_of(keyword)) {
        if (child.node == kNoNode) continue;
        const MarkStep step = step_to(node, child.node, json::Kind::object);
        if (step.a == kMarksNothing) continue;
        draft.steps.push_back(step);
        draft.steps.back().kind = MarkStep::Kind::present;
        draft.steps.back().condition = add_name(child.name);
      }
      break;
    default:
      break;
  }
}

void Lowering::mark_in_place(MarkDraft& draft, NodeId node, json::Kind kind,
                             const Keyword& keyword) {
  switch (keyword.id) {
    case KeywordId::ref:
    case KeywordId::dynamic_ref: {
      const Reference& reference = model_.references[keyword.index];
      if (reference.dynamic_anchor.empty()) {
        mark_always(draft, node, reference.target, kind);
      } else {
        draft.steps.push_back(
            {.kind = MarkStep::Kind::dynamic, .condition = dynamic_target(node, keyword)});
      }
      break;
    }
    case KeywordId::all_of:
      for (const Child& child : model_.children_of(keyword)) {
        mark_always(draft, node, child.node, kind);
      }
      break;
    case KeywordId::any_of:
    case KeywordId::one_of:
      for (const Child& child : model_.children_of(keyword)) {
        const BlockId block = in_place_block(node, child.node, kind);
        if (block == kPass) mark_always(draft, node, child.node, kind);
        if (block <= kFail) continue;
        const MarkStep step = step_to(node, child.node, kind);
        if (step.a == kMarksNothing) continue;
        draft.steps.push_back(step);
        draft.steps.back().kind = MarkStep::Kind::when;
        draft.steps.back().condition = block;
      }
      break;
    case KeywordId::if_schema:
      mark_if(draft, node, kind, keyword);
      break;
    default:
      break;
  }
}

void Lowering::mark_if(MarkDraft& draft, NodeId node, json::Kind kind, const Keyword& keyword) {
  const NodeId condition = model_.children_of(keyword)[0].node;
  const BlockId block = in_place_block(node, condition, kind);
  const Keyword* then_branch = model_.keyword_of(node, KeywordId::then_schema);
  const Keyword* else_branch = model_.keyword_of(node, KeywordId::else_schema);
  MarkDraft yes;
  MarkDraft no;
  mark_always(yes, node, condition, kind);
  if (then_branch != nullptr) {
    mark_always(yes, node, model_.children_of(*then_branch)[0].node, kind);
  }
  if (else_branch != nullptr) {
    mark_always(no, node, model_.children_of(*else_branch)[0].node, kind);
  }
  if (block <= kFail) {
    merge(draft, block == kPass ? yes : no);
  } else if (!is_empty(yes) || !is_empty(no)) {
    draft.steps.push_back({.kind = MarkStep::Kind::choose,
                           .condition = block,
                           .a = seal_marks(yes),
                           .b = seal_marks(no)});
  }
}

void Lowering::mark_always(MarkDraft& draft, NodeId from, NodeId to, json::Kind kind) {
  const MarkDraft& marks = mark_drafts_[row_of(kind)].at(to);
  const bool few = marks.names.size() + draft.names.size() <= kMergedNames &&
                   marks.patterns.size() + draft.patterns.size() <= kMergedNames &&
                   marks.steps.size() <= kMergedSteps;
  if (few && (!enters_scope(from, to) || marks.steps.empty())) {
    merge(draft, marks);
  } else if (const MarkStep step = step_to(from, to, kind); step.a != kMarksNothing) {
    draft.steps.push_back(step);
  }
}

void Lowering::merge(MarkDraft& draft, const MarkDraft& marks) {
  draft.all = draft.all || marks.all;
  draft.prefix = std::max(draft.prefix, marks.prefix);
  append(draft.names, marks.names);
  append(draft.patterns, marks.patterns);
  append(draft.steps, marks.steps);
}

/// An unconditional step to the marks of a node; callers put their condition in.
MarkStep Lowering::step_to(NodeId from, NodeId to, json::Kind kind) {
  const auto [known, fresh] = mark_ids_[row_of(kind)].try_emplace(to, kMarksNothing);
  if (fresh) known->second = seal_marks(mark_drafts_[row_of(kind)].at(to));
  MarkStep step{.kind = MarkStep::Kind::always, .a = known->second};
  if (enters_scope(from, to)) step.resource = model_.nodes[to].resource;
  return step;
}

MarkId Lowering::seal_marks(const MarkDraft& draft) {
  if (draft.all) return kMarksAll;
  if (is_empty(draft)) return kMarksNothing;
  MarkBlock block;
  block.prefix = draft.prefix;
  if (!draft.names.empty()) {
    std::vector<NameSlot> slots;
    for (const std::string_view name : draft.names) slots.push_back({.name = make_name(name)});
    block.names = make_name_table(program_.slots, slots);
    block.has_names = true;
  }
  block.first_pattern = static_cast<std::uint32_t>(program_.mark_patterns.size());
  block.pattern_count = static_cast<std::uint32_t>(draft.patterns.size());
  append(program_.mark_patterns, draft.patterns);
  block.first_step = static_cast<std::uint32_t>(program_.mark_steps.size());
  block.step_count = static_cast<std::uint32_t>(draft.steps.size());
  append(program_.mark_steps, draft.steps);
  program_.marks.push_back(block);
  return static_cast<MarkId>(program_.marks.size() - 1);
}

/// For `dynamic` steps: the marks of every node that one may lead to.
void Lowering::keep_schema_marks() {
  if (!program_.dynamic_scope) return;
  program_.schema_marks.resize(program_.entries.size(), {kMarksNothing, kMarksNothing});
  for (const json::Kind kind : {json::Kind::array, json::Kind::object}) {
    for (const auto& [node, draft] : mark_drafts_[row_of(kind)]) {
      const MarkStep step = step_to(node, node, kind);
      program_.schema_marks[kFirstNode + node][row_of(kind)] = step.a;
      const auto scoped = scoped_.find(node);
      if (scoped != scoped_.end()) program_.schema_marks[scoped->second][row_of(kind)] = step.a;
    }
  }
}

}  // namespace interline::schema
