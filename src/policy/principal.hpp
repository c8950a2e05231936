// Who is calling, as the network authenticated it. A principal is one string, made by the binding
// that did the authentication and compared byte for byte everywhere else.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <utility>

namespace interline::policy {

/// `xmpp:alice@example.org`, `key:ci`, `jwt:ISSUER#SUB`, `simplex:contact/PROFILE/ID`,
/// `simplex:group/PROFILE/ID/MEMBER`, `simplex:key/KEY`, `local:USER`, `anonymous`.
class Principal {
 public:
  Principal() = default;
  /// `text` is complete and normalised by its network.
  explicit Principal(std::string text) : text_(std::move(text)) {}
  /// Principal::of("xmpp", "alice@example.org")
  [[nodiscard]] static Principal of(std::string_view network, std::string_view name) {
    return Principal(std::string(network).append(":").append(name));
  }
  [[nodiscard]] static Principal anonymous() { return Principal("anonymous"); }

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Up to the first colon: "xmpp"; "anonymous" has none and is its own.
  [[nodiscard]] std::string_view network() const {
    return std::string_view(text_).substr(0, text_.find(':'));
  }
  /// Behind the first colon; "" if there is none.
  [[nodiscard]] std::string_view name() const {
    const auto colon = text_.find(':');
    return colon == std::string::npos ? std::string_view()
                                      : std::string_view(text_).substr(colon + 1);
  }
  [[nodiscard]] bool is_anonymous() const { return text_ == "anonymous"; }

  friend auto operator<=>(const Principal&, const Principal&) = default;

 private:
  std::string text_;
};

}  // namespace interline::policy
