#include "protocols/mcp/tool_names.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/sha256.hpp"

namespace interline::protocols::mcp {
namespace {

// 64 bits: nobody finds a second tool for the digits of another's.
constexpr std::size_t kDigits = 16;
constexpr std::size_t kMark = 1 + kDigits;
constexpr std::size_t kMostBeforeMark = kMaxToolName - kMark;

bool is_legal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || c == '.';
}

bool is_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// With the dot that ends it; "" where there is none.
std::string endpoint_part(std::string_view endpoint) {
  std::string part;
  if (endpoint.empty()) return part;
  for (const char c : endpoint) {
    part += c;
    if (c == '.') part += '.';
  }
  return part += '.';
}

std::string marked_name(const ToolRef& ref) {
  std::string tool = ref.tool;
  if (tool.starts_with('.')) tool.front() = '_';  // it would be the endpoint's
  std::string name = endpoint_part(ref.endpoint) + tool;
  std::ranges::replace_if(
      name, [](char c) { return !is_legal(c); }, '_');
  name.resize(std::min(name.size(), kMostBeforeMark));
  std::string whole = ref.endpoint;  // no endpoint or tool has a NUL in its name
  whole.append(1, '\0').append(ref.tool);
  return name + "-" + to_hex(sha256(whole)).substr(0, kDigits);
}

}  // namespace

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxToolName && std::ranges::all_of(name, is_legal);
}

bool is_marked(std::string_view name) {
  if (name.size() < kMark) return false;
  const std::string_view mark = name.substr(name.size() - kMark);
  return mark.front() == '-' && std::ranges::all_of(mark.substr(1), is_digit);
}

bool is_readable_endpoint(std::string_view endpoint) {
  const std::string part = endpoint_part(endpoint);
  return !endpoint.empty() && part.size() < kMostBeforeMark && std::ranges::all_of(part, is_legal);
}

std::string tool_name(const ToolRef& ref) {
  const bool readable =
      ref.endpoint.empty() || (is_readable_endpoint(ref.endpoint) && !ref.tool.starts_with('.'));
  if (!readable || ref.tool.empty()) return marked_name(ref);
  std::string name = endpoint_part(ref.endpoint) + ref.tool;
  return is_tool_name(name) && !is_marked(name) ? name : marked_name(ref);
}

std::optional<ToolRef> read_tool_name(std::string_view name) {
  ToolRef ref;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '.') {
      ref.endpoint += name[i];
      continue;
    }
    if (i + 1 < name.size() && name[i + 1] == '.') {
      ref.endpoint += name[i++];
      continue;
    }
    ref.tool = name.substr(i + 1);
    if (ref.endpoint.empty() || ref.tool.empty()) return std::nullopt;
    return ref;
  }
  return std::nullopt;
}

}  // namespace interline::protocols::mcp
