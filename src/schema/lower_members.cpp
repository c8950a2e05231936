// Lowering, the members of an object: properties, patternProperties, additionalProperties,
// required, and unevaluatedProperties where what is evaluated does not depend on the instance, as
// one pass.
#include <algorithm>

#include "schema/lower.hpp"

namespace interline::schema {
namespace {

/// What one match costs in itself, beside its steps.
constexpr std::size_t kMatchWork = 20;

}  // namespace

void Lowering::lower_members(Draft& draft, NodeId node) {
  MemberDraft members = draft_members(node);
  const Keyword* required = model_.keyword_of(node, KeywordId::required);
  const std::span<const json::Value> needed =
      required == nullptr ? std::span<const json::Value>() : required->value->items();
  const bool any = members.rest == kTrueSchema && members.patterns.empty();
  if (any && members.names.empty()) {
    lower_required(draft, needed);
    return;
  }
  for (const json::Value& name : needed) members.names[name.as_string()].required = true;

  std::vector<NameSlot> slots;
  for (const auto& [name, own] : members.names) {
    const SchemaId schema = schema_of_name(node, name, own, members);
    // A name that nothing is asked of needs no slot, unless `rest` or a pattern would take it.
    if (any && schema == kTrueSchema && !own.required) continue;
    slots.push_back({make_name(name), schema, own.required ? 1U : 0U});
  }
  if (any && slots.empty()) return;
  MemberTable table;
  table.names = make_name_table(program_.slots, slots);
  table.first_pattern = static_cast<std::uint32_t>(program_.patterns.size());
  table.pattern_count = static_cast<std::uint32_t>(members.patterns.size());
  table.additional = members.rest;
  table.required = static_cast<std::uint32_t>(needed.size());
  program_.patterns.insert(program_.patterns.end(), members.patterns.begin(),
                           members.patterns.end());
  draft.code.push_back(
      instruction(Op::members, static_cast<std::uint32_t>(program_.members.size())));
  program_.members.push_back(table);
}

Lowering::MemberDraft Lowering::draft_members(NodeId node) {
  MemberDraft draft;
  if (const Keyword* properties = model_.keyword_of(node, KeywordId::properties)) {
    for (const Child& child : model_.children_of(*properties)) {
      draft.names[child.name] = {.schema = schema_at(node, child.node), .known = true};
    }
  }
  if (const Keyword* patterns = model_.keyword_of(node, KeywordId::pattern_properties)) {
    for (const Child& child : model_.children_of(*patterns)) {
      draft.patterns.push_back({child.pattern, schema_at(node, child.node)});
    }
  }
  if (const Keyword* rest = model_.keyword_of(node, KeywordId::additional_properties)) {
    draft.rest = schema_at(node, model_.children_of(*rest)[0].node);
  } else if (const Keyword* left = model_.keyword_of(node, KeywordId::unevaluated_properties)) {
    draft_unevaluated(draft, node, *left);
  }
  // Without a schema for the rest, a pattern that asks for nothing changes nothing.
  if (draft.rest == kTrueSchema) {
    std::erase_if(draft.patterns, [](const PatternRow& row) { return row.schema == kTrueSchema; });
  }
  return draft;
}

/// unevaluatedProperties as additionalProperties: the names and patterns that subschemas evaluate
/// are known here, too, and ask for nothing more.
void Lowering::draft_unevaluated(MemberDraft& draft, NodeId node, const Keyword& keyword) {
  const MarkDraft marks = draft_marks(node, json::Kind::object);
  if (marks.all || !marks.steps.empty()) return;
  draft.rest = schema_at(node, model_.children_of(keyword)[0].node);
  for (const std::string_view name : marks.names) draft.names[name].known = true;
  for (const std::uint32_t pattern : marks.patterns) {
    if (std::ranges::find(draft.patterns, pattern, &PatternRow::pattern) == draft.patterns.end()) {
      draft.patterns.push_back({pattern, kTrueSchema});
    }
  }
}

void Lowering::lower_required(Draft& draft, std::span<const json::Value> names) {
  if (names.empty()) return;
  const auto first = static_cast<std::uint32_t>(program_.names.size());
  for (const json::Value& name : names) add_name(name.as_string());
  draft.code.push_back(instruction(Op::required, first, static_cast<std::uint32_t>(names.size())));
}

/// What a member of that name must match: its own schema, those of the patterns that match the
/// name, and `additional` if there are neither.
SchemaId Lowering::schema_of_name(NodeId node, std::string_view name, const MemberName& own,
                                  const MemberDraft& draft) {
  std::vector<SchemaId> schemas;
  if (own.schema != kTrueSchema) schemas.push_back(own.schema);
  bool matched = false;
  for (const PatternRow& row : draft.patterns) {
    const Match match = model_.patterns[row.pattern].search(name, pattern_steps_);
    pattern_steps_ -= std::min<std::size_t>(pattern_steps_, kMatchWork);
    if (match == Match::budget_exceeded || pattern_steps_ == 0) {
      too_large_ = {node, "patternProperties",
                    "too many patterns to match against the names in properties and required"};
      return kTrueSchema;
    }
    if (match != Match::yes) continue;
    matched = true;
    if (row.schema != kTrueSchema) schemas.push_back(row.schema);
  }
  if (!own.known && !matched) return draft.rest;
  return all_of_schemas(std::move(schemas));
}

SchemaId Lowering::all_of_schemas(std::vector<SchemaId> schemas) {
  if (std::ranges::find(schemas, kFalseSchema) != schemas.end()) return kFalseSchema;
  std::ranges::sort(schemas);
  const auto repeated = std::ranges::unique(schemas);
  schemas.erase(repeated.begin(), repeated.end());
  if (schemas.empty()) return kTrueSchema;
  if (schemas.size() == 1) return schemas.front();
  const auto [known, fresh] = conjunctions_.try_emplace(schemas, kTrueSchema);
  if (fresh) {
    known->second = static_cast<SchemaId>(program_.entries.size());
    program_.entries.emplace_back();
    derived_.push_back({known->second, std::move(schemas), kNone});
  }
  return known->second;
}

}  // namespace interline::schema
