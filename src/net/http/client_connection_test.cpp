// One exchange against scripted bytes.
#include "net/http/client_connection.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include "net/errors.hpp"
#include "net/pipe_stream.hpp"
#include "net/test_support.hpp"

namespace interline::net::http {
namespace {

using net::testing::read_to_end;
using net::testing::run;
using net::testing::spawn;

awaitable<void> answer(std::unique_ptr<Stream> server, std::string bytes, std::string& request) {
  auto sent = co_await server->write_all(bytes);
  if (sent) co_await server->shutdown_write();
  request = co_await read_to_end(*server);
}

// "STATUS body", then "+" where the connection may be used again; or the error's message.
awaitable<std::string> ask(std::unique_ptr<Stream> client, ClientRequest request,
                           std::size_t limit) {
  ClientConnection connection(std::move(client));
  auto head = co_await connection.exchange(request);
  if (!head) co_return std::string(to_string(head.error().kind)) + ": " + head.error().message;
  auto body = co_await connection.read_whole_body(limit);
  if (!body) co_return std::string(to_string(body.error().kind)) + ": " + body.error().message;
  co_return std::to_string(head->status) + " " + *body;
}

class HttpClientConnection : public ::testing::Test {
 protected:
  HttpClientConnection() { request_.host = "h"; }

  std::string exchange(std::string_view response, const PipeOptions& pipe = {}) {
    asio::io_context context{1};
    auto [client, server] = make_pipe(context.get_executor(), pipe);
    spawn(context.get_executor(), answer(std::move(server), std::string(response), sent_));
    std::string result = run(context, ask(std::move(client), request_, limit_));
    context.restart();
    context.run();  // until the server has read what was sent
    return result;
  }

  ClientRequest request_;
  std::size_t limit_ = 1'000'000;
  std::string sent_;
};

TEST_F(HttpClientConnection, RequestsHaveHostAndLength) {
  request_.fields.add("Accept", "*/*");
  request_.fields.add("content-length", "99");
  exchange("HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(sent_, "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n");
  request_.method = Method::post;
  request_.target = "/a?b";
  request_.body = "hello";
  exchange("HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(sent_,
            "POST /a?b HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nContent-Length: 5\r\n\r\nhello");
  request_.body.clear();
  exchange("HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_TRUE(sent_.ends_with("Content-Length: 0\r\n\r\n"));
}

TEST_F(HttpClientConnection, BodiesOfEveryKindHoweverTheyArrive) {
  const std::pair<const char*, const char*> rows[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "200 hello"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nT: "
       "x\r\n\r\n",
       "200 hello"},
      {"HTTP/1.0 200 OK\r\n\r\nhello", "200 hello"},
      {"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "404 "},
      {"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", "304 "},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
       "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
       "200 ok"},
  };
  for (const auto& [response, expected] : rows) {
    for (const std::size_t chunk : {1U, 2U, 7U, 1000U}) {
      PipeOptions pipe;
      pipe.chunk = chunk;
      EXPECT_EQ(exchange(response, pipe), expected) << response;
    }
  }
  request_.method = Method::head;
  EXPECT_EQ(exchange("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), "200 ");
}

TEST_F(HttpClientConnection, WhatIsCutIsAnErrorAtEveryByte) {
  for (const std::string& response :
       {std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
        std::string(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")}) {
    for (std::size_t size = 0; size < response.size(); ++size) {
      EXPECT_EQ(exchange(response.substr(0, size)),
                "unavailable: the connection ended within the HTTP response")
          << size;
    }
  }
}

TEST_F(HttpClientConnection, WhatIsMalformedIsRefused) {
  for (const char* response :
       {"SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n"}) {
    EXPECT_TRUE(exchange(response).starts_with("malformed: the HTTP response has ")) << response;
  }
  std::string endless;
  for (int i = 0; i < 20; ++i) endless += "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_TRUE(exchange(endless).starts_with("malformed: "));
  EXPECT_TRUE(exchange("HTTP/1.1 200 " + std::string(40'000, 'x')).starts_with("malformed: "));
}

TEST_F(HttpClientConnection, ABodyBeyondTheLimitIsTooLarge) {
  limit_ = 4;
  const std::string too_large = "resource_constraint: the body of the HTTP response is too large";
  EXPECT_EQ(exchange("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), too_large);
  EXPECT_EQ(exchange("HTTP/1.1 200 OK\r\n\r\n" + std::string(300'000, 'x')), too_large);
  EXPECT_EQ(exchange("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhell"), "200 hell");
}

TEST_F(HttpClientConnection, RequestsThatWouldBeTwoAreNotSent) {
  const auto refused = [&] {
    const std::string result = exchange("HTTP/1.1 204 No Content\r\n\r\n");
    return result.starts_with("malformed: the HTTP request") && sent_.empty();
  };
  request_.fields.add("X", "a\r\nY: b");
  EXPECT_TRUE(refused());
  request_.fields.clear();
  request_.target = "/a HTTP/1.1\r\n\r\nGET /b";
  EXPECT_TRUE(refused());
  request_.target = "/";
  request_.host = "h\r\nX: y";
  EXPECT_TRUE(refused());
}

awaitable<void> answer_early(std::unique_ptr<Stream> server) {
  auto sent =
      co_await server->write_all("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
  EXPECT_TRUE(sent);
  server->close();
}

TEST_F(HttpClientConnection, AnAnswerToABodyThatWasNotReadIsStillTheAnswer) {
  asio::io_context context{1};
  auto [client, server] = make_pipe(context.get_executor());
  request_.method = Method::post;
  request_.body = std::string(1'000'000, 'x');
  spawn(context.get_executor(), answer_early(std::move(server)));
  EXPECT_EQ(run(context, ask(std::move(client), request_, 100)), "413 no");
}

awaitable<void> exchange_twice(std::unique_ptr<Stream> client, ClientRequest request) {
  ClientConnection connection(std::move(client));
  EXPECT_FALSE(connection.reusable()) << "nothing was asked yet";
  auto head = co_await connection.exchange(request);
  EXPECT_TRUE(head);
  EXPECT_FALSE(connection.reusable()) << "its body is unread";
  auto body = co_await connection.read_whole_body(100);
  EXPECT_EQ(body, "one");
  EXPECT_TRUE(connection.answered());
  head = co_await connection.exchange(request);
  EXPECT_TRUE(head);
  auto piece = co_await connection.read_body();
  EXPECT_EQ(piece, "two");
  EXPECT_FALSE(connection.reusable()) << "it said close";
  piece = co_await connection.read_body();
  EXPECT_EQ(piece, "");
  piece = co_await connection.read_body();
  EXPECT_EQ(piece, "");
}

TEST_F(HttpClientConnection, ResponsesFollowEachOther) {
  asio::io_context context{1};
  auto [client, server] = make_pipe(context.get_executor());
  spawn(context.get_executor(),
        answer(std::move(server),
               "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
               "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntwo",
               sent_));
  run(context, exchange_twice(std::move(client), request_));
}

}  // namespace
}  // namespace interline::net::http
