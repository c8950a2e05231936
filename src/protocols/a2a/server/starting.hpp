// From a message to a task: a new one, or one that waits for it (A2A 1.0, section 3.4.3; the
// interop map's rows of SendMessage).
#pragma once

#include <string>

#include "protocols/a2a/server/core.hpp"

namespace interline::protocols::a2a::server {

struct Started {
  std::string task;
  bool is_new = false;  ///< else the message went to a task that was there
};

[[nodiscard]] awaitable<std::expected<Started, ErrorAnswer>> start(Core& core, const Asked& asked,
                                                                   const SendRequest& request);

}  // namespace interline::protocols::a2a::server
