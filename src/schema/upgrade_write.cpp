#include "schema/upgrade_write.hpp"

#include "json/writer.hpp"

namespace interline::schema::upgrading {
namespace {

constexpr std::size_t kChanges = 1'000;

class Output {
 public:
  Output(const Model& model, const json::Value& root) : model_(model), root_(root) {}

  [[nodiscard]] std::expected<Upgraded, CompileError> run() {
    schema(root_);
    if (too_large()) {
      return std::unexpected(CompileError{CompileErrorCode::too_large, "", "",
                                          "references make too many copies of this schema"});
    }
    return std::move(upgraded_);
  }

 private:
  // Strays are copies: nested in each other they could multiply the text.
  [[nodiscard]] bool too_large() const {
    return upgraded_.text.size() > 4 * root_.source().size() + 65'536;
  }

  void changed(const Site& site, std::string_view keyword, const char* change) {
    if (upgraded_.changes.size() == kChanges) {
      upgraded_.more_changes = true;
      return;
    }
    upgraded_.changes.push_back({model_.location_of(site, keyword), change});
  }

  void schema(const json::Value& value) {
    if (too_large()) {
      writer_.value(true);  // run() refuses the text
      return;
    }
    if (!value.is_object()) {
      writer_.value(value);
      return;
    }
    const Site& site = model_.site_of(value);
    writer_.begin_object();
    bool definitions_written = false;
    for (const json::Member& member : value.members()) {
      if (treatment_of(member.name()) == Treatment::definitions) {
        if (member.name() == "definitions") changed(site, "definitions", "became $defs");
        if (!definitions_written) definitions(site);
        definitions_written = true;
      } else if (is_reference(value)) {
        beside_reference(site, member);
      } else {
        keyword(site, member);
      }
    }
    if (!definitions_written && !model_.strays_of(site).empty()) definitions(site);
    writer_.end_object();
  }

  /// `definitions` and `$defs` as one `$defs`, with the strays of the resource.
  void definitions(const Site& site) {
    writer_.name("$defs");
    writer_.begin_object();
    const json::Value* const old = site.schema->find("definitions");
    const json::Value* const defs = site.schema->find("$defs");
    if (old != nullptr) {
      for (const json::Member& member : old->members()) named_schema(member);
    }
    if (defs != nullptr) {
      for (const json::Member& member : defs->members()) {
        if (old == nullptr || old->find(member.name()) == nullptr) named_schema(member);
      }
    }
    for (const Stray* stray : model_.strays_of(site)) {
      writer_.name(stray->name);
      schema(*stray->schema);
      changed(model_.site_of(*stray->schema), {},
              "copied into $defs: a reference leads to it, and 2020-12 has no schema there");
    }
    writer_.end_object();
  }

  void named_schema(const json::Member& member) {
    writer_.name(member.name());
    schema(member.value);
  }

  void schemas_by_name(std::string_view keyword, const json::Value& map) {
    writer_.name(keyword);
    writer_.begin_object();
    for (const json::Member& member : map.members()) named_schema(member);
    writer_.end_object();
  }

  void schemas(std::string_view keyword, const json::Value& array) {
    writer_.name(keyword);
    writer_.begin_array();
    for (const json::Value& each : array.items()) schema(each);
    writer_.end_array();
  }

  /// draft-07 Core 8.3: `$ref` stands alone. What people read may stay beside it.
  void beside_reference(const Site& site, const json::Member& member) {
    switch (treatment_of(member.name())) {
      case Treatment::reference: {
        const Reference& reference = model_.reference_of(site);
        writer_.member("$ref", reference.upgraded);
        if (reference.upgraded != reference.text) {
          changed(site, "$ref", "follows its target to where that stands now");
        }
        return;
      }
      case Treatment::words:
        writer_.member(member.name(), member.value);
        return;
      case Treatment::dialect:
        if (site.schema == &root_) return dialect(site);
        break;
      case Treatment::identifier:
        if (site.schema == &root_) return identifier(site, member.value);
        break;
      default:
        break;
    }
    changed(site, member.name(), "removed: draft-07 ignores what stands beside $ref");
  }

  void keyword(const Site& site, const json::Member& member) {
    const std::string_view name = member.name();
    const json::Value& value = member.value;
    switch (treatment_of(name)) {
      case Treatment::schema:
        return named_schema(member);
      case Treatment::schema_array:
        return schemas(name, value);
      case Treatment::schema_map:
        return schemas_by_name(name, value);
      case Treatment::items:
        return items(site, member);
      case Treatment::additional_items:
        return additional_items(site, member);
      case Treatment::dependencies:
        return dependencies(site, value);
      case Treatment::identifier:
        return identifier(site, value);
      case Treatment::dialect:
        return dialect(site);
      case Treatment::boolean:
        if (value.is_boolean()) break;
        return changed(site, name, "removed: 2020-12 allows a boolean alone");
      case Treatment::removed:
        return changed(site, name, "removed: it decides in 2020-12, and nothing in draft-07");
      default:
        break;
    }
    writer_.member(name, value);
  }

  void items(const Site& site, const json::Member& member) {
    if (!member.value.is_array()) return named_schema(member);
    if (member.value.size() == 0) {  // 2020-12 wants at least one schema in prefixItems
      return changed(site, "items", "removed: an empty array in items decides nothing");
    }
    changed(site, "items", "became prefixItems");
    schemas("prefixItems", member.value);
  }

  void additional_items(const Site& site, const json::Member& member) {
    if (place_of(*site.schema, member.name()).holds == Place::Holds::data) {
      return changed(site, member.name(), "removed: without an array in items it decides nothing");
    }
    changed(site, member.name(), "became items");
    writer_.name("items");
    schema(member.value);
  }

  void dependencies(const Site& site, const json::Value& value) {
    changed(site, "dependencies", "became dependentRequired and dependentSchemas");
    bool open = false;
    for (const bool arrays : {true, false}) {
      for (const json::Member& member : value.members()) {
        if (member.value.is_array() != arrays) continue;
        if (!open) {
          writer_.name(arrays ? "dependentRequired" : "dependentSchemas");
          writer_.begin_object();
          open = true;
        }
        if (arrays) {
          writer_.member(member.name(), member.value);
        } else {
          named_schema(member);
        }
      }
      if (open) writer_.end_object();
      open = false;
    }
  }

  void identifier(const Site& site, const json::Value& value) {
    if (!site.identifies) return changed(site, "$id", "removed: it identifies nothing there");
    if (!site.id.empty()) writer_.member("$id", site.id);
    if (!site.anchor.empty()) writer_.member("$anchor", site.anchor);
    if (site.id == value.as_string()) return;
    const char* change = "without its fragment";
    if (!site.anchor.empty()) {
      change = site.id.empty() ? "became $anchor" : "became $id and $anchor";
    } else if (site.id.empty()) {
      change = "removed: it says nothing new";
    }
    changed(site, "$id", change);
  }

  void dialect(const Site& site) {
    if (model_.is_resource_root(site)) {
      writer_.member("$schema", uri_of(Dialect::draft_2020_12));
    } else {
      changed(site, "$schema", "removed: it belongs to the root");
    }
  }

  const Model& model_;
  const json::Value& root_;
  Upgraded upgraded_;
  json::Writer writer_{upgraded_.text};
};

}  // namespace

std::expected<Upgraded, CompileError> write(const Model& model, const json::Value& root) {
  return Output(model, root).run();
}

}  // namespace interline::schema::upgrading
