// What we show an HTTP server to be let in: our own credentials for it, never a caller's.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "net/asio.hpp"

namespace interline::runtimes::mcp {

class Authorizer {
 public:
  virtual ~Authorizer() = default;
  /// The value of `Authorization`; "" for none. On the link's strand.
  [[nodiscard]] virtual net::awaitable<Result<std::string>> value() = 0;
  /// The server refused what was shown, with that status and `WWW-Authenticate`. True: there is
  /// something else to be shown now, and the request may be made once more.
  [[nodiscard]] virtual net::awaitable<bool> refused(unsigned status, std::string challenge) = 0;
  /// Why there was nothing else to be shown, in words of ours; "" if nothing is known of it.
  [[nodiscard]] virtual std::string fault() const { return {}; }
  /// Nothing is asked of anybody any more; what is kept for that is let go.
  virtual void close() {}
};

/// What a caller is told of a server that refuses what was shown.
[[nodiscard]] inline Error shut_out(const Authorizer& authorizer, unsigned status) {
  std::string text =
      "The MCP server does not let this gateway in (HTTP status " + std::to_string(status) + ")";
  const std::string fault = authorizer.fault();
  if (!fault.empty()) text += ": " + fault;
  return {ErrorKind::unavailable, text + "."};
}

/// Nothing, or what the configuration's headers say.
class NoAuthorizer final : public Authorizer {
 public:
  net::awaitable<Result<std::string>> value() override { co_return std::string(); }
  net::awaitable<bool> refused(unsigned, std::string) override { co_return false; }
};

/// A token in the first line of a file, which is read for every request: whoever rotates it writes
/// the file anew.
class TokenFile final : public Authorizer {
 public:
  explicit TokenFile(std::filesystem::path file) : file_(std::move(file)) {}

  net::awaitable<Result<std::string>> value() override {
    auto token = read();
    if (!token) co_return std::unexpected(std::move(token.error()));
    used_ = *token;
    co_return "Bearer " + *token;
  }
  net::awaitable<bool> refused(unsigned status, std::string) override {
    const auto token = read();
    co_return status == 401 && token&&* token != used_;
  }

 private:
  [[nodiscard]] Result<std::string> read() const {
    std::ifstream file(file_);
    std::string line;
    std::getline(file, line);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty()) {
      return fail(ErrorKind::unavailable, "the file of the MCP server's token cannot be read");
    }
    return line;
  }

  const std::filesystem::path file_;
  std::string used_;
};

}  // namespace interline::runtimes::mcp
