// OpenSSL's types behind TlsContext; only this folder's TLS sources include it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <openssl/ssl.h>

#include "net/tls_context.hpp"

namespace interline::net {

struct SslContextDeleter {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct SslDeleter {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

struct TlsContext::Native {
  std::unique_ptr<SSL_CTX, SslContextDeleter> context;
};

/// The oldest error of this thread's OpenSSL queue in words; empties the queue.
[[nodiscard]] std::string openssl_reason(std::string_view otherwise);

}  // namespace interline::net
