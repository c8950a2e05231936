// The folder that holds the database, the socket and the gateway's own secrets.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"

namespace interline::app {

/// Makes it, for this user alone, unless it is there. Errors: unavailable, with the system's
/// reason; not_acceptable, where it is a file or every user may write in it.
[[nodiscard]] Result<void> make_data_dir(const std::filesystem::path& folder);

/// 32 random bytes behind the tokens that runtimes see instead of callers, made once and kept in
/// the folder's `token.key`: a session or conversation is the same one after a restart. Errors:
/// not_acceptable where other users may read it, or it is none.
[[nodiscard]] Result<std::string> token_key(const std::filesystem::path& folder);

}  // namespace interline::app
