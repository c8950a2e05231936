#include "net/http/router.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "net/http/target.hpp"

namespace interline::net::http {
namespace {

awaitable<void> nothing(Request&, Responder&) {
  co_return;
}

class RouterTest : public ::testing::Test {
 protected:
  RouterTest() {
    for (const char* pattern :
         {"/", "/healthz", "/mcp", "/mcp/{name}", "/a2a/{name}", "/a2a/{name}/{tool}",
          "/a2a/fixed/x", "/v1/tasks/{id}", "/v1/tasks/{id}:cancel", "/v1/tasks/{id}:subscribe",
          "/console/{rest...}"}) {
      router_.add(Method::get, pattern, nothing);
    }
    router_.add(Method::post, "/mcp", nothing);
    router_.add(Method::delete_, "/mcp", nothing);
    router_.add(Method::post, "/v1/only", nothing);
  }

  // "PATTERN name=value", "404", "405 Allow".
  std::string find(std::string target, Method method = Method::get) {
    RequestHead head;
    head.method = method;
    head.target = std::move(target);
    head.fields.add("Host", "a");
    Request request;
    EXPECT_TRUE(parse_target(head, request));
    request.method = method;
    const Router::Match match = router_.find(request);
    if (match.route == nullptr) {
      EXPECT_EQ(match.allow.empty(), match.status == 404);
      return std::to_string(match.status) + (match.allow.empty() ? "" : " " + match.allow);
    }
    std::string text = match.route->pattern;
    for (const auto& [name, value] : request.parameters)
      text += " " + std::string(name) + "=" + value;
    return text;
  }

  Router router_;
};

TEST_F(RouterTest, PlainTextNamesEndingsAndRest) {
  EXPECT_EQ(find("/"), "/");
  EXPECT_EQ(find("/healthz"), "/healthz");
  EXPECT_EQ(find("/mcp/weather"), "/mcp/{name} name=weather");
  EXPECT_EQ(find("/a2a/weather/forecast.get"), "/a2a/{name}/{tool} name=weather tool=forecast.get");
  EXPECT_EQ(find("/v1/tasks/a%2Fb"), "/v1/tasks/{id} id=a/b");
  EXPECT_EQ(find("/v1/tasks/7:cancel"), "/v1/tasks/{id}:cancel id=7");
  EXPECT_EQ(find("/v1/tasks/7:other"), "/v1/tasks/{id} id=7:other");
  EXPECT_EQ(find("/v1/tasks/:cancel"), "/v1/tasks/{id} id=:cancel");
  EXPECT_EQ(find("/console/a/b/"), "/console/{rest...} rest=a/b/");
  EXPECT_EQ(find("/console/"), "/console/{rest...} rest=");
}

TEST_F(RouterTest, PlainTextIsPreferredAndABlindAlleyIsLeft) {
  EXPECT_EQ(find("/a2a/fixed/x"), "/a2a/fixed/x");
  EXPECT_EQ(find("/a2a/fixed/y"), "/a2a/{name}/{tool} name=fixed tool=y");
  EXPECT_EQ(find("/a2a/fixed"), "/a2a/{name} name=fixed");
}

TEST_F(RouterTest, EverythingElseIs404) {
  for (const char* target : {"/nothing", "/mcp/", "/mcp/a/b", "//", "/healthz/", "/v1", "/console",
                             "/a2a", "/a2a//x", "/v1/tasks/"}) {
    EXPECT_EQ(find(target), "404") << target;
  }
}

TEST_F(RouterTest, AnotherMethodIs405WithAllow) {
  EXPECT_EQ(find("/mcp", Method::put), "405 GET, HEAD, POST, DELETE");
  EXPECT_EQ(find("/v1/only", Method::get), "405 POST");
  EXPECT_EQ(find("/v1/only", Method::head), "405 POST");
}

TEST_F(RouterTest, GetServesHead) {
  EXPECT_EQ(find("/healthz", Method::head), "/healthz");
}

TEST_F(RouterTest, MistakesInTheTableAreFoundWhenItIsMade) {
  for (const char* pattern :
       {"", "a", "/{", "/{}", "/}", "/a{b}", "/{a}{b", "/{rest...}/a", "/{...}", "/{rest...}x",
        "/mcp", "/mcp/{other}", "/console/{other...}"}) {
    EXPECT_THROW(router_.add(Method::get, pattern, nothing), std::invalid_argument) << pattern;
  }
}

}  // namespace
}  // namespace interline::net::http
