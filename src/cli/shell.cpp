#include "cli/shell.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <sys/wait.h>

namespace interline::cli {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Shell::Shell() {
  std::string name = (std::filesystem::temp_directory_path() / "interline-cli-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = name;
  std::filesystem::create_directory(folder_ / "work");
}

Shell::~Shell() {
  std::error_code ignored;  // a folder left behind is no reason to fail
  std::filesystem::remove_all(folder_, ignored);
}

void Shell::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / "work" / name, std::ios::binary) << text;
}

Ran Shell::run(const std::string& command) const {
  std::ofstream(folder_ / "command") << "PATH=" INTERLINE_BINARY_DIR ":$PATH\n" << command << '\n';
  const std::string folder = folder_.string();
  const int status = std::system(("cd " + folder + "/work && sh " + folder + "/command >" + folder +
                                  "/out 2>" + folder + "/err </dev/null")
                                     .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder_ / "out"),
          contents(folder_ / "err")};
}

}  // namespace interline::cli
