// Values for schemas: arguments of a call, answers to questions.
#pragma once

#include <string>

#include "engine/consultation.hpp"
#include "json/value.hpp"

namespace interline::testing {

/// JSON text: the default where there is one, else the least that the schema plainly takes. Of an
/// object every required member, and those with a default.
[[nodiscard]] std::string value_for(const json::Value& schema);

/// What a helpful caller says to a question: JSON text of its kind.
[[nodiscard]] std::string answer_for(const engine::AskedQuestion& question);

}  // namespace interline::testing
