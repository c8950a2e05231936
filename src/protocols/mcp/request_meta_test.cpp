// 2026-07-28, basic/index, "_meta" and "Capabilities"; checklist 9, 10, 12, 13.
#include "protocols/mcp/request_meta.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using testing::parse;
using enum ClientCapability;

std::string params(std::string_view meta) {
  return R"({"_meta":{)" + std::string(meta) + "}}";
}
constexpr std::string_view kComplete = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                       R"("io.modelcontextprotocol/clientCapabilities":{})";

bool accepted(std::string_view text) {
  const auto document = parse(text);
  return read_modern_meta(document.root()).has_value();
}

TEST(Mcp_Meta, VersionAndCapabilitiesAreRequired) {
  EXPECT_TRUE(accepted(params(kComplete)));
  EXPECT_FALSE(accepted("{}"));
  EXPECT_FALSE(accepted(R"({"_meta":[]})"));
  EXPECT_FALSE(accepted(params(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")")));
  EXPECT_FALSE(accepted(params(R"("io.modelcontextprotocol/clientCapabilities":{})")));
  for (const std::string_view version : {"7", "null", "[]"}) {
    EXPECT_FALSE(
        accepted(params(R"("io.modelcontextprotocol/protocolVersion":)" + std::string(version) +
                        R"(,"io.modelcontextprotocol/clientCapabilities":{})")));
  }
  for (const std::string_view capabilities : {"[]", "null", R"({"sampling":true})"}) {
    EXPECT_FALSE(accepted(params(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                 R"("io.modelcontextprotocol/clientCapabilities":)" +
                                 std::string(capabilities))));
  }
}

TEST(Mcp_Meta, ClientInfoIsNeitherRequiredNorTrusted) {
  for (const std::string_view info : {R"({"name":"n","version":"v"})", "7", R"({"name":7})"}) {
    const auto document = parse(params(
        std::string(kComplete) + R"(,"io.modelcontextprotocol/clientInfo":)" + std::string(info)));
    ASSERT_TRUE(read_modern_meta(document.root())) << info;
  }
}

TEST(Mcp_Meta, OptInsAreReadAsWritten) {
  const auto document = parse(params(std::string(kComplete) +
                                     R"(,"progressToken":0,"interline/requestId":"r-1",)"
                                     R"("io.modelcontextprotocol/logLevel":"warning","other":{})"));
  const auto meta = read_modern_meta(document.root());
  ASSERT_TRUE(meta);
  EXPECT_EQ(meta->progress_token, "0");
  EXPECT_EQ(meta->request_key, "r-1");
  EXPECT_EQ(meta->log_level, LogLevel::warning);
  EXPECT_NE(meta->whole.find("other"), nullptr);
}

TEST(Mcp_Logging, AnUnknownLevelIsRefused) {
  for (const std::string_view level : {R"("loud")", R"("INFO")", "1", "null"}) {
    EXPECT_FALSE(accepted(params(std::string(kComplete) +
                                 R"(,"io.modelcontextprotocol/logLevel":)" + std::string(level))));
  }
}

TEST(Mcp_Meta, OptInsOfAnotherTypeAreRefused) {
  for (const std::string_view more :
       {R"("progressToken":1.5)", R"("progressToken":{})", R"("interline/requestId":7)",
        R"("interline/requestId":"")"}) {
    EXPECT_FALSE(accepted(params(std::string(kComplete) + "," + std::string(more)))) << more;
  }
  EXPECT_FALSE(accepted(params(std::string(kComplete) + R"(,"interline/requestId":")" +
                               std::string(kMaxRequestKey + 1, 'x') + "\"")));
}

TEST(Mcp_Meta, LegacyOptInsOfAnotherTypeAreIgnored) {
  const auto document = parse(params(R"("progressToken":[1],"interline/requestId":"k")"));
  const RequestMeta meta = read_legacy_meta(document.root());
  EXPECT_EQ(meta.progress_token, "");
  EXPECT_EQ(meta.request_key, "k");
}

ClientCapabilities capabilities(std::string_view text) {
  const auto document = parse(text);
  return read_capabilities(document.root()).value();
}

TEST(Mcp_Elicitation, AnEmptyCapabilityIsFormModeAlone) {
  EXPECT_TRUE(capabilities(R"({"elicitation":{}})").has(elicitation_form));
  EXPECT_FALSE(capabilities(R"({"elicitation":{}})").has(elicitation_url));
  EXPECT_FALSE(capabilities(R"({"elicitation":{"url":{}}})").has(elicitation_form));
  const auto both = capabilities(R"({"elicitation":{"form":{},"url":{}}})");
  EXPECT_TRUE(both.has(elicitation_form) && both.has(elicitation_url));
  EXPECT_TRUE(capabilities("{}").empty());
}

TEST(Mcp_Capabilities, AreWrittenAsTheyAreRead) {
  for (const std::string_view text :
       {R"({})", R"({"sampling":{}})", R"({"sampling":{"tools":{}},"roots":{}})",
        R"({"elicitation":{"url":{}}})", R"({"elicitation":{"form":{},"url":{}},"roots":{}})",
        R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})"}) {
    EXPECT_EQ(capabilities_text(capabilities(text)), text);
  }
}

TEST(Mcp_Capabilities, SayWhichQuestionsCanBeAnswered) {
  using tasks::QuestionKind;
  EXPECT_EQ(answerable(capabilities("{}")), 0);
  EXPECT_EQ(answerable(capabilities(R"({"elicitation":{}})")), bit(QuestionKind::form));
  EXPECT_EQ(answerable(capabilities(R"({"elicitation":{"url":{}},"roots":{}})")),
            bit(QuestionKind::url) | bit(QuestionKind::credential) | bit(QuestionKind::roots));
  EXPECT_EQ(needed_for(QuestionKind::credential), elicitation_url);
}

}  // namespace
}  // namespace interline::protocols::mcp
