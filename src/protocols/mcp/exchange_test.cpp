// 2026-07-28, basic/versioning and basic/transports: the era of an exchange and the order of
// checks; checklist 1, 2, 4, 9, 12, 19, 22, 24, 25, 43, 45, 107, 109 to 111.
#include "protocols/mcp/exchange.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using testing::parse;

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";
constexpr std::string_view kTasksMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})";

std::string request(std::string_view method, std::string_view params = kMeta,
                    std::string_view id = "1") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":{)" + std::string(params) + "}}";
}

/// What comes in, with what a test varies; the text lives as long as this.
struct Sent {
  json::Document document;
  RequestHeaders headers;
  Transport transport = Transport::http;
  LegacyState state;
  Served served;

  explicit Sent(std::string_view text) : document(parse(text)) {}
  Sent& version(std::string_view value) {
    headers.protocol_version = value;
    return *this;
  }
  Sent& method(std::string_view value) {
    headers.method = value;
    return *this;
  }
  Sent& name(std::string_view value) {
    headers.name = value;
    return *this;
  }
  Sent& stdio() {
    transport = Transport::stdio;
    return *this;
  }
  Sent& negotiated(Revision revision) {
    state.session_named = transport == Transport::http;
    state.negotiated = revision;
    return *this;
  }
  [[nodiscard]] Decision decide() const {
    return mcp::decide(document.root(), transport, headers, state, served);
  }
};

/// A modern request with all its headers.
Sent modern(std::string_view method, std::string_view params = kMeta) {
  Sent sent(request(method, params));
  sent.version("2026-07-28").method(method);
  sent.served.features.tasks = sent.served.features.resources = true;
  return sent;
}

ErrorAnswer refused(const Sent& sent) {
  const Decision decision = sent.decide();
  const auto* refusal = std::get_if<Refusal>(&decision);
  return refusal == nullptr ? ErrorAnswer() : refusal->answer;
}
std::int64_t code(const Sent& sent) {
  return refused(sent).code;
}
const char* era(const Sent& sent) {
  constexpr const char* kEras[] = {"modern", "legacy", "batch", "refused"};
  return kEras[sent.decide().index()];
}
Revision legacy_revision(const Sent& sent) {
  return std::get<LegacyExchange>(sent.decide()).revision;
}

TEST(Mcp_Era, AStampedRequestIsModernWhateverTheMethod) {
  const Sent sent = modern("tools/list");
  const auto exchange = std::get<ModernExchange>(sent.decide());
  EXPECT_EQ(exchange.revision, Revision::v2026_07_28);
  EXPECT_EQ(exchange.method->name, "tools/list");
  EXPECT_EQ(exchange.message.id, "1");
  const ErrorAnswer answer = refused(modern("initialize"));
  EXPECT_EQ(answer.code, -32601);
  EXPECT_EQ(answer.status, 404);
}

TEST(Mcp_Era, AStampedLegacyVersionIsUnsupported) {
  for (const std::string version : {"2025-11-25", "v999.0.0", ""}) {
    Sent sent(request("tools/list", R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" +
                                        version +
                                        R"(","io.modelcontextprotocol/clientCapabilities":{}})"));
    sent.version(version).method("tools/list");
    const ErrorAnswer answer = refused(sent);
    EXPECT_EQ(answer.code, -32022);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.data, R"({"supported":["2026-07-28"],"requested":")" + version + "\"}");
    sent.stdio();
    EXPECT_EQ(code(sent), -32022);
  }
}

TEST(Mcp_Era, AnUnstampedInitializeIsLegacyOnTheSameUrl) {
  Sent sent(request("initialize", R"("protocolVersion":"2025-06-18","capabilities":{})"));
  const auto exchange = std::get<LegacyExchange>(sent.decide());
  EXPECT_TRUE(exchange.opens());
  EXPECT_EQ(exchange.revision, Revision::v2025_06_18);
  EXPECT_EQ(code(sent.version("2026-07-28")), -32020);
}

TEST(Mcp_Era, AHeaderAloneMakesNothingModern) {
  Sent sent(request("tools/list", ""));
  const ErrorAnswer answer = refused(sent.version("2026-07-28").method("tools/list"));
  EXPECT_EQ(answer.code, -32602);
  EXPECT_EQ(answer.status, 400);
}

