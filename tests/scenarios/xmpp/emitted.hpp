// What the gateway sent: a stanza, as bytes and as a tree.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bindings/xmpp/stanza.hpp"

namespace interline::testing {

/// One stanza that the gateway sent.
struct Emitted {
  std::string bytes;
  std::shared_ptr<const xmpp::Stanza> stanza;

  [[nodiscard]] xmpp::Element root() const { return stanza->root(); }
  [[nodiscard]] std::string attribute(std::string_view name) const {
    return std::string(root().attribute(name).value_or(""));
  }
  /// The first child; requires one.
  [[nodiscard]] xmpp::Element payload() const { return root().children().front(); }
};

/// An answer to an IQ.
struct Reply : Emitted {
  [[nodiscard]] std::string type() const { return attribute("type"); }
  [[nodiscard]] bool ok() const { return type() == "result"; }
  /// "item-not-found/cancel"; "" if it is no error.
  [[nodiscard]] std::string error() const;
  /// An attribute of the payload.
  [[nodiscard]] std::string value(std::string_view attribute) const;
  /// The payload's character data, or that of its child of that name.
  [[nodiscard]] std::string text(std::string_view child = {}) const;
  /// Bytes without id, from and to: what may be compared.
  [[nodiscard]] std::string masked() const;
};

}  // namespace interline::testing
