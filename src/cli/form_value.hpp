// From a schema to what is to be typed, and from what was typed to a JSON value.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "cli/form.hpp"

namespace interline::cli {

/// The JSON text of what was typed, by the field's type: a string is typed without quotes, a
/// boolean is yes or no, a choice its number or itself, everything else JSON. Error: a sentence.
[[nodiscard]] std::expected<std::string, std::string> value_of_line(const FormField& field,
                                                                    std::string_view line);
/// A choice as it is shown: a string without its quotes.
[[nodiscard]] std::string choice_text(const std::string& json_text);

}  // namespace interline::cli
