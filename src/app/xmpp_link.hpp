// How the XMPP server is reached, as `[xmpp]` says.
#pragma once

#include <filesystem>

#include "app/configuration.hpp"
#include "base/secret.hpp"
#include "bindings/xmpp/connector.hpp"

namespace interline::app {

/// The first line of a secret's file. Errors: unavailable, which names the file.
[[nodiscard]] Result<Secret> read_secret_file(const std::filesystem::path& file);

/// Errors: an address that cannot be read, plain text to another machine, files of TLS.
[[nodiscard]] Result<xmpp::Connector> xmpp_connector(const XmppSection& section);

}  // namespace interline::app
