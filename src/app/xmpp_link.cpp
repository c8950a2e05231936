#include "app/xmpp_link.hpp"

#include <fstream>
#include <string>
#include <utility>

namespace interline::app {
namespace {

constexpr std::size_t kSecretBytes = 4'096;

Result<std::shared_ptr<const net::TlsContext>> tls_of(const XmppSection& section) {
  if (section.tls == XmppTls::off) return nullptr;
  net::TlsClientOptions options;
  options.ca_file = section.tls_ca.string();
  if (section.tls == XmppTls::mutual) {
    options.certificate_file = section.tls_certificate.string();
    options.key_file = section.tls_key.string();
  }
  return net::TlsContext::client(options);
}

}  // namespace

Result<Secret> read_secret_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (!stream || !std::getline(stream, text)) {
    return fail(ErrorKind::unavailable,
                "the component's secret cannot be read from " + file.string());
  }
  if (text.ends_with('\r')) text.pop_back();
  if (text.empty() || text.size() > kSecretBytes) {
    return fail(ErrorKind::unavailable,
                file.string() + " does not hold a secret in its first line");
  }
  return Secret(text);
}

Result<xmpp::Connector> xmpp_connector(const XmppSection& section) {
  auto tls = tls_of(section);
  if (!tls) return std::unexpected(std::move(tls.error()));
  xmpp::ConnectorConfig connector;
  connector.server = section.server;
  connector.tls = *std::move(tls);
  return xmpp::make_connector(connector);
}

}  // namespace interline::app
