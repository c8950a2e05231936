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

/// A tool and a prompt that answer with a word, so that it is known whose they are.
std::string agent_of(const std::string& thing, const std::string& word) {
  return "[agent]\nname = \"" + word + "\"\nversion = \"1\"\n[[tool]]\nname = \"" + thing +
         "\"\nsteps = [ { text = \"" + word + "\" } ]\n[[prompt]]\nname = \"" + thing +
         "\"\nmessages = [ { user = \"" + word + "\" } ]\n";
}

/// Endpoints "a", whose things are "b.c" and "c d", and "a.b", whose thing is "c".
class McpNames : public McpViews {
 protected:
  void serve_both(const std::string& visible) {
    write("short.toml", agent_of("b.c", "short"));
    write("long.toml", agent_of("c", "long"));
    write("odd.toml", agent_of("c d", "odd"));
    std::string text = "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [" + visible +
                       "]\nvisible = true\ninvoke = [\"*\"]\n";
    for (const auto& [name, file] :
         {std::pair("a", "short"), std::pair("a.b", "long"), std::pair("odd", "odd")}) {
      text.append("[[endpoint]]\nname = \"").append(name);
      text.append("\"\nruntime = { kind = \"script\", file = \"").append(file);
      text.append(".toml\" }\n");
    }
    configure(text);
    start();
    for (int i = 0; i < 3; ++i) until("an endpoint is served");
  }
  [[nodiscard]] std::string said_by(const std::string& tool) const {
    return unquoted(send(call_of(tool)).at("/result/content/0/text"));
  }
  [[nodiscard]] std::string said_by_prompt(const std::string& name) const {
    McpRequest request;
    request.method = "prompts/get";
    request.name = name;
    request.params = R"("name":")" + name + '"';
    return unquoted(send(request).at("/result/messages/0/content/text"));
  }
};

TEST_F(McpNames, M074_ANameIsOfItsEndpointAndToolWhateverElseIsThere) {
  serve_both(R"("a", "a.b")");
  const McpReply tools = ask("tools/list", "/mcp");
  EXPECT_THAT(tools.last(), HasSubstr(R"("name":"a.b.c")"));
  EXPECT_THAT(tools.last(), HasSubstr(R"("name":"a..b.c")"));
  EXPECT_EQ(said_by("a.b.c"), "short");
  EXPECT_EQ(said_by("a..b.c"), "long");
  const McpReply prompts = ask("prompts/list", "/mcp");
  EXPECT_THAT(prompts.last(), HasSubstr(R"("name":"a.b.c")"));
  EXPECT_THAT(prompts.last(), HasSubstr(R"("name":"a..b.c")"));
  EXPECT_EQ(said_by_prompt("a.b.c"), "short");
  EXPECT_EQ(said_by_prompt("a..b.c"), "long");
}

TEST_F(McpNames, M074_ANameIsTheSameForWhoSeesTheOtherAndWhoDoesNot) {
  serve_both(R"("a.b", "odd")");
  EXPECT_EQ(ask("tools/list", "/mcp").at("/result/tools/0/name"), R"("a..b.c")");
  EXPECT_EQ(ask("prompts/list", "/mcp").at("/result/prompts/0/name"), R"("a..b.c")");
  // The other's name is nobody's here, and stays so.
  EXPECT_EQ(send(call_of("a.b.c")).at("/error/code"), "-32602");
  EXPECT_EQ(said_by_prompt("a.b.c"), "");
  EXPECT_EQ(said_by("a..b.c"), "long");
}

TEST_F(McpNames, AToolOrPromptOfANameThatIsNoneIsFoundByItsDigits) {
  serve_both(R"("odd")");
  const std::string tool = unquoted(ask("tools/list", "/mcp").at("/result/tools/0/name"));
  const std::string prompt = unquoted(ask("prompts/list", "/mcp").at("/result/prompts/0/name"));
  EXPECT_THAT(tool, ::testing::StartsWith("odd.c_d-"));
  EXPECT_EQ(said_by(tool), "odd");
  EXPECT_EQ(said_by_prompt(prompt), "odd");
  EXPECT_EQ(send(call_of("odd.c_d-0123456789abcdef")).at("/error/code"), "-32602");
  EXPECT_EQ(said_by_prompt("odd.c_d-0123456789abcdef"), "");
  const std::string own = unquoted(ask("tools/list", "/mcp/odd").at("/result/tools/0/name"));
  McpRequest request = call_of(own);
  request.path = "/mcp/odd";
  EXPECT_EQ(send(request).at("/result/content/0/text"), R"("odd")");
}

}  // namespace
}  // namespace interline::testing
