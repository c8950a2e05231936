// What the routes' handlers share: one function an operation, one row each in control.cpp.
#pragma once

#include <memory>
#include <mutex>
#include <set>

#include "bindings/control/control.hpp"
#include "net/http/responder.hpp"

namespace interline::control {

using engine::awaitable;
using net::http::Request;
using net::http::Response;
using policy::Principal;

class OpenStreams final : public EventStreams {
 public:
  /// False when streams are over for good.
  [[nodiscard]] bool add(engine::Watch& watch);
  void remove(engine::Watch& watch);
  void end_all() override;

 private:
  std::mutex mutex_;
  std::set<engine::Watch*> open_;  // guarded by mutex_
  bool over_ = false;              // guarded by mutex_
};

/// Lives as long as the router's handlers.
struct Services {
  Services(engine::Engine& the_engine, const Clock& the_clock, Options the_options)
      : engine(the_engine), clock(the_clock), options(std::move(the_options)) {}

  engine::Engine& engine;
  const Clock& clock;
  const Options options;
  const std::shared_ptr<OpenStreams> streams = std::make_shared<OpenStreams>();
};

using Answer = Result<Response>;

/// Whether `who` may answer what the task asks: operators see others' tasks, and answer none.
[[nodiscard]] bool may_answer(const Services& services, const Principal& who,
                              const tasks::Task& task);

/// Of the task's endpoint, where the task waits for its turn.
[[nodiscard]] std::optional<Load> load_before(const Services& services, const tasks::Task& task);
/// What an operator is told of a call or a look that found nothing: that the endpoint is
/// configured, and why it is not served. Others are told the same as of what does not exist.
[[nodiscard]] Error explain_absence(const Services& services, const Principal& who,
                                    std::string_view endpoint, Error error);

// calls.cpp
awaitable<Answer> post_call(Services& services, Principal who, Request& request);
// tasks.cpp
awaitable<Answer> list_tasks(Services& services, Principal who, Request& request);
awaitable<Answer> show_task(Services& services, Principal who, Request& request);
awaitable<Answer> answer_task(Services& services, Principal who, Request& request);
awaitable<Answer> cancel_task(Services& services, Principal who, Request& request);
awaitable<Answer> approve_task(Services& services, Principal who, Request& request);
// endpoints.cpp
awaitable<Answer> list_endpoints(Services& services, Principal who, Request& request);
awaitable<Answer> show_endpoint(Services& services, Principal who, Request& request);
awaitable<Answer> register_endpoint(Services& services, Principal who, Request& request);
awaitable<Answer> activate_endpoint(Services& services, Principal who, Request& request);
awaitable<Answer> deactivate_endpoint(Services& services, Principal who, Request& request);
awaitable<Answer> remove_endpoint(Services& services, Principal who, Request& request);
// keys.cpp
awaitable<Answer> list_keys(Services& services, Principal who, Request& request);
awaitable<Answer> create_key(Services& services, Principal who, Request& request);
awaitable<Answer> revoke_key(Services& services, Principal who, Request& request);
// status.cpp
awaitable<Answer> show_status(Services& services, Principal who, Request& request);
awaitable<Answer> trust_clock(Services& services, Principal who, Request& request);
// mcp.cpp: goes on as MCP.
awaitable<void> speak_mcp(std::shared_ptr<Services> services, Principal who, Request& request,
                          net::http::Responder& responder);
// events.cpp: answers by itself, as it goes on.
awaitable<void> follow_task(std::shared_ptr<Services> services, Principal who, Request& request,
                            net::http::Responder& responder);

}  // namespace interline::control
