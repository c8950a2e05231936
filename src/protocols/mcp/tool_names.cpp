#include "protocols/mcp/tool_names.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/sha256.hpp"

namespace interline::protocols::mcp {
namespace {

constexpr std::size_t kDigits = 8;
constexpr std::size_t kAllDigits = sizeof(Digest) * 2;

bool is_legal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || c == '.';
}

std::string plain_name(const ToolRef& ref) {
  return ref.endpoint.empty() ? ref.tool : ref.endpoint + "." + ref.tool;
}

/// With as many digits of the hash as asked for. No endpoint or tool has a NUL in its name.
std::string marked_name(const ToolRef& ref, std::size_t digits) {
  std::string name = plain_name(ref);
  std::ranges::replace_if(
      name, [](char c) { return !is_legal(c); }, '_');
  name.resize(std::min(name.size(), kMaxToolName - 1 - digits));
  std::string whole = ref.endpoint;
  whole.append(1, '\0').append(ref.tool);
  return name + "-" + to_hex(sha256(whole)).substr(0, digits);
}

bool shorter_endpoint(const ToolRef* a, const ToolRef* b) {
  if (a->endpoint.size() != b->endpoint.size()) return a->endpoint.size() < b->endpoint.size();
  return *a < *b;
}

}  // namespace

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxToolName && std::ranges::all_of(name, is_legal);
}

std::string tool_name(const ToolRef& ref) {
  std::string name = plain_name(ref);
  return is_tool_name(name) ? name : marked_name(ref, kDigits);
}

ToolNames::ToolNames(std::span<const ToolRef> view) {
  std::vector<const ToolRef*> refs;
  for (const ToolRef& ref : view) refs.push_back(&ref);
  std::ranges::sort(refs, shorter_endpoint);
  // The legal ones first, so that none has to give way to one that is made up.
  for (const bool legal : {true, false}) {
    for (const ToolRef* ref : refs) {
      if (is_tool_name(plain_name(*ref)) == legal) add(*ref, legal);
    }
  }
}

void ToolNames::add(const ToolRef& ref, bool legal) {
  if (by_ref_.contains(ref)) return;
  const std::string wanted = tool_name(ref);
  std::string name = wanted;
  // A whole hash is 64 digits; two of them are never the same.
  for (std::size_t digits = kDigits; by_name_.contains(name); digits *= 2) {
    name = marked_name(ref, std::min(digits, kAllDigits));
  }
  if (!legal || name != wanted) {
    renamed_.push_back({ref, name, legal ? Renaming::collision : Renaming::illegal});
  }
  by_name_.emplace(name, ref);
  by_ref_.emplace(ref, std::move(name));
}

const std::string* ToolNames::name_of(const ToolRef& ref) const {
  const auto found = by_ref_.find(ref);
  return found == by_ref_.end() ? nullptr : &found->second;
}

const ToolRef* ToolNames::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

std::vector<ToolRef> possible_refs(std::string_view name) {
  std::vector<ToolRef> refs;
  for (auto dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    if (dot == 0 || dot + 1 == name.size()) continue;
    refs.push_back({std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))});
  }
  return refs;
}

bool is_name_of(std::string_view name, const ToolRef& ref) {
  if (name == tool_name(ref)) return true;
  for (std::size_t digits = kDigits; digits <= kAllDigits; digits *= 2) {
    if (name == marked_name(ref, digits)) return true;
  }
  return false;
}

}  // namespace interline::protocols::mcp
