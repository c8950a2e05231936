// 2026-07-28, basic/versioning, "Backward Compatibility"; checklist 23, 26.
#include "protocols/mcp/probe.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using Kind = ProbeAnswer::Kind;
using Step = ProbeStep;

constexpr std::array<Revision, 2> kSpoken = {Revision::v2026_07_28, Revision::v2025_11_25};

ProbeConclusion conclude(Transport transport, int status, std::string_view body,
                         bool retried = false) {
  ProbeAnswer answer{transport, Kind::answered, status, nullptr};
  if (body.empty()) return conclude_probe(answer, kSpoken, retried);
  const auto document = testing::parse(body);
  const auto message = jsonrpc::read_message(document.root());
  if (message) answer.message = &*message;
  return conclude_probe(answer, kSpoken, retried);
}

std::string error(int code, std::string_view data = "null") {
  return R"({"jsonrpc":"2.0","id":1,"error":{"code":)" + std::to_string(code) +
         R"(,"message":"m","data":)" + std::string(data) + "}}";
}
std::string discovered(std::string_view versions) {
  return R"({"jsonrpc":"2.0","id":1,"result":{"supportedVersions":)" + std::string(versions) + "}}";
}

constexpr Transport kBoth[] = {Transport::http, Transport::stdio};

TEST(Mcp_Probe, ADiscoverResultWithACommonVersionIsModern) {
  for (const Transport transport : kBoth) {
    EXPECT_EQ(conclude(transport, 200, discovered(R"(["2099-01-01","2026-07-28"])")),
              (ProbeConclusion{Step::modern, Revision::v2026_07_28}));
    EXPECT_EQ(conclude(transport, 200, discovered(R"(["2099-01-01"])")).step, Step::no_common);
    EXPECT_EQ(conclude(transport, 200, discovered(R"(["2025-11-25"])")).step, Step::initialize);
    EXPECT_EQ(conclude(transport, 200, discovered("[]")).step, Step::no_common);
  }
}

TEST(Mcp_Probe, UnsupportedVersionIsRetriedOnceWithACommonOne) {
  const std::string common = error(-32022, R"({"supported":["2026-07-28"],"requested":"x"})");
  const std::string legacy = error(-32022, R"({"supported":["2025-11-25","2025-06-18"]})");
  const std::string strange = error(-32022, R"({"supported":["2099-01-01","2025-11-25"]})");
  for (const Transport transport : kBoth) {
    EXPECT_EQ(conclude(transport, 400, common),
              (ProbeConclusion{Step::retry, Revision::v2026_07_28}));
    EXPECT_EQ(conclude(transport, 400, common, true).step, Step::no_common);
    EXPECT_EQ(conclude(transport, 400, legacy).step, Step::initialize);
    EXPECT_EQ(conclude(transport, 400, strange).step, Step::no_common);
    EXPECT_EQ(conclude(transport, 400, error(-32022)).step, Step::initialize);
  }
}

TEST(Mcp_Probe, AModernErrorOfOursIsReported) {
  for (const Transport transport : kBoth) {
    EXPECT_EQ(conclude(transport, 400, error(-32020)).step, Step::report);
    EXPECT_EQ(conclude(transport, 400, error(-32021)).step, Step::report);
  }
}

TEST(Mcp_Probe, AnyOtherErrorIsLegacyWhateverTheCode) {
  for (const int code : {-32601, -32602, -32600, -32000, -32001, -32002, -32603, -32700, 0, 7}) {
    for (const int status : {200, 400, 404, 405, 406}) {
      EXPECT_EQ(conclude(Transport::http, status, error(code)).step, Step::initialize);
    }
    EXPECT_EQ(conclude(Transport::stdio, 0, error(code)).step, Step::initialize);
  }
}

TEST(Mcp_Probe, AForeignAnswerIsLegacy) {
  for (const int status : {200, 400, 404, 405}) {
    EXPECT_EQ(conclude(Transport::http, status, "").step, Step::initialize);
    EXPECT_EQ(conclude(Transport::http, status, R"({"hello":"world"})").step, Step::initialize);
    EXPECT_TRUE(status == 200 || may_be_http_sse(status));
  }
  EXPECT_EQ(conclude(Transport::stdio, 0, R"({"jsonrpc":"2.0","id":1,"result":{}})").step,
            Step::initialize);
}

TEST(Mcp_Probe, RefusedAccessAndFaultsSayNothing) {
  EXPECT_EQ(conclude(Transport::http, 401, error(-32001)).step, Step::authorize);
  EXPECT_EQ(conclude(Transport::http, 403, "").step, Step::authorize);
  for (const int status : {500, 502, 503, 599}) {
    EXPECT_EQ(conclude(Transport::http, status, error(-32601)).step, Step::not_evidence);
  }
}

TEST(Mcp_Probe, SilenceIsOldOnAPipeAndNothingOnAUrl) {
  const auto step = [](Transport transport, Kind kind) {
    return conclude_probe({transport, kind, 0, nullptr}, kSpoken, false).step;
  };
  EXPECT_EQ(step(Transport::http, Kind::timeout), Step::not_evidence);
  EXPECT_EQ(step(Transport::http, Kind::failed), Step::not_evidence);
  EXPECT_EQ(step(Transport::stdio, Kind::timeout), Step::initialize);
  EXPECT_EQ(step(Transport::stdio, Kind::exited), Step::restart);
  EXPECT_EQ(step(Transport::stdio, Kind::failed), Step::restart);
}

}  // namespace
}  // namespace interline::protocols::mcp
