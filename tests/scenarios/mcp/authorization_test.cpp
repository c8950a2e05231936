// Access tokens as OAuth 2.1 has them at a resource server (2026-07-28, basic/authorization).
#include <chrono>

#include <gmock/gmock.h>

#include "mcp_client.hpp"
#include "protocols/oauth/test_support.hpp"

namespace interline::testing {
namespace {

using protocols::oauth::testing::key_set;
using protocols::oauth::testing::TestKey;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAudience = "https://gateway.example/mcp";

class McpAuthorization : public McpTest {
 protected:
  /// Alice of the issuer sees `demo`; nobody else does.
  void serve_tokens(const std::string& of_issuer = "") {
    write("keys.json", key_set({key_.jwk()}));
    configure(
        "[[issuer]]\nurl = \"https://id.example\"\njwks = \"keys.json\"\n"
        "audience = \"https://gateway.example/mcp\"\n" +
        of_issuer +
        "[[grant]]\nprincipals = [\"jwt:https://id.example#alice\", \"key:*\"]\n"
        "endpoints = [\"demo\"]\nvisible = true\ninvoke = [\"*\"]\n"
        "[[endpoint]]\nname = \"demo\"\nruntime = { kind = \"builtin\" }\n");
    start();
    until("an endpoint is served");
  }
  [[nodiscard]] static std::string token(const TestKey& key, const std::string& subject = "alice",
                                         const std::string& audience = kAudience, int life = 600) {
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
    return key.sign(R"({"alg":"ES256","kid":"one"})",
                    R"({"iss":"https://id.example","sub":")" + subject + R"(","aud":")" + audience +
                        R"(","scope":"read","exp":)" + std::to_string(now.count() + life) + "}");
  }
  [[nodiscard]] McpReply ask(const std::string& credentials,
                             const std::string& path = "/mcp") const {
    McpRequest request = call_of(path == "/mcp" ? "demo.echo" : "echo", R"({"text":"x"})");
    request.path = path;
    request.key = credentials;
    return send(request);
  }
  [[nodiscard]] McpReply metadata(const std::string& path) const {
    return raw("GET " + path + " HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n");
  }

  const TestKey key_ = TestKey::elliptic("one");
};

TEST_F(McpAuthorization, AValidTokenSpeaksForItsSubject) {
  serve_tokens();
  EXPECT_EQ(ask(token(key_)).status, 200);
  EXPECT_EQ(ask(token(key_), "/mcp/demo").at("/result/isError"), "");
  EXPECT_EQ(ask(make_key("ci")).status, 200) << "keys go on";
  // Of the same issuer, and granted nothing: as if there were no such tool.
  const McpReply bob = ask(token(key_, "bob"));
  EXPECT_EQ(bob.at("/error/code"), "-32602");
}

TEST_F(McpAuthorization, WithoutATokenTheMetadataIsNamed) {
  serve_tokens();
  const McpReply reply = ask("", "/mcp/demo");
  EXPECT_EQ(reply.status, 401);
  EXPECT_THAT(reply.head, HasSubstr("/.well-known/oauth-protected-resource/mcp/demo\""));
  EXPECT_THAT(reply.head, Not(HasSubstr("error=")));
}

TEST_F(McpAuthorization, InvalidExpiredAndForeignTokensAreRefusedAlike) {
  serve_tokens();
  const std::string good = token(key_);
  for (const std::string& bad :
       {token(key_, "alice", kAudience, -3'600), token(key_, "alice", "https://other.example/mcp"),
        token(TestKey::elliptic("one")), good.substr(0, good.size() - 2), good + "=",
        std::string("a.b.c"), std::string("..")}) {
    const McpReply reply = ask(bad);
    EXPECT_EQ(reply.status, 401) << bad;
    EXPECT_THAT(reply.head, HasSubstr("error=\"invalid_token\""));
    EXPECT_THAT(reply.head, HasSubstr("resource_metadata=\""));
  }
}

TEST_F(McpAuthorization, ATokenInTheQueryIsNone) {
  serve_tokens();
  EXPECT_EQ(ask("", "/mcp?access_token=" + token(key_)).status, 401);
}

TEST_F(McpAuthorization, EveryScopeThatIsNeededIsNamed) {
  serve_tokens("scopes = [\"read\", \"call\"]\n");
  const McpReply reply = ask(token(key_));
  EXPECT_EQ(reply.status, 403);
  EXPECT_THAT(reply.head, HasSubstr("error=\"insufficient_scope\", scope=\"read call\""));
  EXPECT_THAT(reply.head, HasSubstr("resource_metadata=\""));
  EXPECT_THAT(ask("").head, HasSubstr("scope=\"read call\""));
}

TEST_F(McpAuthorization, TheMetadataIsOpenToAll) {
  serve_tokens("scopes = [\"read\"]\n");
  const McpReply reply = metadata("/.well-known/oauth-protected-resource/mcp/demo");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.at("/resource"), "\"http://localhost:8080/mcp/demo\"");
  EXPECT_EQ(reply.at("/authorization_servers"), "[\"https://id.example\"]");
  EXPECT_EQ(reply.at("/scopes_supported"), "[\"read\"]");
  EXPECT_THAT(reply.head, HasSubstr("Access-Control-Allow-Origin: *"));
  EXPECT_EQ(metadata("/.well-known/oauth-protected-resource").at("/resource"),
            "\"http://localhost:8080/mcp\"");
  // It does not say which endpoints there are.
  EXPECT_EQ(metadata("/.well-known/oauth-protected-resource/mcp/nowhere").status, 200);
}

TEST_F(McpAuthorization, WithoutIssuersThereIsNoMetadata) {
  configure("");
  start();
  EXPECT_EQ(metadata("/.well-known/oauth-protected-resource/mcp").status, 404);
  const McpReply reply = ask(token(key_));
  EXPECT_EQ(reply.status, 401);
  EXPECT_THAT(reply.head, Not(HasSubstr("resource_metadata")));
}

}  // namespace
}  // namespace interline::testing
