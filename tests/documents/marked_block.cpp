#include "marked_block.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace interline::documents {
namespace {

constexpr std::size_t kHead = 2;  // lines: names, and the rule below them

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

}  // namespace

std::string marked_block(std::string_view file, std::string_view name) {
  const std::string path = std::string(INTERLINE_SOURCE_DIR "/docs/").append(file);
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const std::string mark = std::string("<!-- ").append(name).append(" -->\n");
  const auto begin = text.find(mark);
  const auto end = text.find("<!-- end -->", begin);
  if (begin == std::string::npos || end == std::string::npos) {
    throw std::runtime_error(path + " has no block " + mark);
  }
  return text.substr(begin + mark.size(), end - begin - mark.size());
}

std::vector<std::vector<std::string>> table_rows(std::string_view block) {
  std::vector<std::vector<std::string>> rows;
  std::size_t number = 0;
  while (!block.empty()) {
    const std::string_view line = block.substr(0, block.find('\n'));
    block.remove_prefix(std::min(block.size(), line.size() + 1));
    if (++number <= kHead) continue;
    auto& cells = rows.emplace_back();
    for (std::size_t at = 1; at < line.size();) {
      const auto bar = line.find('|', at);
      cells.push_back(trimmed(line.substr(at, bar - at)));
      at = bar == std::string_view::npos ? line.size() : bar + 1;
    }
  }
  return rows;
}

}  // namespace interline::documents
