// Whether a request names this machine as the one it is for.
#pragma once

#include <string_view>

namespace interline::app {

/// `host` as in the Host field: an address, localhost, or the name that this machine gives itself.
/// A page whose own name was made to resolve to this machine (DNS rebinding) says that name. True
/// for "", which no browser sends.
[[nodiscard]] bool is_own_host(std::string_view host);

}  // namespace interline::app
