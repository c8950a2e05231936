// Lowering, the keywords of objects.
#include <algorithm>

#include "schema/lower.hpp"
#include "schema/shapes.hpp"

namespace interline::schema {
namespace {

std::uint32_t clamped(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xFFFFFFFFU));
}

/// What one match costs in itself, beside its steps.
constexpr std::size_t kMatchWork = 20;

}  // namespace

void Lowering::lower_object_keyword(Draft& draft, NodeId node, const Keyword& keyword) {
  switch (keyword.id) {
    case KeywordId::max_properties:
      draft.code.push_back(instruction(Op::max_size, clamped(count_of(*keyword.value))));
      break;
    case KeywordId::min_properties:
      if (const std::uint32_t least = clamped(count_of(*keyword.value)); least > 0) {
        draft.code.push_back(instruction(Op::min_size, least));
      }
      break;
    case KeywordId::property_names: {
      const NodeId child = model_.children_of(keyword)[0].node;
      const SchemaId schema = schema_at(node, child);
      if (schema == kFalseSchema) {
        draft.code.push_back(instruction(Op::max_size, 0));
      } else if (schema != kTrueSchema) {
        draft.code.push_back(instruction(Op::member_names, schema));
      }
      break;
    }
    case KeywordId::dependent_required:
      for (const json::Member& member : keyword.value->members()) {
        if (member.value.size() == 0) continue;
        const std::uint32_t first = add_name(member.name());
        for (const json::Value& name : member.value.items()) add_name(name.as_string());
        draft.code.push_back(instruction(Op::dependent_required, first,
                                         static_cast<std::uint32_t>(member.value.size() + 1)));
      }
      break;
    case KeywordId::dependent_schemas:
    case KeywordId::dependencies:
      lower_dependencies(draft, node, keyword);
      break;
    case KeywordId::unevaluated_properties: {
      const MarkDraft marks = draft_marks(node, json::Kind::object);
      if (marks.all || marks.steps.empty()) break;  // lower_members() has it
      const SchemaId schema = schema_at(node, model_.children_of(keyword)[0].node);
      if (schema == kTrueSchema) break;
      draft.code.push_back(instruction(Op::unevaluated_members, schema, seal_marks(marks)));
      break;
    }
    default:
      break;
  }
}

void Lowering::lower_dependencies(Draft& draft, NodeId node, const Keyword& keyword) {
  for (const Child& child : model_.children_of(keyword)) {
    if (child.names != nullptr) {
      if (child.names->size() == 0) continue;
      const std::uint32_t first = add_name(child.name);
      for (const json::Value& name : child.names->items()) add_name(name.as_string());
      draft.code.push_back(instruction(Op::dependent_required, first,
                                       static_cast<std::uint32_t>(child.names->size() + 1)));
      continue;
    }
    const BlockId block = in_place_block(node, child.node, json::Kind::object);
    if (block == kPass) continue;
    draft.code.push_back(instruction(Op::dependent_block, add_name(child.name), block));
  }
}

