// What nobody but the gateway's user should read or write: as sshd does, we look before we trust
// it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/configuration.hpp"

namespace interline::app {

/// A file with a secret that every user of this machine may read or write.
struct OpenSecret {
  std::string key;  ///< "[http] tls_key"
  std::filesystem::path file;
};

/// Of the files that the configuration names, and of those in data_dir. What is not there, or is
/// for a group, is no concern.
[[nodiscard]] std::vector<OpenSecret> open_secrets(const Configuration& configuration);

/// Whether users beside its owner and group may write in a directory: they could put other files in
/// the place of the gateway's.
[[nodiscard]] bool is_writable_by_all(const std::filesystem::path& folder);

}  // namespace interline::app
