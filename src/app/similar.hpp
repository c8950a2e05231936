// What somebody may have meant who wrote a word that nobody knows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace interline::app {

/// "; did you mean title?", or "" where no word is near.
[[nodiscard]] std::string did_you_mean(std::string_view written,
                                       std::span<const std::string_view> known);

}  // namespace interline::app
