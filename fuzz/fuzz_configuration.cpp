// interline.toml: any bytes give a configuration, or mistakes that name lines of the text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/configuration.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = interline::app::parse_configuration(text, "folder/interline.toml");
  if (read) return 0;
  if (read.error().empty()) std::abort();
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n') + 1);
  for (const interline::app::Mistake& mistake : read.error()) {
    if (mistake.line > lines || mistake.text.empty()) std::abort();
  }
  return 0;
}
