// Texts of others on lines for people: cut to a length, and without characters that a terminal acts
// on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace interline::schema {

/// At most `limit` bytes of a text, cut between characters, with "..." where something is missing.
[[nodiscard]] std::string bounded(std::string_view text, std::size_t limit);

/// One line of plain characters: controls (C0, C1, DEL), line separators and bidirectional controls
/// become `\u{9b}`, bytes that are no UTF-8 become U+FFFD. For what people read; texts for programs
/// stay as they are.
[[nodiscard]] std::string printable(std::string_view text);

/// At most `limit` bytes of a text, printable and in quotes.
[[nodiscard]] std::string quoted(std::string_view text, std::size_t limit = 128);

}  // namespace interline::schema
