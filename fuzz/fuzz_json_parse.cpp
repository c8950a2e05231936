// The JSON parser on any bytes. What it accepts reads again from its own source, alike in each way
// of handing a text over and in both number modes; what it refuses has its place in the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"

namespace {

using interline::json::Document;
using interline::json::equal;
using interline::json::Kind;
using interline::json::Limits;
using interline::json::Member;
using interline::json::Numbers;
using interline::json::parse;
using interline::json::parse_borrowed;
using interline::json::ParseErrorCode;
using interline::json::Value;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Low enough that the fuzzer finds each of them.
Limits tight() {
  Limits limits;
  limits.bytes = 4096;
  limits.depth = 16;
  limits.string_bytes = 64;
  limits.members = 40;
  limits.elements = 40;
  limits.nodes = 200;
  limits.number_bytes = 40;
  return limits;
}

bool within(std::string_view inner, std::string_view outer) {
  return inner.data() >= outer.data() && inner.data() + inner.size() <= outer.data() + outer.size();
}

/// Depth is bounded by the limit the value was parsed with.
void check(const Value& value) {
  require(!value.source().empty());
  if (value.is_array()) {
    for (const Value& item : value.items()) {
      require(within(item.source(), value.source()));
      check(item);
    }
  } else if (value.is_object()) {
    for (const Member& member : value.members()) {
      require(within(member.value.source(), value.source()));
      require(value.find(member.name()) == &member.value);
      check(member.value);
    }
  } else if (const auto integer = value.get_int64()) {
    require(value.as_double() == static_cast<double>(*integer));
  }
}

void check_all(const Document& document) {
  check(document.root());
  const auto again = parse(document.root().source(), {}, Numbers::faithful);
  require(again && equal(again->root(), document.root()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const auto strict = parse_borrowed(text);
  const auto faithful = parse_borrowed(text, {}, Numbers::faithful);
  const auto copied = parse(text);
  const auto taken = parse(std::string(text));
  const auto limited = parse_borrowed(text, tight());

  require(strict.has_value() == copied.has_value() && strict.has_value() == taken.has_value());
  if (strict) {
    check_all(*strict);
    require(faithful && equal(strict->root(), faithful->root()));
    require(equal(strict->root(), copied->root()) && equal(strict->root(), taken->root()));
  } else {
    const auto& error = strict.error();
    require(error.offset <= size && error.line >= 1 && error.column >= 1);
    require(copied.error().code == error.code && copied.error().offset == error.offset);
    // Only an overflow is forgiven in the other mode; it may be followed by another error.
    require(error.code == ParseErrorCode::number_overflow || !faithful);
  }
  if (faithful) check_all(*faithful);
  if (limited) {
    require(strict && equal(limited->root(), strict->root()));
  } else if (!strict && limited.error().code != ParseErrorCode::too_many_bytes) {
    // A limit may be hit before the error, never after it.
    require(limited.error().offset <= strict.error().offset);
  }
  return 0;
}
