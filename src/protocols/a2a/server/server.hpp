// The server side of A2A over the engine: every tool is an agent, and every message to it that is
// not an answer is a task. One request in; its result returned, or its events sent one by one.
//
// Nothing is remembered from one request to the next but what the engine keeps: tasks, and the
// messages of their callers as records. All members may be called from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "engine/engine.hpp"
#include "json/value.hpp"
#include "protocols/a2a/errors.hpp"
#include "protocols/a2a/operations.hpp"

namespace interline::protocols::a2a::server {

using engine::awaitable;
using policy::Principal;

/// `[a2a]`.
struct Settings {
  Edition edition = Edition::v1_0_1;
  std::string assume_version = "0.3";  ///< where a request names none
  bool once = true;                    ///< a messageId is its request's identity
  std::string title = "Interline";     ///< of the host's card
  std::string version;                 ///< likewise
  std::string default_agent;           ///< of the host's own interface; "" if it has none
  /// An endpoint's default tool as it is configured; "" if none is.
  std::function<std::string(std::string_view endpoint)> default_tool;
  /// Of page tokens: the first seals, all open; see Sealer.
  std::vector<Secret> seal_keys;
  std::chrono::milliseconds blocking_wait{60'000};
  std::chrono::milliseconds cancel_wait{5'000};
  std::size_t history = 100;  ///< messages of a task that are shown
};

/// Whose interface a request came by. All of them show the caller's tasks; they differ in what a
/// new message starts.
struct Face {
  std::string endpoint;  ///< "": the host's, which a `tenant` may turn to an endpoint
  std::string tool;      ///< "": the endpoint's default one
};

/// Views of what the transport keeps until the answer.
struct Asked {
  Principal who;
  Face face;
  Operation operation = Operation::get_task;
  json::Value params;
  std::optional<std::string_view> version_header;
  std::optional<std::string_view> version_query;

  Asked() = default;
};

/// Where the events of a streaming operation go. Owned by the transport.
class Events {
 public:
  virtual ~Events() = default;
  /// A StreamResponse; returns when it has been written. False: nobody reads any more.
  [[nodiscard]] virtual awaitable<bool> send(std::string stream_response) = 0;
  /// Called once, on the handler's executor, when the reader goes; at once if it has. nullptr: none
  /// any more.
  virtual void on_closed(std::function<void()> then) = 0;
};

/// A result's JSON text.
using Answer = std::expected<std::string, ErrorAnswer>;

struct Core;

class Server {
 public:
  /// The engine and the clock outlive it.
  Server(engine::Engine& engine, const Clock& clock, Settings settings, Logger log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Operations that do not stream. On the executor of the request's connection, which is a strand.
  [[nodiscard]] awaitable<Answer> handle(Asked asked);
  /// Those that do. An error is the answer if nothing has been sent yet, else the last event.
  [[nodiscard]] awaitable<std::expected<void, ErrorAnswer>> stream(Asked asked, Events& events);

  /// The card of the request's face, as its caller may see it; `base` is "https://gateway.example".
  [[nodiscard]] awaitable<Answer> card(Asked asked, std::string base);

  [[nodiscard]] Edition edition() const;

 private:
  const std::unique_ptr<Core> core_;
};

}  // namespace interline::protocols::a2a::server
