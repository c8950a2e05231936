// JSON files and standard input, read for a verb within limits, with errors that say what to do
// next.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "cli/arguments.hpp"
#include "json/parse.hpp"

namespace interline::cli {

/// Why a file gave no JSON. `message` names the file and the place, never its content.
struct InputFailure {
  bool unreadable = false;  ///< the file could not be read at all
  std::string message;
};

/// --max-bytes and --max-depth, for every verb that reads JSON.
class InputLimits {
 public:
  void declare(Arguments& arguments);
  [[nodiscard]] json::Limits limits() const;

 private:
  json::Limits defaults_;
  std::size_t bytes_ = defaults_.bytes;
  std::size_t depth_ = defaults_.depth;
};

/// Parses the file; "-" and "" are standard input. Reads no more than limits.bytes + 1 bytes.
[[nodiscard]] std::expected<json::Document, InputFailure> load_json(const std::string& path,
                                                                    const json::Limits& limits);
/// "standard input", or the path.
[[nodiscard]] std::string display_name(const std::string& path);

}  // namespace interline::cli
