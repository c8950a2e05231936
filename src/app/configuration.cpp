#include "app/configuration.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include <toml++/toml.h>

#include "app/configuration_sections.hpp"
#include "app/toml_reader.hpp"

namespace interline::app {
namespace {

/// Mistakes that only the whole shows.
void check_whole(const Configuration& configuration, Mistakes& mistakes) {
  policy::Configuration rules;
  rules.grants = configuration.grants;
  rules.accounts = configuration.accounts;
  const auto compiled = policy::Policy::compile(std::move(rules));
  if (compiled) return;
  for (const Error& error : compiled.error()) mistakes.add(0, error.message);
}

}  // namespace

std::string to_string(const std::filesystem::path& file, const Mistake& mistake) {
  std::string text = file.string();
  if (mistake.line > 0) text.append(":").append(std::to_string(mistake.line));
  return text.append(": ").append(mistake.text);
}

std::expected<Configuration, std::vector<Mistake>> parse_configuration(
    std::string_view text, const std::filesystem::path& file) {
  Mistakes mistakes;
  Configuration configuration;
  configuration.file = file;
  configuration.directory = file.has_parent_path() ? file.parent_path() : ".";
  configuration.gateway.data_dir = configuration.directory / configuration.gateway.data_dir;
  try {
    const toml::table root = toml::parse(text);
    TomlReader reader(root, "", configuration.directory, mistakes);
    ask_all(reader, configuration);
    reader.finish();
  } catch (const toml::parse_error& error) {  // how toml++ reports what is no TOML
    mistakes.add(error.source().begin.line, std::string(error.description()));
  }
  if (mistakes.empty()) check_whole(configuration, mistakes);
  if (!mistakes.empty()) return std::unexpected(mistakes.take());
  return configuration;
}

std::expected<Configuration, std::vector<Mistake>> read_configuration(
    const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    std::vector<Mistake> mistakes;
    mistakes.emplace_back(0, "cannot be read; name the configuration with -c FILE");
    return std::unexpected(std::move(mistakes));
  }
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  return parse_configuration(text, file);
}

}  // namespace interline::app
