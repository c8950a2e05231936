// What clients that want a token are told of our resources (RFC 9728).
#pragma once

#include <memory>

#include "bindings/mcp/services.hpp"
#include "net/http/router.hpp"

namespace interline::mcp {

/// Adds the well-known path of `/mcp` and that of each endpoint, which tells nobody whether there
/// is one; open to all, pages from anywhere among them. Nothing where no tokens are taken.
void add_resource_metadata(net::http::Router& router, std::shared_ptr<Services> services);

}  // namespace interline::mcp
