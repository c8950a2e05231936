#include "app/issuers.hpp"

#include <fstream>
#include <map>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "engine/suspend.hpp"
#include "net/test_support.hpp"
#include "protocols/oauth/test_support.hpp"

namespace interline::app {
namespace {

using protocols::oauth::TokenRefusal;
using protocols::oauth::testing::key_set;
using protocols::oauth::testing::TestKey;
using Cause = TokenRefusal::Cause;
using Said = std::expected<policy::Principal, TokenRefusal>;
using ::testing::ElementsAre;

constexpr const char* kIssuer = "https://id.example/t";
constexpr const char* kKeys = "https://id.example/keys";

/// The issuer's side of the web: what URLs answer with, and what was asked.
class AnIssuer : public ::testing::Test {
 protected:
  AnIssuer() {
    answers_["https://id.example/t/.well-known/openid-configuration"] =
        R"({"issuer":"https://id.example/t","jwks_uri":"https://id.example/keys"})";
    answers_[kKeys] = key_set({key_.jwk()});
  }

  [[nodiscard]] FetchText web() {
    return [this](std::string url) -> net::awaitable<Result<std::string>> {
      asked_.push_back(url);
      if (held_) {
        auto start = [this](std::move_only_function<void(bool)> resume) {
          resume_ = std::move(resume);
        };
        co_await engine::suspend<bool>(std::move(start));
      }
      const auto found = answers_.find(url);
      if (found == answers_.end()) co_return fail(ErrorKind::unavailable, "nothing there");
      co_return found->second;
    };
  }
  [[nodiscard]] static IssuerSection section() {
    IssuerSection made;
    made.url = kIssuer;
    return made;
  }
  void use(IssuerSection section) {
    issuers_ = std::make_unique<Issuers>(std::vector{std::move(section)}, "https://gateway.example",
                                         web(), clock_, Logger());
  }
  [[nodiscard]] Said ask(std::string token,
                         std::string resource = "https://gateway.example/mcp/weather") {
    if (!issuers_) use(section());
    return net::testing::run(context_,
                             issuers_->principal_of(std::move(token), std::move(resource)));
  }
  [[nodiscard]] std::string token(const TestKey& key, std::string_view kid = "one",
                                  std::string_view audience = "https://gateway.example/mcp",
                                  std::string_view scope = "a b") const {
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(clock_.now().time_since_epoch());
    return key.sign(R"({"alg":"ES256","kid":")" + std::string(kid) + "\"}",
                    R"({"iss":"https://id.example/t","sub":"alice","aud":")" +
                        std::string(audience) + R"(","scope":")" + std::string(scope) +
                        R"(","exp":)" + std::to_string(now.count() + 300) + "}");
  }
  [[nodiscard]] std::size_t fetched_keys() const {
    return static_cast<std::size_t>(std::ranges::count(asked_, kKeys));
  }

  ManualClock clock_;
  boost::asio::io_context context_;
  const TestKey key_ = TestKey::elliptic("one");
  std::map<std::string, std::string> answers_;
  std::vector<std::string> asked_;
  bool held_ = false;
  std::move_only_function<void(bool)> resume_;
  std::unique_ptr<Issuers> issuers_;
};

Cause cause(const Said& said) {
  EXPECT_FALSE(said);
  return said ? Cause::invalid : said.error().cause;
}

TEST_F(AnIssuer, IsFoundByItsMetadataAndSpeaksForItsSubjects) {
  const auto said = ask(token(key_));
  ASSERT_TRUE(said);
  EXPECT_EQ(said->text(), "jwt:https://id.example/t#alice");
  EXPECT_THAT(asked_, ElementsAre("https://id.example/.well-known/oauth-authorization-server/t",
                                  "https://id.example/.well-known/openid-configuration/t",
                                  "https://id.example/t/.well-known/openid-configuration", kKeys));
  EXPECT_THAT(issuers_->issuers(), ElementsAre(kIssuer));
}

TEST_F(AnIssuer, IsAskedForItsKeysOnceAnHour) {
  EXPECT_TRUE(ask(token(key_)));
  clock_.tick(Issuers::kFresh - std::chrono::seconds(1));
  EXPECT_TRUE(ask(token(key_)));
  EXPECT_EQ(fetched_keys(), 1U);
  clock_.tick(std::chrono::seconds(1));
  EXPECT_TRUE(ask(token(key_)));
  EXPECT_EQ(fetched_keys(), 2U);
}

TEST_F(AnIssuer, WhoseKeysChangedIsAskedAgainButNotByEveryToken) {
  EXPECT_TRUE(ask(token(key_)));
  const TestKey fresh = TestKey::elliptic("two");
  answers_[kKeys] = key_set({fresh.jwk()});
  EXPECT_EQ(cause(ask(token(fresh, "two"))), Cause::invalid) << "asked a moment ago";
  EXPECT_EQ(fetched_keys(), 1U);
  clock_.tick(Issuers::kBetween);
  EXPECT_TRUE(ask(token(fresh, "two")));
  EXPECT_EQ(fetched_keys(), 2U);
  EXPECT_EQ(cause(ask(token(key_))), Cause::invalid) << "the old key is gone";
  clock_.tick(Issuers::kBetween);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(cause(ask(token(key_, "made up"))), Cause::invalid);
  EXPECT_EQ(fetched_keys(), 3U);
}

