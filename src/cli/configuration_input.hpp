// -c FILE: the configuration that a verb reads, and how its mistakes are said.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/configuration.hpp"
#include "cli/arguments.hpp"
#include "cli/streams.hpp"

namespace interline::cli {

class ConfigurationInput {
 public:
  void declare(Arguments& arguments);
  /// -c FILE, else INTERLINE_CONFIG, else ./interline.toml.
  [[nodiscard]] std::string path() const;
  /// Whether -c named it.
  [[nodiscard]] bool given() const { return !file_.empty(); }
  /// The data directory alone: for verbs that speak to a running gateway. None: as below.
  [[nodiscard]] std::optional<std::filesystem::path> read_data_dir(Streams& io) const;
  /// None: every mistake was said on standard error, with file and line.
  [[nodiscard]] std::optional<app::Configuration> read(Streams& io) const;

 private:
  std::string file_;
};

}  // namespace interline::cli