TEST(Mcp_Era, WithoutAnySignItIsLegacy) {
  Sent sent(request("tools/list", ""));
  EXPECT_EQ(legacy_revision(sent), Revision::v2025_03_26);
  EXPECT_EQ(legacy_revision(sent.version("2025-11-25")), Revision::v2025_11_25);
}

TEST(Mcp_Era, BothErasFlowThroughOneProcess) {
  Sent opening(request("initialize", R"("protocolVersion":"2025-11-25")"));
  EXPECT_STREQ(era(opening.stdio()), "legacy");
  Sent stamped(request("tools/list"));
  EXPECT_STREQ(era(stamped.stdio().negotiated(Revision::v2025_11_25)), "modern");
  Sent unstamped(request("tools/list", ""));
  EXPECT_EQ(legacy_revision(unstamped.stdio().negotiated(Revision::v2024_11_05)),
            Revision::v2024_11_05);
}

TEST(Mcp_Stdio, WithoutHandshakeAndStampARequestIsIncomplete) {
  Sent sent(request("tools/list", ""));
  EXPECT_EQ(code(sent.stdio()), -32602);
  Sent ping(request("ping", ""));
  EXPECT_STREQ(era(ping.stdio()), "legacy");
}

TEST(Mcp_Stdio, HeadersAreNotLookedAt) {
  Sent sent(request("tools/call", R"("name":"t",)" + std::string(kMeta)));
  sent.version("1999").method("x").stdio();
  EXPECT_STREQ(era(sent), "modern");
}

TEST(Mcp_ModernOnly, InitializeIsAnsweredWithTheVersions) {
  Sent sent(request("initialize", R"("protocolVersion":"2025-11-25")"));
  sent.served.legacy = false;
  EXPECT_EQ(refused(sent).data, R"({"supported":["2026-07-28"],"requested":"2025-11-25"})");
  EXPECT_NE(refused(sent).message.find("2026-07-28"), std::string::npos);
  EXPECT_EQ(code(sent.stdio()), -32022);
  Sent other(request("tools/list", ""));
  other.served.legacy = false;
  EXPECT_EQ(code(other), -32602);
}

TEST(Mcp_Order, HeaderBeforeVersionBeforeMethod) {
  // P15: different, then unknown, then missing.
  Sent sent(request("nonsense", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"v999",)"
                                R"("io.modelcontextprotocol/clientCapabilities":{}})"));
  EXPECT_EQ(code(sent), -32020);
  EXPECT_EQ(code(sent.version("2026-07-28")), -32020);
  EXPECT_EQ(code(sent.version("v999")), -32022);
  Sent meta(
      request("nonsense", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"));
  EXPECT_EQ(code(meta), -32602);  // before the header that is missing too
  Sent method(request("nonsense"));
  EXPECT_EQ(code(method.version("2026-07-28")), -32020);
  EXPECT_EQ(code(method.method("nonsense")), -32601);
}

TEST(Mcp_StandardHeaders, MethodIsMirroredExactly) {
  EXPECT_EQ(code(modern("tools/list").method("TOOLS/LIST")), -32020);
  EXPECT_EQ(code(modern("tools/list").method("tools/list, tools/list")), -32020);
  EXPECT_STREQ(era(modern("tools/list").method(" tools/list\t")), "modern");
  EXPECT_STREQ(era(modern("tools/list").version(" 2026-07-28 ")), "modern");
  Sent missing = modern("tools/list");
  missing.headers.method.reset();
  EXPECT_EQ(refused(missing).status, 400);
  EXPECT_EQ(code(missing), -32020);
}

TEST(Mcp_StandardHeaders, NameIsMirroredWhereThereIsOne) {
  const std::string params = R"("name":"Zürich tool",)" + std::string(kMeta);
  EXPECT_EQ(code(modern("tools/call", params)), -32020);
  EXPECT_EQ(code(modern("tools/call", params).name("other")), -32020);
  EXPECT_EQ(code(modern("tools/call", params).name("=?base64?!!?=")), -32020);
  EXPECT_STREQ(era(modern("tools/call", params).name("=?base64?WsO8cmljaCB0b29s?=")), "modern");
  const std::string uri = R"("uri":"file:///a",)" + std::string(kMeta);
  EXPECT_STREQ(era(modern("resources/read", uri).name("file:///a")), "modern");
  EXPECT_EQ(code(modern("resources/read", uri).name("file:///b")), -32020);
  // Params without the member are refused later, by the method's own reader.
  EXPECT_STREQ(era(modern("tools/call")), "modern");
  const std::string task = R"("taskId":"T",)" + std::string(kTasksMeta);
  EXPECT_EQ(code(modern("tasks/get", task)), -32020);
  EXPECT_STREQ(era(modern("tasks/get", task).name("T")), "modern");
}

TEST(Mcp_Errors, UnadvertisedMethodsAreNotFound) {
  Sent sent = modern("prompts/list");
  EXPECT_EQ(refused(sent).status, 404);
  EXPECT_EQ(code(sent), -32601);
  for (const std::string_view removed : {"ping", "logging/setLevel", "resources/subscribe",
                                         "tasks/list", "notifications/cancelled"}) {
    EXPECT_EQ(code(modern(removed)), -32601) << removed;
  }
}

TEST(Mcp_Tasks, NeedTheDeclarationOfThisRequest) {
  const std::string params = R"("taskId":"T",)" + std::string(kMeta);
  for (const std::string_view method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const ErrorAnswer answer = refused(modern(method, params).name("T"));
    EXPECT_EQ(answer.code, -32021);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.data,
              R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})");
  }
  const std::string listen = R"("notifications":{"taskIds":["T"]},)";
  EXPECT_EQ(code(modern("subscriptions/listen", listen + std::string(kMeta))), -32021);
  EXPECT_STREQ(era(modern("subscriptions/listen", listen + std::string(kTasksMeta))), "modern");
}

