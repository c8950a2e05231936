// For tests: an agent from its text.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "runtimes/script/reader.hpp"

namespace interline::runtimes::script::testing {

/// The files that an agent may name.
inline Result<std::string> test_file(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> kFiles = {
      {"dot.png", "\x89PNG"}, {"note.txt", "plain ${text}"}, {"data.json", R"({"a":1})"}};
  const auto found = kFiles.find(name);
  if (found == kFiles.end()) {
    return fail(ErrorKind::not_found, "there is no file " + std::string(name));
  }
  return found->second;
}

inline std::shared_ptr<const Agent> agent(std::string_view text, Format format = Format::toml) {
  auto read = parse_agent(text, format, test_file);
  if (!read) throw std::invalid_argument(to_string("agent", read.error().front()));
  return *std::move(read);
}

/// "3: what is wrong" of each mistake.
inline std::vector<std::string> mistakes(std::string_view text, Format format = Format::toml) {
  const auto read = parse_agent(text, format, test_file);
  std::vector<std::string> all;
  if (read) return all;
  for (const Mistake& mistake : read.error()) {
    all.push_back(std::to_string(mistake.line) + ": " + mistake.text);
  }
  return all;
}

}  // namespace interline::runtimes::script::testing
