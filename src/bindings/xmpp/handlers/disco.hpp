// Service discovery answers (XEP-0030): an identity and sorted, unique features.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {

using Features = std::vector<std::string_view>;

/// Begins `<query/>` with identity and features; the caller ends it.
/// `node` is the request's, mirrored even where it is empty.
inline void begin_disco_info(XmlWriter& w, std::optional<std::string_view> node,
                             std::string_view type, std::string_view name, Features features) {
  w.begin(element::kQuery, ns::kDiscoInfo);
  if (node) w.attribute(attribute::kNode, *node);
  w.begin(element::kIdentity);
  w.attribute(attribute::kCategory, identity::kAutomation);
  w.attribute(attribute::kType, type);
  if (!name.empty()) w.attribute(attribute::kName, name);
  w.end();
  std::ranges::sort(features);
  const auto [first, last] = std::ranges::unique(features);
  features.erase(first, last);
  for (const std::string_view feature : features) {
    w.begin(element::kFeature);
    w.attribute(attribute::kVar, feature);
    w.end();
  }
}

/// Begins the `<query/>` of an items answer.
inline void begin_disco_items(XmlWriter& w, std::optional<std::string_view> node) {
  w.begin(element::kQuery, ns::kDiscoItems);
  if (node) w.attribute(attribute::kNode, *node);
}

}  // namespace interline::xmpp
