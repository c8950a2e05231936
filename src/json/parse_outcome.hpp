// For tests: what parsing came to, in words that compare well.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "json/parse.hpp"

namespace interline::json::testing {

/// "syntax error at 3", as outcome() says it.
inline std::string error(ParseErrorCode code, std::size_t offset) {
  return std::string(describe(code)) + " at " + std::to_string(offset);
}

/// "ok", or the error and its offset.
inline std::string outcome(std::string_view text, const Limits& limits = {},
                           Numbers numbers = Numbers::ieee754) {
  const auto document = parse(text, limits, numbers);
  return document ? "ok" : error(document.error().code, document.error().offset);
}

}  // namespace interline::json::testing
