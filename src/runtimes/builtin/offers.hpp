// What the builtin agent is asked outside of tasks: two prompts, two resources and a template, what
// it would complete, and a tool that asks before it is called.
#pragma once

#include "base/error.hpp"
#include "engine/consultation.hpp"
#include "runtimes/builtin/agent.hpp"

namespace interline::runtimes::builtin {

/// Errors: not_found (no such prompt, resource, tool), malformed.
[[nodiscard]] Result<engine::Consulted> answer(const engine::Consultation& asked,
                                               const Agent& agent);

/// Whether such a resource can be read.
[[nodiscard]] bool has_resource(std::string_view uri);

}  // namespace interline::runtimes::builtin