TEST_F(AnIssuer, ThatIsGoneIsBelievedForADay) {
  EXPECT_TRUE(ask(token(key_)));
  answers_.clear();
  clock_.tick(Issuers::kStale - std::chrono::seconds(1));
  EXPECT_TRUE(ask(token(key_)));
  clock_.tick(std::chrono::seconds(1));
  EXPECT_EQ(cause(ask(token(key_))), Cause::unavailable);
}

TEST_F(AnIssuer, ThatCannotBeAskedIsUnavailableNotWrong) {
  const std::string keys = std::exchange(answers_[kKeys], "no keys");
  EXPECT_EQ(cause(ask(token(key_))), Cause::unavailable);
  answers_[kKeys] = keys;
  EXPECT_EQ(cause(ask(token(key_))), Cause::unavailable) << "not by every token";
  clock_.tick(Issuers::kBetween);
  EXPECT_TRUE(ask(token(key_)));
}

TEST_F(AnIssuer, WhoseMetadataNamesAnotherIsNotBelieved) {
  answers_["https://id.example/t/.well-known/openid-configuration"] =
      R"({"issuer":"https://id.example","jwks_uri":"https://id.example/keys"})";
  EXPECT_EQ(cause(ask(token(key_))), Cause::unavailable);
  EXPECT_EQ(fetched_keys(), 0U);
}

TEST_F(AnIssuer, IsAskedOnceForManyFirstTokens) {
  use(section());
  held_ = true;
  std::vector<Said> said;
  for (int i = 0; i < 3; ++i) {
    boost::asio::co_spawn(
        context_, issuers_->principal_of(token(key_), ""),
        [&said](std::exception_ptr, Said one) { said.push_back(std::move(one)); });
  }
  context_.poll();
  held_ = false;
  std::exchange(resume_, nullptr)(true);  // as long as it is kept, the context has work
  context_.restart();
  context_.run_for(net::testing::kHung);
  ASSERT_EQ(said.size(), 3U);
  for (const Said& one : said) EXPECT_TRUE(one);
  EXPECT_EQ(fetched_keys(), 1U);
}

TEST_F(AnIssuer, SpeaksForOurOwnUrlsUnlessAudiencesAreSaid) {
  EXPECT_TRUE(ask(token(key_, "one", "https://gateway.example/mcp/weather")));
  EXPECT_EQ(cause(ask(token(key_, "one", "https://gateway.example/mcp/other"))), Cause::invalid);
  EXPECT_EQ(cause(ask(token(key_, "one", "https://gateway.example/mcp/weather"), "")),
            Cause::invalid);
  IssuerSection configured = section();
  configured.audience = "api://gateway";
  use(configured);
  EXPECT_TRUE(ask(token(key_, "one", "api://gateway")));
  EXPECT_EQ(cause(ask(token(key_))), Cause::invalid);
}

TEST_F(AnIssuer, GivesTooLittleWithoutEveryScope) {
  IssuerSection configured = section();
  configured.scopes = {"b", "a"};
  use(configured);
  EXPECT_TRUE(ask(token(key_)));
  const auto said = ask(token(key_, "one", "https://gateway.example/mcp", "a c"));
  EXPECT_EQ(cause(said), Cause::insufficient_scope);
  EXPECT_EQ(said.error().scope, "b a");
  EXPECT_THAT(issuers_->scopes(), ElementsAre("b", "a"));
}

TEST_F(AnIssuer, ThatIsNotConfiguredIsNeverAsked) {
  IssuerSection other = section();
  other.url = "https://other.example";
  use(other);
  EXPECT_EQ(cause(ask(token(key_))), Cause::invalid);
  EXPECT_EQ(cause(ask("no token")), Cause::invalid);
  EXPECT_THAT(asked_, ElementsAre());
}

TEST_F(AnIssuer, MayHaveItsKeysInAFileOrElsewhere) {
  const net::testing::TemporaryFolder folder;
  std::ofstream(folder.file("keys.json")) << key_set({key_.jwk()});
  IssuerSection configured = section();
  configured.jwks = folder.file("keys.json");
  use(configured);
  EXPECT_TRUE(ask(token(key_)));
  EXPECT_THAT(asked_, ElementsAre());
  configured.jwks = kKeys;
  use(configured);
  EXPECT_TRUE(ask(token(key_)));
  EXPECT_THAT(asked_, ElementsAre(kKeys));
  configured.jwks = folder.file("absent.json");
  use(configured);
  EXPECT_EQ(cause(ask(token(key_))), Cause::unavailable);
}

TEST(IssuersOverHttp, AreNotLookedForOnThisMachine) {
  boost::asio::io_context context;
  const auto fetch = fetch_over_http(context.get_executor(), false);
  for (const char* url : {"https://127.0.0.1:1/keys", "http://id.example/keys"}) {
    const auto refused = net::testing::run(context, fetch(url));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::forbidden) << url;
  }
}

}  // namespace
}  // namespace interline::app
