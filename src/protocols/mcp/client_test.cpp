// MCP 2025-11-25 and older, the client's side.
#include "protocols/mcp/client.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {
namespace {

json::Document parse(std::string_view text) {
  auto document = json::parse(text, {}, json::Numbers::faithful);
  if (!document) throw std::runtime_error(json::to_string(document.error()));
  return *std::move(document);
}

TEST(Mcp_Lifecycle, TheNewestInitializedRevisionIsOffered) {
  EXPECT_EQ(initialize_params("1.2", false),
            R"({"protocolVersion":"2025-11-25","capabilities":{},)"
            R"("clientInfo":{"name":"interline","title":"Interline","version":"1.2"}})");
  EXPECT_NE(initialize_params("1.2", true).find(R"("capabilities":{"elicitation":{}})"),
            std::string::npos);
}

TEST(Mcp_Lifecycle, EveryRevisionThatIsSpokenIsAccepted) {
  for (const std::string_view version : kInitializedVersions) {
    const auto document =
        parse(R"({"protocolVersion":")" + std::string(version) +
              R"(","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"v"}})");
    const auto hello = read_initialize_result(document.root());
    ASSERT_TRUE(hello) << version;
    EXPECT_EQ(hello->version, version);
    EXPECT_EQ(hello->name, "n");
    EXPECT_EQ(hello->implementation_version, "v");
    EXPECT_TRUE(hello->has_tools);
  }
}

TEST(Mcp_Lifecycle, AnotherRevisionOrAnotherAnswerIsRefused) {
  const auto kind = [](std::string_view text) {
    const auto document = parse(text);
    const auto hello = read_initialize_result(document.root());
    return hello ? ErrorKind::internal : hello.error().kind;
  };
  EXPECT_EQ(kind(R"({"protocolVersion":"2026-07-28","capabilities":{}})"),
            ErrorKind::not_acceptable);
  EXPECT_EQ(kind(R"({"protocolVersion":"1999-01-01","capabilities":{}})"),
            ErrorKind::not_acceptable);
  EXPECT_EQ(kind(R"({"protocolVersion":7,"capabilities":{}})"), ErrorKind::malformed);
  EXPECT_EQ(kind(R"({"protocolVersion":"2025-11-25"})"), ErrorKind::malformed);
  EXPECT_EQ(kind("[]"), ErrorKind::malformed);
  EXPECT_EQ(kind("null"), ErrorKind::malformed);
  const auto document = parse(R"({"protocolVersion":"2024-11-05","capabilities":{}})");
  const auto hello = read_initialize_result(document.root());
  ASSERT_TRUE(hello) << "serverInfo is for display alone";
  EXPECT_FALSE(hello->has_tools);
}

TEST(Mcp_Tools, PagesKeepTheDefinitionsByteForByte) {
  EXPECT_EQ(list_params(""), "{}");
  EXPECT_EQ(list_params("a\"b"), R"({"cursor":"a\"b"})");
  const auto document =
      parse(R"({"tools":[{ "name":"a","inputSchema":{"n":1.0} },{}],"nextCursor":"c"})");
  const auto page = read_tools_page(document.root());
  ASSERT_TRUE(page);
  EXPECT_EQ(page->definitions,
            (std::vector<std::string_view>{R"({ "name":"a","inputSchema":{"n":1.0} })", "{}"}));
  EXPECT_EQ(page->next_cursor, "c");
  for (const std::string_view text : {R"({"tools":[]})", R"({"tools":[],"nextCursor":null})"}) {
    const auto last = parse(text);
    EXPECT_FALSE(read_tools_page(last.root())->next_cursor);
  }
  for (const std::string_view text :
       {"{}", R"({"tools":{}})", R"({"tools":["a"]})", R"({"tools":[],"nextCursor":7})"}) {
    const auto bad = parse(text);
    EXPECT_FALSE(read_tools_page(bad.root())) << text;
  }
}

