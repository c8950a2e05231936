#include "protocols/a2a/versions.hpp"

#include <algorithm>

namespace interline::protocols::a2a {
namespace {

constexpr std::size_t kShown = 32;

constexpr bool is_number(std::string_view text) {
  constexpr std::size_t kDigits = 4;
  return !text.empty() && text.size() <= kDigits &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Of `N.N` or `N.N.N`; nothing for anything else.
std::optional<std::string_view> major_minor(std::string_view text) {
  const auto first = text.find('.');
  if (first == std::string_view::npos || !is_number(text.substr(0, first))) return std::nullopt;
  const auto second = text.find('.', first + 1);
  const bool patched = second != std::string_view::npos;
  if (patched && !is_number(text.substr(second + 1))) return std::nullopt;
  const auto length = patched ? second : text.size();
  if (!is_number(text.substr(first + 1, length - first - 1))) return std::nullopt;
  return text.substr(0, length);
}

}  // namespace

VersionDecision decide_version(std::optional<std::string_view> header,
                               std::optional<std::string_view> query, std::string_view assumed) {
  std::string_view asked = trimmed(header.value_or(std::string_view()));
  if (asked.empty()) asked = trimmed(query.value_or(std::string_view()));
  if (asked.empty()) asked = assumed;
  VersionDecision decision;
  decision.served = major_minor(asked) == kVersion;
  for (const char c : asked.substr(0, kShown)) {
    decision.requested += c > ' ' && c < 0x7F ? c : '?';
  }
  return decision;
}

}  // namespace interline::protocols::a2a
