#include "json/pointer.hpp"

#include <charconv>
#include <optional>

namespace interline::json {
namespace {

/// RFC 6901 section 4: ~1 is /, then ~0 is ~; nothing else may follow a ~.
std::optional<std::string> unescape_token(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      out += token[i];
      continue;
    }
    if (++i == token.size() || (token[i] != '0' && token[i] != '1')) return std::nullopt;
    out += token[i] == '0' ? '~' : '/';
  }
  return out;
}

const Value* find_member(const Value& object, std::string_view token) {
  if (token.find('~') == std::string_view::npos) return object.find(token);
  const auto name = unescape_token(token);
  return name ? object.find(*name) : nullptr;
}

const Value* find_element(const Value& array, std::string_view token) {
  const bool leading_zero = token.size() > 1 && token.front() == '0';
  if (token.empty() || leading_zero) return nullptr;
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc() || stop != token.data() + token.size()) return nullptr;
  return index < array.size() ? &array.items()[index] : nullptr;
}

}  // namespace

const Value* resolve(const Value& root, std::string_view pointer) {
  const Value* at = &root;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    at = at->is_object()  ? find_member(*at, token)
         : at->is_array() ? find_element(*at, token)
                          : nullptr;
    if (at == nullptr) return nullptr;
  }
  return at;
}

void append_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

void append_index(std::string& pointer, std::size_t index) {
  pointer += '/';
  pointer += std::to_string(index);
}

}  // namespace interline::json
