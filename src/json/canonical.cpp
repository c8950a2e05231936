#include "json/canonical.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <span>

#include "json/name_order.hpp"
#include "json/number_format.hpp"
#include "json/scan.hpp"
#include "json/scratch.hpp"
#include "json/sink.hpp"

namespace interline::json {
namespace {

using detail::byte_at;
using detail::OrderedMember;
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

}  // namespace

/// Writes one value. Open arrays and objects are levels on a stack of their own; the sorted members
/// of open objects lie on another.
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
      const bool comma = level.next != 0;
      const std::size_t i = level.next++;
      if (level.items != nullptr) {
        if (comma) sink_.put(',');
        write_or_open(level.items[i]);
      } else {
        const Member& member = *ordered_at(level.order)[i].member;
        put_name(member, comma);
        write_or_open(member.value);
      }
    }
  }

 private:
  struct Level {
    const Value* items;   ///< of an array; nullptr for an object
    std::size_t order;    ///< where in order_ an object's sorted members begin
    std::uint32_t next;   ///< children written
    std::uint32_t count;  ///< children in all
  };

  [[nodiscard]] Level& top() {
    return *reinterpret_cast<Level*>(levels_.data() + levels_.size() - sizeof(Level));
  }
  [[nodiscard]] OrderedMember* ordered_at(std::size_t offset) {
    return reinterpret_cast<OrderedMember*>(order_.data() + offset);
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
    if ((value.size_ & Value::kCanonicalText) != 0 || std::isinf(value.number_)) {
      return put_source(value);
    }
    if ((value.size_ & Value::kPaddedText) != 0) {  // 12.50, 3.00
      const std::string_view text = value.source();
      const std::size_t last = text.find_last_not_of('0');
      return sink_.put(text.data(), text[last] == '.' ? last : last + 1);
    }
    sink_.advance_to(detail::format_number(sink_.room(detail::kNumberRoom), value.number_));
  }

  void put_name(const Member& member, bool comma) {
    if (comma) sink_.put(',');
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
    const auto count = static_cast<std::uint32_t>(items.size());
    new (levels_.push<Level>()) Level{items.data(), 0, 0, count};
  }

  void open_object(std::span<const Member> members) {
    if (members.empty()) return sink_.put("{}", 2);
    sink_.put('{');
    const std::size_t order = order_.size();
    for (const Member& member : members) {
      new (order_.push<OrderedMember>()) OrderedMember{detail::order_key(member.name()), &member};
    }
    detail::sort_members({ordered_at(order), members.size()});
    const auto count = static_cast<std::uint32_t>(members.size());
    new (levels_.push<Level>()) Level{nullptr, order, 0, count};
  }

  void close(const Level& level) {
    if (level.items != nullptr) {
      sink_.put(']');
    } else {
      sink_.put('}');
      order_.shrink_to(level.order);
    }
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
  return detail::utf16_rank(byte_at(&*x)) < detail::utf16_rank(byte_at(&*y));
}

}  // namespace interline::json
