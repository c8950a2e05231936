#include "app/private_files.hpp"

#include <sys/stat.h>

namespace interline::app {
namespace {

bool has_mode(const std::filesystem::path& path, mode_t any_of) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & any_of) != 0;
}

}  // namespace

std::vector<OpenSecret> open_secrets(const Configuration& configuration) {
  std::vector<OpenSecret> found;
  const auto look = [&found](std::string key, const std::filesystem::path& file) {
    if (file.empty() || !has_mode(file, S_IROTH | S_IWOTH)) return;
    found.push_back({std::move(key), file});
  };
  look("[http] tls_key", configuration.http.tls_key);
  look("[mcp] seal_key_file", configuration.mcp.seal_key_file);
  if (configuration.xmpp) {
    look("[xmpp] secret_file", configuration.xmpp->secret_file);
    look("[xmpp] tls_key", configuration.xmpp->tls_key);
  }
  for (const EndpointTable& endpoint : configuration.endpoints) {
    look("endpoint " + endpoint.name + " token_file", endpoint.runtime.token_file);
    look("endpoint " + endpoint.name + " client_secret_file",
         endpoint.runtime.oauth.client_secret_file);
  }
  const std::filesystem::path& folder = configuration.gateway.data_dir;
  // Others reach what is in there only where they may enter it.
  if (!has_mode(folder, S_IXOTH)) return found;
  for (const auto name : {"interline.db", "interline.db-wal", "token.key"}) {
    look("[gateway] data_dir", folder / name);
  }
  return found;
}

bool is_writable_by_all(const std::filesystem::path& folder) {
  return has_mode(folder, S_IWOTH);
}

}  // namespace interline::app
