// What a TLS connection is made with: certificates, trust and versions. Loaded once, shared by many
// connections, replaced as a whole when files change.
#pragma once

#include <memory>
#include <string>

#include "base/error.hpp"

namespace interline::net {

struct TlsServerOptions {
  std::string certificate_file;  ///< PEM, the server's certificate first, then its chain.
  std::string key_file;          ///< PEM.
  std::string client_ca_file;    ///< PEM; not empty: a client must show a certificate it signed.
};

struct TlsClientOptions {
  std::string ca_file;           ///< PEM; empty: what the system trusts.
  std::string certificate_file;  ///< PEM; for servers that want to know who we are.
  std::string key_file;          ///< PEM.
  std::string alpn;              ///< RFC 7301 protocol to ask for ("http/1.1"); empty: none.
};

/// TLS 1.2 and later; no renegotiation, no compression.
class TlsContext {
 public:
  /// Errors: unavailable, naming the file and OpenSSL's reason.
  [[nodiscard]] static Result<std::shared_ptr<const TlsContext>> server(const TlsServerOptions&);
  [[nodiscard]] static Result<std::shared_ptr<const TlsContext>> client(const TlsClientOptions&);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  struct Native;  // OpenSSL's, for tls_stream.cpp
  [[nodiscard]] Native& native() const { return *native_; }

 private:
  explicit TlsContext(std::unique_ptr<Native> native);
  std::unique_ptr<Native> native_;
};

}  // namespace interline::net
