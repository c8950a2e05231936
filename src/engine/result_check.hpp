// What a runtime delivers is data until it has been checked: results against the tool's output
// schema and the limits, questions against theirs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "catalog/manifest.hpp"
#include "engine/runtime.hpp"

namespace interline::engine {

struct OutputLimits {
  std::size_t result_bytes = 4U << 20U;
  std::size_t question_schema_bytes = 65'536;
  std::size_t json_depth = 64;
  std::size_t log_bytes = 8'192;
  std::size_t chunk_bytes = 1U << 20U;
};

/// A CallToolResult to be committed, or why the task fails instead. The text is kept as the tool
/// wrote it, but for U+FFFE and U+FFFF, which are escaped since XML cannot carry them.
[[nodiscard]] std::expected<std::string, tasks::Failure> check_result(std::string_view result,
                                                                      const catalog::Tool& tool,
                                                                      const OutputLimits& limits);

/// Refuses a question whose schema is no JSON Schema object or too large.
[[nodiscard]] Result<void> check_question(const AskedQuestion& question,
                                          const OutputLimits& limits);

/// The failure as callers may see it: the code in its grammar, reserved codes kept to those that a
/// runtime may use, the rest prefixed with "interline.runtime:"; the message bounded.
[[nodiscard]] tasks::Failure safe_failure(tasks::Failure failure);

}  // namespace interline::engine
