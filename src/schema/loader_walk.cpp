// Loader, second part: one recursive walk over the subschemas of a document.
#include <algorithm>
#include <utility>

#include "schema/bounded_text.hpp"
#include "schema/loader.hpp"
#include "schema/shapes.hpp"
#include "schema/uri.hpp"

namespace interline::schema {
namespace {

/// draft-07 (Core 8.3): next to $ref, all other keywords are ignored. Their `definitions` stay
/// places that a reference can name.
bool ref_hides_siblings(const ResourceDialect& dialect, const json::Value& schema) {
  return dialect.base == Dialect::draft_07 && schema.find("$ref") != nullptr;
}

bool is_schema(const json::Value& value) {
  return value.is_object() || value.is_boolean();
}

}  // namespace

NodeId Loader::add_node(const json::Value& value, const Node& at, std::size_t depth) {
  if (const auto known = node_at_.find(&value); known != node_at_.end()) return known->second;
  const auto id = static_cast<NodeId>(model_.nodes.size());
  model_.nodes.push_back(at);
  model_.nodes[id].schema = &value;
  node_at_.emplace(&value, id);
  if (!is_schema(value)) {
    fail(CompileErrorCode::not_a_schema, id, {}, "must be a schema: an object or a boolean");
    return kNoNode;
  }
  if (model_.nodes.size() > options_.limits.subschemas) {
    fail(CompileErrorCode::too_large, id, {},
         "at most " + std::to_string(options_.limits.subschemas) + " subschemas are allowed");
    return kNoNode;
  }
  if (depth > options_.limits.depth) {
    fail(CompileErrorCode::too_large, id, {},
         "at most " + std::to_string(options_.limits.depth) +
             " subschemas inside each other are allowed");
    return kNoNode;
  }
  if (!identify(id)) return kNoNode;
  if (value.is_object() && !add_keywords(id, depth)) return kNoNode;
  return id;
}

/// Core 8.1.1 and 8.2: whether the node starts a resource, and in which dialect.
bool Loader::identify(NodeId node) {
  const json::Value& schema = *model_.nodes[node].schema;
  const std::uint32_t enclosing = model_.nodes[node].resource;
  const bool document_root = model_.resources[enclosing].root == kNoNode;
  const json::Value* id = schema.find("$id");
  const bool hidden =
      !document_root && ref_hides_siblings(model_.resources[enclosing].dialect, schema);
  const std::string_view text =
      id != nullptr && !hidden ? id->get_string().value_or("") : std::string_view();
  // "#name" is an anchor in draft-07 and a mistake in 2020-12, which add_keywords() reports.
  const bool new_resource = !text.empty() && !text.starts_with('#');
  if (!new_resource && !document_root) return true;

  auto dialect = dialect_of(schema, enclosing, node);
  if (!dialect) return false;
  std::optional<std::string_view> uri = model_.resources[enclosing].uri;
  if (new_resource) uri = resolved_identifier(*uri, text, node);
  return uri && add_resource(node, *uri, *dialect);
}

/// Each URI is kept once, and all of them together are bounded: many under a long base would cost
/// their number times its length.
std::optional<std::string_view> Loader::resolved_identifier(std::string_view base,
                                                            std::string_view id, NodeId node) {
  const std::string resolved = resolve_uri(base, id);
  const std::string_view uri = without_fragment(resolved);
  const CompileLimits& limits = options_.limits;
  if (uri.size() > limits.uri_bytes) {
    fail(CompileErrorCode::too_large, node, keyword_step("$id"),
         "$id must be at most " + std::to_string(limits.uri_bytes) + " bytes, resolved");
    return std::nullopt;
  }
  if (uri.size() > limits.all_uri_bytes - uri_bytes_) {
    fail(CompileErrorCode::too_large, node, keyword_step("$id"),
         "at most " + std::to_string(limits.all_uri_bytes) +
             " bytes are allowed in all $id together, resolved");
    return std::nullopt;
  }
  if (uri == base) return base;
  uri_bytes_ += uri.size();
  return model_.uris.emplace_back(uri);
}

/// `$schema` at the root of a resource; without it, that of the resource around it.
std::optional<ResourceDialect> Loader::dialect_of(const json::Value& schema,
                                                  std::uint32_t enclosing, NodeId node) {
  const json::Value* written = schema.find("$schema");
  if (written == nullptr) {
    ResourceDialect dialect = model_.resources[enclosing].dialect;
    dialect.asserts_format = dialect.asserts_format || options_.assert_format;
    return dialect;
  }
  if (written->is_string()) return dialect_for(written->as_string(), node);
  fail(CompileErrorCode::invalid_keyword, node, keyword_step("$schema"),
       "$schema must be a string");
  return std::nullopt;
}

/// The root of a document takes over the resource that load_document() made for it.
bool Loader::add_resource(NodeId node, std::string_view uri, const ResourceDialect& dialect) {
  std::uint32_t resource = model_.nodes[node].resource;
  const bool document_root = model_.resources[resource].root == kNoNode;
  if (!document_root) {
    resource = static_cast<std::uint32_t>(model_.resources.size());
    model_.resources.emplace_back();
  }
  const bool renamed = !document_root || uri != model_.resources[resource].uri;
  if (renamed && !resource_at_.emplace(uri, resource).second) {
    return fail(CompileErrorCode::duplicate_identifier, node, keyword_step("$id"),
                "$id names another schema, too: " + quoted(uri));
  }
  model_.resources[resource].uri = uri;
  model_.resources[resource].root = node;
  model_.resources[resource].dialect = dialect;
  model_.nodes[node].resource = resource;
  return true;
}

bool Loader::add_keywords(NodeId node, std::size_t depth) {
  const json::Value& schema = *model_.nodes[node].schema;
  const ResourceDialect& dialect = model_.resources[model_.nodes[node].resource].dialect;
  const bool only_ref = ref_hides_siblings(dialect, schema);
  std::vector<Keyword> keywords;
  keywords.reserve(schema.size());
  for (const json::Member& member : schema.members()) {
    if (only_ref && member.name() != "$ref" && member.name() != "definitions") continue;
    if (!add_keyword(node, member, keywords, depth)) return false;
  }
  // Of one id, in the order of the text.
  std::ranges::sort(keywords, {}, [](const Keyword& keyword) {
    return std::pair(keyword.id, keyword.value->source().data());
  });
  model_.nodes[node].first_keyword = static_cast<std::uint32_t>(model_.keywords.size());
  model_.nodes[node].keyword_count = static_cast<std::uint32_t>(keywords.size());
  model_.keywords.insert(model_.keywords.end(), keywords.begin(), keywords.end());
  return true;
}

bool Loader::add_keyword(NodeId node, const json::Member& member, std::vector<Keyword>& keywords,
                         std::size_t depth) {
  const ResourceDialect dialect = model_.resources[model_.nodes[node].resource].dialect;
  if (options_.refuse_keyword && model_.nodes[node].document == 0) {
    if (auto refusal = options_.refuse_keyword(member)) {
      return fail(refusal->code, node, keyword_step(member.name()), std::move(refusal->message));
    }
  }
  Keyword keyword{.name = member.name(), .value = &member.value};
  const KeywordRow* row = find_keyword(member.name(), dialect);
  if (row == nullptr) {
    keywords.push_back(keyword);
    return true;
  }
  if (const auto expected = shape_mismatch(*row, dialect.base, member.value)) {
    return fail(CompileErrorCode::invalid_keyword, node, keyword_step(member.name()),
                std::string(row->name) + " " + std::string(*expected));
  }
  keyword.id = row->id;
  if (!add_children(node, *row, member, keyword, depth) || !settle_keyword(node, keyword)) {
    return false;
  }
  keywords.push_back(keyword);
  return true;
}

bool Loader::add_children(NodeId node, const KeywordRow& row, const json::Member& member,
                          Keyword& keyword, std::size_t depth) {
  if (row.holds == Holds::nothing) return true;
  std::vector<Child> children;
  const auto add = [&](const json::Value& value, const Step& step, Child child) {
    const Node at{.parent = node,
                  .step = step,
                  .resource = model_.nodes[node].resource,
                  .document = model_.nodes[node].document};
    child.node = add_node(value, at, depth + 1);
    children.push_back(child);
    return child.node != kNoNode;
  };
  const json::Value& value = member.value;
  if (row.holds == Holds::schema || (row.holds == Holds::items && !value.is_array())) {
    if (!add(value, keyword_step(keyword.name), {})) return false;
  } else if (value.is_array()) {
    children.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!add(value.items()[i], index_step(keyword.name, i), {})) return false;
    }
  } else {
    children.reserve(value.size());
    for (const json::Member& entry : value.members()) {
      Child child{.name = entry.name()};
      const Step step = name_step(keyword.name, entry.name());
      if (row.holds == Holds::pattern_map &&
          !add_pattern(node, step, entry.name(), child.pattern)) {
        return false;
      }
      if (row.holds == Holds::dependencies && entry.value.is_array()) {
        const KeywordRow names{.name = row.name, .shape = Shape::string_set};
        if (const auto expected = shape_mismatch(names, Dialect::draft_07, entry.value)) {
          return fail(CompileErrorCode::invalid_keyword, node, step,
                      std::string(row.name) + " " + std::string(*expected) + ", or a schema");
        }
        child.names = &entry.value;
        children.push_back(child);
        continue;
      }
      if (!add(entry.value, step, child)) return false;
    }
  }
  keyword.first = static_cast<std::uint32_t>(model_.children.size());
  keyword.count = static_cast<std::uint32_t>(children.size());
  model_.children.insert(model_.children.end(), children.begin(), children.end());
  return true;
}

}  // namespace interline::schema
