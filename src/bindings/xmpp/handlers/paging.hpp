// Directory pages on this wire: XEP-0059 anchors are endpoints' JIDs.
#pragma once

#include <optional>
#include <string_view>

#include "bindings/xmpp/call.hpp"
#include "bindings/xmpp/result_set.hpp"
#include "catalog/directory.hpp"

namespace interline::xmpp {

/// What the directory is asked. Errors: not_found for an id that is no endpoint's address.
[[nodiscard]] Result<catalog::PageRequest> to_directory(const Services& services,
                                                        const std::optional<PageRequest>& asked);

/// The page that was found, cut to the bytes that one answer may have: how many entries stay, from
/// the front, or from the back for pages that end at their anchor.
[[nodiscard]] Page fit_page(const Services& services, const std::optional<PageRequest>& asked,
                            catalog::DirectoryPage& found);

}  // namespace interline::xmpp
