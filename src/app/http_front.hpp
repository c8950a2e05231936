// The HTTP listeners: `[http]`, and the Unix socket of the command line. What is served on them is
// decided where their routers are filled.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/configuration.hpp"
#include "base/log.hpp"
#include "net/asio.hpp"
#include "net/http/router.hpp"
#include "net/http/server.hpp"
#include "net/listener.hpp"
#include "net/tls_context.hpp"

namespace interline::app {

/// "" or "off" as `listen` means none.
[[nodiscard]] bool has_http(const HttpSection& section);

/// Other machines reach it, and what they send, API keys and all, is not encrypted.
[[nodiscard]] bool is_in_plain_text(const HttpSection& section);

class HttpFront {
 public:
  /// Takes the address, and answers nobody yet. Errors: the address, or the certificate.
  [[nodiscard]] static Result<std::unique_ptr<HttpFront>> make(const net::Executor& executor,
                                                               const Configuration& configuration,
                                                               const Logger& log);
  /// The same on a Unix socket, for whoever may enter its folder.
  [[nodiscard]] static Result<std::unique_ptr<HttpFront>> make_local(
      const net::Executor& executor, const std::filesystem::path& socket, const Logger& log);

  /// "127.0.0.1:8080", with the port that the system chose.
  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] bool secure() const { return secure_; }

  void serve(std::shared_ptr<const net::http::Router> router);
  [[nodiscard]] net::awaitable<void> drain(std::chrono::milliseconds grace);
  /// Reads certificate and key again, for the connections that come. Errors: the old ones stay.
  [[nodiscard]] Result<void> reload_certificate(const HttpSection& section);
  [[nodiscard]] const net::http::ServerStats* stats() const;

 private:
  HttpFront(net::Executor executor, std::unique_ptr<net::Listener> listener,
            net::http::ServerOptions options, Logger log);

  struct Certificate;
  const net::Executor executor_;
  std::unique_ptr<net::Listener> listener_;
  const std::string address_;
  net::http::ServerOptions options_;
  const Logger log_;
  bool secure_ = false;
  std::shared_ptr<Certificate> certificate_;
  std::unique_ptr<net::http::Server> server_;
};

}  // namespace interline::app
