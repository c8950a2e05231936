// Where the gateway of a configuration is found, for those who only want to speak to it.
#pragma once

#include <expected>
#include <filesystem>
#include <vector>

#include "app/configuration.hpp"

namespace interline::app {

/// `[gateway] data_dir` of the file, and nothing else of it: who calls need not have the gateway's
/// environment, its secrets, or a file without mistakes. Errors: the file cannot be read or is no
/// TOML; data_dir itself is wrong.
[[nodiscard]] std::expected<std::filesystem::path, std::vector<Mistake>> read_data_dir(
    const std::filesystem::path& file);

}  // namespace interline::app
