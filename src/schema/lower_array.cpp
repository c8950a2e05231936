// Lowering, the keywords of arrays.
#include <algorithm>

#include "schema/lower.hpp"
#include "schema/shapes.hpp"

namespace interline::schema {
namespace {

std::uint32_t clamped(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xFFFFFFFFU));
}

std::uint32_t prefix_length(const Model& model, NodeId node) {
  const Keyword* prefix = model.keyword_of(node, KeywordId::prefix_items);
  return prefix == nullptr ? 0 : prefix->count;
}

}  // namespace

void Lowering::lower_array_keyword(Draft& draft, NodeId node, const Keyword& keyword) {
  const auto child_schema = [&] { return schema_at(node, model_.children_of(keyword)[0].node); };
  switch (keyword.id) {
    case KeywordId::max_items:
      draft.code.push_back(instruction(Op::max_size, clamped(count_of(*keyword.value))));
      break;
    case KeywordId::min_items:
      if (const std::uint32_t least = clamped(count_of(*keyword.value)); least > 0) {
        draft.code.push_back(instruction(Op::min_size, least));
      }
      break;
    case KeywordId::unique_items:
      if (keyword.value->as_bool()) draft.code.push_back(instruction(Op::unique_items));
      break;
    case KeywordId::prefix_items: {
      const auto first = static_cast<std::uint32_t>(program_.lists.size());
      std::vector<std::uint32_t> schemas;
      for (const Child& child : model_.children_of(keyword)) {
        schemas.push_back(schema_at(node, child.node));
      }
      program_.lists.insert(program_.lists.end(), schemas.begin(), schemas.end());
      draft.code.push_back(instruction(Op::prefix, first, keyword.count));
      break;
    }
    case KeywordId::items:
      if (const SchemaId schema = child_schema(); schema == kFalseSchema) {
        draft.code.push_back(instruction(Op::max_size, prefix_length(model_, node)));
      } else if (schema != kTrueSchema) {
        draft.code.push_back(instruction(Op::items, schema, prefix_length(model_, node)));
      }
      break;
    case KeywordId::contains: {
      const Keyword* least = model_.keyword_of(node, KeywordId::min_contains);
      const Keyword* most = model_.keyword_of(node, KeywordId::max_contains);
      const std::uint32_t minimum = least == nullptr ? 1 : clamped(count_of(*least->value));
      const std::uint32_t maximum = most == nullptr ? kNone : clamped(count_of(*most->value));
      if (minimum == 0 && maximum == kNone) break;
      draft.code.push_back(instruction(Op::contains, child_schema(), minimum, maximum));
      break;
    }
    case KeywordId::unevaluated_items:
      lower_unevaluated_items(draft, node, keyword);
      break;
    default:
      break;
  }
}

void Lowering::lower_unevaluated_items(Draft& draft, NodeId node, const Keyword& keyword) {
  const MarkDraft marks = draft_marks(node, json::Kind::array);
  const SchemaId schema = schema_at(node, model_.children_of(keyword)[0].node);
  if (marks.all || schema == kTrueSchema) return;
  if (!marks.steps.empty()) {
    draft.code.push_back(instruction(Op::unevaluated_items, schema, seal_marks(marks)));
  } else if (schema == kFalseSchema) {
    draft.code.push_back(instruction(Op::max_size, marks.prefix));
  } else {
    draft.code.push_back(instruction(Op::items, schema, marks.prefix));
  }
}

}  // namespace interline::schema
