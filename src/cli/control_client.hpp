// The command line's side of the control socket (docs/control-api.md): one request a connection.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "net/http/client_connection.hpp"
#include "net/http/sse.hpp"

namespace interline::cli {

/// A task's events as they come.
class TaskEvents {
 public:
  explicit TaskEvents(std::unique_ptr<net::http::ClientConnection> connection)
      : connection_(std::move(connection)) {}

  /// Nothing at the stream's end in good order. Errors: unavailable, where it was cut off.
  [[nodiscard]] net::awaitable<Result<std::optional<net::http::SseEvent>>> next();

 private:
  std::unique_ptr<net::http::ClientConnection> connection_;
  net::http::SseParser parser_;
};

/// Errors are those that the gateway answered with, or unavailable with a sentence that says what
/// to do. All of it happens on the calling coroutine's executor.
class ControlClient {
 public:
  /// `start_command` starts the gateway whose socket this is.
  ControlClient(std::string socket, std::string start_command)
      : socket_(std::move(socket)), start_command_(std::move(start_command)) {}

  /// The JSON text of a success.
  [[nodiscard]] net::awaitable<Result<std::string>> request(net::http::Method method,
                                                            std::string target,
                                                            std::string body = {}) const;
  /// The same for what may be sent twice: sent again where the answer was lost.
  [[nodiscard]] net::awaitable<Result<std::string>> repeatable_request(net::http::Method method,
                                                                       std::string target,
                                                                       std::string body = {}) const;
  [[nodiscard]] net::awaitable<Result<std::unique_ptr<TaskEvents>>> follow(
      std::string task, std::optional<std::uint64_t> after = {}) const;

  [[nodiscard]] const std::string& socket() const { return socket_; }
  [[nodiscard]] const std::string& start_command() const { return start_command_; }
  /// What to do about a socket that could not be connected to.
  [[nodiscard]] Error nobody(const Error& why) const;
  /// Whether anybody serves the socket.
  [[nodiscard]] net::awaitable<bool> somebody_answers() const;

 private:
  using Connection = std::unique_ptr<net::http::ClientConnection>;
  struct Exchange;
  [[nodiscard]] net::awaitable<Result<Connection>> connect() const;
  [[nodiscard]] net::awaitable<Exchange> exchange(net::http::ClientRequest request) const;

  std::string socket_;
  std::string start_command_;
};

/// A segment of a path, percent-encoded.
[[nodiscard]] std::string path_segment(std::string_view text);
/// The error that the gateway's answer says, in our words for kinds and reasons.
[[nodiscard]] Error read_error(unsigned status, std::string_view body);

}  // namespace interline::cli
