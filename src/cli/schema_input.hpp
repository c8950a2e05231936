// What the schema verbs have in common: a schema file, the documents it may refer to, and how its
// compilation is asked for.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/input.hpp"
#include "cli/verb.hpp"
#include "schema/schema.hpp"

namespace interline::cli {

/// Why there is no compiled schema: a file's failure, or the schema's own.
struct SchemaFailure {
  int code = kNo;  ///< the exit code where the schema is what the verb judges
  std::string message;
  std::optional<schema::CompileError> error;  ///< set where the schema itself is at fault
};

class SchemaInput {
 public:
  void declare(Arguments& arguments);

  /// Reads and compiles the schema: for registration as a tool's `tool` schema ("input", "output"),
  /// or plainly where `tool` is "".
  [[nodiscard]] std::expected<schema::Schema, SchemaFailure> compile(const std::string& tool) const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] json::Limits limits() const { return limits_.limits(); }

 private:
  std::string path_;
  std::vector<std::string> documents_;
  bool format_ = false;
  InputLimits limits_;
};

/// The word for a compile error in JSON output: "unresolved_reference".
[[nodiscard]] std::string_view word_of(schema::CompileErrorCode code);
/// "2020-12", "draft-07".
[[nodiscard]] std::string_view word_of(schema::Dialect dialect);

}  // namespace interline::cli
