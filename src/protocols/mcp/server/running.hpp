// A task that somebody waits for: followed until it has settled, asks, or its time is up.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "protocols/mcp/server/core.hpp"
#include "protocols/mcp/server/telling.hpp"
#include "protocols/mcp/task_results.hpp"

namespace interline::protocols::mcp::server {

struct Following {
  std::string task;
  /// From the first entry: what was reported so far is told too. Else from now on.
  bool from_start = true;
  /// The client may be answered with the task itself.
  bool as_task = false;
  /// None: for as long as it takes. Zero: not at all.
  std::optional<std::chrono::milliseconds> grace;

  Following() = default;
};

struct Followed {
  enum class End : std::uint8_t { settled, asks, time_is_up, reader_left };
  End end = End::settled;
  tasks::Task task;  ///< as it was at that end, with its outcome or its pending questions

  Followed() = default;
};

/// Tells progress and log lines on the way. Errors: those of the engine (not_found, unavailable,
/// too many followers).
[[nodiscard]] awaitable<Result<Followed>> follow(Core& core, const Asked& asked, Telling& telling,
                                                 Following following);

/// What the request that waits for it is answered, whatever the task comes to: its result, a task,
/// questions. `attached`: it was begun for this request alone, which has told nobody its id.
[[nodiscard]] awaitable<Answer> await_task(Core& core, const Asked& asked, Following following,
                                           bool attached);

/// A task as the view of the request has it: at an endpoint's own URL, none of another's. A token
/// for that URL is good for nothing else. not_found: there is none.
[[nodiscard]] awaitable<Result<tasks::Task>> shown_task(Core& core, const Asked& asked,
                                                        std::string id);

/// How a task is told to the client of the request.
[[nodiscard]] TaskTelling telling_of(const Core& core, const Asked& asked);

/// Whether this request's client has the Tasks extension.
[[nodiscard]] inline bool takes_tasks(const Asked& asked) {
  return is_modern(asked.revision) && asked.features.tasks &&
         asked.meta.capabilities.has(ClientCapability::tasks);
}

}  // namespace interline::protocols::mcp::server
