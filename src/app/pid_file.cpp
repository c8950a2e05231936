#include "app/pid_file.hpp"

#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace interline::app {

Result<PidFile> PidFile::write(const std::filesystem::path& folder) {
  PidFile file(folder / "interline.pid");
  const std::filesystem::path beside = file.path_.string() + ".new";
  std::ofstream stream(beside, std::ios::trunc);
  stream << ::getpid() << '\n';
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(beside, file.path_, error);
  if (!stream || error) {
    return fail(ErrorKind::unavailable, "cannot write " + file.path_.string());
  }
  return file;
}

PidFile::~PidFile() {
  std::error_code ignored;  // nothing is left to be done about it
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

}  // namespace interline::app
