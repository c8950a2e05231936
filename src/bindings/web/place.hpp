// Which page, and under which name of ours, may ask at all: against pages of other sites, and names
// that are made to point here (DNS rebinding).
#pragma once

#include "bindings/web/access.hpp"
#include "net/http/message.hpp"

namespace interline::web {

/// Whether the request's Origin and Host are ones that may ask. Otherwise it is answered 403.
[[nodiscard]] bool place_allowed(const Access& access, const net::http::Request& request);
[[nodiscard]] bool origin_allowed(const Access& access, const net::http::Request& request);

/// Fields that let the page that asked read the answer, of whose fields it may read `exposed`; none
/// where no page asked.
void allow_origin(const Access& access, const net::http::Request& request, std::string_view exposed,
                  net::http::Fields& fields);

/// A page's browser asks whether the page may ask: 204.
[[nodiscard]] net::http::Response preflight(const Access& access, const net::http::Request& request,
                                            std::string_view methods, std::string_view exposed);

}  // namespace interline::web
