#include "app/pid_file.hpp"

#include <string>
#include <system_error>
#include <unistd.h>

#include "app/private_write.hpp"

namespace interline::app {

Result<PidFile> PidFile::write(const std::filesystem::path& folder) {
  PidFile file(folder / "interline.pid");
  const Result<void> written = write_whole(file.path_, std::to_string(::getpid()) + "\n", 0644);
  if (!written) {
    file.path_.clear();  // whatever is there is not ours to remove
    return std::unexpected(written.error());
  }
  return file;
}

PidFile::~PidFile() {
  std::error_code ignored;  // nothing is left to be done about it
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

}  // namespace interline::app
