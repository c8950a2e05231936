// Agents of other gateways in the configuration: what belongs together, and what does not.
#include <gmock/gmock.h>

#include "app/configuration.hpp"

namespace interline::app {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kXmpp = "[xmpp]\ndomain = \"agents.example.test\"\nsecret = \"s\"\n";

/// Of an endpoint with that runtime; the first mistake, "" if there is none.
std::string mistake(std::string_view runtime, std::string_view before = kXmpp,
                    std::string_view more = "") {
  const std::string text = std::string(before) + "[[endpoint]]\nname = \"a\"\nruntime = { " +
                           std::string(runtime) + " }\n" + std::string(more);
  const auto read = parse_configuration(text, "interline.toml");
  return read ? "" : to_string("interline.toml", read.error().front());
}

TEST(ConfigurationOfAgents, AnAgentHasAnAddressAndIsReachedOverXmpp) {
  EXPECT_EQ(mistake(R"(kind = "xmpp", jid = "weather@agents.example.org")"), "");
  EXPECT_THAT(mistake(R"(kind = "xmpp")"), HasSubstr("needs a jid, for example: jid = "));
  EXPECT_THAT(mistake(R"(kind = "xmpp", jid = "weather@agents.example.org")", ""),
              HasSubstr("kind \"xmpp\" needs an [xmpp] table"));
  EXPECT_THAT(mistake(R"(kind = "exec", command = ["a"], jid = "a@b.example")"),
              HasSubstr("jid is of use to the kind xmpp alone"));
  EXPECT_THAT(mistake(R"(kind = "xmpp", jid = "a@b.example", command = ["a"])"),
              HasSubstr("command is of no use to the kind xmpp"));
}

TEST(ConfigurationOfAgents, AnAddressThatIsNoneOrOurOwnIsSaid) {
  for (const auto jid : {"agents.example.org", "a@b.example/resource", "A@b.example", "@", ""}) {
    EXPECT_THAT(mistake("kind = \"xmpp\", jid = \"" + std::string(jid) + "\""),
                HasSubstr("expected an agent's address in lower case, without a resource"))
        << jid;
  }
  EXPECT_THAT(mistake(R"(kind = "xmpp", jid = "b@agents.example.test")"),
              HasSubstr("jid is of this gateway's own domain"));
}

TEST(ConfigurationOfAgents, ItsToolsAreItsOwn) {
  EXPECT_THAT(mistake(R"(kind = "xmpp", jid = "a@b.example")", kXmpp, "tools = \"t.json\"\n"),
              HasSubstr("tools"));
}

TEST(ConfigurationOfAgents, ManyCallsWaitAtOnceUnlessSaidOtherwise) {
  const auto concurrency = [](const std::string& more) {
    const auto read = parse_configuration(
        std::string(kXmpp) +
            "[[endpoint]]\nname = \"a\"\nruntime = { kind = \"xmpp\", jid = \"a@b.example\" }\n" +
            more,
        "interline.toml");
    return read ? read->endpoints.front().concurrency : 0;
  };
  EXPECT_EQ(concurrency(""), 64U);
  EXPECT_EQ(concurrency("concurrency = 3\n"), 3U);
}

}  // namespace
}  // namespace interline::app
