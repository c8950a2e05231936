// Which subschemas a schema applies to the same value, and the order that follows from it.
#pragma once

#include <expected>
#include <vector>

#include "schema/model.hpp"

namespace interline::schema {

/// Calls visit(NodeId, const Keyword&) for each other subschema that `node` applies to the value it
/// is itself applied to: by reference, by allOf, anyOf, oneOf, not, if, then, else,
/// dependentSchemas. References that are only decided in the dynamic scope are left out.
template <class Visit>
void for_each_in_place(const Model& model, NodeId node, Visit visit) {
  for (const Keyword& keyword : model.keywords_of(node)) {
    switch (keyword.id) {
      case KeywordId::ref:
      case KeywordId::dynamic_ref: {
        const Reference& reference = model.references[keyword.index];
        if (reference.dynamic_anchor.empty()) visit(reference.target, keyword);
        break;
      }
      case KeywordId::all_of:
      case KeywordId::any_of:
      case KeywordId::one_of:
      case KeywordId::not_schema:
      case KeywordId::if_schema:
      case KeywordId::dependent_schemas:
      case KeywordId::dependencies:
        for (const Child& child : model.children_of(keyword)) {
          if (child.node != kNoNode) visit(child.node, keyword);
        }
        break;
      case KeywordId::then_schema:
      case KeywordId::else_schema:  // without if, they have no effect (Core 10.2.2.2, 10.2.2.3)
        if (model.keyword_of(node, KeywordId::if_schema) != nullptr) {
          visit(model.children_of(keyword)[0].node, keyword);
        }
        break;
      default:
        break;
    }
  }
}

/// A schema that leads back to itself for the same value: evaluating it would never end (Core
/// 9.4.1).
struct EndlessLoop {
  NodeId node;
  const Keyword* keyword;  ///< the step that closes the loop
};

/// All nodes, each after the ones it applies in place.
[[nodiscard]] std::expected<std::vector<NodeId>, EndlessLoop> in_place_order(const Model& model);

}  // namespace interline::schema
