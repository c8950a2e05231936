// What the operations share. Internal to this folder.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "protocols/a2a/messages.hpp"
#include "protocols/a2a/server/server.hpp"
#include "protocols/mcp/sealed.hpp"

namespace interline::protocols::a2a::server {

inline constexpr std::string_view kNetwork = "a2a";

struct Core {
  Core(engine::Engine& the_engine, const Clock& the_clock, Settings the_settings, Logger the_log)
      : engine(the_engine),
        clock(the_clock),
        settings(std::move(the_settings)),
        log(std::move(the_log)),
        sealer(settings.seal_keys) {}

  [[nodiscard]] std::string new_id() { return ids.next(clock.now()); }

  engine::Engine& engine;
  const Clock& clock;
  const Settings settings;
  const Logger log;
  const mcp::Sealer sealer;
  IdSource ids;  ///< of contexts that clients leave to us
};

[[nodiscard]] inline std::unexpected<ErrorAnswer> refuse(ErrorAnswer answer) {
  return std::unexpected(std::move(answer));
}
[[nodiscard]] inline std::unexpected<ErrorAnswer> refuse(const Core& core, const Error& error) {
  return std::unexpected(to_answer(core.settings.edition, error));
}
[[nodiscard]] inline std::unexpected<ErrorAnswer> refuse(const Core& core, Fault which,
                                                         std::string message) {
  return std::unexpected(fault(core.settings.edition, which, std::move(message)));
}

// `asked` lives until the answer.
// send.cpp
[[nodiscard]] awaitable<Answer> send_message(Core& core, const Asked& asked);
// reading.cpp
[[nodiscard]] awaitable<Answer> get_task(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> cancel_task(Core& core, const Asked& asked);
// listing.cpp
[[nodiscard]] awaitable<Answer> list_tasks(Core& core, const Asked& asked);
// cards.cpp
[[nodiscard]] awaitable<Answer> card_of(Core& core, const Asked& asked, const std::string& base);
// streaming.cpp
using Streamed = std::expected<void, ErrorAnswer>;
[[nodiscard]] awaitable<Streamed> stream_message(Core& core, const Asked& asked, Events& events);
[[nodiscard]] awaitable<Streamed> subscribe(Core& core, const Asked& asked, Events& events);

/// The task, or that there is none: one answer for what is absent and what is another's.
[[nodiscard]] awaitable<std::expected<tasks::Task, ErrorAnswer>> find_task(Core& core,
                                                                           const Asked& asked,
                                                                           std::string id);

}  // namespace interline::protocols::a2a::server
