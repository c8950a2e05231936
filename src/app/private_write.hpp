// Files of data_dir that are replaced as a whole.
#pragma once

#include <filesystem>
#include <string_view>

#include <sys/types.h>

#include "base/error.hpp"

namespace interline::app {

/// Whole, or not at all: written and synced beside its name (PATH.new), then moved there. What
/// stands at PATH.new, a link that somebody put there among it, is removed and never followed.
/// Errors: unavailable, with the system's reason.
[[nodiscard]] Result<void> write_whole(const std::filesystem::path& path, std::string_view bytes,
                                       mode_t mode);

}  // namespace interline::app
