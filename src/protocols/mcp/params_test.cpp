// 2026-07-28 schema: params of each request. What is wrong is -32602.
#include "protocols/mcp/params.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using testing::parse;

template <class Read>
bool accepts(Read read, std::string_view text) {
  const auto document = parse(text);
  return read(document.root()).has_value();
}

TEST(Mcp_Params, CallsHaveANameAndPerhapsArguments) {
  const auto document =
      parse(R"({"name":"t","arguments":{"a":1.50},"requestState":"","inputResponses":{"k":{}}})");
  const auto call = read_call_params(document.root());
  ASSERT_TRUE(call);
  EXPECT_EQ(call->name, "t");
  EXPECT_EQ(call->arguments_text(), R"({"a":1.50})");
  EXPECT_EQ(call->retry.state, "");
  EXPECT_NE(call->retry.responses, nullptr);
  const auto bare = parse(R"({"name":"t","task":{"ttl":1}})");
  EXPECT_EQ(read_call_params(bare.root())->arguments_text(), "{}");
  EXPECT_FALSE(read_call_params(bare.root())->retry.state);
  for (const std::string_view text :
       {"{}", "null", R"({"name":7})", R"({"name":""})", R"({"name":"t","arguments":[]})",
        R"({"name":"t","arguments":null})", R"({"name":"t","inputResponses":[]})",
        R"({"name":"t","requestState":7})"}) {
    EXPECT_FALSE(accepts(read_call_params, text)) << text;
  }
  EXPECT_FALSE(accepts(read_call_params, R"({"name":")" + std::string(kMaxName + 1, 'x') + "\"}"));
}

TEST(Mcp_Params, ArgumentsOfPromptsAreStrings) {
  EXPECT_TRUE(accepts(read_prompt_params, R"({"name":"p","arguments":{"a":"b"}})"));
  EXPECT_FALSE(accepts(read_prompt_params, R"({"name":"p","arguments":{"a":1}})"));
}

TEST(Mcp_Params, AnEmptyCursorIsACursor) {
  const auto document = parse(R"({"cursor":""})");
  EXPECT_EQ(read_list_params(document.root())->cursor, "");
  EXPECT_TRUE(accepts(read_list_params, "{}"));
  EXPECT_FALSE(accepts(read_list_params, R"({"cursor":null})"));
  EXPECT_FALSE(
      accepts(read_list_params, R"({"cursor":")" + std::string(kMaxCursor + 1, 'x') + "\"}"));
}

TEST(Mcp_Params, CompletionNamesAPromptOrAResource) {
  const auto document = parse(R"({"ref":{"type":"ref/resource","uri":"a://{x}"},
      "argument":{"name":"x","value":""},"context":{"arguments":{"y":"z"}}})");
  const auto completion = read_completion_params(document.root());
  ASSERT_TRUE(completion);
  EXPECT_FALSE(completion->of_prompt);
  EXPECT_EQ(completion->ref, "a://{x}");
  EXPECT_EQ(completion->context->find("y")->as_string(), "z");
  for (const std::string_view text :
       {R"({"ref":{"type":"ref/tool","name":"t"},"argument":{"name":"a","value":"b"}})",
        R"({"ref":{"type":"ref/prompt"},"argument":{"name":"a","value":"b"}})",
        R"({"ref":{"type":"ref/prompt","name":"p"}})",
        R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a"}})",
        R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"b"},
            "context":{"arguments":{"c":1}}})"}) {
    EXPECT_FALSE(accepts(read_completion_params, text)) << text;
  }
}

TEST(Mcp_Subscriptions, TheFilterIsRequiredAndBounded) {
  const auto document = parse(R"({"notifications":{"toolsListChanged":true,
      "promptsListChanged":false,"resourceSubscriptions":["a://b","a://c","a://b"]}})");
  const auto filter = read_listen_params(document.root());
  ASSERT_TRUE(filter);
  EXPECT_TRUE(filter->tools_changed);
  EXPECT_FALSE(filter->prompts_changed);
  EXPECT_EQ(filter->resources, (std::vector<std::string_view>{"a://b", "a://c"}));
  EXPECT_TRUE(accepts(read_listen_params, R"({"notifications":{}})"));
  std::string many = R"({"notifications":{"taskIds":["a")";
  for (std::size_t i = 0; i < kMaxListened; ++i) many += R"(,"a")";
  for (const std::string& text :
       {std::string("{}"), std::string(R"({"notifications":[]})"),
        std::string(R"({"notifications":{"toolsListChanged":1}})"),
        std::string(R"({"notifications":{"taskIds":"a"}})"),
        std::string(R"({"notifications":{"resourceSubscriptions":[7]}})"), many + "]}}"}) {
    EXPECT_FALSE(accepts(read_listen_params, text)) << text.substr(0, 60);
  }
}

TEST(Mcp_Tasks, UpdateHasResponses) {
  EXPECT_TRUE(accepts(read_task_update_params, R"({"taskId":"T","inputResponses":{}})"));
  EXPECT_FALSE(accepts(read_task_update_params, R"({"taskId":"T"})"));
  EXPECT_FALSE(accepts(read_task_update_params, R"({"taskId":"T","inputResponses":[]})"));
  EXPECT_FALSE(accepts(read_task_params, R"({"taskId":7})"));
}

TEST(Mcp_Params, CancelledNamesARequestAsItWasWritten) {
  const auto document = parse(R"({"requestId":"7","reason":"r"})");
  EXPECT_EQ(read_cancelled_params(document.root())->request, "\"7\"");
  EXPECT_FALSE(accepts(read_cancelled_params, "{}"));
  EXPECT_FALSE(accepts(read_cancelled_params, R"({"requestId":null})"));
}

TEST(Mcp_Params, LegacyOnesAreRead) {
  const auto level = parse(R"({"level":"notice"})");
  EXPECT_EQ(read_level_params(level.root()), "notice");
  EXPECT_FALSE(accepts(read_level_params, R"({"level":"loud"})"));
  EXPECT_TRUE(accepts(read_initialize_params, R"({"protocolVersion":"x","capabilities":{}})"));
  EXPECT_FALSE(accepts(read_initialize_params, R"({"protocolVersion":"x"})"));
  EXPECT_TRUE(accepts(read_resource_params, R"({"uri":"a://b"})"));
  EXPECT_FALSE(accepts(read_resource_params, R"({"uri":""})"));
}

Digest salient(std::string_view method, std::string_view params) {
  const auto document = parse(params);
  return salient_digest(method, document.root());
}

TEST(Mcp_Mrtr, OnlyWhatTheResultDependsOnIsSalient) {
  const Digest first = salient("tools/call", R"({"name":"t","arguments":{"a":1,"b":2}})");
  EXPECT_EQ(first, salient("tools/call", R"({"_meta":{"x":1},"arguments":{"b":2.0,"a":1},
      "name":"t","requestState":"s","inputResponses":{}})"));
  EXPECT_NE(first, salient("tools/call", R"({"name":"u","arguments":{"a":1,"b":2}})"));
  EXPECT_NE(first, salient("tools/call", R"({"name":"t","arguments":{"a":1}})"));
  EXPECT_NE(first, salient("tools/call", R"({"name":"t"})"));
  EXPECT_NE(first, salient("prompts/get", R"({"name":"t","arguments":{"a":1,"b":2}})"));
  EXPECT_NE(salient("resources/read", R"({"uri":"a"})"),
            salient("resources/read", R"({"name":"a"})"));
}

}  // namespace
}  // namespace interline::protocols::mcp
