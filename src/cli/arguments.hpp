// How a verb declares its arguments. CLI11 stays behind it (command_line.cpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace interline::cli {

/// Each call declares one argument and where its value goes: a variable that holds the default now
/// and lives until the verb has run. `name` is "--long" or "-s,--long"; of a positional argument,
/// the word shown in the help ("FILE").
class Arguments {
 public:
  Arguments() = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  virtual ~Arguments() = default;

  virtual void required(const std::string& name, std::string& value, const std::string& help) = 0;
  virtual void optional(const std::string& name, std::string& value, const std::string& help) = 0;
  virtual void flag(const std::string& name, bool& value, const std::string& help) = 0;
  /// May be given more than once.
  virtual void list(const std::string& name, std::vector<std::string>& values,
                    const std::string& help) = 0;
  /// One of a few words.
  virtual void choice(const std::string& name, std::string& value,
                      const std::vector<std::string>& words, const std::string& help) = 0;
  /// A whole number from `least` to `most`.
  virtual void number(const std::string& name, std::size_t& value, std::size_t least,
                      std::size_t most, const std::string& help) = 0;
};

}  // namespace interline::cli
