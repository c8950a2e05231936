#include "base/log_format.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.hpp"

namespace interline {
namespace {

constexpr std::string_view kRedacted = "[redacted]";
constexpr std::size_t kDroppedRoom = 32;  // for the field that counts what was left out

struct Range {
  char32_t first;
  char32_t last;
};
// Characters that would change how the line, or what follows it, is shown.
constexpr Range kUnprintable[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x061C, 0x061C}, {0x200B, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
};

bool is_printable(char32_t c) {
  for (const Range& range : kUnprintable) {
    if (c >= range.first && c <= range.last) return false;
  }
  return true;
}

void append_utf16_escape(std::string& out, char32_t unit) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (unsigned shift = 16; shift > 0; shift -= 4) out += kDigits[unit >> (shift - 4) & 0xFU];
}

void append_escape(std::string& out, char32_t c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (c < 0x10000) return append_utf16_escape(out, c);
  append_utf16_escape(out, 0xD800U + ((c - 0x10000U) >> 10U));
  append_utf16_escape(out, 0xDC00U + (c & 0x3FFU));
}

/// Bytes before the first that is not plain: printable ASCII which is the same in every form.
std::size_t plain_prefix(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && text[size] >= ' ' && text[size] <= '~' && text[size] != '"' &&
         text[size] != '\\') {
    ++size;
  }
  return size;
}

/// The text in JSON's escapes, cut after kMaxValueBytes.
void append_escaped(std::string& out, std::string_view text) {
  const bool cut = text.size() > kMaxValueBytes;
  std::string_view rest = text.substr(0, kMaxValueBytes);
  while (!rest.empty()) {
    const std::size_t plain = plain_prefix(rest);
    out += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    const auto at = static_cast<std::size_t>(rest.data() - text.data());
    const Utf8CodePoint next = decode_utf8(text.substr(at));
    if (next.size > rest.size()) break;  // the cut splits it
    if (next.size == 0) {
      out += "\uFFFD";
    } else if (!is_printable(next.value)) {
      append_escape(out, next.value);
    } else {
      if (next.value == '"' || next.value == '\\') out += '\\';
      out += rest.substr(0, next.size);
    }
    rest.remove_prefix(next.size == 0 ? 1 : next.size);
  }
  if (cut) out += "\u2026";
}

/// Whether format_text may write the text without quotes.
bool is_bare(std::string_view text) {
  if (text.empty() || text.size() > kMaxValueBytes) return false;
  for (const char c : text) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '=') return false;
  }
  return true;
}

template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

enum class Form : std::uint8_t { text, json, value };

/// Writes one value of any type; texts go where `form` says.
class ValueWriter {
 public:
  ValueWriter(std::string& out, Form form) : out_(out), form_(form) {}

  void operator()(Redacted) const {
    if (form_ == Form::json) return quoted(kRedacted);
    out_ += kRedacted;
  }
  void operator()(bool value) const { out_ += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { append_number(out_, value); }
  void operator()(std::uint64_t value) const { append_number(out_, value); }
  void operator()(double value) const {
    if (std::isfinite(value)) return append_number(out_, value);
    (*this)(std::string_view(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"));
  }
  void operator()(std::string_view text) const {
    if (form_ == Form::json || (form_ == Form::text && !is_bare(text))) return quoted(text);
    append_escaped(out_, text);
  }
  void operator()(const std::string& text) const { (*this)(std::string_view(text)); }

 private:
  void quoted(std::string_view text) const {
    out_ += '"';
    append_escaped(out_, text);
    out_ += '"';
  }

  std::string& out_;
  Form form_;
};

/// Appends what `write` makes of each field as long as the line has room; the number left out.
template <class Write>
std::size_t append_fields(std::string& line, const LogRecord& record, Write write) {
  std::size_t dropped = 0;
  for (const LogField& field : record.fields) {
    const std::size_t before = line.size();
    write(field);
    if (line.size() + kDroppedRoom <= kMaxLineBytes) continue;
    line.resize(before);
    ++dropped;
  }
  return dropped;
}

}  // namespace

std::string format_text(const LogRecord& record) {
  std::string line = Instant(record.time).to_string(3);
  line += ' ';
  line += to_string(record.level);
  line += ' ';
  line += record.message;
  const std::size_t dropped = append_fields(line, record, [&line](const LogField& field) {
    line += ' ';
    line += field.key();
    line += '=';
    std::visit(ValueWriter(line, Form::text), field.value().variant());
  });
  if (dropped > 0) line += " dropped=" + std::to_string(dropped);
  return line;
}

std::string format_json(const LogRecord& record) {
  std::string line = R"({"time":")";
  line += Instant(record.time).to_string(3);
  line += R"(","level":")";
  line += to_string(record.level);
  line += R"(","message":)";
  const ValueWriter writer(line, Form::json);
  writer(record.message);
  const std::size_t dropped = append_fields(line, record, [&line, &writer](const LogField& field) {
    line += ",\"";
    line += field.key();
    line += "\":";
    std::visit(writer, field.value().variant());
  });
  if (dropped > 0) line += R"(,"dropped":)" + std::to_string(dropped);
  line += '}';
  return line;
}

std::string format_value(const LogValue& value) {
  std::string out;
  std::visit(ValueWriter(out, Form::value), value.variant());
  return out;
}

}  // namespace interline
