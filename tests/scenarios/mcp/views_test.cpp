// What of an agent a principal finds: nothing that it may not use, under names that lead back.
#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kAgent = R"(
[agent]
name = "library"
version = "1"

[[tool]]
name = "read"
steps = [ { text = "A page." } ]

[[tool]]
name = "burn"
input_schema = { type = "object", properties = { why = { type = "string" } }, required = ["why"] }
annotations = { destructiveHint = true }
steps = [ { text = "Ashes." } ]

[[tool]]
name = "later"
task = "required"
steps = [ { text = "Soon." } ]

[[tool]]
name = "cite"
steps = [
  { resource_link = { uri = "book:open", name = "open" } },
  { resource = { uri = "book:open", text = "Once upon a time." } },
]

[[prompt]]
name = "open"
messages = [ { user = { resource = { uri = "book:open", text = "Once." } } } ]

[[prompt]]
name = "closed"
messages = [ { user = "Close it." } ]

[[resource]]
uri = "book:open"
name = "open"
text = "Once upon a time."

[[resource]]
uri = "book:closed"
name = "closed"
text = "The end."

[[resource_template]]
uri_template = "book:closed/{page}"
name = "pages"
text = "${variables.page}"
)";

class McpViews : public McpTest {
 protected:
  void serve_library(const std::string& invoke) {
    write("library.toml", kAgent);
    configure(
        "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"library\"]\nvisible = true\n"
        "invoke = " +
        invoke +
        "\n[[endpoint]]\nname = \"library\"\n"
        "runtime = { kind = \"script\", file = \"library.toml\" }\n");
    start();
    until("an endpoint is served");
  }
  [[nodiscard]] McpReply ask(const std::string& method, const std::string& path) const {
    McpRequest request;
    request.method = method;
    request.path = path;
    return send(request);
  }
};

TEST_F(McpViews, AToolIsListedWhereItMayBeCalledItself) {
  serve_library(R"(["read", "prompt:open", "resource:book:open"])");
  const McpReply all = ask("tools/list", "/mcp");
  EXPECT_EQ(all.at("/result/tools/0/name"), R"("library.read")");
  EXPECT_EQ(all.at("/result/tools/1"), "");
  const McpReply own = ask("tools/list", "/mcp/library");
  EXPECT_EQ(own.at("/result/tools/0/name"), R"("read")");
  EXPECT_EQ(own.at("/result/tools/1"), "");
}

TEST_F(McpViews, M020_NothingOfAToolThatMayNotBeCalledIsTold) {
  serve_library(R"(["read"])");
  const McpReply absent = send(call_of("library.absent"));
  EXPECT_EQ(absent.at("/error/code"), "-32602");
  // Its arguments are not checked, nor what it needs of the client.
  EXPECT_EQ(send(call_of("library.burn")).last(), absent.last());
  EXPECT_EQ(send(call_of("library.later")).last(), absent.last());
  EXPECT_EQ(send(call_of("library.read")).at("/result/content/0/text"), R"("A page.")");
}

TEST_F(McpViews, ALinkInAResultCanBeReadWhereItIsShown) {
  serve_library(R"(["cite", "prompt:open", "resource:book:open"])");
  for (const std::string path : {"/mcp", "/mcp/library"}) {
    McpRequest request = call_of(path == "/mcp" ? "library.cite" : "cite");
    request.path = path;
    const McpReply cited = send(request);
    const std::string link = cited.at("/result/content/0/uri");
    EXPECT_EQ(link, ask("resources/list", path).at("/result/resources/0/uri")) << cited.last();
    EXPECT_EQ(cited.at("/result/content/1/resource/uri"), link);
    McpRequest reading;
    reading.method = "resources/read";
    reading.path = path;
    reading.name = unquoted(link);
    reading.params = "\"uri\":" + link;
    EXPECT_EQ(send(reading).at("/result/contents/0/text"), R"("Once upon a time.")");
    McpRequest prompt;
    prompt.method = "prompts/get";
    prompt.path = path;
    prompt.name = path == "/mcp" ? "library.open" : "open";
    prompt.params = R"("name":")" + prompt.name + '"';
    EXPECT_EQ(send(prompt).at("/result/messages/0/content/resource/uri"), link);
  }
}

TEST_F(McpViews, PromptsAndResourcesAreListedWhereTheyMayBeUsed) {
  serve_library(R"(["read", "prompt:open", "resource:book:open"])");
  for (const std::string path : {"/mcp", "/mcp/library"}) {
    EXPECT_THAT(ask("prompts/list", path).last(), HasSubstr("open"));
    EXPECT_THAT(ask("prompts/list", path).last(), Not(HasSubstr("closed")));
    EXPECT_THAT(ask("resources/list", path).last(), HasSubstr("book:open"));
    EXPECT_THAT(ask("resources/list", path).last(), Not(HasSubstr("book:closed")));
    EXPECT_EQ(ask("resources/templates/list", path).at("/result/resourceTemplates"), "[]");
  }
}

}  // namespace
}  // namespace interline::testing
