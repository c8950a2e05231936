// The application rule for `homepage` and `avatarUrl` (ProtoXEP, "Agent API Manifest"): an absolute
// RFC 3986 URI, scheme `https` in lower case, non-empty host, no user information, and the
// components that RFC 9110 allows an https URI.
#pragma once

#include <string_view>

namespace interline::catalog {

[[nodiscard]] bool is_https_uri(std::string_view text);

}  // namespace interline::catalog
