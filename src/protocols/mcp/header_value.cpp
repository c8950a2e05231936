#include "protocols/mcp/header_value.hpp"

#include <algorithm>

#include "base/base64.hpp"
#include "base/utf8.hpp"

namespace interline::protocols::mcp {
namespace {

constexpr std::string_view kPrefix = "=?base64?";
constexpr std::string_view kSuffix = "?=";
constexpr std::string_view kBlanks = " \t";

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte <= 0x7E);
}

/// `=?base64?=` has both markers and is none: they share a character.
bool is_marked(std::string_view value) {
  return value.size() >= kPrefix.size() + kSuffix.size() && value.starts_with(kPrefix) &&
         value.ends_with(kSuffix);
}

std::unexpected<Error> wrong(std::string_view why) {
  return fail(ErrorKind::malformed, std::string(why));
}

}  // namespace

std::string_view trim_header_value(std::string_view value) {
  const auto first = value.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return value.substr(first, value.find_last_not_of(kBlanks) - first + 1);
}

std::string encode_header_value(std::string_view text) {
  // A text that both begins and ends like a marked one would be taken for one, overlap or not.
  const bool misleading = text.starts_with(kPrefix) && text.ends_with(kSuffix);
  if (std::ranges::all_of(text, is_plain) && trim_header_value(text) == text && !misleading) {
    return std::string(text);
  }
  return std::string(kPrefix) + encode_base64(text) + std::string(kSuffix);
}

Result<std::string> decode_header_value(std::string_view value) {
  value = trim_header_value(value);
  if (!std::ranges::all_of(value, is_plain)) {
    return wrong("A header value has characters that do not belong there.");
  }
  if (!is_marked(value)) return std::string(value);
  value.remove_prefix(kPrefix.size());
  value.remove_suffix(kSuffix.size());
  auto text = decode_base64(value);
  if (!text) return wrong("A header value is marked as Base64 and is none.");
  if (!is_valid_utf8(*text)) return wrong("A header value is no UTF-8.");
  return text;
}

}  // namespace interline::protocols::mcp
