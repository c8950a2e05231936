// One connection of the server: reads requests, runs handlers, writes responses, until it ends.
#pragma once

#include <chrono>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/event.hpp"
#include "net/http/framing.hpp"
#include "net/http/input.hpp"
#include "net/http/server.hpp"

namespace interline::net::http {

/// What all sessions of a server share; outlives them.
struct SessionContext {
  std::shared_ptr<const Router> router;
  ServerOptions options;
  ServerStats stats;
};

/// All members are called on the stream's strand.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(std::unique_ptr<Stream> stream, std::shared_ptr<SessionContext> context);

  /// With `tls`, the handshake first. Returns when the connection is closed.
  awaitable<void> run(std::shared_ptr<const TlsContext> tls);
  /// No further request after the one that is being served; at once where none is.
  void drain();
  void abort();
  /// After run() threw: says so where responses are reported.
  void failed(const std::exception& error);

 private:
  friend class SessionResponder;
  enum class Next { keep_alive, close, drop };

  awaitable<bool> secure(std::shared_ptr<const TlsContext> tls);
  awaitable<std::optional<Parsed<RequestHead>>> read_head();
  awaitable<Next> serve_request(RequestHead head);
  awaitable<Next> serve_route(Request& request, const Route& route, Framing framing);
  awaitable<Next> answer_early(Request& request, Framing framing, Response response,
                               std::string note);
  awaitable<Next> refuse(Refusal refusal, const Request* request);
  awaitable<void> linger();

  awaitable<Parsed<void>> read_body(Framing framing, std::size_t limit, std::string& body);
  awaitable<Parsed<void>> read_length(std::uint64_t length, std::string& body);
  awaitable<Parsed<void>> read_chunks(std::size_t limit, std::string& body);

  // Reading goes through here: while a handler runs, a watcher may hold the read.
  awaitable<Result<std::size_t>> more_input();
  void watch_input();
  static awaitable<void> watch(std::shared_ptr<Session> self);
  void peer_is_gone();

  awaitable<Result<void>> write(std::string_view head, std::string_view body);
  [[nodiscard]] Response own_response(unsigned status, const Request* request) const;
  [[nodiscard]] std::string_view date();
  void report(const Request* request, unsigned status, std::uint64_t bytes, std::string_view note);

  std::unique_ptr<Stream> stream_;
  Stream* transport_;  // stays reachable during the handshake
  std::shared_ptr<SessionContext> context_;
  std::optional<InputBuffer> input_;

  bool served_any_ = false;
  bool idle_ = true;  // no request is under way: may be closed
  bool draining_ = false;
  bool persistent_ = true;  // the connection outlives the current response
  bool wants_continue_ = false;
  bool head_only_ = false;  // the request is HEAD, whatever else is wrong with it
  std::chrono::steady_clock::time_point began_;

  bool handling_ = false;  // a handler runs
  bool watching_ = false;  // the watcher holds the read
  bool gone_ = false;
  std::optional<Result<std::size_t>> watched_;  // what the watcher's last read gave
  Event watch_ended_;
  std::function<void()> on_gone_;

  std::time_t date_second_ = 0;
  std::string date_;
};

}  // namespace interline::net::http
