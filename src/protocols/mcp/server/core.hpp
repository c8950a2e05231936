// What the methods share. Internal to this folder.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "protocols/mcp/sealed.hpp"
#include "protocols/mcp/server/changes.hpp"
#include "protocols/mcp/server/server.hpp"
#include "protocols/mcp/server/silence.hpp"

namespace interline::protocols::mcp::server {

struct Core {
  Core(engine::Engine& the_engine, const Clock& the_clock, Settings the_settings, Logger the_log)
      : engine(the_engine),
        clock(the_clock),
        settings(std::move(the_settings)),
        log(std::move(the_log)),
        self(implementation_text(settings.self)),
        sealer(settings.seal_keys),
        changes(std::make_shared<Changes>(engine, settings.max_listens)) {}

  [[nodiscard]] Envelope envelope(const Asked& asked) const { return {asked.revision, self}; }

  engine::Engine& engine;
  const Clock& clock;
  const Settings settings;
  const Logger log;
  const std::string self;  ///< an Implementation object
  const Sealer sealer;
  const std::shared_ptr<Changes> changes;
  Silence silence;
};

/// A result's JSON text.
using Answer = std::expected<std::string, ErrorAnswer>;

[[nodiscard]] inline std::unexpected<ErrorAnswer> refuse(ErrorAnswer answer) {
  return std::unexpected(std::move(answer));
}
[[nodiscard]] inline std::unexpected<ErrorAnswer> refuse(const Error& error) {
  return std::unexpected(to_answer(error));
}
/// Params that cannot be read.
[[nodiscard]] inline std::unexpected<ErrorAnswer> bad_params(const Error& error) {
  return std::unexpected(invalid_params(error.message));
}

// `asked` lives until the answer.
// discovery.cpp
[[nodiscard]] awaitable<Answer> discover(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Result<Features>> features_of(Core& core, Principal who,
                                                      std::string endpoint);
// tools_list.cpp, tools_call.cpp
[[nodiscard]] awaitable<Answer> list_tools(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> call_tool(Core& core, const Asked& asked);
// prompts.cpp
[[nodiscard]] awaitable<Answer> list_prompts(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> get_prompt(Core& core, const Asked& asked);
// resources.cpp
[[nodiscard]] awaitable<Answer> list_resources(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> list_resource_templates(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> read_resource(Core& core, const Asked& asked);
// completion.cpp
[[nodiscard]] awaitable<Answer> complete(Core& core, const Asked& asked);
// tasks.cpp
[[nodiscard]] awaitable<Answer> get_task(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> update_task(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> cancel_task(Core& core, const Asked& asked);
// server.cpp
[[nodiscard]] Reply reply_to(const Asked& asked, const Answer& answered);
/// Any of these.
[[nodiscard]] awaitable<Reply> answer_request(Core& core, const Asked& asked);
// listen.cpp
[[nodiscard]] awaitable<Answer> listen(Core& core, const Asked& asked);
[[nodiscard]] awaitable<Answer> ping(Core& core, const Asked& asked);

}  // namespace interline::protocols::mcp::server
