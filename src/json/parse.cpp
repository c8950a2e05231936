#include "json/parse.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "json/document.hpp"
#include "json/parser.hpp"

namespace interline::json {
namespace {

using Storage = Parser::Storage;
using Outcome = std::expected<Document, ParseError>;

/// Values keep sizes in 28 bits and the sizes of their sources in 32 (value.hpp).
Limits clamp_limits(Limits limits) {
  constexpr std::size_t kLargestText = 0xFFFF'FFFFU;
  constexpr std::size_t kLargestSize = (std::size_t{1} << 28U) - 1;
  limits.bytes = std::min(limits.bytes, kLargestText);
  for (std::size_t* const limit :
       {&limits.string_bytes, &limits.members, &limits.elements, &limits.number_bytes}) {
    *limit = std::min(*limit, kLargestSize);
  }
  return limits;
}

/// With a first block of the arena that is enough for most small texts, so that a Document is one
/// allocation; larger ones get more blocks as they need them. `extra` bytes come on top.
std::unique_ptr<Storage> make_storage(std::size_t text_bytes, std::size_t extra) {
  const std::size_t block = std::min<std::size_t>(text_bytes * 2 + 256, 64 * 1024) + extra;
  const BlockBytes bytes{(block + 7U) & ~std::size_t{7}};
  return std::unique_ptr<Storage>(new (bytes) Storage(bytes));
}

Outcome parse_stored(std::unique_ptr<Storage> storage, const Limits& limits, Numbers numbers) {
  Parser parser(*storage, limits, numbers);
  if (!parser.run()) return std::unexpected(parser.error());
  return Parser::finish(std::move(storage));
}

Outcome too_many_bytes(std::string_view text, const Limits& limits) {
  return std::unexpected(locate(text, limits.bytes, ParseErrorCode::too_many_bytes));
}

}  // namespace

Outcome parse(std::string_view text, const Limits& limits, Numbers numbers) {
  const Limits clamped = clamp_limits(limits);
  if (text.size() > clamped.bytes) return too_many_bytes(text, clamped);
  auto storage = make_storage(text.size(), text.size());
  auto* const copy = static_cast<char*>(storage->arena.allocate(text.size()));
  std::ranges::copy(text, copy);
  storage->text = {copy, text.size()};
  return parse_stored(std::move(storage), clamped, numbers);
}

Outcome parse(std::string&& text, const Limits& limits, Numbers numbers) {
  const Limits clamped = clamp_limits(limits);
  if (text.size() > clamped.bytes) return too_many_bytes(text, clamped);
  auto storage = make_storage(text.size(), 0);
  storage->owned_text = std::move(text);
  storage->text = storage->owned_text;
  return parse_stored(std::move(storage), clamped, numbers);
}

Outcome parse_borrowed(std::string_view text, const Limits& limits, Numbers numbers) {
  const Limits clamped = clamp_limits(limits);
  if (text.size() > clamped.bytes) return too_many_bytes(text, clamped);
  auto storage = make_storage(text.size(), 0);
  storage->text = text;
  return parse_stored(std::move(storage), clamped, numbers);
}

}  // namespace interline::json
