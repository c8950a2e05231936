// For the tests of the command line: runs shell commands as a user would, `interline` being the
// program of the same build.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace interline::cli {

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

/// A test with a folder of its own, in which its commands run.
class Shell : public testing::Test {
 protected:
  Shell();
  ~Shell() override;

  void write(const std::string& name, const std::string& text) const;
  /// Runs the command with sh.
  [[nodiscard]] Ran run(const std::string& command) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace interline::cli
