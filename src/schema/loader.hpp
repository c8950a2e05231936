// Builds a Model from a schema document: parses own copies of the documents, walks the subschemas,
// registers identifiers, checks shapes, compiles patterns and resolves references. Nothing is
// fetched: documents come from the built-in meta-schemas and the allowlist.
//
// All subschemas of every document that is used are walked, reachable or not; so a broken keyword
// or an unresolved reference anywhere in them is an error.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "schema/model.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

class Loader {
 public:
  Loader(Model& model, const CompileOptions& options) : model_(model), options_(options) {}

  /// Fills the model. After an error the model is of no use.
  [[nodiscard]] std::expected<void, CompileError> load(const json::Value& root);

 private:
  // loader.cpp: documents, resources, dialects
  bool load_document(std::string_view uri, std::string_view text);
  std::optional<ResourceDialect> dialect_for(std::string_view schema_uri, NodeId node);
  std::optional<ResourceDialect> custom_dialect(std::string_view uri, NodeId node);
  std::optional<std::uint32_t> find_resource(std::string uri);

  // loader_walk.cpp: subschemas and keywords. Recursion is bounded by CompileLimits::depth.
  NodeId add_node(const json::Value& value, const Node& at, std::size_t depth);
  bool identify(NodeId node);
  std::optional<ResourceDialect> dialect_of(const json::Value& schema, std::uint32_t enclosing,
                                            NodeId node);
  std::optional<std::string_view> resolved_identifier(std::string_view base, std::string_view id,
                                                      NodeId node);
  bool add_resource(NodeId node, std::string_view uri, const ResourceDialect& dialect);
  bool add_keywords(NodeId node, std::size_t depth);
  bool add_keyword(NodeId node, const json::Member& member, std::vector<Keyword>& keywords,
                   std::size_t depth);
  bool add_children(NodeId node, const KeywordRow& row, const json::Member& member,
                    Keyword& keyword, std::size_t depth);

  // loader_keywords.cpp: what single keywords bring with them
  bool settle_keyword(NodeId node, Keyword& keyword);
  bool settle_format(NodeId node, Keyword& keyword, bool refuse_unknown);
  bool add_reference(NodeId node, Keyword& keyword);
  bool add_pattern(NodeId node, Step step, std::string_view text, std::uint32_t& index);
  bool add_anchor(NodeId node, std::string_view name, std::string_view keyword, bool dynamic);

  // loader_resolve.cpp: references
  bool resolve_references();
  bool resolve(Reference& reference);
  NodeId find_pointer(std::uint32_t resource, std::string_view pointer);
  void settle_dynamic_references();

  /// Records the first error, at a step below a node; always false.
  bool fail(CompileErrorCode code, NodeId node, const Step& step, std::string message);

  Model& model_;
  const CompileOptions& options_;
  std::optional<CompileError> error_;
  std::unordered_map<const json::Value*, NodeId> node_at_;
  std::unordered_map<std::string_view, std::uint32_t> resource_at_;  // by Resource::uri
  std::unordered_map<std::string_view, std::uint32_t> pattern_at_;
  std::unordered_map<std::string, ResourceDialect> custom_dialects_;
  std::size_t uri_bytes_ = 0;
  std::size_t pattern_memory_ = 0;
  std::size_t pattern_work_ = 0;
};

[[nodiscard]] inline Step keyword_step(std::string_view keyword) {
  return {.kind = Step::Kind::keyword, .keyword = keyword};
}
[[nodiscard]] inline Step name_step(std::string_view keyword, std::string_view name) {
  return {.kind = Step::Kind::name, .keyword = keyword, .name = name};
}
[[nodiscard]] inline Step index_step(std::string_view keyword, std::size_t index) {
  return {
      .kind = Step::Kind::index, .index = static_cast<std::uint32_t>(index), .keyword = keyword};
}

}  // namespace interline::schema
