// A message as the answer to what a task asks.
#pragma once

#include "protocols/a2a/server/core.hpp"

namespace interline::protocols::a2a::server {

/// What the message says to the open questions of the task. Errors: invalid_params.
[[nodiscard]] std::expected<engine::Input, ErrorAnswer> input_of(const tasks::Task& task,
                                                                 const Message& message);

}  // namespace interline::protocols::a2a::server