TEST(Mcp_Wire, IdsAreStringsAndIntegers) {
  for (const std::string_view id : {"1", "\"1\"", "0", "-5", "9007199254740991", "\"💡\""}) {
    Sent sent(request("tools/list", kMeta, id));
    sent.version("2026-07-28").method("tools/list");
    EXPECT_EQ(std::get<ModernExchange>(sent.decide()).message.id, id);
  }
  for (const std::string_view id : {"null", "1.5", "1e3", "{}", "[1]", "true"}) {
    Sent sent(request("tools/list", kMeta, id));
    const Decision decision = sent.version("2026-07-28").method("tools/list").decide();
    EXPECT_EQ(std::get<Refusal>(decision).answer.code, -32600) << id;
    EXPECT_EQ(std::get<Refusal>(decision).id, "") << id;
  }
}

TEST(Mcp_Wire, ARefusalNamesTheRequestWhereItCan) {
  const Sent sent(R"({"jsonrpc":"1.0","id":"a","method":"tools/list"})");
  const Decision decision = sent.decide();
  EXPECT_EQ(std::get<Refusal>(decision).id, "\"a\"");
  EXPECT_EQ(std::get<Refusal>(decision).answer.code, -32600);
}

TEST(Mcp_Wire, BatchesBelongToOneRevision) {
  const std::string text = "[" + request("ping", "") + "]";
  EXPECT_EQ(code(Sent(text)), -32600);
  EXPECT_EQ(code(Sent(text).version("2026-07-28")), -32600);
  EXPECT_STREQ(era(Sent(text).version("2025-03-26")), "batch");
  EXPECT_STREQ(era(Sent(text).negotiated(Revision::v2025_03_26)), "batch");
  EXPECT_EQ(code(Sent(text).negotiated(Revision::v2025_06_18)), -32600);
  EXPECT_STREQ(era(Sent(text).stdio().negotiated(Revision::v2025_03_26)), "batch");
  EXPECT_EQ(code(Sent(text).stdio()), -32600);
  EXPECT_EQ(code(Sent("[]").negotiated(Revision::v2025_03_26)), -32600);
}

