#include "net/tls_context.hpp"

#include <utility>

#include <openssl/err.h>

#include "net/tls_native.hpp"

namespace interline::net {
namespace {

constexpr std::string_view kProtocol = "http/1.1";  // RFC 7301: all that we speak where it is asked

using Context = std::unique_ptr<SSL_CTX, SslContextDeleter>;

Context make(const SSL_METHOD* method) {
  Context context(SSL_CTX_new(method));
  if (!context) return context;
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                         SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  return context;
}

std::unexpected<Error> refuse(std::string what) {
  what += ": ";
  what += openssl_reason("unknown reason");
  return fail(ErrorKind::unavailable, std::move(what));
}

Result<void> load_identity(SSL_CTX* context, const std::string& certificate,
                           const std::string& key) {
  if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1) {
    return refuse("cannot load the TLS certificate " + certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return refuse("cannot load the TLS key " + key);
  }
  if (SSL_CTX_check_private_key(context) != 1) {
    return refuse("the TLS key " + key + " does not belong to the certificate " + certificate);
  }
  return {};
}

// Chooses our one protocol when the client offers it; goes on without where it does not.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned int size, void*) {
  const std::string_view list(reinterpret_cast<const char*>(offered), size);
  for (std::size_t at = 0; at < list.size();) {
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(list[at]));
    if (list.substr(at + 1, length) == kProtocol) {
      *out = offered + at + 1;
      *out_size = static_cast<unsigned char>(length);
      return SSL_TLSEXT_ERR_OK;
    }
    at += 1 + length;
  }
  return SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

std::string openssl_reason(std::string_view otherwise) {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return std::string(reason == nullptr ? otherwise : std::string_view(reason));
}

TlsContext::TlsContext(std::unique_ptr<Native> native) : native_(std::move(native)) {}
TlsContext::~TlsContext() = default;

Result<std::shared_ptr<const TlsContext>> TlsContext::server(const TlsServerOptions& options) {
  ERR_clear_error();
  Context context = make(TLS_server_method());
  if (!context) return refuse("cannot set up TLS");
  auto loaded = load_identity(context.get(), options.certificate_file, options.key_file);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  if (!options.client_ca_file.empty()) {
    const char* file = options.client_ca_file.c_str();
    if (SSL_CTX_load_verify_file(context.get(), file) != 1) {
      return refuse("cannot load the client authority " + options.client_ca_file);
    }
    SSL_CTX_set_client_CA_list(context.get(), SSL_load_client_CA_file(file));
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    // Sessions are bound to what they authenticated: without a context id OpenSSL refuses to
    // resume.
    constexpr std::string_view kId = "interline";
    SSL_CTX_set_session_id_context(context.get(),
                                   reinterpret_cast<const unsigned char*>(kId.data()), kId.size());
  }
  auto native = std::make_unique<Native>();
  native->context = std::move(context);
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(native)));
}

Result<std::shared_ptr<const TlsContext>> TlsContext::client(const TlsClientOptions& options) {
  ERR_clear_error();
  Context context = make(TLS_client_method());
  if (!context) return refuse("cannot set up TLS");
  if (options.ca_file.empty()) {
    if (SSL_CTX_set_default_verify_paths(context.get()) != 1) {
      return refuse("cannot load what the system trusts");
    }
  } else if (SSL_CTX_load_verify_file(context.get(), options.ca_file.c_str()) != 1) {
    return refuse("cannot load the authority " + options.ca_file);
  }
  if (!options.certificate_file.empty()) {
    auto loaded = load_identity(context.get(), options.certificate_file, options.key_file);
    if (!loaded) return std::unexpected(std::move(loaded.error()));
  }
  if (!options.alpn.empty()) {
    std::string list(1, static_cast<char>(options.alpn.size()));
    list += options.alpn;
    SSL_CTX_set_alpn_protos(context.get(), reinterpret_cast<const unsigned char*>(list.data()),
                            static_cast<unsigned int>(list.size()));
  }
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  auto native = std::make_unique<Native>();
  native->context = std::move(context);
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(native)));
}

}  // namespace interline::net
