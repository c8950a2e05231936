// For tests: what node's RegExp with the u flag says, through tests/support/regexp_oracle.mjs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace interline::schema::pattern {

/// A word of a question: hexadecimal behind a letter.
[[nodiscard]] std::string oracle_word(std::string_view text);

/// One answer a question. Throws std::runtime_error, saying what to install, where node is missing
/// or fails.
[[nodiscard]] std::vector<std::string> ask_oracle(std::span<const std::string> questions);

}  // namespace interline::schema::pattern
