// Which web pages may ask: a browser says in Origin where a script came from.
#pragma once

#include <string>
#include <vector>

#include "net/http/router.hpp"

namespace interline::app {

/// Refuses a request whose Origin is none of `allowed` with 403; what has no Origin is no browser's
/// script and passes. Keeps pages from reaching a gateway on the reader's own machine (also by DNS
/// rebinding).
[[nodiscard]] net::http::Guard origin_guard(std::vector<std::string> allowed);

}  // namespace interline::app
