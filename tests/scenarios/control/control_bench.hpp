// The control socket's routes over a whole engine, asked as any user: the connection is a pipe in
// memory whose peer says to be that user, as the system says it of a Unix socket's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench.hpp"
#include "bindings/control/control.hpp"
#include "json/parse.hpp"
#include "net/http/client_connection.hpp"
#include "net/http/session.hpp"
#include "net/http/sse.hpp"

namespace interline::testing {

// Users of every Debian system; the first is the operator here.
inline constexpr uid_t kRoot = 0;
inline constexpr uid_t kDaemon = 1;
inline constexpr uid_t kBin = 2;
inline constexpr uid_t kNobodyWeKnow = 987'654;

struct Reply {
  unsigned status = 0;
  std::string body;

  [[nodiscard]] json::Document json() const;
  /// The string member of that name; "" without one.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// Of {"error":{...}}.
  [[nodiscard]] std::string error(std::string_view name = "code") const;
};

class ControlBench {
 public:
  explicit ControlBench(engine::LaneConfiguration lane = {});
  explicit ControlBench(EngineOptions options);
  ~ControlBench();

  Reply ask(uid_t user, net::http::Method method, std::string target, std::string body = {});
  Reply get(uid_t user, std::string target) {
    return ask(user, net::http::Method::get, std::move(target));
  }
  Reply post(uid_t user, std::string target, std::string body = {}) {
    return ask(user, net::http::Method::post, std::move(target), std::move(body));
  }
  Reply drop(uid_t user, std::string target) {
    return ask(user, net::http::Method::delete_, std::move(target));
  }
  /// Over a connection that is no Unix socket.
  Reply ask_from_elsewhere(std::string target);

  /// Calls a tool of the endpoint `demo`; the task's id.
  std::string call(uid_t user, const std::string& tool, const std::string& arguments = "{}");
  /// The task's events to the end of the stream.
  std::vector<net::http::SseEvent> follow(uid_t user, const std::string& task);
  /// Until the task is in that state, or has settled: how it looks then.
  Reply until(uid_t user, const std::string& task, std::string_view state);

  /// What the gateway's configuration would have.
  std::vector<control::ConfiguredEndpoint> configured;
  /// Called for each event that a follower reads, by its thread.
  std::function<void(const net::http::SseEvent&)> on_event;
  /// Begins to follow, returns when the snapshot is there, and leaves without a word.
  void follow_and_leave(uid_t user, const std::string& task);

  [[nodiscard]] EngineBench& bench() { return bench_; }
  [[nodiscard]] control::EventStreams& streams() { return *streams_; }

 private:
  struct Asked;
  awaitable<Reply> exchange(std::shared_ptr<Asked> asked);
  awaitable<std::vector<net::http::SseEvent>> read_events(uid_t user, std::string task,
                                                          std::string state, bool leave);
  std::unique_ptr<net::http::ClientConnection> connect(std::optional<uid_t> user,
                                                       net::Executor strand);

  EngineBench bench_;
  SystemClock clock_;
  std::shared_ptr<net::http::SessionContext> context_;
  std::shared_ptr<control::EventStreams> streams_;
};

}  // namespace interline::testing
