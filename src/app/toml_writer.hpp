// TOML as we write it for people: strings in one form, nothing that a value could break out of.
#pragma once

#include <string>
#include <string_view>

namespace interline::app {

/// A basic string with its quotes; `text` is valid UTF-8.
[[nodiscard]] std::string toml_string(std::string_view text);
/// The text as comment lines, "# ...", whatever characters it has.
[[nodiscard]] std::string toml_comment(std::string_view text);

}  // namespace interline::app
