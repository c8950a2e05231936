// A number's text as an exact decimal: for integers beyond what a double holds. Internal to json/.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace interline::json::detail {

/// digits x 10^exponent, where the digits are those of `text` from the first to the last that is
/// not zero, leaving out the point. Zero has no digits.
struct Decimal {
  std::string_view text;
  bool negative = false;
  std::int64_t exponent = 0;
};

/// Of a number in JSON's grammar; nothing where the exponent has more than 18 digits.
[[nodiscard]] std::optional<Decimal> to_decimal(std::string_view number);

/// Whether two numbers in JSON's grammar are the same decimal; without a Decimal, the same text.
[[nodiscard]] bool same_decimal(std::string_view a, std::string_view b);

/// The number as an integer, if it is one and fits.
[[nodiscard]] std::optional<std::int64_t> to_int64(std::string_view number);

}  // namespace interline::json::detail
