// Host names: RFC 1123 section 2.1 in ASCII, with "xn--" labels that really are A-labels (RFC 5890
// section 2.3.2.1), and internationalized ones (RFC 5890 section 2.3.2.3).
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/utf8.hpp"
#include "schema/format_characters.hpp"
#include "schema/format_grammar.hpp"
#include "schema/format_idna.hpp"
#include "schema/format_punycode.hpp"

namespace interline::schema::grammar {
namespace {

/// RFC 1035 section 2.3.4 allows 255 octets on the wire: a length before each label and one for the
/// root leave 253 characters.
constexpr std::size_t kNameOctets = 253;
constexpr std::string_view kAcePrefix = "xn--";

bool ldh_label(std::string_view label) {
  if (label.empty() || label.size() > kLabelOctets) return false;
  if (label.front() == '-' || label.back() == '-') return false;
  return std::ranges::all_of(label, [](char c) { return is_alphanumeric(c) || c == '-'; });
}

bool has_ace_prefix(std::string_view label) {
  return label.size() >= kAcePrefix.size() &&
         std::ranges::equal(label.substr(0, kAcePrefix.size()), kAcePrefix, {}, to_lower);
}

/// The U-label of an A-label; nothing if it is none. Host names have no case: the letters of an
/// A-label stand for their lower-case forms.
std::optional<std::u32string> unicode_of(std::string_view label) {
  std::string lower(label.substr(kAcePrefix.size()));
  std::ranges::transform(lower, lower.begin(), to_lower);
  std::optional<std::u32string> decoded = decode_punycode(lower);
  if (!decoded || !is_unicode_label(*decoded)) return std::nullopt;
  if (std::ranges::all_of(*decoded, [](char32_t c) { return c < 0x80; })) return std::nullopt;
  if (encode_punycode(*decoded) != lower) return std::nullopt;
  return decoded;
}

/// Gathers what concerns a whole name: its length in ASCII, and the Bidi rule, which binds every
/// label once one of them is right-to-left.
class Name {
 public:
  bool add_ascii(std::string_view label) {
    if (!ldh_label(label)) return false;
    octets_ += label.size() + 1;
    if (has_ace_prefix(label)) {
      const std::optional<std::u32string> decoded = unicode_of(label);
      return decoded && add_direction(*decoded);
    }
    // All that RFC 5893 asks of letters, digits and hyphens beyond what ldh_label() saw.
    bidi_broken_ = bidi_broken_ || !is_alpha(label.front());
    return holds();
  }

  bool add_unicode(std::u32string_view label) {
    if (!is_unicode_label(label)) return false;
    const std::optional<std::string> encoded = encode_punycode(label);
    if (!encoded || encoded->size() + kAcePrefix.size() > kLabelOctets) return false;
    octets_ += encoded->size() + kAcePrefix.size() + 1;
    return add_direction(label);
  }

  [[nodiscard]] bool holds() const {
    return octets_ <= kNameOctets + 1 && !(right_to_left_ && bidi_broken_);
  }

 private:
  bool add_direction(std::u32string_view label) {
    right_to_left_ = right_to_left_ || is_right_to_left(label);
    bidi_broken_ = bidi_broken_ || !satisfies_bidi_rule(label);
    return holds();
  }

  std::size_t octets_ = 0;
  bool right_to_left_ = false;
  bool bidi_broken_ = false;
};

/// Calls `label` with each piece between dots; false as soon as it says so.
template <class Label>
bool each_label(std::string_view name, Label label) {
  while (true) {
    const std::size_t dot = name.find('.');
    if (!label(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

/// RFC 3490 section 3.1: the dots that separate the labels of an internationalized name.
constexpr bool is_dot(char32_t c) {
  return c == U'.' || c == 0x3002 || c == 0xFF0E || c == 0xFF61;
}

bool add_label(Name& name, std::u32string_view label) {
  if (!std::ranges::all_of(label, [](char32_t c) { return c < 0x80; })) {
    return name.add_unicode(label);
  }
  std::array<char, kLabelOctets> ascii;
  std::ranges::transform(label, ascii.begin(), [](char32_t c) { return static_cast<char>(c); });
  return name.add_ascii({ascii.data(), label.size()});
}

}  // namespace

bool ldh_name(std::string_view text) {
  return text.size() <= kNameOctets && each_label(text, ldh_label);
}

bool hostname(std::string_view text) {
  if (text.size() > kNameOctets) return false;
  Name name;
  return each_label(text, [&name](std::string_view label) { return name.add_ascii(label); });
}

bool idn_hostname(std::string_view text) {
  Name name;
  std::array<char32_t, kLabelOctets> label;
  std::size_t size = 0;
  while (!text.empty()) {
    const Utf8CodePoint point = decode_utf8(text);
    if (point.size == 0) return false;
    text.remove_prefix(point.size);
    if (is_dot(point.value)) {
      if (!add_label(name, {label.data(), size})) return false;
      size = 0;
      continue;
    }
    if (size == label.size()) return false;
    label[size++] = point.value;
  }
  return add_label(name, {label.data(), size});
}

}  // namespace interline::schema::grammar
