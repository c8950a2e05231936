// Texts of the schema's in messages: cut to a length, without control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace interline::schema {

/// At most `limit` bytes of a text, cut between characters, with "..." where something is missing.
[[nodiscard]] std::string bounded(std::string_view text, std::size_t limit);
/// The same in quotes, with control characters replaced.
[[nodiscard]] std::string quoted(std::string_view text, std::size_t limit = 128);

}  // namespace interline::schema
