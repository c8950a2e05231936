#include "schema/loader.hpp"

#include <limits>
#include <utility>

#include "json/parse.hpp"
#include "schema/bounded_text.hpp"
#include "schema/metaschemas.hpp"
#include "schema/uri.hpp"

namespace interline::schema {
namespace {

/// The text was parsed before, under the limits of whoever parsed it.
json::Limits no_limits() {
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  return {.bytes = kAny,
          .depth = kAny,
          .string_bytes = kAny,
          .members = kAny,
          .elements = kAny,
          .nodes = kAny,
          .number_bytes = kAny};
}

}  // namespace

std::expected<void, CompileError> Loader::load(const json::Value& root) {
  const std::string uri(without_fragment(options_.base_uri));
  if (load_document(uri, root.source()) && resolve_references()) {
    settle_dynamic_references();
    return {};
  }
  return std::unexpected(error_.value());
}

bool Loader::load_document(std::string_view uri, std::string_view text) {
  // An own copy: names, texts and enum values of the compiled schema are views into it.
  auto parsed = json::parse(std::string(text), no_limits(), json::Numbers::faithful);
  if (!parsed) {
    error_ = CompileError{CompileErrorCode::not_a_schema, std::string(uri), "",
                          "must be a schema: an object or a boolean"};
    return false;
  }
  const auto index = static_cast<std::uint32_t>(model_.documents.size());
  model_.documents.push_back({std::string(index == 0 ? "" : uri), std::move(*parsed)});
  // Until its own identifier is known, the root belongs to a resource named by its retrieval URI.
  const auto resource = static_cast<std::uint32_t>(model_.resources.size());
  const std::string_view kept = model_.uris.emplace_back(uri);
  model_.resources.push_back({.uri = kept,
                              .root = kNoNode,
                              .dialect = standard_dialect(options_.default_dialect),
                              .anchors = {},
                              .dynamic_anchors = {}});
  resource_at_.emplace(kept, resource);
  const NodeId root = add_node(model_.documents.back().document.root(),
                               Node{.resource = resource, .document = index}, 1);
  if (root != kNoNode && model_.root == kNoNode) model_.root = root;
  return root != kNoNode;
}

std::optional<std::uint32_t> Loader::find_resource(std::string uri) {
  if (const auto builtin = builtin_dialect(uri)) uri = without_fragment(uri_of(*builtin));
  if (const auto known = resource_at_.find(uri); known != resource_at_.end()) return known->second;
  std::string_view text = builtin_document(uri);
  if (text.empty() && options_.documents) {
    if (const json::Value* supplied = options_.documents(uri)) text = supplied->source();
  }
  if (text.empty() || !load_document(uri, text)) return std::nullopt;
  return resource_at_.at(uri);
}

std::optional<ResourceDialect> Loader::dialect_for(std::string_view schema_uri, NodeId node) {
  if (const auto builtin = builtin_dialect(schema_uri)) {
    ResourceDialect dialect = standard_dialect(*builtin);
    dialect.asserts_format = options_.assert_format;
    return dialect;
  }
  const std::string uri(without_fragment(schema_uri));
  if (const auto known = custom_dialects_.find(uri); known != custom_dialects_.end()) {
    return known->second;
  }
  const std::optional<ResourceDialect> dialect = custom_dialect(uri, node);
  if (dialect) custom_dialects_.emplace(uri, *dialect);
  return dialect;
}

std::optional<ResourceDialect> Loader::custom_dialect(std::string_view uri, NodeId node) {
  const json::Value* meta = options_.documents ? options_.documents(uri) : nullptr;
  if (meta == nullptr || !meta->is_object()) {
    fail(CompileErrorCode::unsupported_dialect, node, keyword_step("$schema"),
         "must be " + std::string(uri_of(Dialect::draft_2020_12)) + " or " +
             std::string(uri_of(Dialect::draft_07)) + ", not " + quoted(uri));
    return std::nullopt;
  }
  const json::Value* own = meta->find("$schema");
  const std::string_view written = own != nullptr ? own->get_string().value_or("") : "";
  ResourceDialect dialect = standard_dialect(Dialect::draft_07);
  if (builtin_dialect(written) != Dialect::draft_07) {
    const json::Value* vocabulary = meta->find("$vocabulary");
    if (vocabulary != nullptr && !vocabulary->is_object()) vocabulary = nullptr;
    auto named = dialect_of_vocabularies(vocabulary);
    if (!named) {
      fail(CompileErrorCode::unsupported_vocabulary, node, keyword_step("$schema"),
           "its meta-schema requires a vocabulary that is not supported: " + quoted(named.error()));
      return std::nullopt;
    }
    dialect = *named;
  }
  dialect.asserts_format = dialect.asserts_format || options_.assert_format;
  return dialect;
}

bool Loader::fail(CompileErrorCode code, NodeId node, const Step& step, std::string message) {
  if (error_) return false;
  std::string location = pointer_in_document(model_, node);
  append_step(location, step);
  error_ = CompileError{code, model_.documents[model_.nodes[node].document].uri,
                        bounded(location, 1'024), bounded(message, 512)};
  return false;
}

}  // namespace interline::schema