TEST(Mcp_Tools, OnlyRequiredNeedsATask) {
  const auto needs = [](std::string_view text) {
    const auto document = parse(text);
    return needs_server_task(document.root());
  };
  EXPECT_TRUE(needs(R"({"execution":{"taskSupport":"required"}})"));
  EXPECT_FALSE(needs(R"({"execution":{"taskSupport":"optional"}})"));
  EXPECT_FALSE(needs(R"({"execution":{"taskSupport":"forbidden"}})"));
  EXPECT_FALSE(needs(R"({"execution":"required"})"));
  EXPECT_FALSE(needs("{}"));
}

TEST(Mcp_Tools, Call) {
  EXPECT_EQ(call_params("t", R"({"n":1.50})", "7"),
            R"({"name":"t","arguments":{"n":1.50},"_meta":{"progressToken":7}})");
}

TEST(Mcp_Progress, PercentWhereTheTotalIsKnownElseAMessage) {
  const auto read = [](const std::string& members) {
    const auto document = parse("{\"progressToken\":7," + members + "}");
    const auto progress = read_progress(document.root());
    if (!progress) return std::string("refused");
    EXPECT_EQ(progress->token, "7");
    return (progress->percent ? std::to_string(*progress->percent) : "-") + "|" + progress->message;
  };
  EXPECT_EQ(read(R"("progress":1,"total":4)"), "25.000000|");
  EXPECT_EQ(read(R"("progress":1,"total":4,"message":"m")"), "25.000000|m");
  EXPECT_EQ(read(R"("progress":9,"total":4)"), "100.000000|");
  EXPECT_EQ(read(R"("progress":-9,"total":4)"), "0.000000|");
  EXPECT_EQ(read(R"("progress":12.5)"), "-|12.5");
  EXPECT_EQ(read(R"("progress":12.5,"message":"m")"), "-|m");
  EXPECT_EQ(read(R"("progress":1,"total":0)"), "-|1");
  EXPECT_EQ(read(R"("progress":1e400,"total":1e400)"), "-|1e400");
  EXPECT_EQ(read(R"("progress":"1")"), "refused");
  EXPECT_EQ(read(R"("total":1)"), "refused");
}

TEST(Mcp_Logging, LevelsAreThoseOfRfc5424) {
  const auto document = parse(R"({"level":"alert","logger":"l","data":{"a":[1.0]}})");
  const auto line = read_log(document.root());
  ASSERT_TRUE(line);
  EXPECT_EQ(line->level, "alert");
  EXPECT_EQ(line->data, R"({"a":[1.0]})");
  const auto odd = parse(R"({"level":"loud","data":null})");
  EXPECT_EQ(read_log(odd.root())->level, "info");
  const auto bad = parse(R"({"level":"info"})");
  EXPECT_FALSE(read_log(bad.root()));
}

TEST(Mcp_Elicitation, FormsAlone) {
  const auto document = parse(R"({"message":"Who?","requestedSchema":{ "type":"object" }})");
  const auto asked = read_elicitation(document.root());
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->message, "Who?");
  EXPECT_EQ(asked->schema, R"({ "type":"object" })");
  const auto url = parse(R"({"mode":"url","message":"Who?","url":"https://a.example/"})");
  EXPECT_EQ(read_elicitation(url.root()).error().kind, ErrorKind::not_acceptable);
  const auto bad = parse(R"({"message":"Who?"})");
  EXPECT_EQ(read_elicitation(bad.root()).error().kind, ErrorKind::malformed);
  EXPECT_EQ(elicit_result("accept", R"({"name":"Ann"})"),
            R"({"action":"accept","content":{"name":"Ann"}})");
  EXPECT_EQ(elicit_result("decline", ""), R"({"action":"decline"})");
}

TEST(Mcp_Cancellation, NamesTheRequestAsItWas) {
  EXPECT_EQ(cancelled_params("7", ""), R"({"requestId":7})");
  EXPECT_EQ(cancelled_params("\"a\"", "late"), R"({"requestId":"a","reason":"late"})");
}

}  // namespace
}  // namespace interline::protocols::mcp
