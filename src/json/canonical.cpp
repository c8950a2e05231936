#include "json/canonical.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <span>

#include "json/number_format.hpp"
#include "json/scan.hpp"
#include "json/scratch.hpp"
#include "json/sink.hpp"

namespace interline::json {
namespace {

using detail::byte_at;
using detail::Sink;

/// RFC 8785 section 3.2.2.2: two-character escapes where JSON has one, else \u00xx in lower case.
char* put_escape(char* out, char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  static constexpr char kShort[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";  // of 00 to 1f
  *out++ = '\\';
  if (c == '"' || c == '\\') {
    *out++ = c;
    return out;
  }
  const auto code = static_cast<unsigned char>(c);
  *out++ = kShort[code];
  if (kShort[code] != 'u') return out;
  *out++ = '0';
  *out++ = '0';
  *out++ = kHex[code >> 4U];
  *out++ = kHex[code & 15U];
  return out;
}

void put_string(Sink& sink, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  sink.put('"');
  for (;;) {
    const char* const next = detail::skip_unescaped(at, end);
    if (next != at) sink.put(at, static_cast<std::size_t>(next - at));
    if (next == end) break;
    sink.advance_to(put_escape(sink.room(6), *next));
    at = next + 1;
  }
  sink.put('"');
}

bool name_less(const Member* a, const Member* b) {
  return utf16_less(a->name(), b->name());
}

}  // namespace

/// Writes one value. Open arrays and objects are levels on a stack of their own; an object whose
/// names are not in order has the pointers to its members, sorted, on another.
class CanonicalWriter {
 public:
  explicit CanonicalWriter(Sink& sink) : sink_(sink) {}

  void write(const Value& root) {
    write_or_open(root);
    while (levels_.size() != 0) {
      Level& level = top();
      if (level.next == level.count) {
        close(level);
        continue;
      }
      if (level.next != 0) sink_.put(',');
      const std::size_t i = level.next++;
      if (level.items != nullptr) {
        write_or_open(level.items[i]);
      } else {
        const Member& member =
            level.sorted ? *order_at(level.order + i * sizeof(Member*)) : level.members[i];
        put_name(member);
        write_or_open(member.value);
      }
    }
  }

 private:
  struct Level {
    const Value* items;     ///< of an array; nullptr for an object
    const Member* members;  ///< of an object
    std::uint32_t next;     ///< children written
    std::uint32_t count;    ///< children in all
    std::size_t order;      ///< where in order_ the sorted members begin
    bool sorted;            ///< whether they are needed
  };

  [[nodiscard]] Level& top() {
    return *reinterpret_cast<Level*>(levels_.data() + levels_.size() - sizeof(Level));
  }
  [[nodiscard]] const Member*& order_at(std::size_t offset) {
    return *reinterpret_cast<const Member**>(order_.data() + offset);
  }

  void write_or_open(const Value& value) {
    switch (value.kind()) {
      case Kind::null:
        return sink_.put("null", 4);
      case Kind::boolean:
        return value.as_bool() ? sink_.put("true", 4) : sink_.put("false", 5);
      case Kind::number:
        return put_number(value);
      case Kind::string:
        // Text that was never escaped holds nothing that needs an escape.
        if (value.text_ == value.source_ + 1) return put_source(value);
        return put_string(sink_, value.as_string());
      case Kind::array:
        return open_array(value.items());
      case Kind::object:
        return open_object(value.members());
    }
  }

  void put_source(const Value& value) { sink_.put(value.source_, value.source_size_); }

  void put_number(const Value& value) {
    if (value.size_ == Value::kSmallInteger || std::isinf(value.number_)) return put_source(value);
    sink_.advance_to(detail::format_number(sink_.room(detail::kNumberRoom), value.number_));
  }

  void put_name(const Member& member) {
    if (member.name_text[-1] != kStoredMark) {
      sink_.put(member.name_text - 1, std::size_t{member.name_size} + 2);
    } else {
      put_string(sink_, member.name());
    }
    sink_.put(':');
  }

  void open_array(std::span<const Value> items) {
    if (items.empty()) return sink_.put("[]", 2);
    sink_.put('[');
    new (levels_.push<Level>())
        Level{items.data(), nullptr, 0, static_cast<std::uint32_t>(items.size()), 0, false};
  }

  void open_object(std::span<const Member> members) {
    if (members.empty()) return sink_.put("{}", 2);
    sink_.put('{');
    const std::size_t order = order_.size();
    const bool sorted = !in_order(members);
    if (sorted) sort(members);
    new (levels_.push<Level>()) Level{
        nullptr, members.data(), 0, static_cast<std::uint32_t>(members.size()), order, sorted};
  }

  [[nodiscard]] static bool in_order(std::span<const Member> members) {
    for (std::size_t i = 1; i < members.size(); ++i) {
      if (!utf16_less(members[i - 1].name(), members[i].name())) return false;
    }
    return true;
  }

  void sort(std::span<const Member> members) {
    const std::size_t begin = order_.size();
    for (const Member& member : members) new (order_.push<const Member*>()) const Member*(&member);
    const Member** const first = &order_at(begin);
    std::sort(first, first + members.size(), name_less);
  }

  void close(const Level& level) {
    sink_.put(level.items != nullptr ? ']' : '}');
    if (level.sorted) order_.shrink_to(level.order);
    levels_.shrink_to(levels_.size() - sizeof(Level));
  }

  Sink& sink_;
  detail::Scratch<1024> levels_;
  detail::Scratch<1024> order_;
};

std::string canonical(const Value& value) {
  std::string out;
  append_canonical(out, value);
  return out;
}

void append_canonical(std::string& out, const Value& value) {
  // Mostly a little less than the source; only numbers can become longer (1e20).
  Sink sink(out, value.source().size() + detail::kNumberRoom);
  CanonicalWriter(sink).write(value);
}

void append_number(std::string& out, double number) {
  assert(std::isfinite(number));
  if (!std::isfinite(number)) {
    out += "null";  // as ECMAScript's JSON.stringify
    return;
  }
  char text[detail::kNumberRoom];
  out.append(text, detail::format_number(text, number));
}

void append_string(std::string& out, std::string_view text) {
  Sink sink(out, text.size() + 2);
  put_string(sink, text);
}

bool utf16_less(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  const auto [x, y] = std::mismatch(a.begin(), a.begin() + common, b.begin());
  if (x == a.begin() + common) return a.size() < b.size();
  const std::uint8_t left = byte_at(&*x);
  const std::uint8_t right = byte_at(&*y);
  // UTF-8 orders like code points, and so do UTF-16 code units, but for one case: what is beyond
  // U+FFFF (lead byte F0 and up) begins with a surrogate, below U+E000..U+FFFF (leads EE and EF).
  const bool left_astral = left >= 0xF0;
  const bool right_astral = right >= 0xF0;
  if (left_astral != right_astral && left >= 0xEE && right >= 0xEE) return left_astral;
  return left < right;
}

}  // namespace interline::json
