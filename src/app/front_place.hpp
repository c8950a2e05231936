// Where a front door over HTTP stands, and under which names it is reached.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/configuration.hpp"

namespace interline::app {

/// Names in Host that are taken on a loopback listener beside this machine's own: those of `[mcp]
/// allowed_hosts` and of public_url.
[[nodiscard]] std::vector<std::string> allowed_hosts(const Configuration& configuration);

[[nodiscard]] bool is_loopback(std::string_view address);

/// A key of its own for one kind of token, so that none of another kind opens as one.
[[nodiscard]] Secret derived_key(std::string_view purpose, std::string_view key);

}  // namespace interline::app
