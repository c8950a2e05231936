// TLS over any stream: a socket that was TLS from its first byte, or one that negotiated it later
// (STARTTLS), or memory in a test. The deadline of the inner stream covers the handshake; set it
// before.
#pragma once

#include <memory>
#include <string>

#include "net/connect_fault.hpp"
#include "net/stream.hpp"
#include "net/tls_context.hpp"

namespace interline::net {

/// The server's side. Errors: unavailable, with OpenSSL's or the verification's reason.
awaitable<Result<std::unique_ptr<Stream>>> tls_accept(std::unique_ptr<Stream> inner,
                                                      std::shared_ptr<const TlsContext> context);

/// The client's side. The server's certificate must be valid for `host`, a name or an address; a
/// name is also sent as SNI. `fault`, where there is one, is set when the handshake failed, and
/// outlives it.
awaitable<Result<std::unique_ptr<Stream>>> tls_connect(std::unique_ptr<Stream> inner,
                                                       std::shared_ptr<const TlsContext> context,
                                                       std::string host,
                                                       ConnectFault* fault = nullptr);

}  // namespace interline::net
