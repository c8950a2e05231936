// A program at a terminal, as a person runs it: what it shows is read, and keys are typed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace interline::testing {

class Terminal {
 public:
  /// Runs `interline ARGUMENTS` (words of a shell) in the folder.
  Terminal(const std::string& arguments, const std::filesystem::path& folder);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Reads until that was shown since the last call. A test failure if the program ends before.
  void until(std::string_view text);
  void type(std::string_view keys);
  /// Reads to the end; the exit code.
  int wait();
  /// Everything shown so far.
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  [[nodiscard]] bool read_more();

  pid_t process_ = -1;
  int terminal_ = -1;
  std::string shown_;
  std::size_t seen_ = 0;
};

}  // namespace interline::testing
