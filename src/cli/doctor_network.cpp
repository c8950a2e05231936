// What the gateway would listen on and connect to.
#include <array>
#include <ctime>

#include <boost/asio/this_coro.hpp>

#include "app/http_front.hpp"
#include "app/xmpp_probe.hpp"
#include "cli/doctor_checks.hpp"
#include "net/certificate_file.hpp"
#include "net/host_port.hpp"
#include "net/http/client.hpp"
#include "net/tcp_stream.hpp"
#include "net/tls_context.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

constexpr net::Duration kLongestFetch{10'000};

std::string day_of(std::chrono::sys_seconds time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

}  // namespace

Findings exposure_findings(const app::Configuration& configuration) {
  if (!app::is_in_plain_text(configuration.http)) return {};
  return {Finding(
      Verdict::doubtful, "http",
      configuration.http.listen + " has no TLS: API keys go in plain text from other machines",
      "set [http] tls_certificate and tls_key, or listen on 127.0.0.1 behind a proxy")};
}

Findings expiry_findings(const app::Configuration& configuration,
                         std::chrono::system_clock::time_point now) {
  const app::HttpSection& http = configuration.http;
  if (!app::has_http(http) || http.tls_certificate.empty()) return {};
  const auto end = net::certificate_end(http.tls_certificate.string());
  if (!end || *end > now) return {};  // what cannot be read is said elsewhere
  return {Finding(Verdict::wrong, "http tls",
                  http.tls_certificate.string() + " expired on " + day_of(*end),
                  "renew it; a running gateway reads it again on SIGHUP")};
}

net::awaitable<Findings> check_http(const app::Configuration& configuration) {
  Findings found;
  const app::HttpSection& http = configuration.http;
  if (http.listen.empty() || http.listen == "off") {
    found.emplace_back(Verdict::fine, "http", "off");
    co_return found;
  }
  const net::Executor executor = co_await net::asio::this_coro::executor;
  const auto address = net::parse_host_port(http.listen);
  if (!address) {
    found.emplace_back(Verdict::wrong, "http", address.error().message,
                       "write [http] listen as ADDRESS:PORT");
    co_return found;
  }
  const auto listener = net::listen_tcp(executor, *address);
  if (listener) {
    (*listener)->close();
    found.emplace_back(Verdict::fine, "http", http.listen + " is free to listen on");
  } else {
    found.emplace_back(Verdict::wrong, "http", listener.error().message,
                       mend_of_listening(http.listen, listener.error().message));
  }
  if (http.tls_certificate.empty()) co_return found;
  net::TlsServerOptions files;
  files.certificate_file = http.tls_certificate.string();
  files.key_file = http.tls_key.string();
  const auto tls = net::TlsContext::server(files);
  if (tls) {
    found.emplace_back(Verdict::fine, "http tls", "certificate and key fit together");
  } else {
    found.emplace_back(Verdict::wrong, "http tls", tls.error().message,
                       mend_of_certificate(http, tls.error().message));
  }
  co_return found;
}

net::awaitable<Findings> check_public_url(const app::Configuration& configuration) {
  Findings found;
  const std::string& url = configuration.http.public_url;
  if (url.empty() || !app::has_http(configuration.http)) co_return found;
  net::http::ClientOptions options;
  if (auto tls = net::TlsContext::client(net::TlsClientOptions())) options.tls = *std::move(tls);
  net::http::Client client(co_await net::asio::this_coro::executor, std::move(options));
  net::http::FetchRequest request(net::http::Method::get,
                                  url + (url.ends_with('/') ? "healthz" : "/healthz"));
  request.timeout = kLongestFetch;
  const auto answer = co_await client.fetch(std::move(request));
  const bool ours = answer && answer->status == 200 && answer->body == "ok\n";
  if (ours) {
    found.emplace_back(Verdict::fine, "public_url", url + " leads to a gateway");
    co_return found;
  }
  const std::string why =
      answer ? "something else answers there, with the status " + std::to_string(answer->status)
             : answer.error().message;
  found.emplace_back(Verdict::doubtful, "public_url", url + ": " + why,
                     mend_of_public_url(configuration.http, why));
  co_return found;
}

net::awaitable<Findings> check_xmpp(const app::Configuration& configuration) {
  Findings found;
  if (!configuration.xmpp) co_return found;
  const app::XmppSection& xmpp = *configuration.xmpp;
  const auto trouble = co_await app::probe_xmpp(xmpp);
  if (!trouble) {
    found.emplace_back(Verdict::fine, "xmpp", xmpp.server + " takes the component " + xmpp.domain);
  } else {
    std::string mend = trouble->remedy;
    if (mend.empty()) {
      mend = "start the server, and see that " + xmpp.server +
             " is its port for components, not the one for clients";
    }
    found.emplace_back(Verdict::wrong, "xmpp", xmpp.server + ": " + trouble->what,
                       mend + "; docs/xmpp-setup.md shows it for Prosody and ejabberd");
  }
  if (xmpp.local_domains.empty()) {
    found.emplace_back(Verdict::doubtful, "xmpp",
                       "no local_domains: every sender counts as one of another server",
                       "name your server's own domains in [xmpp] local_domains");
  }
  co_return found;
}

}  // namespace interline::cli
