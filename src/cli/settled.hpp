// What is printed when a task has been followed.
#pragma once

#include "cli/following.hpp"

namespace interline::cli {

/// The result's content on standard output (`as_json`: the whole task), what went wrong on standard
/// error; the exit code: ok for a success alone.
[[nodiscard]] int say_followed(Streams& io, const Result<Followed>& followed, bool as_json);

}  // namespace interline::cli
