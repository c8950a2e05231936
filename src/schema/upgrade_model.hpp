// A draft-07 schema as the upgrade sees it: which of its values are schemas, what they identify,
// and what each reference means. Built by scanning the text's schemas, then following the
// references, which may make schemas of values that no keyword holds as such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "json/value.hpp"
#include "schema/schema.hpp"
#include "schema/upgrade_keywords.hpp"

namespace interline::schema::upgrading {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Where a schema stands below the schema around it: /keyword, /keyword/name or /keyword/index.
struct Step {
  std::string_view keyword;
  std::optional<std::string_view> name;
  std::optional<std::size_t> index;
};

/// One schema of the text.
struct Site {
  const json::Value* schema = nullptr;
  std::uint32_t parent = kNone;  ///< none: the root, or a stray
  std::uint32_t stray = kNone;
  std::uint32_t resource = 0;
  std::uint32_t reference = kNone;
  Step step;
  bool identifies = true;  ///< in a stray `$id` means nothing
  std::string_view id;     ///< what `$id` becomes; "" for none
  std::string anchor;      ///< what `$anchor` becomes; "" for none
};

/// Hands out names that are not taken yet: the one wanted, or that with a number.
class FreshNames {
 public:
  void take(std::string name) { taken_.insert(std::move(name)); }
  [[nodiscard]] std::string fresh(const std::string& wanted);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> counts_;
};

/// A schema with its own base URI: the root, or one with `$id`.
struct Resource {
  std::string uri;  ///< without fragment; "" for a root without `$id`
  std::uint32_t root = 0;
  std::map<std::string, std::uint32_t, std::less<>> anchors;  ///< draft-07 names, to sites
  std::vector<std::uint32_t> strays;
  std::optional<FreshNames> definition_names;  ///< in the root's `$defs` to be
};

/// A value that a reference makes a schema although it stands where 2020-12 has none (inside data,
/// below an unknown or removed keyword, beside `$ref`): copied into `$defs` of its resource.
struct Stray {
  const json::Value* schema = nullptr;
  std::uint32_t resource = 0;
  std::string pointer;  ///< from the resource's root, in the draft-07 text
  std::string name;     ///< in `$defs`
  bool used = false;
};

struct Reference {
  std::uint32_t site = 0;
  std::string_view text;
  std::uint32_t resource = kNone;  ///< none: in another document
  std::string fragment;            ///< decoded
  std::string upgraded;            ///< the text for 2020-12
};

class Model {
 public:
  /// `root` must outlive the model.
  [[nodiscard]] static std::expected<Model, CompileError> of(const json::Value& root);

  [[nodiscard]] const Site& site_of(const json::Value& schema) const {
    return sites_[index_.at(&schema)];
  }
  [[nodiscard]] const Reference& reference_of(const Site& site) const {
    return references_[site.reference];
  }
  [[nodiscard]] bool is_resource_root(const Site& site) const {
    return sites_[resources_[site.resource].root].schema == site.schema;
  }
  /// Strays that references lead to, in the resource whose root `site` is.
  [[nodiscard]] std::vector<const Stray*> strays_of(const Site& site) const;

  /// JSON Pointer of a keyword ("" for the schema itself), at most 256 bytes, long names cut.
  [[nodiscard]] std::string location_of(const Site& site, std::string_view keyword = {}) const;
  [[nodiscard]] std::string location_of(const Stray& stray) const;

 private:
  using Status = std::expected<void, CompileError>;

  /// What a pointer leads to, and its pointer in the upgraded resource.
  struct Landing {
    const json::Value* value = nullptr;
    std::uint32_t resource = 0;
    std::string pointer;
    bool is_schema = true;
    std::uint32_t stray = kNone;  ///< the last that the way went through
  };

  // upgrade_scan.cpp
  [[nodiscard]] Status scan(const json::Value& schema, Site site, std::size_t depth);
  [[nodiscard]] Status scan_keyword(std::uint32_t site, const json::Member& member,
                                    std::size_t depth);
  [[nodiscard]] Status check_dialect(std::uint32_t site) const;
  [[nodiscard]] Status check_definitions(std::uint32_t site) const;
  [[nodiscard]] Status identify(std::uint32_t site);
  [[nodiscard]] Status enter_resource(std::uint32_t site, std::string_view uri);
  [[nodiscard]] bool spend_on_uris(std::size_t bytes);
  [[nodiscard]] Status add_reference(std::uint32_t site);
  void name_anchors();

  // upgrade_resolve.cpp
  [[nodiscard]] Status resolve(std::size_t reference);
  [[nodiscard]] Status rewrite(Reference& reference);
  [[nodiscard]] std::optional<Landing> follow(std::uint32_t resource,
                                              std::string_view pointer) const;
  [[nodiscard]] Status add_stray(const Reference& reference, const Landing& landing);
  [[nodiscard]] std::string name_for(std::uint32_t resource, std::string_view pointer);
  void enter(Landing& at) const;

  [[nodiscard]] std::unexpected<CompileError> error(CompileErrorCode code, std::uint32_t site,
                                                    std::string_view keyword,
                                                    std::string_view message) const;

  std::vector<Site> sites_;
  std::unordered_map<const json::Value*, std::uint32_t> index_;
  std::vector<Resource> resources_;
  std::map<std::string, std::uint32_t, std::less<>> by_uri_;
  std::vector<Reference> references_;
  std::vector<Stray> strays_;
  std::unordered_map<const json::Value*, std::uint32_t> stray_index_;
  std::size_t uri_bytes_ = 0;
};

}  // namespace interline::schema::upgrading
