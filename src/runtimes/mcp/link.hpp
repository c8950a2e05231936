// The way to an MCP server, whatever carries it: requests go out, each comes back as its answer,
// and what is said about it meanwhile reaches who asked. How the server is reached, opened and
// opened again is the link's own matter.
//
// Lives on one strand, which is where everything here is called.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "json/value.hpp"
#include "net/asio.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/client.hpp"
#include "protocols/mcp/client_request.hpp"
#include "protocols/mcp/server_hello.hpp"

namespace interline::runtimes::mcp {

/// A server's answer: a result or an error, with the text that it is a view of.
struct Reply {
  json::Document document;
  protocols::jsonrpc::Message message;

  Reply(json::Document of, const protocols::jsonrpc::Message& read)
      : document(std::move(of)), message(read) {}
  [[nodiscard]] bool is_error() const { return message.kind == protocols::jsonrpc::Kind::error; }
};

/// A legacy server's request, made while one of ours is on its way. Answered once.
struct ServerRequest {
  std::string method;
  const json::Value* params = nullptr;  ///< until the call returns
  std::function<void(std::string_view result)> answer;
  std::function<void(std::int64_t code, std::string_view message)> refuse;
};

/// Hears what is said about one request before its answer.
class Hearer {
 public:
  virtual ~Hearer() = default;
  /// Bytes of a message about it; false: that was too much, and it is being given up.
  [[nodiscard]] virtual bool count(std::size_t bytes) = 0;
  virtual void progress(protocols::mcp::Progress progress) = 0;
  virtual void log(const protocols::mcp::LogLine& line) = 0;
  virtual void asked(ServerRequest request) = 0;
  /// Of a subscription: anything else.
  virtual void told(const protocols::jsonrpc::Message& notification) = 0;
  /// Whoever reads waits for this before reading on.
  [[nodiscard]] virtual net::awaitable<void> ready() = 0;
};

/// Ends a request from outside: it is cancelled at the server, and its caller gets `unavailable`.
class Stop {
 public:
  void stop() {
    stopped_ = true;
    if (auto tell = std::exchange(tell_, nullptr)) tell();
  }
  [[nodiscard]] bool stopped() const { return stopped_; }
  /// For the link: called at once where that has happened.
  void on_stop(std::function<void()> tell) {
    if (stopped_ && tell) return tell();
    tell_ = std::move(tell);
  }

 private:
  std::function<void()> tell_;
  bool stopped_ = false;
};

struct Outgoing {
  std::string_view method;
  std::string members;  ///< of params, without braces and without `_meta`
  std::string name;     ///< what `Mcp-Name` mirrors; "" if there is no such header
  std::string caller;   ///< whose session it belongs to, where the server has sessions
  protocols::mcp::ClientCapabilities capabilities;
  bool progress = false;  ///< wanted, and log lines with it
  std::string request_key;
  std::string trace;
  const std::string* arguments = nullptr;  ///< of tools/call: what `Mcp-Param-*` mirrors
  bool repeatable = false;                 ///< asking twice does no harm
  std::chrono::milliseconds timeout{};     ///< 0: none
  std::shared_ptr<Hearer> hearer;          ///< may be null
  std::shared_ptr<Stop> stop;              ///< may be null

  explicit Outgoing(std::string_view its_method) : method(its_method) {}
};

class Link {
 public:
  virtual ~Link() = default;

  [[nodiscard]] virtual net::Executor strand() const = 0;
  /// Returns once the server is known. Errors: unavailable, not_acceptable (it cannot be used).
  [[nodiscard]] virtual net::awaitable<Result<void>> opened() = 0;
  /// Of an opened link.
  [[nodiscard]] virtual const protocols::mcp::ServerHello& hello() const = 0;
  /// Opens the link if need be. Errors: unavailable (expired after the timeout); malformed, where
  /// the answer cannot be read; resource_constraint (too_large); conflict, where it was stopped.
  [[nodiscard]] virtual net::awaitable<Result<Reply>> request(Outgoing outgoing) = 0;
  /// What fails with `unavailable` may be tried again: the link comes back by itself.
  [[nodiscard]] virtual bool lasting() const = 0;
};

/// What a request says of itself, under the id that it is sent with.
[[nodiscard]] protocols::mcp::RequestStamp stamp_of(const Outgoing& outgoing,
                                                    protocols::mcp::Revision revision,
                                                    const std::string& id);

/// Of a request that was stopped by who made it.
[[nodiscard]] inline Error stopped_error() {
  return {ErrorKind::conflict, "It was stopped."};
}

}  // namespace interline::runtimes::mcp
