#include "app/gateway_place.hpp"

#include <string>

#include <toml++/toml.h>

#include "app/toml_reader.hpp"

namespace interline::app {

std::expected<std::filesystem::path, std::vector<Mistake>> read_data_dir(
    const std::filesystem::path& file) {
  Mistakes mistakes;
  const auto text = read_configuration_text(file);
  if (!text) return std::unexpected(text.error());
  const std::filesystem::path directory = file.has_parent_path() ? file.parent_path() : ".";
  std::filesystem::path data_dir = directory / GatewaySection().data_dir;
  try {
    const toml::table root = toml::parse(*text);
    // Not finish()ed: other keys, known or not, are nothing to us.
    if (const toml::table* gateway = root["gateway"].as_table()) {
      TomlReader reader(*gateway, "[gateway]", directory, mistakes);
      reader.path({"data_dir", ""}, data_dir, false);
    }
  } catch (const toml::parse_error& error) {  // how toml++ reports what is no TOML
    mistakes.add(error.source().begin.line, std::string(error.description()));
  }
  if (!mistakes.empty()) return std::unexpected(mistakes.take());
  return data_dir;
}

}  // namespace interline::app
