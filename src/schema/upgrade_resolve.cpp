// What the references of a draft-07 text lead to, and how 2020-12 says it.
#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.hpp"
#include "json/pointer.hpp"
#include "schema/format_characters.hpp"
#include "schema/upgrade_model.hpp"
#include "schema/uri.hpp"

namespace interline::schema::upgrading {
namespace {

/// RFC 6901 section 4: the reference token without its escapes; nothing where one is malformed.
std::optional<std::string> unescaped(std::string_view token) {
  std::string name;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      name += token[i];
      continue;
    }
    if (++i == token.size() || (token[i] != '0' && token[i] != '1')) return std::nullopt;
    name += token[i] == '0' ? '~' : '/';
  }
  return name;
}

const json::Value* child_of(const json::Value& value, std::string_view name) {
  if (value.is_object()) return value.find(name);
  if (!value.is_array() || name.empty() || (name.size() > 1 && name.front() == '0')) return nullptr;
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (code != std::errc() || end != name.data() + name.size()) return nullptr;
  return index < value.size() ? &value.items()[index] : nullptr;
}

/// RFC 3986: fragment. Anything else is percent-encoded.
std::string as_fragment(std::string_view text) {
  constexpr grammar::AsciiSet kFragment = {grammar::kLetters, grammar::kDigits,
                                           "-._~!$&'()*+,;=:@/?"};
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (kFragment.contains(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4U];
    out += kHex[byte & 0xFU];
  }
  return out;
}

}  // namespace

std::optional<Model::Landing> Model::follow(std::uint32_t resource,
                                            std::string_view pointer) const {
  using Holds = Place::Holds;
  Landing at;
  at.resource = resource;
  at.value = sites_[resources_[resource].root].schema;
  Holds holds = Holds::schema;  // what at.value is
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t size = std::min(pointer.find('/'), pointer.size());
    const std::optional<std::string> name = unescaped(pointer.substr(0, size));
    pointer.remove_prefix(size);
    if (!name) return std::nullopt;
    const json::Value* const parent = at.value;
    at.value = child_of(*parent, *name);
    if (at.value == nullptr) return std::nullopt;

    if (holds == Holds::schema) {
      const Place place = place_of(*parent, *name);
      holds = place.holds;
      if (holds != Holds::data) json::append_token(at.pointer, place.keyword);
    } else if (holds == Holds::dependencies && at.value->is_array()) {
      holds = Holds::data;
    } else if (holds != Holds::data) {
      json::append_token(at.pointer, *name);
      holds = Holds::schema;
    }

    if (holds == Holds::schema) {
      enter(at);
    } else if (holds == Holds::data || pointer.empty()) {
      if (const auto stray = stray_index_.find(at.value); stray != stray_index_.end()) {
        holds = Holds::schema;
        at.stray = stray->second;
        at.pointer.clear();
        json::append_token(at.pointer, "$defs");
        json::append_token(at.pointer, strays_[at.stray].name);
      }
    }
  }
  at.is_schema = holds == Holds::schema;
  return at;
}

void Model::enter(Landing& at) const {
  const Site& site = site_of(*at.value);
  if (site.resource == at.resource) return;
  at.resource = site.resource;
  at.pointer.clear();
}

Model::Status Model::resolve(std::size_t number) {
  Reference& reference = references_[number];
  const std::string& base = resources_[sites_[reference.site].resource].uri;
  if (!spend_on_uris(base.size() + reference.text.size())) {
    return error(CompileErrorCode::too_large, reference.site, "$ref",
                 "too many or too long references");
  }
  const std::string uri(without_fragment(resolve_uri(base, reference.text)));
  const auto resource = by_uri_.find(uri);
  if (resource == by_uri_.end()) return {};
  reference.resource = resource->second;

  std::optional<std::string> fragment = percent_decoded(fragment_of(reference.text));
  const auto unresolved = [&] {
    return error(CompileErrorCode::unresolved_reference, reference.site, "$ref",
                 "must lead to a schema of this document");
  };
  if (!fragment || !is_valid_utf8(*fragment)) return unresolved();
  reference.fragment = *std::move(fragment);
  if (reference.fragment.empty()) return {};
  if (!reference.fragment.starts_with('/')) {
    if (!resources_[reference.resource].anchors.contains(reference.fragment)) return unresolved();
    return {};
  }
  const std::optional<Landing> landing = follow(reference.resource, reference.fragment);
  if (!landing) return unresolved();
  return landing->is_schema ? Status() : add_stray(reference, *landing);
}

Model::Status Model::add_stray(const Reference& reference, const Landing& landing) {
  if (!landing.value->is_object() && !landing.value->is_boolean()) {
    return error(CompileErrorCode::not_a_schema, reference.site, "$ref",
                 "must lead to an object or a boolean");
  }
  const auto number = static_cast<std::uint32_t>(strays_.size());
  Stray stray;
  stray.schema = landing.value;
  stray.resource = landing.resource;
  stray.pointer = reference.fragment;
  stray.name = name_for(landing.resource, reference.fragment);
  strays_.push_back(std::move(stray));
  stray_index_.emplace(landing.value, number);
  resources_[landing.resource].strays.push_back(number);

  Site site;
  site.stray = number;
  site.resource = landing.resource;
  site.identifies = false;
  return scan(*landing.value, site, 0);
}

/// A name for `$defs` of the resource's root: the pointer's last token, or one like it.
std::string Model::name_for(std::uint32_t resource, std::string_view pointer) {
  std::optional<FreshNames>& names = resources_[resource].definition_names;
  if (!names) {
    names.emplace();
    for (const std::string_view keyword : {"definitions", "$defs"}) {
      const json::Value& root = *sites_[resources_[resource].root].schema;
      const json::Value* const definitions = root.find(keyword);
      if (definitions == nullptr) continue;
      for (const json::Member& member : definitions->members()) {
        names->take(std::string(member.name()));
      }
    }
  }
  return names->fresh(unescaped(pointer.substr(pointer.rfind('/') + 1)).value_or(""));
}

Model::Status Model::rewrite(Reference& reference) {
  reference.upgraded = reference.text;
  if (reference.resource == kNone || reference.fragment.empty()) return {};
  const std::string same(without_fragment(reference.text));
  const Resource& resource = resources_[reference.resource];
  if (!reference.fragment.starts_with('/')) {
    const std::string& anchor = sites_[resource.anchors.at(reference.fragment)].anchor;
    if (anchor != reference.fragment) reference.upgraded = same + "#" + anchor;
    return {};
  }
  const std::optional<Landing> landing = follow(reference.resource, reference.fragment);
  if (landing->stray != kNone) strays_[landing->stray].used = true;
  if (landing->resource == reference.resource) {
    if (landing->pointer == reference.fragment) return {};
    reference.upgraded = same + "#" + as_fragment(landing->pointer);
    return {};
  }
  // 2020-12 Core 9.2.1: a pointer should not cross into another resource; that one's URI is named.
  const std::string& uri = resources_[landing->resource].uri;
  if (!spend_on_uris(uri.size())) {
    return error(CompileErrorCode::too_large, reference.site, "$ref",
                 "too many or too long references");
  }
  reference.upgraded = uri;
  if (!landing->pointer.empty()) reference.upgraded += "#" + as_fragment(landing->pointer);
  const std::string& base = resources_[sites_[reference.site].resource].uri;
  if (resolve_uri(base, uri) == uri) return {};
  return error(CompileErrorCode::unresolved_reference, reference.site, "$ref",
               "must not lead into a schema that has a relative $id of its own");
}

}  // namespace interline::schema::upgrading