/// properties, patternProperties, additionalProperties, required, and unevaluatedProperties where
/// what is evaluated does not depend on the instance: one pass over the members.
void Lowering::lower_members(Draft& draft, NodeId node) {
  const Keyword* properties = model_.keyword_of(node, KeywordId::properties);
  const Keyword* matched = model_.keyword_of(node, KeywordId::pattern_properties);
  const Keyword* additional = model_.keyword_of(node, KeywordId::additional_properties);
  const Keyword* unevaluated = model_.keyword_of(node, KeywordId::unevaluated_properties);
  const Keyword* required = model_.keyword_of(node, KeywordId::required);

  SchemaId rest = kTrueSchema;
  std::vector<PatternRow> patterns;
  if (matched != nullptr) {
    for (const Child& child : model_.children_of(*matched)) {
      patterns.push_back({child.pattern, schema_at(node, child.node)});
    }
  }
  std::vector<std::string_view> evaluated;
  if (additional != nullptr) {
    rest = schema_at(node, model_.children_of(*additional)[0].node);
  } else if (unevaluated != nullptr) {
    const MarkDraft marks = draft_marks(node, json::Kind::object);
    if (!marks.all && marks.steps.empty()) {
      rest = schema_at(node, model_.children_of(*unevaluated)[0].node);
      evaluated = marks.names;
      for (const std::uint32_t pattern : marks.patterns) {
        if (std::ranges::find(patterns, pattern, &PatternRow::pattern) == patterns.end()) {
          patterns.push_back({pattern, kTrueSchema});
        }
      }
    }
  }
  // Patterns without effect, since what they match is neither tested nor kept from `rest`.
  if (rest == kTrueSchema) {
    std::erase_if(patterns, [](const PatternRow& row) { return row.schema == kTrueSchema; });
  }
  const std::span<const json::Value> needed =
      required == nullptr ? std::span<const json::Value>() : required->value->items();
  std::unordered_map<std::string_view, NameSlot> slots;
  if (properties != nullptr) {
    for (const Child& child : model_.children_of(*properties)) {
      slots[child.name] = {make_name(child.name), schema_at(node, child.node), 0};
    }
  }
  if (rest == kTrueSchema && patterns.empty() && slots.empty()) {
    lower_required(draft, needed);
    return;
  }
  const auto known = [&](std::string_view name) { return slots.contains(name); };
  std::vector<std::pair<std::string_view, bool>> names;  // and whether `rest` passes them over
  for (const auto& [name, slot] : slots) names.emplace_back(name, true);
  for (const std::string_view name : evaluated) {
    if (!known(name)) names.emplace_back(name, true);
    slots.try_emplace(name, NameSlot{make_name(name), kTrueSchema, 0});
  }
  for (const json::Value& name : needed) {
    if (!known(name.as_string())) names.emplace_back(name.as_string(), false);
    slots.try_emplace(name.as_string(), NameSlot{make_name(name.as_string()), kTrueSchema, 0});
    slots[name.as_string()].required = 1;
  }
  for (const auto& [name, is_known] : names) {
    NameSlot& slot = slots[name];
    slot.schema = schema_of_name(node, name, slot.schema, is_known, rest, patterns);
  }
  std::vector<NameSlot> rows;
  for (const auto& [name, slot] : slots) {
    // A name that nothing is asked of needs no slot, unless `rest` would take it.
    const bool idle = slot.schema == kTrueSchema && slot.required == 0;
    if (!idle || rest != kTrueSchema || !patterns.empty()) rows.push_back(slot);
  }
  if (rows.empty() && patterns.empty() && rest == kTrueSchema) return;
  MemberTable table;
  table.names = make_name_table(program_.slots, rows);
  table.first_pattern = static_cast<std::uint32_t>(program_.patterns.size());
  table.pattern_count = static_cast<std::uint32_t>(patterns.size());
  table.additional = rest;
  table.required = static_cast<std::uint32_t>(needed.size());
  program_.patterns.insert(program_.patterns.end(), patterns.begin(), patterns.end());
  draft.code.push_back(
      instruction(Op::members, static_cast<std::uint32_t>(program_.members.size())));
  program_.members.push_back(table);
}

void Lowering::lower_required(Draft& draft, std::span<const json::Value> names) {
  if (names.empty()) return;
  const auto first = static_cast<std::uint32_t>(program_.names.size());
  for (const json::Value& name : names) add_name(name.as_string());
  draft.code.push_back(instruction(Op::required, first, static_cast<std::uint32_t>(names.size())));
}

/// What a member of that name must match: its own schema, those of the patterns that match the
/// name, and `additional` if there are neither.
SchemaId Lowering::schema_of_name(NodeId node, std::string_view name, SchemaId own, bool known,
                                  SchemaId additional, std::span<const PatternRow> patterns) {
  std::vector<SchemaId> schemas;
  if (own != kTrueSchema) schemas.push_back(own);
  bool matched = false;
  for (const PatternRow& row : patterns) {
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
  if (!known && !matched) return additional;
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
