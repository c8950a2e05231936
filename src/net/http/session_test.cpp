// One connection: requests in their order, bodies, early answers, streams, errors.
#include "net/http/session.hpp"

#include <stdexcept>
#include <utility>

#include "net/http/session_fixture.hpp"

namespace interline::net::http {
namespace {

using testing::SessionTest;

std::string ok(std::string_view body, std::string_view more = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + std::string(more) + "\r\n" + std::string(body);
}

std::string plain(unsigned status, std::string_view more = "", bool keep = false) {
  const Response response = plain_response(status);
  return "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason_phrase(status)) +
         "\r\nContent-Type: text/plain; charset=utf-8\r\n" + std::string(more) +
         "Content-Length: " + std::to_string(response.body.size()) +
         (keep ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n") + response.body;
}

class HttpSession : public SessionTest {
 protected:
  HttpSession() {
    add_echo(Method::get, "/echo/{name}");
    add_echo(Method::post, "/echo/{name}");
  }
};

TEST_F(HttpSession, AnswersWithLengthAndDate) {
  EXPECT_EQ(exchange("GET /echo/a?x=1 HTTP/1.1\r\nHost: h\r\n\r\n"),
            ok("GET /echo/a name=a ?x=1\n"));
  EXPECT_EQ(notes_, std::vector<std::string>{"200 /echo/a"});
  EXPECT_EQ(session_context_->stats.requests, 1U);
  EXPECT_EQ(session_context_->stats.responses[2], 1U);
}

TEST_F(HttpSession, PipelinedRequestsAreAnsweredInTheirOrder) {
  std::string requests;
  std::string answers;
  for (int i = 0; i < 50; ++i) {
    const std::string name = std::to_string(i);
    requests += "GET /echo/" + name + " HTTP/1.1\r\nHost: h\r\n\r\n";
    requests += "POST /echo/" + name + " HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi";
    answers += ok("GET /echo/" + name + " name=" + name + "\n");
    answers += ok("POST /echo/" + name + " name=" + name + " [hi]\n");
  }
  EXPECT_EQ(exchange(requests), answers);
}

TEST_F(HttpSession, EverySplittingOfTheInputGivesTheSameAnswers) {
  const std::string requests =
      "\r\nPOST /echo/a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
      "POST /echo/b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n"
      "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n"
      "GET /echo/c HTTP/1.0\r\n\r\n";
  const std::string answers = ok("POST /echo/a name=a [hello]\n") +
                              ok("POST /echo/b name=b [abcde]\n") + plain(404, "", true) +
                              ok("GET /echo/c name=c\n", "Connection: close\r\n");
  for (std::size_t chunk = 1; chunk <= requests.size(); ++chunk) {
    PipeOptions pipe;
    pipe.chunk = chunk;
    EXPECT_EQ(exchange(requests, pipe), answers) << "chunk " << chunk;
  }
}

TEST_F(HttpSession, ARequestCutAnywhereIsNoRequestAndNoHang) {
  const std::string request = "POST /echo/a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello";
  for (std::size_t size = 0; size < request.size(); ++size) {
    EXPECT_EQ(exchange(request.substr(0, size)), "") << size;
  }
  EXPECT_TRUE(notes_.empty());
}

TEST_F(HttpSession, PersistenceFollowsVersionAndConnection) {
  const std::string first = "GET /echo/a HTTP/1.";
  const std::string second = "GET /echo/b HTTP/1.1\r\nHost: h\r\n\r\n";
  EXPECT_EQ(exchange(first + "1\r\nHost: h\r\nConnection: close\r\n\r\n" + second),
            ok("GET /echo/a name=a\n", "Connection: close\r\n"));
  EXPECT_EQ(exchange(first + "0\r\n\r\n" + second),
            ok("GET /echo/a name=a\n", "Connection: close\r\n"));
  EXPECT_EQ(exchange(first + "0\r\nConnection: keep-alive\r\n\r\n" + second),
            ok("GET /echo/a name=a\n", "Connection: keep-alive\r\n") + ok("GET /echo/b name=b\n"));
}

TEST_F(HttpSession, HeadHasTheLengthAndNotTheBody) {
  std::string expected = ok("HEAD /echo/a name=a\n");
  expected.resize(expected.size() - 20);
  EXPECT_EQ(exchange("HEAD /echo/a HTTP/1.1\r\nHost: h\r\n\r\n"
                     "GET /echo/b HTTP/1.1\r\nHost: h\r\n\r\n"),
            expected + ok("GET /echo/b name=b\n"));
  const std::string refused = plain(400);
  EXPECT_EQ(exchange("HEAD / HTTP/1.1\r\n\r\n"),
            refused.substr(0, refused.find("400 Bad Request\n")));
}

TEST_F(HttpSession, OptionsOfTheServerAndUnknownPathsAndMethods) {
  EXPECT_EQ(exchange("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(exchange("GET /no HTTP/1.1\r\nHost: h\r\n\r\n"), plain(404, "", true));
  EXPECT_EQ(exchange("PUT /echo/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"
                     "GET /echo/b HTTP/1.1\r\nHost: h\r\n\r\n"),
            plain(405, "Allow: GET, HEAD, POST\r\n", true) + ok("GET /echo/b name=b\n"));
}

TEST_F(HttpSession, OwnAnswersMayLookLikeTheApplications) {
  options_.refusal = [](unsigned status, const Request* request) {
    return Response(0, "application/json",
                    "{\"status\":" + std::to_string(status) +
                        (request != nullptr ? ",\"path\":\"" + request->path + "\"}" : "}"));
  };
  EXPECT_EQ(exchange("GET /no HTTP/1.1\r\nHost: h\r\n\r\nBAD"),
            "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n"
            "{\"status\":404,\"path\":\"/no\"}");
}

// Whatever cannot be understood is answered once, and nothing after it is taken for a request.
TEST_F(HttpSession, MalformedRequestsAreAnsweredOnceAndEndTheConnection) {
  const std::string smuggled = "GET /echo/smuggled HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::pair<unsigned, const char*> rows[] = {
      {400, "GET\r\n\r\n"},
      {400, "GET / HTTP/1.1\nHost: h\n\n"},
      {400, "GET /echo/a HTTP/1.1\r\n\r\n"},
      {400, "GET /echo/a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
      {400, "GET /echo/a HTTP/1.1\r\nHost : a\r\n\r\n"},
      {400, "GET /echo/a HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n"},
      {400, "GET /../a HTTP/1.1\r\nHost: a\r\n\r\n"},
      {400, "POST /echo/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"},
      {400,
       "POST /echo/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n"
       "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {400, "POST /echo/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"},
      {400, "POST /echo/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\n0\n\n"},
      {411, "POST /echo/a HTTP/1.0\r\n\r\n"},
      {417, "GET /echo/a HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\n\r\n"},
      {501,
       "POST /echo/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"},
      {501, "BREW /echo/a HTTP/1.1\r\nHost: h\r\n\r\n"},
      {505, "GET /echo/a HTTP/2.0\r\nHost: h\r\n\r\n"},
  };
  for (const auto& [status, request] : rows) {
    EXPECT_EQ(exchange(request + smuggled), plain(status)) << request;
  }
}

TEST_F(HttpSession, LimitsHaveTheirStatus) {
  options_.head.line = 200;
  options_.head.bytes = 2000;
  options_.head.fields = 5;
  EXPECT_EQ(exchange("GET /" + std::string(300, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n"), plain(414));
  EXPECT_EQ(exchange("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(3000, 'a') + "\r\n\r\n"),
            plain(431));
  EXPECT_EQ(exchange("GET / HTTP/1.1\r\nA:\r\nB:\r\nC:\r\nD:\r\nE:\r\nF:\r\n\r\n"), plain(431));
}

TEST_F(HttpSession, ABodyBeyondTheRoutesLimitIs413) {
  RouteOptions small;
  small.body_limit = 10;
  add_echo(Method::post, "/small", small);
  const std::string start = "POST /small HTTP/1.1\r\nHost: h\r\n";
  EXPECT_EQ(exchange(start + "Content-Length: 10\r\n\r\n0123456789"),
            ok("POST /small [0123456789]\n"));
  EXPECT_EQ(exchange(start + "Content-Length: 11\r\n\r\n0123456789a"), plain(413));
  EXPECT_EQ(exchange(start + "Content-Length: 99999999999999\r\n\r\n"), plain(413));
  EXPECT_EQ(exchange(start + "Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n"),
            ok("POST /small [0123456789]\n"));
  EXPECT_EQ(exchange(start + "Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n6789a\r\n"),
            plain(413));
  EXPECT_EQ(exchange(start + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"), plain(413))
      << "asked first, refused first";
}

TEST_F(HttpSession, BodiesOfAllConnectionsTogetherAreBounded) {
  options_.max_body_bytes = 100;
  EXPECT_EQ(exchange("POST /echo/a HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n"),
            plain(503, "Retry-After: 1\r\n"));
  EXPECT_EQ(exchange("POST /echo/a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"),
            ok("POST /echo/a name=a [hi]\n"));
  EXPECT_EQ(session_context_->stats.body_bytes_held, 0U);
}

TEST_F(HttpSession, ExpectContinueIsAnsweredBeforeTheBodyIsAwaited) {
  const std::string head =
      "POST /echo/a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  const auto talk = [](std::unique_ptr<Stream> stream,
                       std::string first) -> awaitable<std::string> {
    auto sent = co_await stream->write_all(first);
    EXPECT_TRUE(sent);
    const std::string expected = "HTTP/1.1 100 Continue\r\n\r\n";
    EXPECT_EQ(co_await net::testing::read_at_least(*stream, expected.size()), expected);
    sent = co_await stream->write_all("hi");
    sent = co_await stream->shutdown_write();
    const std::string answer = co_await net::testing::read_to_end(*stream);
    co_return testing::without_dates(answer);
  };
  EXPECT_EQ(net::testing::run(context_, talk(connect(), head)), ok("POST /echo/a name=a [hi]\n"));
  EXPECT_EQ(exchange(head + "hi"), ok("POST /echo/a name=a [hi]\n")) << "it did not wait";
}

awaitable<std::optional<Response>> guard_by_header(Request& request) {
  EXPECT_TRUE(request.body.empty()) << "a guard decides before the body";
  const auto key = request.fields.get("X-Key");
  if (!key) co_return Response(401, "text/plain", "who are you?\n");
  if (*key == "throw") throw std::runtime_error("guard broke");
  request.context = std::string(*key);
  co_return std::nullopt;
}

TEST_F(HttpSession, AGuardAnswersBeforeTheBodyAndPassesOnWhatItFound) {
  RouteOptions guarded;
  guarded.guard = guard_by_header;
  router_->add(
      Method::post, "/guarded",
      [](Request& request, Responder& responder) -> awaitable<void> {
        Response response(200, "text/plain",
                          std::any_cast<std::string>(request.context) + request.body);
        co_await responder.send(std::move(response));
      },
      guarded);
  const std::string start = "POST /guarded HTTP/1.1\r\nHost: h\r\n";
  const std::string next = "GET /echo/b HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string refused =
      "HTTP/1.1 401 Unauthorized\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n";
  EXPECT_EQ(exchange(start + "X-Key: k\r\nContent-Length: 2\r\n\r\nhi"), ok("khi"));
  EXPECT_EQ(exchange(start + "Content-Length: 2\r\n\r\nhi" + next),
            refused + "\r\nwho are you?\n" + ok("GET /echo/b name=b\n"))
      << "a small body is read over";
  EXPECT_EQ(exchange(start + "Content-Length: 70000\r\n\r\n" + std::string(70'000, 'x') + next),
            refused + "Connection: close\r\n\r\nwho are you?\n")
      << "a large one is not, and never taken for a request";
  EXPECT_EQ(exchange(start + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"),
            refused + "Connection: close\r\n\r\nwho are you?\n");
  EXPECT_EQ(exchange(start + "X-Key: throw\r\n\r\n"), plain(500, "", true));
  EXPECT_EQ(notes_.back(), "500 /guarded guard broke");
}

TEST_F(HttpSession, AHandlerThatThrowsOrForgetsIs500AndTheConnectionLives) {
  router_->add(Method::get, "/throws", [](Request&, Responder&) -> awaitable<void> {
    throw std::runtime_error("secret detail");
    co_return;
  });
  router_->add(Method::get, "/forgets", [](Request&, Responder&) -> awaitable<void> { co_return; });
  EXPECT_EQ(
      exchange("GET /throws HTTP/1.1\r\nHost: h\r\n\r\nGET /forgets HTTP/1.1\r\nHost: h\r\n\r\n"),
      plain(500, "", true) + plain(500, "", true));
  EXPECT_EQ(notes_, (std::vector<std::string>{"500 /throws secret detail",
                                              "500 /forgets the handler gave no answer"}));
}

TEST_F(HttpSession, WhatWouldBreakTheFramingIsNotSent) {
  router_->add(Method::get, "/bad/{kind}",
               [](Request& request, Responder& responder) -> awaitable<void> {
                 const std::string_view kind = request.parameter("kind");
                 Response response(kind == "status" ? 100U : 200U, "text/plain", "x");
                 if (kind == "value") response.fields.add("X", "a\r\nSet-Cookie: stolen=1");
                 if (kind == "name") response.fields.add("X: y\r\nZ", "a");
                 auto sent = co_await responder.send(std::move(response));
                 EXPECT_FALSE(sent);
                 EXPECT_EQ(sent.error().kind, ErrorKind::internal);
               });
  for (const char* kind : {"value", "name", "status"}) {
    EXPECT_EQ(exchange(std::string("GET /bad/") + kind + " HTTP/1.1\r\nHost: h\r\n\r\n"),
              plain(500, "", true));
  }
  router_->add(Method::get, "/own", [](Request&, Responder& responder) -> awaitable<void> {
    Response response(200, "text/plain", "x");
    response.fields.add("content-length", "99");
    response.fields.add("Transfer-Encoding", "chunked");
    response.fields.add("Connection", "close");
    co_await responder.send(std::move(response));
    Response again(200);
    auto second = co_await responder.send(std::move(again));
    EXPECT_FALSE(second) << "one response a request";
  });
  EXPECT_EQ(exchange("GET /own HTTP/1.1\r\nHost: h\r\n\r\n"), ok("x", "Connection: close\r\n"));
}

TEST_F(HttpSession, NoContentHasNoLength) {
  router_->add(Method::get, "/none", [](Request&, Responder& responder) -> awaitable<void> {
    Response response(204);
    response.body = "ignored";
    co_await responder.send(std::move(response));
  });
  EXPECT_EQ(exchange("GET /none HTTP/1.1\r\nHost: h\r\n\r\n"), "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_F(HttpSession, TheProxyThatIsTrustedNamesTheClient) {
  router_->add(Method::get, "/who", [](Request& request, Responder& responder) -> awaitable<void> {
    Response response(200, "text/plain",
                      (request.client ? request.client->to_string() : "nobody") +
                          (request.secure ? " secure " : " plain ") + request.peer->description);
    co_await responder.send(std::move(response));
  });
  EXPECT_EQ(exchange("GET /who HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n"),
            ok("nobody plain memory"));
}

}  // namespace
}  // namespace interline::net::http
