// The binding's tables: errors as stanzas, stream errors as advice.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "net/connect_fault.hpp"

namespace interline::xmpp {

/// RFC 6120 section 8.3.2.
enum class ErrorType : std::uint8_t { auth, cancel, modify, wait };
inline constexpr std::array<std::string_view, 4> kErrorTypes = {"auth", "cancel", "modify", "wait"};
[[nodiscard]] constexpr std::string_view to_string(ErrorType type) {
  return kErrorTypes.at(static_cast<std::size_t>(type));
}

/// What an ErrorKind is on this wire: the specification's "Error Handling" with RFC 6120 section
/// 8.3.3. Without `text` every answer of the row has the same bytes, so that nothing tells hidden
/// from absent.
struct ErrorRow {
  ErrorKind kind;
  std::string_view condition;
  ErrorType type;
  bool text;
};
inline constexpr std::array<ErrorRow, 9> kErrorRows = {{
    {ErrorKind::malformed, "bad-request", ErrorType::modify, true},
    {ErrorKind::not_found, "item-not-found", ErrorType::cancel, false},
    {ErrorKind::forbidden, "forbidden", ErrorType::auth, true},
    {ErrorKind::not_acceptable, "not-acceptable", ErrorType::modify, true},
    {ErrorKind::conflict, "conflict", ErrorType::cancel, true},
    {ErrorKind::too_early, "unexpected-request", ErrorType::wait, false},
    {ErrorKind::resource_constraint, "resource-constraint", ErrorType::wait, true},
    {ErrorKind::unavailable, "service-unavailable", ErrorType::cancel, false},
    {ErrorKind::internal, "internal-server-error", ErrorType::cancel, true},
}};
static_assert(std::ranges::is_sorted(kErrorRows, {}, &ErrorRow::kind) &&
                  kErrorRows.size() == static_cast<std::size_t>(ErrorKind::internal) + 1,
              "one row a kind, in their order");
[[nodiscard]] constexpr const ErrorRow& error_row(ErrorKind kind) {
  return kErrorRows.at(static_cast<std::size_t>(kind));
}

/// When a stream that ended so is opened again (XEP-0114 and RFC 6120 section 4.9.3).
enum class Retry : std::uint8_t {
  ordinary,       ///< the usual delays
  taken,          ///< another connection holds the domain: not before 5 s
  configuration,  ///< nothing will change until somebody mends it: not before 30 s
};
struct StreamErrorRow {
  std::string_view condition;
  Retry retry;
  std::string_view remedy;  ///< for the log
};
inline constexpr std::array<StreamErrorRow, 5> kStreamErrorRows = {{
    {"not-authorized", Retry::configuration,
     "the component's secret differs from the one the server has for this domain; some servers "
     "say so too where they have no component of this domain"},
    {"host-unknown", Retry::configuration,
     "the server has no component of this domain: mend [xmpp] domain, or add it there"},
    {"invalid-namespace", Retry::configuration,
     "the port is not one for components (XEP-0114), but for clients or servers"},
    {"conflict", Retry::taken,
     "another connection holds this domain: is a second gateway running?"},
    {"invalid-from", Retry::ordinary,
     "a stanza left with a sender outside of this domain, which is a fault of this program"},
}};
[[nodiscard]] constexpr StreamErrorRow stream_error_row(std::string_view condition) {
  const auto row = std::ranges::find(kStreamErrorRows, condition, &StreamErrorRow::condition);
  return row != kStreamErrorRows.end() ? *row : StreamErrorRow{condition, Retry::ordinary, {}};
}
/// What to do where the connection itself could not be made.
struct ConnectAdviceRow {
  net::ConnectFault fault;
  std::string_view remedy;
};
inline constexpr std::array<ConnectAdviceRow, 8> kConnectAdvice = {{
    {net::ConnectFault::other, ""},
    {net::ConnectFault::name,
     "mend the name in [xmpp] server, or this machine's DNS: getent hosts NAME has to find it"},
    {net::ConnectFault::refused,
     "start the server, and see that it listens there for components: a new port wants its "
     "restart, not a reload"},
    {net::ConnectFault::unreachable,
     "see that the server's machine runs, and that no firewall is between it and this one"},
    {net::ConnectFault::no_tls,
     "that port speaks no TLS: let [xmpp] server name one that does; tls = \"off\" is for a server "
     "on this machine"},
    {net::ConnectFault::untrusted,
     "let [xmpp] tls_ca name the certificate of who signed the server's; a self-signed one is its "
     "own signer"},
    {net::ConnectFault::other_host,
     "let [xmpp] server have a name that the server's certificate is for and, of Prosody, one that "
     "it "
     "hosts: the component's domain or a VirtualHost's; or give the server a certificate for it"},
    {net::ConnectFault::out_of_date,
     "renew the server's certificate, and see that this machine's time is right"},
}};
static_assert(std::ranges::is_sorted(kConnectAdvice, {}, &ConnectAdviceRow::fault) &&
                  kConnectAdvice.size() ==
                      static_cast<std::size_t>(net::ConnectFault::out_of_date) + 1,
              "one row a fault, in their order");
[[nodiscard]] constexpr std::string_view connect_remedy(net::ConnectFault fault) {
  return kConnectAdvice.at(static_cast<std::size_t>(fault)).remedy;
}
/// Where something was reached that did not begin a stream.
inline constexpr std::string_view kNoStreamRemedy =
    "see that [xmpp] server is the server's port for components; if it is one with TLS from the "
    "first byte, set tls = \"on\", and tls = \"mutual\" if it asks for a certificate of ours";

[[nodiscard]] constexpr std::chrono::seconds least_delay(Retry retry) {
  constexpr std::array<std::chrono::seconds, 3> kLeast = {
      std::chrono::seconds(0), std::chrono::seconds(5), std::chrono::seconds(30)};
  return kLeast.at(static_cast<std::size_t>(retry));
}

}  // namespace interline::xmpp
