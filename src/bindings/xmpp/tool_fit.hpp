// Which tools of a manifest stanzas can list and name, whatever their schemas: by the tool's name,
// title and description.
#pragma once

#include <cstddef>
#include <vector>

#include "bindings/xmpp/manifest_fit.hpp"

namespace interline::xmpp {

/// Those that no list can show in a stanza of at most `most` bytes, or that no request can name.
[[nodiscard]] std::vector<Misfit> misnamed_tools(const catalog::Manifest& manifest,
                                                 std::size_t most);

}  // namespace interline::xmpp
