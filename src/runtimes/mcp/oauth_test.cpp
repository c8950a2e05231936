// Let in by client credentials: refused, the metadata read, a token got for this server, used, got
// anew when it is refused. The rest of the client's side of OAuth is what the conformance tool's
// scenarios go through.
#include <filesystem>

#include <gmock/gmock.h>

#include "runtimes/mcp/http_test_support.hpp"
#include "runtimes/mcp/kept_token.hpp"

namespace interline::runtimes::mcp {
namespace {

using net::awaitable;
using ::testing::HasSubstr;
using testing::Lines;
using testing::Seen;
using ::testing::StartsWith;
using testing::Stub;

/// An authorization server: its metadata and its tokens.
class Grantor {
 public:
  explicit Grantor(const net::Executor& executor) {
    auto router = std::make_shared<testing::http::Router>();
    router->add(testing::http::Method::get, "/.well-known/oauth-authorization-server",
                [this](auto&, testing::http::Responder& responder) -> awaitable<void> {
                  std::string body = R"({"issuer":")" + claimed + R"(","token_endpoint":")" +
                                     url() + R"(/token","authorization_endpoint":")" + url() +
                                     R"(/authorize","code_challenge_methods_supported":["S256"]})";
                  testing::http::Response response(200, "application/json", std::move(body));
                  co_await responder.send(std::move(response));
                });
    router->add(testing::http::Method::post, "/token",
                [this](testing::http::Request& request,
                       testing::http::Responder& responder) -> awaitable<void> {
                  note(request.body);
                  std::string body =
                      R"({"access_token":"token-)" + std::to_string(++tokens) +
                      R"(","token_type":"Bearer","refresh_token":"again","expires_in":3600})";
                  testing::http::Response response(200, "application/json", std::move(body));
                  co_await responder.send(std::move(response));
                });
    server_ =
        std::make_unique<testing::http::Server>(executor, router, testing::http::ServerOptions{});
    const net::HostPort any("127.0.0.1", 0);
    auto listener = net::listen_tcp(executor, any);
    port_ = (*listener)->port();
    issuer = claimed = url();
    server_->serve(std::move(*listener));
  }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] Lines asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

  std::string issuer;   ///< as the resource names it
  std::string claimed;  ///< as it names itself
  std::atomic<int> tokens = 0;

 private:
  void note(std::string body) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(body));
  }
  mutable std::mutex mutex_;
  Lines asked_;
  std::uint16_t port_ = 0;
  std::unique_ptr<testing::http::Server> server_;
};

class OAuthOverHttp : public testing::HttpMcpTest {
 protected:
  OAuthOverHttp() {
    stub.be_modern();
    stub.on("GET", [this](Seen seen) -> awaitable<void> {
      std::string body = R"({"resource":")" + resource + R"(","authorization_servers":[")" +
                         grantor.issuer + R"("],"scopes_supported":["mcp"]})";
      co_await seen.json(200, std::move(body));
    });
    stub.on("server/discover", [this](Seen seen) -> awaitable<void> {
      if (seen.header("Authorization") != "Bearer token-" + std::to_string(good)) {
        testing::http::Response response(401);
        response.fields.add("WWW-Authenticate", "Bearer resource_metadata=\"" + stub.url() + "\"");
        co_await seen.responder.send(std::move(response));
        co_return;
      }
      std::string hello =
          R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})";
      co_await seen.result(std::move(hello));
    });
  }
  void configure(McpConfiguration& configuration) override {
    auto& oauth = configuration.http->oauth.emplace();
    oauth.server_url = configuration.http->url;
    oauth.client.id = "us";
    oauth.client.secret = "hush";
    oauth.client_issuer = client_issuer;
    if (consent) oauth.kept = std::filesystem::path(fixture.path("oauth")) / "far.json";
    oauth.endpoint = "far";
    oauth.redirect_uri = "http://127.0.0.1:7/callback";
    if (!asks) return;
    oauth.browser = [this](std::string url) { return agree(std::move(url)); };
  }
  /// A person who lets us in.
  awaitable<Result<std::string>> agree(std::string url) {
    EXPECT_THAT(url, HasSubstr("code_challenge_method=S256"));
    const auto state = url.find("&state=") + 7;
    co_return "http://127.0.0.1:7/callback?code=c-1&state=" +
        url.substr(state, url.find('&', state) - state);
  }

  std::unique_ptr<Grantor> grantor_ = std::make_unique<Grantor>(fixture.executor());
  Grantor& grantor = *grantor_;
  std::unique_ptr<Stub> stub_ = std::make_unique<Stub>(fixture.executor());
  Stub& stub = *stub_;
  std::string resource = stub.url();
  std::string client_issuer;
  bool consent = false;  ///< wanted, and kept
  bool asks = false;     ///< there is a browser
  std::atomic<int> good = 1;
};

