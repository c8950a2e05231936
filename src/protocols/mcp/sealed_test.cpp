// 2026-07-28, basic/patterns/mrtr, "Server Requirements"; checklist 54, 55, 57, 70.
#include "protocols/mcp/sealed.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/cursors.hpp"

namespace interline::protocols::mcp {
namespace {

using namespace std::chrono_literals;

const SystemTime kNow{std::chrono::seconds(1'800'000'000)};

Secret key(char fill) {
  return Secret(std::string(32, fill));
}
SealScope scope() {
  return {"state", "key:ci", "tools/call", sha256("params")};
}

TEST(Mcp_RequestState, OpensForWhomAndWhatItWasSealed) {
  const Sealer sealer({key('a')});
  const std::string token = sealer.seal(scope(), "payload", kNow + 600s);
  const auto opened = sealer.open(scope(), token, kNow);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->payload, "payload");
  EXPECT_EQ(opened->expires, kNow + 600s);
  EXPECT_EQ(opened->id.size(), 22U);
  EXPECT_EQ(token.find("payload"), std::string::npos);
}

TEST(Mcp_RequestState, EachHasAnIdOfItsOwn) {
  const Sealer sealer({key('a')});
  const std::string first = sealer.seal(scope(), "", kNow + 1s);
  const std::string second = sealer.seal(scope(), "", kNow + 1s);
  EXPECT_NE(first, second);
  EXPECT_NE(sealer.open(scope(), first, kNow)->id, sealer.open(scope(), second, kNow)->id);
  EXPECT_EQ(sealer.open(scope(), first, kNow)->id, sealer.open(scope(), first, kNow)->id);
}

TEST(Mcp_RequestState, AnotherInstanceWithTheKeyOpensIt) {
  const std::string token = Sealer({key('a')}).seal(scope(), "p", kNow + 1s);
  EXPECT_TRUE(Sealer({key('a')}).open(scope(), token, kNow));
  EXPECT_TRUE(Sealer({key('b'), key('a')}).open(scope(), token, kNow));  // rotated
  EXPECT_FALSE(Sealer({key('b')}).open(scope(), token, kNow));
}

TEST(Mcp_RequestState, EverythingElseIsRefusedWithOneSentence) {
  const Sealer sealer({key('a')});
  const std::string token = sealer.seal(scope(), "payload", kNow + 600s);
  const Error refusal = sealer.open(scope(), "", kNow).error();
  const auto refused = [&](const SealScope& other, std::string_view text, SystemTime now) {
    const auto opened = sealer.open(other, text, now);
    return !opened && opened.error() == refusal;
  };
  for (std::size_t at = 0; at < token.size(); ++at) {
    std::string changed = token;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    EXPECT_TRUE(refused(scope(), changed, kNow)) << at;
    EXPECT_TRUE(refused(scope(), token.substr(0, at), kNow)) << at;
  }
  EXPECT_TRUE(refused(scope(), token + "-TAMPERED", kNow));
  EXPECT_TRUE(refused(scope(), token + "=", kNow));
  EXPECT_TRUE(refused(scope(), "not base64!", kNow));
  for (SealScope other : {SealScope{"cursor", "key:ci", "tools/call", sha256("params")},
                          SealScope{"state", "key:other", "tools/call", sha256("params")},
                          SealScope{"state", "key:ci", "prompts/get", sha256("params")},
                          SealScope{"state", "key:ci", "tools/call", sha256("other")},
                          SealScope{"state", "key:ci", "tools/call", sha256("params"), "other"},
                          SealScope{"statek", "ey:ci", "tools/call", sha256("params")}}) {
    EXPECT_TRUE(refused(other, token, kNow));
  }
  EXPECT_TRUE(sealer.open(scope(), token, kNow + 599s));
  EXPECT_TRUE(refused(scope(), token, kNow + 600s));
}

TEST(Mcp_RequestState, KeysAreLongEnoughOrRefused) {
  EXPECT_THROW(Sealer({}), std::invalid_argument);
  EXPECT_THROW(Sealer({Secret("short")}), std::invalid_argument);
}

constexpr CursorScope kList{"key:ci", "weather", "tools/list"};

TEST(Mcp_Pagination, ACursorIsAPositionInAVersionOfAList) {
  const Sealer sealer({key('a')});
  for (const CursorPosition& position : {CursorPosition{"forecast.get", "v1"},
                                         CursorPosition{"", ""}, CursorPosition{"7:x", "3:"}}) {
    const std::string cursor = write_cursor(sealer, kList, position, kNow);
    const auto read = read_cursor(sealer, kList, cursor, kNow);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->after, position.after);
    EXPECT_EQ(read->list_version, position.list_version);
  }
}

TEST(Mcp_Pagination, ACursorIsOfOnePrincipalAndList) {
  const Sealer sealer({key('a')});
  const std::string cursor = write_cursor(sealer, kList, {"a", "v"}, kNow);
  const Error refusal = read_cursor(sealer, kList, "", kNow).error();
  for (const CursorScope& other :
       {CursorScope{"key:other", "weather", "tools/list"}, CursorScope{"key:ci", "", "tools/list"},
        CursorScope{"key:ci", "weather", "prompts/list"}}) {
    EXPECT_EQ(read_cursor(sealer, other, cursor, kNow).error(), refusal);
  }
  EXPECT_EQ(read_cursor(sealer, kList, cursor, kNow + kCursorLife).error(), refusal);
  EXPECT_EQ(read_cursor(sealer, kList, cursor + "A", kNow).error(), refusal);
}

}  // namespace
}  // namespace interline::protocols::mcp
