// What a text of the configuration must be to mean something. The errors complete "expected ...".
#pragma once

#include <string_view>

#include "base/error.hpp"

namespace interline::app {

[[nodiscard]] Result<void> check_host_port(std::string_view text);
/// A listener's address: an IP address or "*", and a port, 0 included; "" and "off" mean none.
[[nodiscard]] Result<void> check_listen(std::string_view text);
/// An XMPP component's port: host:port, or "unix:/path".
[[nodiscard]] Result<void> check_xmpp_server(std::string_view text);
/// Whether plain text to it would not leave the machine, as far as the text says; the connector
/// looks again at the address.
[[nodiscard]] bool stays_on_this_machine(std::string_view server);
/// Of a manifest.
[[nodiscard]] Result<void> check_version(std::string_view text);
/// "https://gateway.example/path", without query and fragment.
[[nodiscard]] Result<void> check_web_url(std::string_view text);
/// As a browser writes it into Origin: "https://app.example:8443".
[[nodiscard]] Result<void> check_origin(std::string_view text);
/// "10.0.0.0/8", "::1".
[[nodiscard]] Result<void> check_network(std::string_view text);
[[nodiscard]] Result<void> check_domain(std::string_view text);
[[nodiscard]] Result<void> check_bare_jid(std::string_view text);
/// Of an agent behind another gateway.
[[nodiscard]] Result<void> check_agent_jid(std::string_view text);
/// What becomes the localpart of a JID and a segment of a path.
[[nodiscard]] Result<void> check_endpoint_name(std::string_view text);
[[nodiscard]] Result<void> check_variable_name(std::string_view text);
[[nodiscard]] Result<void> check_not_empty(std::string_view text);

}  // namespace interline::app
