#include "app/http_front.hpp"

#include <mutex>
#include <unistd.h>
#include <utility>

#include <boost/asio/ip/address.hpp>

#include "bindings/a2a/binding.hpp"
#include "bindings/control/control.hpp"
#include "net/certificate_file.hpp"
#include "net/host_port.hpp"
#include "net/tcp_stream.hpp"
#include "net/unix_stream.hpp"

namespace interline::app {
namespace {

constexpr std::size_t kForOperators = 256;  // connections of the control socket

void write_access(const Logger& log, const net::http::AccessRecord& record) {
  if (!log.takes(LogLevel::debug) && record.note.empty()) return;
  std::string_view path;
  if (record.request != nullptr) path = record.request->path;
  const std::string_view method =
      record.request == nullptr ? "" : net::http::to_string(record.request->method);
  // 501 and 505 are what a client asked for; anybody could fill the log with them.
  const bool ours = record.status >= 500 && record.status != 501 && record.status != 505;
  log.log(ours ? LogLevel::warning : LogLevel::debug, "an HTTP request was answered",
          {{"method", method},
           {"path", path},
           {"status", record.status},
           {"peer", record.peer->description},
           {"note", record.note}});
}

Result<net::http::Networks> networks_of(const std::vector<std::string>& texts) {
  net::http::Networks all;
  for (const std::string& text : texts) {
    auto network = net::http::Network::parse(text);
    if (!network) return std::unexpected(std::move(network.error()));
    all.push_back(*std::move(network));
  }
  return all;
}

}  // namespace

/// The present certificate, asked for by every new connection.
struct HttpFront::Certificate {
  std::mutex mutex;
  std::shared_ptr<const net::TlsContext> context;  // guarded by mutex
};

bool has_http(const HttpSection& section) {
  return !section.listen.empty() && section.listen != "off";
}

bool is_in_plain_text(const HttpSection& section) {
  if (!has_http(section) || !section.tls_certificate.empty()) return false;
  const auto address = net::parse_host_port(section.listen);
  if (!address || address->host == "localhost") return false;
  boost::system::error_code no_address;
  const auto parsed = boost::asio::ip::make_address(address->host, no_address);
  return no_address || !parsed.is_loopback();
}

HttpFront::HttpFront(net::Executor executor, std::unique_ptr<net::Listener> listener,
                     net::http::ServerOptions options, Logger log)
    : executor_(std::move(executor)),
      listener_(std::move(listener)),
      address_(listener_->description()),
      options_(std::move(options)),
      log_(std::move(log)) {
  options_.on_response = [log = log_](const net::http::AccessRecord& record) {
    write_access(log, record);
  };
}

Result<std::unique_ptr<HttpFront>> HttpFront::make(const net::Executor& executor,
                                                   const Configuration& configuration,
                                                   const Logger& log) {
  const HttpSection& section = configuration.http;
  const auto address = net::parse_host_port(section.listen);
  if (!address) return std::unexpected(address.error());
  auto listener = net::listen_tcp(executor, *address);
  if (!listener) return std::unexpected(std::move(listener.error()));
  net::http::ServerOptions options;
  options.max_connections = configuration.limits.http_connections;
  options.max_per_address = configuration.limits.http_connections_per_address;
  options.refusal = [](unsigned status, const net::http::Request* request) {
    const bool of_a2a = request != nullptr && a2a::is_ours(request->path);
    return of_a2a ? a2a::refused(status, *request) : net::http::plain_response(status);
  };
  auto proxies = networks_of(section.trusted_proxies);
  if (!proxies) return std::unexpected(std::move(proxies.error()));
  options.trusted_proxies = *std::move(proxies);
  std::unique_ptr<HttpFront> front(
      new HttpFront(executor, *std::move(listener), std::move(options), log));
  if (!section.tls_certificate.empty()) {
    front->secure_ = true;
    front->certificate_ = std::make_shared<Certificate>();
    const Result<void> loaded = front->reload_certificate(section);
    if (!loaded) return std::unexpected(loaded.error());
  }
  return front;
}

Result<std::unique_ptr<HttpFront>> HttpFront::make_local(const net::Executor& executor,
                                                         const std::filesystem::path& socket,
                                                         const Logger& log) {
  auto listener = net::listen_unix(executor, socket.string(), 0666);
  if (!listener) return std::unexpected(std::move(listener.error()));
  net::http::ServerOptions options;
  options.refusal = control::refusal;
  // Whoever may enter data_dir may connect: an operator still gets in when all the others do.
  options.favoured_users = {0, ::geteuid()};
  options.reserved = kForOperators;
  return std::unique_ptr<HttpFront>(
      new HttpFront(executor, *std::move(listener), std::move(options), log));
}

void HttpFront::serve(std::shared_ptr<const net::http::Router> router) {
  server_ = std::make_unique<net::http::Server>(executor_, std::move(router), options_);
  net::http::TlsSource tls;
  if (certificate_) {
    tls = [certificate = certificate_]() {
      const std::lock_guard lock(certificate->mutex);
      return certificate->context;
    };
  }
  server_->serve(std::move(listener_), std::move(tls));
}

net::awaitable<void> HttpFront::drain(std::chrono::milliseconds grace) {
  if (server_) co_await server_->drain(grace);
}

Result<void> HttpFront::reload_certificate(const HttpSection& section) {
  if (!certificate_) return {};
  net::TlsServerOptions files;
  files.certificate_file = section.tls_certificate.string();
  files.key_file = section.tls_key.string();
  auto context = net::TlsContext::server(files);
  if (!context) return std::unexpected(std::move(context.error()));
  const auto end = net::certificate_end(files.certificate_file);
  if (end && *end <= std::chrono::system_clock::now()) {
    log_.warning("the certificate has expired: clients refuse it; renew it and send SIGHUP",
                 {{"certificate", files.certificate_file}});
  }
  const std::lock_guard lock(certificate_->mutex);
  certificate_->context = *std::move(context);
  return {};
}

const net::http::ServerStats* HttpFront::stats() const {
  return server_ ? &server_->stats() : nullptr;
}

}  // namespace interline::app
