#include "cli/configuration_input.hpp"

#include <cstdlib>
#include <utility>

#include "app/gateway_place.hpp"

namespace interline::cli {

void ConfigurationInput::declare(Arguments& arguments) {
  arguments.optional("-c,--config", file_,
                     "The configuration; without it INTERLINE_CONFIG, then ./interline.toml");
}

std::string ConfigurationInput::path() const {
  if (!file_.empty()) return file_;
  const char* named = std::getenv("INTERLINE_CONFIG");
  return named != nullptr && *named != '\0' ? named : "interline.toml";
}

std::optional<std::filesystem::path> ConfigurationInput::read_data_dir(Streams& io) const {
  const std::string file = path();
  auto data_dir = app::read_data_dir(file);
  if (data_dir) return *std::move(data_dir);
  for (const app::Mistake& mistake : data_dir.error()) io.complain(app::to_string(file, mistake));
  return std::nullopt;
}

std::optional<app::Configuration> ConfigurationInput::read(Streams& io) const {
  const std::string file = path();
  auto configuration = app::read_configuration(file);
  if (configuration) return *std::move(configuration);
  for (const app::Mistake& mistake : configuration.error()) {
    io.complain(app::to_string(file, mistake));
  }
  return std::nullopt;
}

}  // namespace interline::cli
