// Where a front door over HTTP stands, and under which names it is reached.
#pragma once

#include <string_view>

#include "app/configuration.hpp"
#include "bindings/web/access.hpp"

namespace interline::app {

/// Who may come through, and from where, but for what the listener's own address says. Beside this
/// machine's own names in Host, those of `[mcp] allowed_hosts` and of public_url are taken.
[[nodiscard]] web::Options web_options(const Configuration& configuration,
                                       protocols::oauth::TokenAuthority* tokens);

[[nodiscard]] bool is_loopback(std::string_view address);

/// A key of its own for one kind of token, so that none of another kind opens as one.
[[nodiscard]] Secret derived_key(std::string_view purpose, std::string_view key);

}  // namespace interline::app
