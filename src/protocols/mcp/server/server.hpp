// The server side of MCP over the engine: what a principal may see of it, as tools, prompts,
// resources and tasks. One request in, its notifications through a Sink, its answer returned.
//
// Nothing is remembered from one request to the next but what has a name: tasks, sealed states,
// cursors, sessions (session.hpp). All members may be called from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "engine/engine.hpp"
#include "protocols/mcp/exchange.hpp"
#include "protocols/mcp/input_requests.hpp"
#include "protocols/mcp/param_headers.hpp"
#include "protocols/mcp/results.hpp"
#include "protocols/mcp/server/sink.hpp"

namespace interline::protocols::mcp::server {

using engine::awaitable;
using policy::Principal;

/// `[mcp]`, and what the gateway is called.
struct Settings {
  Implementation self;
  std::string instructions;
  /// Of requestState and cursors: the first seals, all open; see Sealer.
  std::vector<Secret> seal_keys;
  std::size_t page = 500;                          ///< entries of a list's page
  Cache lists{60'000, false};                      ///< what clients may keep of lists
  std::chrono::milliseconds task_grace{100};       ///< a call that ends sooner is no task
  std::chrono::milliseconds poll_interval{1'000};  ///< of tasks, as clients are told
  std::chrono::milliseconds list_timeout{10'000};  ///< for an agent's prompts and resources
  std::chrono::seconds state_life{600};            ///< of a requestState
  std::uint32_t max_rounds = 10;                   ///< of questions before a call
  std::size_t max_listens = 20'000;                ///< open subscriptions, of all principals
};

/// Who may be asked while a call runs: the client of a session. Modern clients are not asked, they
/// are answered `input_required`.
class ClientLink {
 public:
  virtual ~ClientLink() = default;
  /// Sends each question that can be asked as a request and waits for the answers. Errors:
  /// unavailable (nobody reads any more, no answer in time, no question for it, no proper answer).
  [[nodiscard]] virtual awaitable<Result<std::vector<InputAnswer>>> ask(
      std::vector<InputQuestion> questions) = 0;
};

/// A request that was decided upon, and authenticated. Its views are of what the transport keeps
/// until the answer.
struct Asked {
  Principal who;
  std::string endpoint;  ///< the one that is shown, under its own names; "": all
  Features features;     ///< as served() said
  Revision revision = kFirstModern;
  jsonrpc::Message message;
  const Method* method = nullptr;  ///< never null
  /// Legacy: with the session's capabilities and log level.
  RequestMeta meta;
  HeaderLookup header;         ///< of HTTP requests of modern revisions; none: no such headers
  Sink* sink = nullptr;        ///< never null
  ClientLink* link = nullptr;  ///< of a session; none: nobody can be asked
  /// A reader that leaves cancels what was begun for it. Of legacy sessions it does not.
  bool leaving_cancels = true;

  Asked() = default;
};

/// JSON-RPC line, and the status for HTTP.
struct Reply {
  std::string message;
  int status = kInBand;

  Reply() = default;
  Reply(std::string text, int http_status) : message(std::move(text)), status(http_status) {}
};

struct Core;

class Server {
 public:
  /// The engine and the clock outlive it.
  Server(engine::Engine& engine, const Clock& clock, Settings settings, Logger log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// What an endpoint ("": all of them together) has for a principal. not_found: there is none that
  /// it may see.
  [[nodiscard]] awaitable<Result<Features>> offered(Principal who, std::string endpoint);

  /// On the executor of the request's connection, which is a strand.
  [[nodiscard]] awaitable<Reply> handle(Asked asked);

  /// Every subscription is ended with its answer; later ones at once. Before the transport drains.
  void end_subscriptions();
  [[nodiscard]] std::size_t subscriptions() const;

  [[nodiscard]] Core& core() { return *core_; }

 private:
  const std::unique_ptr<Core> core_;
};

}  // namespace interline::protocols::mcp::server
