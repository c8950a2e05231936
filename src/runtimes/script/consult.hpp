// What an agent answers outside of tasks: its lists, prompts, resources, completions, and what its
// tools ask before they are called. Pure: no clock, no I/O.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "engine/consultation.hpp"
#include "runtimes/script/agent.hpp"

namespace interline::runtimes::script {

/// What it can be asked: only what there is.
[[nodiscard]] engine::Offers offers_of(const Agent& agent);

[[nodiscard]] bool has_resource(const Agent& agent, std::string_view uri);

/// Errors: as engine::Runtime::consult.
[[nodiscard]] Result<engine::Consulted> consult(const Agent& agent,
                                                const engine::Consultation& asked);

}  // namespace interline::runtimes::script
