// Runs folders of the JSON-Schema-Test-Suite: *.json files, each an array of schemas with instances
// and the verdict that is due. The remotes are served from memory, as http://localhost:1234/.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

/// One instance of one schema of one file.
struct SuiteCase {
  std::string_view file;   ///< "allOf.json"
  std::string_view group;  ///< descriptions, as the file has them
  std::string_view test;
  const json::Value& schema;
  const json::Value& instance;
  bool valid;  ///< the verdict that is due
  /// The group's compiled schema, or why there is none.
  const std::expected<Schema, CompileError>& compiled;
};

struct SuiteOptions {
  /// `format` asserts; by itself it does in a folder named "format", as the suite's README has it.
  bool assert_format = false;
};

struct SuiteFailure {
  std::string file;
  std::string group;  ///< empty, as `test`, where the file could not be read
  std::string test;
  std::string problem;  ///< "is invalid, must be valid", or the compile error
};

/// Calls `visit` for each case of the *.json files directly in the folder, files by name. The
/// dialect is that of the nearest folder above named draft2020-12 or draft7, the remotes are in
/// ../../remotes of that one. Errors: a folder that cannot be read or is no suite; so is a
/// file, or one of more than 64 MiB, unless `unreadable` takes that as a failure.
[[nodiscard]] Result<void> for_each_case(const std::filesystem::path& folder,
                                         const SuiteOptions& options,
                                         const std::function<void(const SuiteCase&)>& visit,
                                         const std::function<void(SuiteFailure)>& unreadable = {});

struct SuiteResult {
  std::size_t passed = 0;
  std::vector<SuiteFailure> failures;
};

[[nodiscard]] Result<SuiteResult> run_suite(const std::filesystem::path& folder,
                                            const SuiteOptions& options = {});

/// Why a case fails; empty if it passes.
[[nodiscard]] std::string problem_of(const SuiteCase& suite_case);

/// A line for each failure, and the last line "N passed, M failed".
[[nodiscard]] std::string to_string(const SuiteResult& result);

}  // namespace interline::schema
