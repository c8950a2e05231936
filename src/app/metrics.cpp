#include "app/metrics.hpp"

#include <array>
#include <charconv>

namespace interline::app {
namespace {

void append_escaped(std::string& text, std::string_view value) {
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
}

}  // namespace

void MetricsWriter::family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help);
  text_.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void MetricsWriter::sample(double value, Labels labels, std::string_view suffix) {
  text_.append(name_).append(suffix);
  char before = '{';
  for (const auto& [name, text] : labels) {
    text_ += before;
    text_.append(name).append("=\"");
    append_escaped(text_, text);
    text_ += '"';
    before = ',';
  }
  if (before == ',') text_ += '}';
  text_.append(" ").append(number(value)).append("\n");
}

std::string MetricsWriter::number(double value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end};
}

}  // namespace interline::app
