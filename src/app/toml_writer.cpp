#include "app/toml_writer.hpp"

#include <array>
#include <utility>

namespace interline::app {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::array<std::pair<char, char>, 5> kShort = {
    {{'"', '"'}, {'\\', '\\'}, {'\n', 'n'}, {'\t', 't'}, {'\r', 'r'}}};

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    char letter = '\0';
    for (const auto& [from, to] : kShort) {
      if (c == from) letter = to;
    }
    if (letter != '\0') {
      out += '\\';
      out += letter;
    } else if (is_control(c)) {
      const auto code = static_cast<unsigned char>(c);
      out.append("\\u00").append(1, kHex[code >> 4U]).append(1, kHex[code & 15U]);
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string toml_comment(std::string_view text) {
  std::string out = "# ";
  for (const char c : text) {
    if (c == '\n') {
      out += "\n# ";
    } else {
      out += is_control(c) ? ' ' : c;
    }
  }
  return out += '\n';
}

}  // namespace interline::app
