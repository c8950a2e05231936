// Where an operator's browser comes back to after consent: a port of this machine that takes one
// answer, the one to our request (RFC 8252, section 7.3). Everything else is turned away.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "net/asio.hpp"
#include "net/http/server.hpp"
#include "net/listener.hpp"

namespace interline::app {

class ConsentReceiver {
 public:
  /// Listens at once. unavailable.
  [[nodiscard]] static Result<std::unique_ptr<ConsentReceiver>> open(const net::Executor& executor);
  ~ConsentReceiver();
  ConsentReceiver(const ConsentReceiver&) = delete;
  ConsentReceiver& operator=(const ConsentReceiver&) = delete;

  [[nodiscard]] std::string redirect_uri() const;
  /// The URL that the browser was sent back to, with the `state` of the URL that it was sent to.
  /// unavailable (expired): nobody came.
  [[nodiscard]] net::awaitable<Result<std::string>> wait(std::string authorization_url,
                                                         std::chrono::milliseconds timeout);
  /// Answers what is on its way, and listens no more.
  [[nodiscard]] net::awaitable<void> close();

 private:
  struct Shared;
  ConsentReceiver(const net::Executor& executor, std::unique_ptr<net::Listener> listener);

  const std::shared_ptr<Shared> shared_;
  std::uint16_t port_ = 0;
  std::unique_ptr<net::http::Server> server_;
};

}  // namespace interline::app
