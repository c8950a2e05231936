// What a runtime delivers is data until it has been checked: results against the tool's output
// schema and the limits, questions against theirs.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <limits>
#include <optional>
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
  std::size_t log_bytes = 8'192;            ///< of one line
  std::size_t log_entries = 100'000;        ///< of a task: then lines and progress are dropped
  std::size_t chunk_bytes = 1U << 20U;      ///< of one chunk of an artifact
  std::size_t artifact_bytes = 64U << 20U;  ///< of all chunks of one piece of work
  std::size_t memory_bytes = 65'536;        ///< of what a runtime remembers
  unsigned asks = 8;                        ///< of one piece of work at once; then one each
  std::chrono::milliseconds ask_every{1'000};
};

/// What is larger is checked on the worker pool, not on the thread it comes by.
inline constexpr std::size_t kCheckInPlace = 65'536;
inline constexpr std::size_t kAlwaysCostly = std::numeric_limits<std::size_t>::max();

/// A CallToolResult to be committed as the tool wrote it, or why the task fails instead. It is
/// I-JSON (RFC 7493): a number that no double is near to has no canonical form (RFC 8785), by which
/// receivers compare what they are told twice, and many of them cannot read it at all.
[[nodiscard]] std::expected<std::string, tasks::Failure> check_result(std::string_view result,
                                                                      const catalog::Tool& tool,
                                                                      const OutputLimits& limits);

/// Why a chunk fails the task: its parts are no JSON array.
[[nodiscard]] std::optional<tasks::Failure> check_chunk(const tasks::ArtifactChunk& chunk,
                                                        std::size_t depth);

/// Refuses a question whose schema is no JSON Schema object or too large, or whose URL no web_url.
[[nodiscard]] Result<void> check_question(const AskedQuestion& question,
                                          const OutputLimits& limits);

/// An agent's refusal of work, before or during it: what A2A calls REJECTED.
inline constexpr std::string_view kRejectedCode = "interline:rejected";

/// The failure as callers may see it: the code in its grammar, unreserved or one that runtimes may
/// use, else under "interline.runtime:"; message and details without secrets and stack traces.
[[nodiscard]] tasks::Failure safe_failure(tasks::Failure failure);

}  // namespace interline::engine
