// Any bytes as a value in the log: one line of valid UTF-8 within its bounds, in both formats. On
// the way, the two ways to read UTF-8 must agree about the bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/log_format.hpp"
#include "base/utf8.hpp"

namespace {

using interline::decode_utf8;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_utf8(std::string_view text) {
  std::size_t at = 0;
  std::size_t count = 0;
  std::string again;
  while (const auto next = decode_utf8(text.substr(at)).size) {
    interline::append_utf8(again, decode_utf8(text.substr(at)).value);
    at += next;
    ++count;
  }
  require(interline::valid_utf8_prefix(text) == at);
  require(again == text.substr(0, at));
  require(interline::count_code_points(again) == count);
}

void check_line(std::string_view line) {
  require(line.size() <= interline::kMaxLineBytes);
  require(interline::is_valid_utf8(line));
  for (const char c : line) require(static_cast<unsigned char>(c) >= ' ' && c != 0x7F);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_utf8(text);
  const std::vector<interline::LogField> fields = {{"a", text}, {"b", text}, {"c", text}};
  const interline::LogRecord record({}, interline::LogLevel::info, "message", fields);
  check_line(format_text(record));
  check_line(format_json(record));
  return 0;
}
