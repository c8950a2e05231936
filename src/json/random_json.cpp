#include "json/random_json.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "base/utf8.hpp"
#include "json/canonical.hpp"

namespace interline::json::testing {
namespace {

void append_unit_escape(std::string& out, unsigned unit, bool upper) {
  const std::string_view digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[unit >> shift & 15U];
}

/// The letter of a two-character escape, 0 if there is none.
char short_escape(char32_t c) {
  static constexpr std::string_view kPlain = "\"\\/\b\f\n\r\t";
  static constexpr std::string_view kLetters = "\"\\/bfnrt";
  const std::size_t at = c < 0x80 ? kPlain.find(static_cast<char>(c)) : std::string_view::npos;
  return at == std::string_view::npos ? '\0' : kLetters[at];
}

}  // namespace

Tree RandomJson::tree(unsigned max_depth) {
  Tree result;
  result.kind = static_cast<Kind>(below(max_depth == 0 ? 4 : 6));
  switch (result.kind) {
    case Kind::null:
      break;
    case Kind::boolean:
      result.boolean = one_in(2);
      break;
    case Kind::number:
      result.number = number();
      break;
    case Kind::string:
      result.text = text(20);
      break;
    case Kind::array:
      for (std::size_t n = below(6); n > 0; --n) result.items.push_back(tree(max_depth - 1));
      break;
    case Kind::object:
      fill_object(result, max_depth);
      break;
  }
  return result;
}

void RandomJson::fill_object(Tree& tree, unsigned max_depth) {
  std::set<std::string> names;
  const std::size_t count = one_in(8) ? 15 + below(6) : below(6);  // on both sides of an index
  while (names.size() < count) names.insert(text(4));
  for (const std::string& name : names) {
    tree.members.push_back({name, this->tree(count > 8 ? 0 : max_depth - 1)});
  }
}

double RandomJson::number() {
  switch (below(4)) {
    case 0:
      return static_cast<double>(below(2000)) - 1000;
    case 1:
      return static_cast<double>(static_cast<std::int64_t>(engine_()) >> below(64));
    case 2:
      return static_cast<double>(below(2'000'000)) / 1000 - 1000;
    default:
      for (;;) {
        const auto value = std::bit_cast<double>(engine_());
        if (std::isfinite(value)) return value;
      }
  }
}

char32_t RandomJson::code_point() {
  switch (below(6)) {
    case 0:
      return static_cast<char32_t>(below(0x20));
    case 1:
      return static_cast<char32_t>(0x80 + below(0x780));
    case 2:
      return static_cast<char32_t>(one_in(2) ? 0x800 + below(0xD000) : 0xE000 + below(0x2000));
    case 3:
      return static_cast<char32_t>(0x10000 + below(0x100000));
    case 4:
      return U"\"\\/\x7F\u2028"[below(5)];
    default:
      return static_cast<char32_t>(0x20 + below(0x60));
  }
}

std::string RandomJson::text(std::size_t max_code_points) {
  std::string result;
  const bool ascii = one_in(2);
  for (std::size_t n = below(max_code_points + 1); n > 0; --n) {
    append_utf8(result, ascii ? static_cast<char32_t>('a' + below(26)) : code_point());
  }
  return result;
}

std::string RandomJson::spell(const Tree& tree) {
  std::string out;
  space(out);
  spell(tree, out);
  space(out);
  return out;
}

void RandomJson::spell(const Tree& tree, std::string& out) {
  switch (tree.kind) {
    case Kind::null:
      out += "null";
      break;
    case Kind::boolean:
      out += tree.boolean ? "true" : "false";
      break;
    case Kind::number:
      spell_number(tree.number, out);
      break;
    case Kind::string:
      spell_text(tree.text, out);
      break;
    case Kind::array:
      out += '[';
      space(out);
      for (std::size_t i = 0; i < tree.items.size(); ++i) {
        if (i != 0) out += ',';
        space(out);
        spell(tree.items[i], out);
        space(out);
      }
      out += ']';
      break;
    case Kind::object:
      spell_object(tree, out);
      break;
  }
}

void RandomJson::spell_object(const Tree& tree, std::string& out) {
  std::vector<std::size_t> order(tree.members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, engine_);
  out += '{';
  space(out);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i != 0) out += ',';
    space(out);
    spell_text(tree.members[order[i]].name, out);
    space(out);
    out += ':';
    space(out);
    spell(tree.members[order[i]].value, out);
    space(out);
  }
  out += '}';
}

void RandomJson::spell_number(double number, std::string& out) {
  if (one_in(2)) {
    append_number(out, number);
    return;
  }
  char buffer[40];
  const auto end = std::to_chars(buffer, std::end(buffer), number, std::chars_format::scientific);
  std::string text(buffer, end.ptr);
  const std::size_t e = text.find('e');
  if (one_in(3)) text[e] = 'E';
  if (text[e + 1] == '+' && one_in(2)) text.erase(e + 1, 1);
  if (one_in(3)) text.insert(e, text.find('.') == std::string::npos ? ".00" : "0");
  out += text;
}

void RandomJson::spell_text(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const Utf8CodePoint point = decode_utf8(text);
    const char32_t c = point.value;
    const char letter = short_escape(c);
    const bool must = c < 0x20 || c == '"' || c == '\\';
    if (letter != 0 && (must || one_in(4)) && !one_in(3)) {
      out += '\\';
      out += letter;
    } else if (must || one_in(10)) {
      const bool upper = one_in(2);
      if (c >= 0x10000) append_unit_escape(out, 0xD7C0U + (c >> 10U), upper);
      append_unit_escape(out, c >= 0x10000 ? 0xDC00U + (c & 0x3FFU) : c, upper);
    } else {
      out += text.substr(0, point.size);
    }
    text.remove_prefix(point.size);
  }
  out += '"';
}

void RandomJson::space(std::string& out) {
  static constexpr std::string_view kSpaces[] = {
      "", "", "", "", " ", "\n", "\t", "\r\n", "                       "};
  out += kSpaces[below(std::size(kSpaces))];
}

}  // namespace interline::json::testing
