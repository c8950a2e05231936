// A session over a pipe in memory, for tests: bytes in, bytes out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "net/http/session.hpp"
#include "net/pipe_stream.hpp"
#include "net/test_support.hpp"

namespace interline::net::http::testing {

/// The text without its Date lines, which are never the same.
[[nodiscard]] std::string without_dates(std::string_view text);

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() : router_(std::make_shared<Router>()) {}

  /// Sends the bytes, ends the client's side and returns all that comes back, without dates.
  std::string exchange(std::string_view bytes) { return exchange(bytes, PipeOptions{}); }
  std::string exchange(std::string_view bytes, const PipeOptions& pipe);

  /// Starts a session and returns the client's end.
  std::unique_ptr<Stream> connect(const PipeOptions& pipe = {});

  /// A route whose response is its request, as text.
  void add_echo(Method method, std::string_view pattern, RouteOptions options = {});

  asio::io_context context_{1};
  std::shared_ptr<Router> router_;
  ServerOptions options_;
  std::vector<std::string> notes_;  // "STATUS PATH NOTE" of each response
  std::shared_ptr<SessionContext> session_context_;

 private:
  static awaitable<std::string> converse(std::unique_ptr<Stream> stream, std::string bytes);
};

}  // namespace interline::net::http::testing
