// Comparison that does not tell, by the time it takes, how much was right.
#pragma once

#include <string_view>

namespace interline {

/// Whether what was presented is the secret. Takes as long for a wrong text as for the right one:
/// the time depends on the length of `presented` alone.
[[nodiscard]] bool equal_constant_time(std::string_view presented, std::string_view secret);

}  // namespace interline
