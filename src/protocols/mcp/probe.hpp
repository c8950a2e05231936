// The twin of exchange.hpp for what goes out: what a client concludes from a server's answer to its
// first modern request, `server/discover` (2026-07-28, basic/versioning, "Backward Compatibility").
// The era is a property of the server: remembered for a process or an origin, asked for anew when
// it turns out to be wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "json/value.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/exchange.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

/// What came back. `message` nullptr: nothing that is JSON-RPC.
struct ProbeAnswer {
  enum class Kind : std::uint8_t {
    answered,  ///< HTTP: some status and body. Standard output: a message.
    failed,    ///< HTTP: no connection, or it broke. Standard output: the pipe broke.
    timeout,
    exited,  ///< the process ended
  };
  Transport transport = Transport::http;
  Kind kind = Kind::answered;
  int status = 200;  ///< HTTP
  const jsonrpc::Message* message = nullptr;
};

enum class ProbeStep : std::uint8_t {
  modern,      ///< go on with `revision`; after -32022 the probe is not repeated for the same cause
  retry,       ///< send it again, speaking `revision`
  initialize,  ///< a legacy server: on the same pipe or URL
  restart,     ///< a legacy server that ended: start it again and open with initialize
  report,      ///< modern, and our request was wrong: nothing to fall back to
  no_common,   ///< modern, and no revision is common to both
  authorize,   ///< says nothing of the era: then probe again
  not_evidence,  ///< says nothing of the era: a failed connect
};

struct ProbeConclusion {
  ProbeStep step = ProbeStep::not_evidence;
  std::optional<Revision> revision;  ///< of modern and retry
  friend bool operator==(const ProbeConclusion&, const ProbeConclusion&) = default;
};

/// `spoken`: revisions we speak, best first. `retried`: the probe was sent again because of -32022
/// before; it is not sent a third time.
[[nodiscard]] ProbeConclusion conclude_probe(const ProbeAnswer& answer,
                                             std::span<const Revision> spoken, bool retried);

/// A server that answers `initialize` with such a status, and no JSON-RPC, may speak HTTP+SSE of
/// 2024-11-05: GET the URL and wait for `endpoint`.
[[nodiscard]] bool may_be_http_sse(int status);

}  // namespace interline::protocols::mcp
