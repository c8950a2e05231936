#include "json/line_head.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace interline::json {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

void skip_space(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
}

bool take(std::string_view& text, char expected) {
  skip_space(text);
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

/// The inside of a string whose opening quote comes next; none if it does not end.
std::optional<std::string_view> take_string(std::string_view& text) {
  if (!take(text, '"')) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      const std::string_view inside = text.substr(0, i);
      text.remove_prefix(i + 1);
      return inside;
    }
  }
  return std::nullopt;
}

/// Numbers and words; "" where none begins. The cut may be within it: then it is not whole.
std::optional<std::string_view> take_bare(std::string_view& text) {
  const std::size_t end = text.find_first_of(",]} \t\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view bare = text.substr(0, end);
  text.remove_prefix(end);
  return bare;
}

/// Skips an array or object, whose opening bracket comes next, by counting brackets.
bool skip_nested(std::string_view& text) {
  std::size_t depth = 0;
  while (!text.empty()) {
    if (text.front() == '"') {
      if (!take_string(text)) return false;
      continue;
    }
    if (text.front() == '{' || text.front() == '[') ++depth;
    if (text.front() == '}' || text.front() == ']') --depth;
    text.remove_prefix(1);
    if (depth == 0) return true;
  }
  return false;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

}  // namespace

std::optional<std::string_view> member_of_head(std::string_view head, std::string_view name) {
  if (!take(head, '{')) return std::nullopt;
  do {
    const auto key = take_string(head);
    if (!key || !take(head, ':')) return std::nullopt;
    skip_space(head);
    if (head.empty()) return std::nullopt;
    const bool nested = head.front() == '{' || head.front() == '[';
    if (nested) {
      if (*key == name || !skip_nested(head)) return std::nullopt;
      continue;
    }
    const bool quoted = head.front() == '"';
    const auto value = quoted ? take_string(head) : take_bare(head);
    if (!value) return std::nullopt;
    if (*key != name) continue;
    if (quoted) return value->find('\\') == std::string_view::npos ? value : std::nullopt;
    return is_number(*value) ? value : std::nullopt;
  } while (take(head, ','));
  return std::nullopt;
}

std::optional<std::string_view> number_at_tail(std::string_view tail, std::string_view name) {
  const auto trim = [&tail] { tail = tail.substr(0, tail.find_last_not_of(kSpace) + 1); };
  trim();
  if (!tail.ends_with('}')) return std::nullopt;
  tail.remove_suffix(1);
  trim();
  const std::size_t colon = tail.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view number = tail.substr(colon + 1);
  skip_space(number);
  tail = tail.substr(0, colon);
  trim();
  const std::string quoted = '"' + std::string(name) + '"';
  if (!is_number(number) || !tail.ends_with(quoted)) return std::nullopt;
  return number;
}

}  // namespace interline::json