TEST(Mcp_Wire, ABatchHasNoOpeningAndNothingModern) {
  const Served served;
  for (const std::string& text :
       {request("initialize", ""), request("tools/list"), std::string("7"), std::string("[]")}) {
    const auto document = parse(text);
    const Decision decision = decide_in_batch(document.root(), kUnnamedOverHttp, served);
    EXPECT_EQ(std::get<Refusal>(decision).answer.code, -32600);
  }
  const auto document = parse(request("ping", ""));
  EXPECT_TRUE(std::holds_alternative<LegacyExchange>(
      decide_in_batch(document.root(), kUnnamedOverHttp, served)));
}

TEST(Mcp_Sessions, AreNeededWhereTheyAreRequired) {
  Sent sent(request("tools/list", ""));
  sent.served.sessions = Served::Sessions::required;
  EXPECT_EQ(refused(sent).status, 400);
  sent.state.session_named = true;
  EXPECT_EQ(refused(sent).status, 404);
  sent.state.negotiated = Revision::v2025_06_18;
  EXPECT_EQ(legacy_revision(sent), Revision::v2025_06_18);
  sent.version("2025-11-25");  // the session's word holds
  EXPECT_EQ(legacy_revision(sent), Revision::v2025_06_18);
}

TEST(Mcp_Sessions, AreNoConcernOfModernRequests) {
  Sent sent = modern("tools/list");
  sent.served.sessions = Served::Sessions::required;
  sent.state.session_named = true;
  EXPECT_STREQ(era(sent), "modern");
}

TEST(Mcp_Legacy, AnUnsupportedVersionHeaderIsABadRequest) {
  for (const std::string_view version :
       {"1999-01-01", "", "2024-11-05", "2025-06-18, 2025-06-18"}) {
    Sent sent(request("tools/list", ""));
    EXPECT_EQ(refused(sent.version(version)).status, 400) << version;
  }
}

TEST(Mcp_Legacy, UnknownMethodsAreInBand) {
  Sent sent(request("server/discover", ""));
  EXPECT_EQ(code(sent.version("2025-11-25")), -32601);
  EXPECT_EQ(refused(sent).status, 200);
}

TEST(Mcp_Legacy, AgreesOnWhatIsAskedForOrTheNewest) {
  for (const std::string_view name : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    EXPECT_EQ(to_string(negotiate(name, Transport::http)), name);
    EXPECT_EQ(to_string(negotiate(name, Transport::stdio)), name);
  }
  EXPECT_EQ(negotiate("2024-11-05", Transport::stdio), Revision::v2024_11_05);
  EXPECT_EQ(negotiate("2024-11-05", Transport::http), kNewestLegacy);
  for (const std::string_view name : {"2026-07-28", "1999-01-01", ""}) {
    EXPECT_EQ(negotiate(name, Transport::http), kNewestLegacy);
    EXPECT_EQ(negotiate(name, Transport::stdio), kNewestLegacy);
  }
}

TEST(Mcp_Notifications, AreNeverAnswered) {
  for (const std::string_view text :
       {R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
        R"({"jsonrpc":"2.0","method":"notifications/unheard-of"})"}) {
    Sent sent(text);
    EXPECT_STREQ(era(sent), "legacy");
    EXPECT_STREQ(era(sent.version("2026-07-28")), "modern");
    EXPECT_STREQ(era(sent.stdio()), "modern");
  }
  Sent wrong(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  wrong.version("2026-07-28").method("other");
  const Decision decision = wrong.decide();
  EXPECT_TRUE(std::get<Refusal>(decision).silent);
  EXPECT_EQ(std::get<Refusal>(decision).answer.code, -32020);
  EXPECT_EQ(std::get<Refusal>(decision).id, "");
}

TEST(Mcp_Responses, AreLegacyAlone) {
  const std::string_view text = R"({"jsonrpc":"2.0","id":3,"result":{}})";
  EXPECT_EQ(code(Sent(text).version("2026-07-28")), -32600);
  EXPECT_STREQ(era(Sent(text).negotiated(Revision::v2025_11_25)), "legacy");
  EXPECT_STREQ(era(Sent(text).stdio().negotiated(Revision::v2025_11_25)), "legacy");
  Sent lone(text);
  lone.stdio();
  const Decision decision = lone.decide();
  EXPECT_TRUE(std::get<Refusal>(decision).silent);
}

}  // namespace
}  // namespace interline::protocols::mcp
