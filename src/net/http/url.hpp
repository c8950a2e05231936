// The URLs that the client follows: http and https, nothing hidden in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace interline::net::http {

struct Url {
  bool secure = false;  ///< https
  std::string host;     ///< Lower case; an IPv6 address without brackets.
  std::uint16_t port = 0;
  std::string target;  ///< Path and query, at least "/".

  /// "https://example.org:8443", without a default port: what connections are pooled by.
  [[nodiscard]] std::string origin() const;
  /// For the Host field: "example.org:8443".
  [[nodiscard]] std::string authority() const;
};

/// Errors: malformed, for other schemes, user information, fragments and characters that no URL
/// has.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

}  // namespace interline::net::http
