// The steps of a tool, and the questions that come before anything else.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtimes/script/agent.hpp"
#include "runtimes/script/fields.hpp"

namespace interline::runtimes::script {

/// Which steps may stand there.
enum class StepsOf : std::uint8_t {
  call,     ///< all
  prepare,  ///< questions alone: nothing else has happened yet
};

/// The array of steps under `key`; none where it is absent.
[[nodiscard]] std::vector<Step> read_steps(Fields& fields, std::string_view key, StepsOf of);

}  // namespace interline::runtimes::script