TEST_F(OAuthOverHttp, M92_ATokenIsGotForThisServerAndUsed) {
  open(stub.url());
  EXPECT_EQ(start("a")->next(), R"(complete {"content":[]})");
  ASSERT_EQ(grantor.asked().size(), 1U);
  const std::string form = grantor.asked()[0];
  EXPECT_THAT(form, StartsWith("grant_type=client_credentials&scope=mcp&resource=http%3A%2F%2F"));
  EXPECT_THAT(form, ::testing::Not(HasSubstr("hush")))
      << "the secret is in a header, or not at all";
}

TEST_F(OAuthOverHttp, ATokenThatIsRefusedIsReplacedByANewOne) {
  good = 2;
  open(stub.url());
  EXPECT_EQ(start("a")->next(), R"(complete {"content":[]})");
  EXPECT_EQ(grantor.tokens, 2);
}

TEST_F(OAuthOverHttp, M94_ItIsNotAskedForForEver) {
  good = 1'000;
  open(stub.url());
  EXPECT_THAT(start("a")->next(), StartsWith("fail unavailable"));
  EXPECT_LE(grantor.tokens, 3);
}

TEST_F(OAuthOverHttp, M92_AnotherResourceOrAnotherIssuerIsNotAsked) {
  resource = "http://127.0.0.1:1/mcp";
  open(stub.url());
  EXPECT_THAT(start("a")->next(), StartsWith("fail unavailable"));
  resource = stub.url();
  grantor.claimed += "/";
  open(stub.url());
  EXPECT_THAT(start("b")->next(), StartsWith("fail unavailable"));
  EXPECT_EQ(grantor.asked(), Lines{});
}

class OAuthByConsent : public OAuthOverHttp {
 protected:
  OAuthByConsent() { consent = true; }
  [[nodiscard]] std::filesystem::path file() {
    return std::filesystem::path(fixture.path("oauth")) / "far.json";
  }
  /// As `interline endpoints authorize` does.
  void authorize() {
    asks = true;
    open(stub.url());
    ASSERT_TRUE(list());
    asks = false;
  }
};

TEST_F(OAuthByConsent, WithoutItACallSaysWhatToDo) {
  open(stub.url());
  EXPECT_THAT(start("a")->next(), AllOf(StartsWith("fail unavailable"),
                                        HasSubstr("interline endpoints authorize far")));
  EXPECT_EQ(grantor.asked(), Lines{}) << "no credentials are shown in a person's place";
}

TEST_F(OAuthByConsent, TokensAreKeptForThisUserAloneAndUsedByTheGateway) {
  authorize();
  EXPECT_THAT(grantor.asked().at(0), AllOf(HasSubstr("grant_type=authorization_code"),
                                           HasSubstr("code=c-1"), HasSubstr("code_verifier=")));
  EXPECT_EQ(std::filesystem::status(file()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(std::filesystem::status(file().parent_path()).permissions(),
            std::filesystem::perms::owner_all);
  open(stub.url());
  EXPECT_EQ(start("a")->next(), R"(complete {"content":[]})");
  EXPECT_EQ(grantor.tokens, 1);
}

TEST_F(OAuthByConsent, ATokenThatIsRefusedIsRefreshedAndKeptAgain) {
  authorize();
  good = 2;
  open(stub.url());
  EXPECT_EQ(start("a")->next(), R"(complete {"content":[]})");
  EXPECT_THAT(grantor.asked().at(1),
              AllOf(HasSubstr("grant_type=refresh_token"), HasSubstr("refresh_token=again")));
  open(stub.url());
  EXPECT_EQ(start("b")->next(), R"(complete {"content":[]})");
  EXPECT_EQ(grantor.tokens, 2) << "the second one was kept";
}

TEST_F(OAuthByConsent, OneThatIsOverIsRefreshedBeforeItIsShown) {
  authorize();
  auto kept = load_token(file(), stub.url());
  ASSERT_TRUE(kept);
  kept->expires = std::chrono::system_clock::now() - std::chrono::hours(1);
  ASSERT_TRUE(save_token(file(), *kept));
  good = 2;
  open(stub.url());
  EXPECT_EQ(start("a")->next(), R"(complete {"content":[]})");
  EXPECT_EQ(grantor.tokens, 2);
}

TEST_F(OAuthByConsent, OfAnotherServerItIsNotShown) {
  authorize();
  auto kept = load_token(file(), stub.url());
  ASSERT_TRUE(kept);
  kept->server_url = "https://other.example/mcp";
  ASSERT_TRUE(save_token(file(), *kept));
  open(stub.url());
  EXPECT_THAT(start("a")->next(), HasSubstr("interline endpoints authorize far"));
}

TEST_F(OAuthByConsent, WhatIsNoneIsNone) {
  for (const char* text : {"", "{}", "[]", R"({"server":"a","access_token":"b"})", "{"}) {
    EXPECT_FALSE(read_kept_token(text)) << text;
  }
}

TEST_F(OAuthOverHttp, M93_CredentialsAreShownToNoOtherIssuer) {
  client_issuer = "https://as.example";
  open(stub.url());
  EXPECT_THAT(start("a")->next(), StartsWith("fail unavailable"));
  EXPECT_EQ(grantor.asked(), Lines{});
}

}  // namespace
}  // namespace interline::runtimes::mcp
