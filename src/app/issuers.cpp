#include "app/issuers.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/suspend.hpp"
#include "net/egress.hpp"
#include "net/http/client.hpp"
#include "protocols/oauth/access_token.hpp"
#include "protocols/oauth/key_set.hpp"
#include "protocols/oauth/server_metadata.hpp"

namespace interline::app {
namespace {

using protocols::oauth::AccessToken;
using protocols::oauth::KeySet;
using protocols::oauth::TokenExpectation;
using protocols::oauth::TokenFault;
using protocols::oauth::TokenRefusal;
using Cause = TokenRefusal::Cause;

constexpr net::Duration kFetchTimeout{10'000};

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::unavailable, "the file of the issuer's keys cannot be read");
  std::string text(KeySet::kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

/// What is known of one issuer. Guarded by its mutex, but for the section.
struct Issuers::Issuer {
  using Resume = std::move_only_function<void(bool)>;

  explicit Issuer(IssuerSection configured) : section(std::move(configured)) {}

  enum class Turn : unsigned char { fetch, wait, use };
  /// What whoever asks now does. One fetches; where there is something already, the others use it.
  [[nodiscard]] Turn turn(SteadyTime now, bool wanted_anew) {
    const std::scoped_lock lock(mutex);
    if (fetching) return fetched ? Turn::use : Turn::wait;
    if (tried && now - *tried < kBetween) return Turn::use;
    if (!wanted_anew && fetched && now - *fetched < kFresh) return Turn::use;
    fetching = true;
    tried = now;
    return Turn::fetch;
  }
  void end(std::optional<KeySet> read, SteadyTime now) {
    std::vector<Resume> waited;
    {
      const std::scoped_lock lock(mutex);
      fetching = false;
      waited.swap(waiting);
      if (read) {
        keys = *std::move(read);
        fetched = now;
      }
    }
    for (Resume& resume : waited) resume(true);
  }
  [[nodiscard]] net::awaitable<void> wait_for_end() {
    auto start = [this](Resume resume) {
      {
        const std::scoped_lock lock(mutex);
        if (fetching) {
          waiting.push_back(std::move(resume));
          return;
        }
      }
      resume(true);
    };
    co_await engine::suspend<bool>(std::move(start));
  }
  [[nodiscard]] std::optional<KeySet> usable(SteadyTime now) const {
    const std::scoped_lock lock(mutex);
    if (!fetched || now - *fetched >= kStale) return std::nullopt;
    return keys;
  }

  const IssuerSection section;
  mutable std::mutex mutex;
  KeySet keys;
  std::optional<SteadyTime> fetched;
  std::optional<SteadyTime> tried;
  bool fetching = false;
  std::vector<Resume> waiting;  // for the end of the first fetch
};

net::awaitable<Result<KeySet>> fetch_issuer_keys(const IssuerSection& section,
                                                 const FetchText& fetch_text) {
  std::string where = section.jwks;
  if (!where.empty() && where.find("://") == std::string::npos) {
    const auto text = read_file(where);
    if (!text) co_return std::unexpected(text.error());
    co_return KeySet::read(*text);
  }
  Error last(ErrorKind::unavailable, "the issuer tells nobody where its keys are");
  if (where.empty()) {
    for (const std::string& url : protocols::oauth::server_metadata_urls(section.url)) {
      const auto text = co_await fetch_text(url);
      if (!text) {
        last = text.error();
        continue;
      }
      const auto metadata = protocols::oauth::read_server_metadata(*text, section.url);
      if (!metadata) {
        last = metadata.error();
        continue;
      }
      where = metadata->jwks_uri;
      break;
    }
  }
  if (where.empty()) co_return std::unexpected(last);
  const auto text = co_await fetch_text(where);
  if (!text) co_return std::unexpected(text.error());
  co_return KeySet::read(*text);
}

Issuers::Issuers(std::vector<IssuerSection> sections, std::string public_url, FetchText fetch,
                 const Clock& clock, Logger log)
    : public_url_(std::move(public_url)),
      fetch_(std::move(fetch)),
      clock_(clock),
      log_(std::move(log)) {
  for (IssuerSection& section : sections) {
    urls_.push_back(section.url);
    for (const std::string& scope : section.scopes) {
      if (std::ranges::find(scopes_, scope) == scopes_.end()) scopes_.push_back(scope);
    }
    issuers_.push_back(std::make_unique<Issuer>(std::move(section)));
  }
}

Issuers::~Issuers() = default;

namespace {

/// Ends a fetch whichever way its coroutine goes.
template <class End>
class Ending {
 public:
  explicit Ending(End end) : end_(std::move(end)) {}
  ~Ending() { end_(); }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

 private:
  End end_;
};

/// Nothing: the token has them all.
std::optional<std::string> missing_scope(const AccessToken& token,
                                         const std::vector<std::string>& wanted) {
  const bool all = std::ranges::all_of(wanted, [&](const std::string& scope) {
    return std::ranges::find(token.scopes, scope) != token.scopes.end();
  });
  if (all) return std::nullopt;
  std::string out;
  for (const std::string& scope : wanted) out.append(out.empty() ? "" : " ").append(scope);
  return out;
}

}  // namespace

net::awaitable<std::expected<policy::Principal, TokenRefusal>> Issuers::principal_of(
    std::string token, std::string resource) {
  const std::string claimed = protocols::oauth::claimed_issuer(token);
  const auto found = std::ranges::find_if(issuers_, [&](const std::unique_ptr<Issuer>& issuer) {
    return issuer->section.url == claimed;
  });
  if (found == issuers_.end()) co_return std::unexpected(TokenRefusal(Cause::invalid));
  Issuer& issuer = **found;

  std::vector<std::string> audiences = {issuer.section.audience};
  if (issuer.section.audience.empty()) {
    audiences = {public_url_ + "/mcp"};
    if (!resource.empty()) audiences.push_back(std::move(resource));
  }
  TokenExpectation expected;
  expected.issuer = issuer.section.url;
  expected.audiences = audiences;

  for (const bool again : {false, true}) {
    const auto turn = issuer.turn(clock_.steady(), again);
    if (turn == Issuer::Turn::wait) co_await issuer.wait_for_end();
    if (turn == Issuer::Turn::fetch) {
      std::optional<KeySet> read;
      const Ending ending([&] { issuer.end(std::move(read), clock_.steady()); });
      auto fetched = co_await fetch_issuer_keys(issuer.section, fetch_);
      if (fetched) {
        read = *std::move(fetched);
      } else {
        log_.warning("the keys of an issuer cannot be had",
                     {{"issuer", issuer.section.url}, {"reason", fetched.error().message}});
      }
    }
    const auto keys = issuer.usable(clock_.steady());
    if (!keys) co_return std::unexpected(TokenRefusal(Cause::unavailable));
    expected.now = clock_.now();
    const auto said = protocols::oauth::read_access_token(token, expected, *keys);
    if (!said) {
      if (said.error() == TokenFault::unknown_key && !again) continue;
      log_.debug("a token is of no use", {{"issuer", issuer.section.url},
                                          {"reason", protocols::oauth::to_string(said.error())}});
      break;
    }
    if (auto scope = missing_scope(*said, issuer.section.scopes)) {
      TokenRefusal refusal(Cause::insufficient_scope);
      refusal.scope = *std::move(scope);
      co_return std::unexpected(std::move(refusal));
    }
    co_return policy::Principal::of("jwt", said->issuer + "#" + said->subject);
  }
  co_return std::unexpected(TokenRefusal(Cause::invalid));
}

FetchText fetch_over_http(const net::Executor& executor, bool allow_private) {
  net::http::ClientOptions options;
  if (!allow_private) options.connect.guard = net::public_addresses_only();
  if (auto tls = net::TlsContext::client(net::TlsClientOptions())) options.tls = *std::move(tls);
  const auto client = std::make_shared<net::http::Client>(executor, std::move(options));
  return [client, allow_private](std::string url) -> net::awaitable<Result<std::string>> {
    if (!allow_private && !url.starts_with("https://")) {
      co_return fail(ErrorKind::forbidden,
                     "the URL is not https; [egress] allow_private would allow it");
    }
    net::http::FetchRequest request(net::http::Method::get, std::move(url));
    request.fields.add("Accept", "application/json");
    request.timeout = kFetchTimeout;
    request.body_limit = KeySet::kMaxBytes;
    auto response = co_await client->fetch(std::move(request));
    if (!response) co_return std::unexpected(response.error());
    if (response->status != 200) {
      co_return fail(ErrorKind::unavailable,
                     "the issuer answers with status " + std::to_string(response->status));
    }
    co_return std::move(response->body);
  };
}

}  // namespace interline::app
