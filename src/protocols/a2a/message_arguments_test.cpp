#include "protocols/a2a/message_arguments.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::protocols::a2a {
namespace {

/// The arguments for a tool with that input schema, or the error's code.
std::string made(const std::string& schema, const std::string& parts,
                 const std::string& more = "") {
  const ToolInput input = tool_input(R"({"name":"t","inputSchema":)" + schema + more + "}");
  const auto document =
      json::parse(R"({"message":{"messageId":"m","role":"ROLE_USER","parts":)" + parts + "}}");
  const auto request = read_send(document->root());
  EXPECT_TRUE(request.has_value());
  const auto arguments = arguments_of(Edition::v1_0_1, input, request->message);
  return arguments ? *arguments : std::to_string(arguments.error().code);
}

constexpr const char* kCity = R"({"type":"object","properties":{"city":{"type":"string"},
    "days":{"type":"integer"}},"required":["city"]})";
constexpr const char* kTwo = R"({"type":"object","properties":{"a":{"type":"string"},
    "b":{"type":"string"}}})";

TEST(A2aArguments, ADataPartIsTheArgumentsWithItsOwnBytes) {
  EXPECT_EQ(made(kCity, R"([{"text":"see"},{"data":{"city": "Riga","n":1.0}}])"),
            R"({"city": "Riga","n":1.0})");
  EXPECT_EQ(made(kCity, R"([{"data":{}},{"data":{}}])"), "-32602");
  EXPECT_EQ(made(kCity, R"([{"data":[1]}])"), "-32602");
}

TEST(A2aArguments, ATextIsTheOneArgumentThatTakesIt) {
  EXPECT_EQ(made(kCity, R"([{"text":"Ri\"ga"}])"), R"({"city":"Ri\"ga"})");
  EXPECT_EQ(made(kCity, R"([{"text":"a"},{"text":"b"}])"), R"({"city":"a\nb"})");
  EXPECT_EQ(made(R"({"type":"object","properties":{"q":{"type":"string"}}})", R"([{"text":"a"}])"),
            R"({"q":"a"})");
}

TEST(A2aArguments, WhereNoArgumentOrSeveralTakeATextItIsRefused) {
  EXPECT_EQ(made(kTwo, R"([{"text":"a"}])"), "-32602");
  EXPECT_EQ(made(R"({"type":"object"})", R"([{"text":"a"}])"), "-32602");
  EXPECT_EQ(made(R"({"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}},
                     "required":["a","n"]})",
                 R"([{"text":"a"}])"),
            "-32602");
}

TEST(A2aArguments, OtherPartsAreNotTakenButByToolsThatTakeMessages) {
  EXPECT_EQ(made(kCity, R"([{"text":"a"},{"raw":"dGNr"}])"), "-32005");
  EXPECT_EQ(made(kCity, R"([{"url":"https://example.com/x"}])"), "-32005");
  EXPECT_EQ(made(kCity, R"([{"text":"a","mediaType":"text/html"}])"), "-32005");
  EXPECT_EQ(made(kCity, R"([{"text":"a","mediaType":"Text/Plain; charset=utf-8"}])"),
            R"({"city":"a"})");
  EXPECT_EQ(made(R"({"type":"object"})", R"([{"raw":"dGNr"}])",
                 R"(,"_meta":{"interline/a2a":{"message":"said"}})"),
            R"({"said":{"messageId":"m","role":"ROLE_USER","parts":[{"raw":"dGNr"}]}})");
}

}  // namespace
}  // namespace interline::protocols::a2a
