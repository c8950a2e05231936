// Tasks and their entries as people read them. Whatever a tool wrote is data: nothing of it reaches
// a terminal as anything but text.
#pragma once

#include <string>

#include "json/value.hpp"

namespace interline::cli {

/// One line for an entry of a task's log, or for the task itself: "running", "50 % step 1 of 2",
/// "waits for an answer: Name?". "" for one that says nothing to people.
[[nodiscard]] std::string entry_line(const json::Value& entry);
[[nodiscard]] std::string state_line(const json::Value& task);

/// A result's content, block by block; for a terminal without control characters but line breaks
/// and tabs, else byte for byte as the tool wrote it. Ends with a line break unless empty.
[[nodiscard]] std::string content_text(const json::Value& result, bool terminal);

/// How a settled task ended: whether that is a success, and for a failure a sentence.
struct Ending {
  bool success = false;
  std::string sentence;
};
[[nodiscard]] Ending ending_of(const json::Value& task);

/// Lines of a text, each printable; tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

[[nodiscard]] bool is_terminal_state(std::string_view state);

}  // namespace interline::cli
