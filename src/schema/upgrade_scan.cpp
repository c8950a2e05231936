// Finds the schemas of a draft-07 text, what they identify and the references between them.
#include <algorithm>
#include <string>
#include <utility>

#include "schema/format_characters.hpp"
#include "schema/upgrade.hpp"
#include "schema/upgrade_model.hpp"
#include "schema/uri.hpp"

namespace interline::schema::upgrading {
namespace {

/// 2020-12 Core 8.2.2: what `$anchor` may be. draft-07 allows a colon, too, and no underscore
/// first.
bool is_anchor(std::string_view name) {
  if (name.empty() || !(grammar::is_alpha(name.front()) || name.front() == '_')) return false;
  return std::ranges::all_of(
      name, [](char c) { return grammar::is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

std::string anchor_like(std::string_view name) {
  std::string anchor;
  if (name.empty() || !grammar::is_alpha(name.front())) anchor += '_';
  for (const char c : name) {
    anchor += grammar::is_alphanumeric(c) || c == '-' || c == '.' ? c : '_';
  }
  return anchor;
}

/// Whether `$id` stands anywhere in the value.
bool holds_identifier(const json::Value& value) {
  std::vector<const json::Value*> open{&value};
  while (!open.empty()) {
    const json::Value& at = *open.back();
    open.pop_back();
    if (at.find("$id") != nullptr) return true;
    if (at.is_array()) {
      for (const json::Value& item : at.items()) open.push_back(&item);
    } else if (at.is_object()) {
      for (const json::Member& member : at.members()) open.push_back(&member.value);
    }
  }
  return false;
}

}  // namespace

std::string FreshNames::fresh(const std::string& wanted) {
  std::string name = wanted;
  while (!taken_.insert(name).second) {
    std::size_t& count = counts_.try_emplace(wanted, 1).first->second;
    name = wanted + "_" + std::to_string(++count);
  }
  return name;
}

std::expected<Model, CompileError> Model::of(const json::Value& root) {
  Model model;
  model.resources_.emplace_back();
  model.by_uri_.emplace("", 0);
  if (const Status status = model.scan(root, {}, 0); !status) {
    return std::unexpected(status.error());
  }
  model.name_anchors();
  // Resolving may find strays, whose own references then join the list.
  for (std::size_t i = 0; i < model.references_.size(); ++i) {
    if (const Status status = model.resolve(i); !status) return std::unexpected(status.error());
  }
  for (Reference& reference : model.references_) {
    if (const Status status = model.rewrite(reference); !status) {
      return std::unexpected(status.error());
    }
  }
  return model;
}

Model::Status Model::scan(const json::Value& schema, Site site, std::size_t depth) {
  const auto number = static_cast<std::uint32_t>(sites_.size());
  if (const auto known = index_.find(&schema); known != index_.end()) {
    if (!sites_[known->second].identifies) return {};  // a stray inside a stray
    return error(CompileErrorCode::unresolved_reference, known->second, {},
                 "must not be part of two schemas");
  }
  index_.emplace(&schema, number);
  site.schema = &schema;
  sites_.push_back(std::move(site));
  constexpr CompileLimits kLimits;
  if (depth > kLimits.depth || sites_.size() > kLimits.subschemas) {
    return error(CompileErrorCode::too_large, number, {}, "too many subschemas or too deep");
  }
  if (schema.is_boolean()) return {};
  if (!schema.is_object()) {
    return error(CompileErrorCode::not_a_schema, number, {}, "must be an object or a boolean");
  }
  const bool reference = is_reference(schema);
  // The root's $schema and $id speak of the document, even beside $ref.
  if (number == 0 || !reference) {
    if (const Status status = check_dialect(number); !status) return status;
    if (const Status status = identify(number); !status) return status;
  }
  if (reference) {
    if (const Status status = add_reference(number); !status) return status;
  }
  if (const Status status = check_definitions(number); !status) return status;
  for (const json::Member& member : schema.members()) {
    if (const Status status = scan_keyword(number, member, depth); !status) return status;
  }
  return {};
}

Model::Status Model::scan_keyword(std::uint32_t number, const json::Member& member,
                                  std::size_t depth) {
  using Holds = Place::Holds;
  const Site& site = sites_[number];
  const Holds holds = place_of(*site.schema, member.name()).holds;
  if (holds == Holds::data) {
    // It is going to be removed, but draft-07 would find what it identifies.
    const bool lost = treatment_of(member.name()) == Treatment::additional_items &&
                      !is_reference(*site.schema) && holds_identifier(member.value);
    if (!lost) return {};
    return error(CompileErrorCode::invalid_keyword, number, member.name(),
                 "must not hold an $id where it decides nothing");
  }

  Site child;
  child.parent = number;
  child.resource = site.resource;
  child.identifies = site.identifies;
  child.step.keyword = member.name();
  if (holds == Holds::schema) return scan(member.value, child, depth + 1);

  if (holds == Holds::schema_array) {
    if (!member.value.is_array()) {
      return error(CompileErrorCode::invalid_keyword, number, member.name(),
                   "must be an array of schemas");
    }
    std::size_t index = 0;
    for (const json::Value& item : member.value.items()) {
      child.step.index = index++;
      if (const Status status = scan(item, child, depth + 1); !status) return status;
    }
    return {};
  }
  if (!member.value.is_object()) {
    return error(CompileErrorCode::invalid_keyword, number, member.name(), "must be an object");
  }
  for (const json::Member& entry : member.value.members()) {
    if (holds == Holds::dependencies && entry.value.is_array()) continue;
    child.step.name = entry.name();
    if (const Status status = scan(entry.value, child, depth + 1); !status) return status;
  }
  return {};
}

/// draft-07 Core 7: `$schema` belongs to root schemas; elsewhere it may at most repeat itself.
Model::Status Model::check_dialect(std::uint32_t number) const {
  const json::Value* const dialect = sites_[number].schema->find("$schema");
  if (dialect == nullptr || is_draft_07(*sites_[number].schema)) return {};
  if (!dialect->is_string()) {
    return error(CompileErrorCode::invalid_keyword, number, "$schema", "must be a string");
  }
  return error(CompileErrorCode::unsupported_dialect, number, "$schema",
               "only draft-07 can be upgraded to 2020-12");
}

/// `definitions` and `$defs` become one: a name in both must mean the same.
Model::Status Model::check_definitions(std::uint32_t number) const {
  const json::Value* const old = sites_[number].schema->find("definitions");
  const json::Value* const defs = sites_[number].schema->find("$defs");
  if (old == nullptr || defs == nullptr || !old->is_object() || !defs->is_object()) return {};
  for (const json::Member& member : defs->members()) {
    const json::Value* const other = old->find(member.name());
    if (other == nullptr || equal(*other, member.value)) continue;
    return error(CompileErrorCode::invalid_keyword, number, "$defs",
                 "must not give another meaning to a name of definitions");
  }
  return {};
}

/// draft-07 Core 8.2. A fragment alone names the schema within its resource; a URI makes it a
/// resource; both together do both. A fragment that is a JSON Pointer names nothing.
Model::Status Model::identify(std::uint32_t number) {
  const json::Value* const id = sites_[number].schema->find("$id");
  if (id == nullptr) return {};
  if (!id->is_string()) {
    return error(CompileErrorCode::invalid_keyword, number, "$id", "must be a string");
  }
  const std::string_view uri = without_fragment(id->as_string());
  if (!sites_[number].identifies) {
    if (uri.empty()) return {};
    // Tools disagree whether it counts there, hence on the base of the references below it.
    return error(CompileErrorCode::invalid_keyword, number, "$id",
                 "must not be where only a reference finds a schema");
  }
  if (!uri.empty()) {
    if (const Status status = enter_resource(number, uri); !status) return status;
  }
  std::optional<std::string> name = percent_decoded(fragment_of(id->as_string()));
  if (!name) {
    return error(CompileErrorCode::invalid_keyword, number, "$id", "must be a URI reference");
  }
  if (name->empty() || name->starts_with('/')) return {};
  auto& anchors = resources_[sites_[number].resource].anchors;
  if (!anchors.emplace(*std::move(name), number).second) {
    return error(CompileErrorCode::duplicate_identifier, number, "$id",
                 "must not be the $id of another schema");
  }
  return {};
}

/// Each identifier and each reference makes a whole URI, as long as its base: their sum is bounded.
bool Model::spend_on_uris(std::size_t bytes) {
  constexpr std::size_t kUriBytes = 4U << 20U;
  uri_bytes_ += bytes;
  return uri_bytes_ <= kUriBytes;
}

Model::Status Model::enter_resource(std::uint32_t number, std::string_view uri) {
  Site& site = sites_[number];
  const std::string& base = resources_[site.resource].uri;
  if (!spend_on_uris(base.size() + uri.size())) {
    return error(CompileErrorCode::too_large, number, "$id", "too many or too long identifiers");
  }
  std::string resolved = resolve_uri(base, uri);
  if (number != 0 && resolved == base) return {};  // still the same
  site.id = uri;
  if (number == 0) {
    by_uri_.clear();
  } else {
    site.resource = static_cast<std::uint32_t>(resources_.size());
    resources_.emplace_back();
    resources_.back().root = number;
  }
  resources_[site.resource].uri = resolved;
  if (!by_uri_.emplace(std::move(resolved), site.resource).second) {
    return error(CompileErrorCode::duplicate_identifier, number, "$id",
                 "must not be the $id of another schema");
  }
  return {};
}

Model::Status Model::add_reference(std::uint32_t number) {
  const json::Value* const text = sites_[number].schema->find("$ref");
  if (!text->is_string()) {
    return error(CompileErrorCode::invalid_keyword, number, "$ref", "must be a string");
  }
  sites_[number].reference = static_cast<std::uint32_t>(references_.size());
  references_.emplace_back();
  references_.back().site = number;
  references_.back().text = text->as_string();
  return {};
}

/// Names that 2020-12 allows stay; the others are respelled, never into a name that is taken.
void Model::name_anchors() {
  for (const Resource& resource : resources_) {
    FreshNames names;
    for (const auto& [name, site] : resource.anchors) {
      if (!is_anchor(name)) continue;
      sites_[site].anchor = name;
      names.take(name);
    }
    for (const auto& [name, site] : resource.anchors) {
      if (!is_anchor(name)) sites_[site].anchor = names.fresh(anchor_like(name));
    }
  }
}

}  // namespace interline::schema::upgrading
