#include "net/tls_stream.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "net/errors.hpp"
#include "net/event.hpp"
#include "net/tls_native.hpp"

namespace interline::net {
namespace {

constexpr std::size_t kRecord =
    std::size_t{16} * 1024;  // RFC 8446 section 5.1: a record's plaintext
constexpr std::size_t kFlushAt = std::size_t{64} * 1024;

std::string subject_of(X509* certificate) {
  BIO* text = BIO_new(BIO_s_mem());
  if (text == nullptr) return {};
  X509_NAME_print_ex(text, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text, &data);
  std::string subject(data, size > 0 ? static_cast<std::size_t>(size) : 0);
  BIO_free(text);
  return subject;
}

ConnectFault fault_of_verdict(long verdict) {
  switch (verdict) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return ConnectFault::other_host;
    case X509_V_ERR_CERT_NOT_YET_VALID:
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CRL_NOT_YET_VALID:
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return ConnectFault::out_of_date;
    default:
      return ConnectFault::untrusted;
  }
}

/// Of the oldest error in this thread's queue.
ConnectFault fault_of_error(unsigned long code) {
  switch (ERR_GET_REASON(code)) {
    case SSL_R_WRONG_VERSION_NUMBER:  // what came is no record of TLS
    case SSL_R_HTTP_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_BAD_RECORD_TYPE:
      return ConnectFault::no_tls;
    case SSL_R_TLSV1_UNRECOGNIZED_NAME:  // RFC 6066 section 3: the server has none for our SNI
      return ConnectFault::other_host;
    default:
      return ConnectFault::other;
  }
}

// OpenSSL sees two buffers in memory; this class carries bytes between them and the inner stream.
// What OpenSSL said is read at once: its error queue belongs to the thread, a coroutine does not.
class TlsStream final : public Stream {
 public:
  TlsStream(std::unique_ptr<Stream> inner, std::shared_ptr<const TlsContext> context)
      : inner_(std::move(inner)),
        context_(std::move(context)),
        ssl_(SSL_new(context_->native().context.get())),
        peer_(inner_->peer()),
        flushed_(inner_->executor()) {
    peer_.encrypted = true;
    if (!ssl_) return;
    BIO* in = BIO_new(BIO_s_mem());
    BIO* out = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl_.get(), in, out);  // takes both
  }
  ~TlsStream() override = default;

  [[nodiscard]] SSL* ssl() const { return ssl_.get(); }
  /// Why the handshake failed.
  [[nodiscard]] ConnectFault fault() const { return fault_; }
  awaitable<Result<void>> handshake();

  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override;
  awaitable<Result<void>> write_all(std::span<const std::string_view> pieces) override;
  awaitable<Result<void>> shutdown_write() override;

  void expires_after(Duration duration) override { inner_->expires_after(duration); }
  void expires_never() override { inner_->expires_never(); }
  void close() override { inner_->close(); }
  bool quiet() override {
    return SSL_pending(ssl_.get()) == 0 && BIO_ctrl_pending(SSL_get_rbio(ssl_.get())) == 0 &&
           inner_->quiet();
  }
  const Peer& peer() const override { return peer_; }
  Executor executor() override { return inner_->executor(); }

 private:
  enum class Next { done, need_input, end, broken };

  Next classify(int outcome);
  awaitable<Result<void>> feed();
  awaitable<Result<void>> flush();
  bool encrypt(std::string_view plain);
  [[nodiscard]] std::size_t waiting() const { return BIO_ctrl_pending(SSL_get_wbio(ssl_.get())); }

  std::unique_ptr<Stream> inner_;
  std::shared_ptr<const TlsContext> context_;
  std::unique_ptr<SSL, SslDeleter> ssl_;
  Peer peer_;
  std::vector<char> received_;  // ciphertext on its way in
  std::vector<char> sending_;   // and out
  Event flushed_;
  bool flushing_ = false;
  std::string reason_;  // why it is broken
  ConnectFault fault_ = ConnectFault::other;
};

TlsStream::Next TlsStream::classify(int outcome) {
  switch (SSL_get_error(ssl_.get(), outcome)) {
    case SSL_ERROR_NONE:
      return Next::done;
    case SSL_ERROR_WANT_READ:
      return Next::need_input;
    case SSL_ERROR_ZERO_RETURN:
      return Next::end;
    default:
      break;
  }
  const long verdict = SSL_get_verify_result(ssl_.get());
  fault_ = verdict == X509_V_OK ? fault_of_error(ERR_peek_error()) : fault_of_verdict(verdict);
  reason_ = verdict == X509_V_OK ? openssl_reason("protocol error")
                                 : X509_verify_cert_error_string(verdict);
  return Next::broken;
}

awaitable<Result<void>> TlsStream::feed() {
  received_.resize(kRecord);
  const std::span<char> target(received_);
  auto got = co_await inner_->read_some(target);
  if (!got) co_return std::unexpected(std::move(got.error()));
  if (*got == 0) {
    // Not the end of the stream: anybody on the path can cut a connection.
    co_return fail(ErrorKind::unavailable, "TLS: the connection ended without close_notify");
  }
  BIO_write(SSL_get_rbio(ssl_.get()), received_.data(), static_cast<int>(*got));
  co_return Result<void>();
}

// The first to flush also takes what others add meanwhile; they wait for it.
awaitable<Result<void>> TlsStream::flush() {
  while (flushing_) co_await flushed_.wait();
  if (waiting() == 0) co_return Result<void>();
  struct Turn {
    explicit Turn(TlsStream& stream) : self(stream) { self.flushing_ = true; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      self.flushing_ = false;
      self.flushed_.notify_all();
    }
    TlsStream& self;
  };
  const Turn turn(*this);
  while (waiting() > 0) {
    sending_.resize(std::min(waiting(), kFlushAt));
    const int size =
        BIO_read(SSL_get_wbio(ssl_.get()), sending_.data(), static_cast<int>(sending_.size()));
    if (size <= 0) break;
    const std::string_view bytes(sending_.data(), static_cast<std::size_t>(size));
    auto written = co_await inner_->write_all(bytes);
    if (!written) co_return written;
  }
  co_return Result<void>();
}

