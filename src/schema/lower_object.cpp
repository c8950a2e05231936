// Lowering, the keywords of objects.
#include <algorithm>

#include "schema/lower.hpp"
#include "schema/shapes.hpp"

namespace interline::schema {
namespace {

std::uint32_t clamped(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xFFFFFFFFU));
}

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

}  // namespace interline::schema
