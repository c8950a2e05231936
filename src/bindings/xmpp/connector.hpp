// How the component port is reached.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "bindings/xmpp/component.hpp"
#include "net/tls_context.hpp"

namespace interline::xmpp {

struct ConnectorConfig {
  std::string server;  ///< "host:port", "[::1]:port" or "unix:/path"
  /// TLS from the first byte, with the server's certificate verified for the host (XEP-0114 knows
  /// no STARTTLS). None: plain text, and to this machine alone.
  std::shared_ptr<const net::TlsContext> tls;
  std::chrono::milliseconds timeout{10'000};  ///< of each step: name, connection, TLS
};

/// Errors: malformed for an address that cannot be read, and for plain text to an address of
/// another machine. A name is judged by what it resolves to, each time.
[[nodiscard]] Result<Connector> make_connector(const ConnectorConfig& config);

}  // namespace interline::xmpp
