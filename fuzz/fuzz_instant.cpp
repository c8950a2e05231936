// Instants from outside text: two texts, apart by a line feed, through both grammars.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace {

using interline::Instant;
using interline::Result;

void require(bool holds) {
  if (!holds) std::abort();
}

/// What must hold of whatever was accepted.
void check(const Instant& instant, std::string_view text,
           Result<Instant> (*parse)(std::string_view)) {
  require(instant.text() == text);
  const auto again = parse(instant.text());
  require(again && *again == instant && again->text() == text);
  require(instant.canonical().size() <= Instant::kMaxText + 6);  // "+1" for "Z", a sign, a digit

  require(Instant(instant.floor()) <= instant || instant.floor() == interline::SystemTime::min());
  require(Instant(instant.ceil()) >= instant || instant.ceil() == interline::SystemTime::max());
  require(instant + std::chrono::nanoseconds(1) > instant);
  const Instant first = Instant() - std::chrono::years(20'000);  // where subtraction saturates
  const Instant earlier = instant - std::chrono::hours(1);
  require(earlier == first || earlier + std::chrono::hours(1) == instant);

  const std::string rounded = instant.to_string(3);
  if (const auto parsed = Instant::parse_rfc3339(rounded)) {
    require(*parsed <= instant && instant < *parsed + std::chrono::milliseconds(1));
  }
}

/// For years of four digits the order of instants is that of their canonical texts without the Z.
void compare(const Instant& a, const Instant& b) {
  const auto key = [](const Instant& instant) {
    std::string text = instant.canonical();
    text.pop_back();
    return text;
  };
  const auto four_digits = [](const std::string& text) { return text[0] != '-' && text[4] == '-'; };
  const std::string key_a = key(a);
  const std::string key_b = key(b);
  if (!four_digits(key_a) || !four_digits(key_b)) return;
  require((a <=> b) == (key_a <=> key_b));
  require((a == b) == (key_a == key_b));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  const std::string_view first = input.substr(0, line);
  const std::string_view second = line == std::string_view::npos ? first : input.substr(line + 1);

  const auto a = Instant::parse_rfc3339(first);
  if (a) check(*a, first, &Instant::parse_rfc3339);
  const auto b = Instant::parse_xep0082(second);
  if (b) check(*b, b->text(), &Instant::parse_xep0082);
  if (a && b) compare(*a, *b);
  return 0;
}
