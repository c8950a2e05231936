// Who asks over HTTP, and what those are told who have to say it first.
#pragma once

#include <expected>
#include <string>

#include "bindings/web/access.hpp"
#include "net/http/message.hpp"

namespace interline::web {

/// The principal that the request's credentials prove, an API key or an access token; `anonymous`
/// where it has none. The one place for every kind of credential. Otherwise what the request is
/// answered: 401, 403 or 503.
[[nodiscard]] awaitable<std::expected<policy::Principal, net::http::Response>> authenticate(
    const Access& access, const net::http::Request& request);

/// 401 for who has no credentials (RFC 6750 section 3).
[[nodiscard]] net::http::Response who_are_you(const Access& access,
                                              const net::http::Request& request);

/// "https://gateway.example": as it is configured, or as the request says.
[[nodiscard]] std::string origin_of(const Access& access, const net::http::Request& request);

/// The canonical URI of what the request asks: what a token for it has in its audience.
[[nodiscard]] std::string resource_of(const Access& access, const net::http::Request& request);

}  // namespace interline::web
