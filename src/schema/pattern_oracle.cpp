#include "schema/pattern_oracle.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace interline::schema::pattern {
namespace {

/// Gone again when it goes out of scope.
struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pattern-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

std::string oracle_word(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string word = "t";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    word += kDigits[byte >> 4U];
    word += kDigits[byte & 0xFU];
  }
  return word;
}

std::vector<std::string> ask_oracle(std::span<const std::string> questions) {
  const TemporaryFolder folder;
  const std::string asked = (folder.path / "questions").string();
  const std::string answered = (folder.path / "answers").string();
  {
    std::ofstream file(asked);
    for (const std::string& question : questions) file << question << '\n';
  }
  const std::string command = "node '" INTERLINE_SOURCE_DIR
                              "/tests/support/regexp_oracle.mjs' < '" +
                              asked + "' > '" + answered + "'";
  if (std::system(command.c_str()) != 0) {
    throw std::runtime_error(
        "node did not run; this test needs it (Debian: apt-get install nodejs)");
  }
  std::vector<std::string> answers;
  std::ifstream file(answered);
  for (std::string line; std::getline(file, line);) answers.push_back(line);
  if (answers.size() != questions.size()) {
    throw std::runtime_error("node did not answer every question");
  }
  return answers;
}

}  // namespace interline::schema::pattern
