#include "app/configuration.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <toml++/toml.h>

#include "app/configuration_sections.hpp"
#include "app/settings.hpp"
#include "app/toml_reader.hpp"
#include "policy/check.hpp"

namespace interline::app {
namespace {

struct Where {
  std::uint32_t line;
  const char* table;
};
Where where_of(const Lines& lines, const policy::Mistake& mistake) {
  using Place = policy::Mistake::Place;
  switch (mistake.place) {
    case Place::grant:
      return {lines.grants[mistake.index], "[[grant]] "};
    case Place::account:
      return {lines.accounts[mistake.index], "[[account]] "};
    case Place::admin:
      return {lines.admins, "[xmpp] admins: "};
    case Place::local_domain:
      return {lines.local_domains, "[xmpp] "};
    case Place::operator_:  // not the file's
      break;
  }
  return {0, ""};
}

/// What the policy finds wrong, where nothing was found there already.
void check_policy(const Configuration& configuration, Mistakes& mistakes) {
  const Mistakes before = mistakes;
  for (const policy::Mistake& mistake : policy::find_mistakes(policy_settings(configuration))) {
    const Where where = where_of(configuration.lines, mistake);
    if (!before.has(where.line)) mistakes.add(where.line, where.table + mistake.text);
  }
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
    configuration.blank = root.empty();
    TomlReader reader(root, "", configuration.directory, mistakes);
    ask_all(reader, configuration);
    reader.finish();
  } catch (const toml::parse_error& error) {  // how toml++ reports what is no TOML
    std::string why(error.description());
    if (why.find("value type") != std::string::npos) why += R"(; texts stand in quotes: "text")";
    mistakes.add(error.source().begin.line, std::move(why));
  }
  check_policy(configuration, mistakes);
  if (!mistakes.empty()) return std::unexpected(mistakes.take());
  return configuration;
}

std::expected<std::string, std::vector<Mistake>> read_configuration_text(
    const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const int error = errno;
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(file, ignored);
  if (stream && !folder) return std::string((std::istreambuf_iterator<char>(stream)), {});
  const std::string why = folder ? "it is a folder" : std::generic_category().message(error);
  std::vector<Mistake> mistakes;
  mistakes.emplace_back(0, "cannot be read: " + why + "; name the configuration with -c FILE");
  return std::unexpected(std::move(mistakes));
}

std::expected<Configuration, std::vector<Mistake>> read_configuration(
    const std::filesystem::path& file) {
  const auto text = read_configuration_text(file);
  if (!text) return std::unexpected(text.error());
  return parse_configuration(*text, file);
}

}  // namespace interline::app