awaitable<Result<void>> TlsStream::handshake() {
  for (;;) {
    ERR_clear_error();
    const Next next = classify(SSL_do_handshake(ssl_.get()));
    auto flushed = co_await flush();  // when it failed, the alert that tells the peer why
    if (next == Next::broken || next == Next::end) {
      co_return fail(ErrorKind::unavailable, "TLS handshake: " + reason_);
    }
    if (!flushed) co_return flushed;
    if (next == Next::done) break;
    auto fed = co_await feed();
    // One that speaks TLS says why it goes.
    if (!fed && !is_timeout(fed.error())) fault_ = ConnectFault::no_tls;
    if (!fed) co_return fed;
  }
  if (X509* certificate = SSL_get1_peer_certificate(ssl_.get())) {
    if (SSL_get_verify_result(ssl_.get()) == X509_V_OK) {
      peer_.certificate_subject = subject_of(certificate);
    }
    X509_free(certificate);
  }
  co_return Result<void>();
}

awaitable<Result<std::size_t>> TlsStream::read_some(std::span<char> buffer) {
  for (;;) {
    ERR_clear_error();
    const int want = static_cast<int>(std::min(buffer.size(), kRecord));
    const int outcome = SSL_read(ssl_.get(), buffer.data(), want);
    if (outcome > 0) co_return static_cast<std::size_t>(outcome);
    const Next next = classify(outcome);
    if (next == Next::end) co_return std::size_t{0};
    if (!flushing_) {  // else the writer takes it along; waiting for it could wait for ever
      auto flushed = co_await flush();  // an alert, or the answer to a key update
      if (!flushed && next != Next::broken) co_return std::unexpected(std::move(flushed.error()));
    }
    if (next == Next::broken) co_return fail(ErrorKind::unavailable, "TLS: " + reason_);
    auto fed = co_await feed();
    if (!fed) co_return std::unexpected(std::move(fed.error()));
  }
}

bool TlsStream::encrypt(std::string_view plain) {
  while (!plain.empty()) {
    ERR_clear_error();
    const std::size_t size = std::min(plain.size(), kRecord);
    const int outcome = SSL_write(ssl_.get(), plain.data(), static_cast<int>(size));
    if (outcome <= 0) {
      // Without renegotiation OpenSSL never has to read before it can write.
      if (classify(outcome) != Next::broken) reason_ = "unexpected state";
      return false;
    }
    plain.remove_prefix(static_cast<std::size_t>(outcome));
  }
  return true;
}

awaitable<Result<void>> TlsStream::write_all(std::span<const std::string_view> pieces) {
  std::string gathered;  // small pieces travel in one record
  bool good = true;
  for (std::string_view piece : pieces) {
    if (gathered.size() + piece.size() <= kRecord) {
      gathered += piece;
      continue;
    }
    good = good && encrypt(gathered);
    gathered.clear();
    while (good && !piece.empty()) {
      const std::size_t size = std::min(piece.size(), kFlushAt);
      good = encrypt(piece.substr(0, size));
      piece.remove_prefix(size);
      auto flushed = co_await flush();
      if (!flushed) co_return flushed;
    }
  }
  good = good && encrypt(gathered);
  auto flushed = co_await flush();
  if (!good) co_return fail(ErrorKind::unavailable, "TLS: " + reason_);
  co_return flushed;
}

awaitable<Result<void>> TlsStream::shutdown_write() {
  ERR_clear_error();
  if (SSL_shutdown(ssl_.get()) < 0) ERR_clear_error();  // already broken: nothing to say
  auto flushed = co_await flush();
  if (!flushed) co_return flushed;
  co_return co_await inner_->shutdown_write();
}

// The name or address that the certificate must be for.
bool expect_host(SSL* ssl, std::string host) {
  boost::system::error_code not_address;
  asio::ip::make_address(host, not_address);
  if (!not_address) {
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1;
  }
  if (host.ends_with('.')) host.pop_back();
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(ssl, host.c_str()) == 1 && SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
}

}  // namespace

awaitable<Result<std::unique_ptr<Stream>>> tls_accept(std::unique_ptr<Stream> inner,
                                                      std::shared_ptr<const TlsContext> context) {
  auto stream = std::make_unique<TlsStream>(std::move(inner), std::move(context));
  if (stream->ssl() == nullptr) co_return fail(ErrorKind::unavailable, "TLS: out of memory");
  SSL_set_accept_state(stream->ssl());
  auto done = co_await stream->handshake();
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::unique_ptr<Stream>(std::move(stream));
}

awaitable<Result<std::unique_ptr<Stream>>> tls_connect(std::unique_ptr<Stream> inner,
                                                       std::shared_ptr<const TlsContext> context,
                                                       std::string host, ConnectFault* fault) {
  auto stream = std::make_unique<TlsStream>(std::move(inner), std::move(context));
  if (stream->ssl() == nullptr || host.empty() || !expect_host(stream->ssl(), std::move(host))) {
    co_return fail(ErrorKind::unavailable, "TLS: the host name cannot be verified");
  }
  SSL_set_connect_state(stream->ssl());
  auto done = co_await stream->handshake();
  if (done) co_return std::unique_ptr<Stream>(std::move(stream));
  if (fault != nullptr) *fault = stream->fault();
  co_return std::unexpected(std::move(done.error()));
}

}  // namespace interline::net
