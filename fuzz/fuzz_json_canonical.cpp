// The canonical writer on any value the parser accepts: the result is JSON, equal to the value, and
// its own canonical form; and each value inside is written as on its own.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace {

using interline::json::canonical;
using interline::json::equal;
using interline::json::Member;
using interline::json::parse;
using interline::json::parse_borrowed;
using interline::json::utf16_less;
using interline::json::Value;
using interline::json::Writer;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Equal but for numbers of 2^53 and more, of which the canonical form keeps the double only.
bool equal_doubles(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  if (a.is_number()) return a.as_double() == b.as_double();
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!equal_doubles(a.items()[i], b.items()[i])) return false;
    }
    return true;
  }
  if (!a.is_object()) return equal(a, b);
  for (const Member& member : a.members()) {
    const Value* const other = b.find(member.name());
    if (other == nullptr || !equal_doubles(member.value, *other)) return false;
  }
  return true;
}

void require_sorted(const Value& value) {
  if (value.is_array()) {
    for (const Value& item : value.items()) require_sorted(item);
  } else if (value.is_object()) {
    const Member* previous = nullptr;
    for (const Member& member : value.members()) {
      require(previous == nullptr || utf16_less(previous->name(), member.name()));
      require_sorted(member.value);
      previous = &member;
    }
  }
}

/// The same value by the Writer, which shares only the scalars' formatting.
void write(const Value& value, Writer& writer) {
  if (value.is_array()) {
    writer.begin_array();
    for (const Value& item : value.items()) write(item, writer);
    writer.end_array();
  } else if (value.is_object()) {
    writer.begin_object();
    for (const Member& member : value.members()) {
      writer.name(member.name());
      write(member.value, writer);
    }
    writer.end_object();
  } else if (value.is_string()) {
    writer.value(value.as_string());
  } else if (value.is_number()) {
    writer.value(value.as_double());
  } else if (value.is_boolean()) {
    writer.value(value.as_bool());
  } else {
    writer.null();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = parse_borrowed({reinterpret_cast<const char*>(data), size});
  if (!document) return 0;
  const std::string once = canonical(document->root());
  const auto again = parse(once);
  require(again.has_value());
  require(equal_doubles(document->root(), again->root()));
  require(canonical(again->root()) == once);
  require_sorted(again->root());

  std::string written;
  Writer writer(written);
  write(again->root(), writer);
  require(written == once);
  return 0;
}
