// The request message of an HTTP+JSON request: what its path, its query and its body say, as one
// ProtoJSON object (A2A 1.0, sections 5.4 and 11.5).
#pragma once

#include "bindings/a2a/http_json.hpp"
#include "json/parse.hpp"
#include "protocols/a2a/messages.hpp"

namespace interline::a2a {

/// The path wins where nothing contradicts it; what does is a violation. Errors: not_json,
/// invalid_params.
[[nodiscard]] protocols::a2a::Read<json::Document> params_of(const HttpJsonRoute& route,
                                                             net::http::Request& request,
                                                             std::size_t body_limit);

}  // namespace interline::a2a
