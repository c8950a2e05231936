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

void skip_space_back(std::string_view& text) {
  text = text.substr(0, text.find_last_not_of(kSpace) + 1);
}

bool take_back(std::string_view& text, char expected) {
  skip_space_back(text);
  if (!text.ends_with(expected)) return false;
  text.remove_suffix(1);
  return true;
}

/// The inside of a string whose closing quote is last; none if there are escapes in it, as a quote
/// behind a backslash may be no end.
std::optional<std::string_view> take_string_back(std::string_view& text) {
  if (!text.ends_with('"')) return std::nullopt;
  const std::size_t begin = text.substr(0, text.size() - 1).find_last_of("\"\\");
  const bool whole = begin != std::string_view::npos && text[begin] == '"';
  if (!whole || text.substr(0, begin).ends_with('\\')) return std::nullopt;
  const std::string_view inside = text.substr(begin + 1, text.size() - begin - 2);
  text = text.substr(0, begin);
  return inside;
}

/// Numbers and words; none where something nested ends.
std::optional<std::string_view> take_bare_back(std::string_view& text) {
  const std::size_t before = text.find_last_of(":,[]{}\" \t\r\n");
  if (before == std::string_view::npos || before + 1 == text.size()) return std::nullopt;
  const std::string_view bare = text.substr(before + 1);
  text = text.substr(0, before + 1);
  return bare;
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

std::optional<std::string_view> member_of_tail(std::string_view tail, std::string_view name) {
  if (!take_back(tail, '}')) return std::nullopt;
  do {
    skip_space_back(tail);
    const bool quoted = tail.ends_with('"');
    const auto value = quoted ? take_string_back(tail) : take_bare_back(tail);
    if (!value || !take_back(tail, ':')) return std::nullopt;
    skip_space_back(tail);
    const auto key = take_string_back(tail);
    if (!key) return std::nullopt;
    if (*key == name) return quoted || is_number(*value) ? value : std::nullopt;
  } while (take_back(tail, ','));
  return std::nullopt;
}

}  // namespace interline::json
