#include "schema/units.hpp"

#include <algorithm>
#include <charconv>
#include <ranges>

#include "json/pointer.hpp"
#include "schema/uri.hpp"

namespace interline::schema {
namespace {

std::string to_text(const Token& token) {
  std::string out;
  if (token.kind == Token::Kind::index) {
    json::append_index(out, token.index);
  } else if (token.kind == Token::Kind::name) {
    // A name may be a megabyte; what follows is cut anyway.
    json::append_token(out, token.name.substr(0, 4'096));
  }
  return out;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Head and tail of the pointer, read from both ends, so that a long middle is never built.
std::string pointer_of(std::vector<const Token*> tokens, std::size_t limit) {
  std::size_t size = 0;
  std::vector<std::string> texts;
  for (const Token* token : tokens) {
    texts.push_back(to_text(*token));
    size += texts.back().size();
    if (size > limit) break;
  }
  std::string head;
  for (const std::string& text : texts) head += text;
  if (size <= limit) return head;
  const std::size_t half = (limit - 3) / 2;
  std::size_t end = std::min(half, head.size());
  while (end > 0 && is_continuation(head[end])) --end;
  head.resize(end);
  std::string tail;
  for (const Token* token : tokens | std::views::reverse) {
    tail.insert(0, to_text(*token));
    if (tail.size() > half) break;
  }
  std::size_t start = tail.size() > half ? tail.size() - half : 0;
  while (start < tail.size() && is_continuation(tail[start])) ++start;
  return head + "..." + tail.substr(start);
}

template <class Member>
std::string location(const Units& units, std::uint32_t unit, Member token, std::size_t limit) {
  std::vector<const Token*> tokens;
  for (; unit != kNone; unit = units[unit].parent) {
    if ((units[unit].*token).kind != Token::Kind::none) tokens.push_back(&(units[unit].*token));
  }
  std::ranges::reverse(tokens);
  return pointer_of(std::move(tokens), limit);
}

/// RFC 3986 section 3.5: what else a fragment may not hold is percent-encoded.
void append_fragment(std::string& uri, std::string_view pointer) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kAllowed = "-._~!$&'()*+,;=:@/?";
  for (const char c : pointer) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       kAllowed.find(c) != std::string_view::npos;
    if (plain) {
      uri.push_back(c);
    } else {
      uri.push_back('%');
      uri.push_back(kHex[byte >> 4U]);
      uri.push_back(kHex[byte & 15U]);
    }
  }
}

}  // namespace

std::string keyword_location(const Units& units, std::uint32_t unit, std::size_t limit) {
  return location(units, unit, &Unit::schema_token, limit);
}

std::string instance_location(const Units& units, std::uint32_t unit, std::size_t limit) {
  return location(units, unit, &Unit::instance_token, limit);
}

std::string absolute_location(const Model& model, const Unit& unit, std::size_t limit) {
  const Resource& resource = model.resources[model.nodes[unit.node].resource];
  if (!is_absolute_uri(resource.uri) || resource.uri.size() > limit) return {};
  std::string pointer = pointer_in_resource(model, unit.node);
  if (!unit.keyword.empty()) json::append_token(pointer, unit.keyword);
  if (pointer.size() > limit) return {};
  std::string uri = std::string(resource.uri) + "#";
  append_fragment(uri, pointer);
  return uri.size() <= limit ? uri : std::string();
}

}  // namespace interline::schema
