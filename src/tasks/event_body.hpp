// The JSON bodies of task events, as event.schema.json of the ProtoXEP defines them: fixed bytes,
// written once in the commit and sent as they are on every network that shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tasks/model.hpp"

namespace interline::tasks {

/// Instants of bodies: milliseconds, UTC, Z (XEP-0082).
[[nodiscard]] std::string body_time(SystemTime time);

[[nodiscard]] std::string status_body(State state, SystemTime updated);
[[nodiscard]] std::string progress_body(std::optional<double> percent,
                                        const std::optional<std::string>& stage,
                                        const std::optional<std::string>& message);
/// One question as itself; several as one object with a property a question, named by its key or
/// else its id, all of them required.
[[nodiscard]] std::string input_required_body(const InputRequest& request);
[[nodiscard]] std::string completed_body(std::string_view result,
                                         const std::optional<std::string>& summary);
[[nodiscard]] std::string failed_body(const Failure& failure);
[[nodiscard]] std::string cancelled_body(const std::optional<std::string>& reason);

/// Of an artifact chunk's log entry: {"artifact","parts","append","last"}.
[[nodiscard]] std::string output_body(const ArtifactChunk& chunk);

/// The name under which a question appears in a request of several.
[[nodiscard]] const std::string& answer_name(const Question& question);

}  // namespace interline::tasks
