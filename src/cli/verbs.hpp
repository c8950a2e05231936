// Every verb and every group of verbs, in the order in which the help shows them.
#pragma once

#include <span>

#include "cli/verb.hpp"

namespace interline::cli {

[[nodiscard]] std::span<const VerbRow> verbs();
[[nodiscard]] std::span<const GroupRow> groups();

}  // namespace interline::cli
