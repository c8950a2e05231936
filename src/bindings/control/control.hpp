// The control socket: HTTP/1.1 and JSON over a Unix socket in the data directory, for the command
// line and for local programs. docs/control-api.md describes it.
//
// Who asks is known from the system: the socket's peer credentials make the principal
// `local:USER`. Connections of any other kind find none of these routes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "base/clock.hpp"
#include "engine/engine.hpp"
#include "net/http/router.hpp"
#include "policy/principal.hpp"

namespace interline::control {

/// The socket's name in the data directory. Whoever may open it is somebody: make it with mode
/// 0666, and let the directory's own mode say who gets so far.
inline constexpr std::string_view kSocketName = "interline.sock";

/// The network that tasks of this binding name.
inline constexpr std::string_view kNetwork = "local";

/// `local:USER`; `local:#UID` for a user without a name. Asks the system's user database.
[[nodiscard]] policy::Principal local_principal(uid_t user);
/// For policy::Configuration::operators: root, and the user that this process runs as.
[[nodiscard]] std::vector<std::string> local_operators();

/// One part of the running gateway, as `interline doctor` shows it.
struct PartStatus {
  std::string name;  ///< "xmpp", "http", "endpoint weather"
  bool working = false;
  std::string detail;  ///< for people: what it does, or what is wrong and how to mend it
};

/// An endpoint that this gateway was configured with.
struct ConfiguredEndpoint {
  std::string name;
  std::string title;
  std::string state;  ///< "importing", "imported", "retrying" or "refused"
  std::string why;    ///< of the last two
};

struct GatewayStatus {
  std::string title;    ///< of the configuration
  std::string version;  ///< of the program
  SystemTime started{};
  bool ready = false;
  std::vector<PartStatus> parts;
  std::optional<engine::RetentionHold> retention_hold;
};

struct Limits {
  std::size_t arguments_bytes = 262'144;  ///< [limits] arguments_bytes
  std::size_t input_bytes = 65'536;
  std::size_t manifest_bytes = 1'048'576;
  std::size_t json_depth = 64;
  std::size_t page_default = 50;
  std::size_t page_max = 100;
};

/// MCP on a connection that leaves HTTP for it: one message a line.
struct McpLines {
  /// not_found: there is no such endpoint for that principal. "": all of them.
  std::function<engine::awaitable<Result<void>>(policy::Principal, std::string endpoint)> check;
  /// A connection to its end.
  std::function<engine::awaitable<void>(net::Stream&, policy::Principal, std::string endpoint)>
      serve;
};

/// What the connection is switched to, as `Upgrade` names it.
inline constexpr std::string_view kMcpProtocol = "mcp";

/// Of an endpoint's calls, whoever made them.
struct Load {
  std::size_t working = 0;  ///< have a place with the agent; a question may be open in one
  std::size_t waiting = 0;  ///< for such a place
};

struct Options {
  Limits limits;
  /// Of the gateway's own addresses: a manifest registered for NAME@domain is the endpoint NAME's.
  std::string domain = "localhost";
  /// From any thread. None: the status has no parts.
  std::function<GatewayStatus()> status;
  /// From any thread, in the order of their names. None: nothing is known of any.
  std::function<std::vector<ConfiguredEndpoint>()> endpoints;
  /// From any thread. None: a task that waits for its turn is not told behind whom.
  std::function<Load(std::string_view endpoint)> load;
  McpLines mcp;  ///< None: not served.
};

/// The event streams that are open now.
class EventStreams {
 public:
  virtual ~EventStreams() = default;
  /// Ends each after the entry that it is sending, and later ones at once: the last thing before
  /// the server is drained, when the engine has been. From any thread.
  virtual void end_all() = 0;
};

/// Adds the routes under /v1. The engine and the clock outlive the router.
std::shared_ptr<EventStreams> add_routes(net::http::Router& router, engine::Engine& engine,
                                         const Clock& clock, Options options);

/// For net::http::ServerOptions::refusal of the socket's server: the server's own refusals in the
/// form of this binding's errors.
[[nodiscard]] net::http::Response refusal(unsigned status, const net::http::Request* request);

}  // namespace interline::control
