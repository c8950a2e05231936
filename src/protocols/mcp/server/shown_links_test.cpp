#include "protocols/mcp/server/shown_links.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "tasks/event_body.hpp"

namespace interline::protocols::mcp::server {
namespace {

Asked view_of(std::string endpoint) {
  Asked asked;
  asked.endpoint = std::move(endpoint);
  return asked;
}

TEST(McpView_Links, AreThoseOfTheListsAndNothingElseIsTouched) {
  const auto shown = with_shown_links(view_of(""), "files",
                                      R"({"content" : [ {"uri":"file:///a" , "type":"resource_link",
 "name":"uri","n":1.0}, {"type":"text","text":"file:///a","uri":"file:///a"},
 {"type":"resource","resource":{"text":"\u00e9","uri":"file:///b"},"uri":"x:y"}],
 "structuredContent":{"type":"resource_link","uri":"file:///a"}})");
  EXPECT_EQ(shown, R"({"content" : [ {"uri":"interline:files/file:///a" , "type":"resource_link",
 "name":"uri","n":1.0}, {"type":"text","text":"file:///a","uri":"file:///a"},
 {"type":"resource","resource":{"text":"\u00e9","uri":"interline:files/file:///b"},"uri":"x:y"}],
 "structuredContent":{"type":"resource_link","uri":"file:///a"}})");
}

TEST(McpView_Links, OfPromptsAreShownToo) {
  EXPECT_EQ(with_shown_links(view_of(""), "a b",
                             R"({"messages":[{"role":"user","content":{"type":"resource",)"
                             R"("resource":{"uri":"x:1","text":""}}},{"role":"user","content":)"
                             R"({"type":"text","text":"resource"}}]})"),
            R"({"messages":[{"role":"user","content":{"type":"resource",)"
            R"("resource":{"uri":"interline:a%20b/x:1","text":""}}},{"role":"user","content":)"
            R"({"type":"text","text":"resource"}}]})");
}

TEST(McpView_Links, AreFoundHoweverTheyAreSpelled) {
  EXPECT_EQ(with_shown_links(view_of(""), "files",
                             R"({"content":[{"type":"\u0072esource_link","uri":"x:\u0031"}]})"),
            R"({"content":[{"type":"\u0072esource_link","uri":"interline:files/x:1"}]})");
}

TEST(McpView_Links, OfOneEndpointAreItsOwn) {
  constexpr auto kResult = R"({"content":[{"type":"resource_link","uri":"file:///a"}]})";
  EXPECT_FALSE(with_shown_links(view_of("files"), "files", kResult));
  EXPECT_TRUE(with_shown_links(view_of(""), "files", kResult));
}

TEST(McpView_Links, OfWhatIsNoneOfTheseAreNone) {
  for (const auto* const result :
       {R"({"content":[]})", R"({"content":"resource"})", R"({"content":[{"type":"resource"}]})",
        R"({"content":[{"type":"resource_link","uri":7}]})", R"(["resource"])",
        R"({"content":[{"type":"resource_link","uri":""}]})", R"({"messages":"resource"})"}) {
    EXPECT_FALSE(with_shown_links(view_of(""), "files", result)) << result;
  }
}

TEST(McpView_Links, OfATaskAreThoseOfItsEndpoint) {
  auto admission = std::make_shared<tasks::Admission>();
  admission->endpoint = "files";
  tasks::Task task;
  task.admission = admission;
  task.state = tasks::State::completed;
  task.outcome = tasks::completed_body(
      R"({"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]})", std::nullopt);
  const std::string before = task.outcome;
  show_links(view_of("files"), task);
  EXPECT_EQ(task.outcome, before);
  show_links(view_of(""), task);
  EXPECT_NE(task.outcome.find(R"("uri":"interline:files/file:///a","name":"a")"),
            std::string::npos);
}

}  // namespace
}  // namespace interline::protocols::mcp::server
