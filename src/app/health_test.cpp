// What supervisors and load balancers ask, and how long they are made to wait.
#include "app/health.hpp"

#include <exception>
#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

namespace interline::app {
namespace {

namespace http = net::http;

class OneAnswer final : public http::Responder {
 public:
  net::awaitable<Result<void>> send(http::Response response) override {
    EXPECT_FALSE(answer) << "a second answer";
    answer = std::move(response);
    co_return Result<void>();
  }
  net::awaitable<Result<void>> begin(http::Response) override { co_return Result<void>(); }
  net::awaitable<Result<void>> write(std::string_view) override { co_return Result<void>(); }
  net::awaitable<Result<void>> end() override { co_return Result<void>(); }
  net::awaitable<Result<net::Stream*>> upgrade(std::string_view) override {
    co_return fail(ErrorKind::malformed, "not here");
  }
  void on_disconnect(std::function<void()> callback) override { callback_ = std::move(callback); }
  [[nodiscard]] bool disconnected() const override { return gone_; }

  /// As a connection does when the handler has returned.
  void forget() { callback_ = {}; }
  void disconnect() {
    gone_ = true;
    if (callback_) callback_();
  }

  std::optional<http::Response> answer;

 private:
  std::function<void()> callback_;
  bool gone_ = false;
};

class Ready : public ::testing::Test {
 protected:
  /// Asks `/readyz` until the handler has returned; how often it looked.
  int ask(const std::string& wait) {
    http::Router router;
    HealthSources sources;
    int asked = 0;
    sources.readiness = [&] {
      ++asked;
      if (asked == 1 && on_first_look) boost::asio::post(io_, on_first_look);
      Readiness now;
      now.ready = asked >= ready_at_look;
      now.details = now.ready ? R"({"ready":true,"endpoints":[]})" : R"({"ready":false,"why":"x"})";
      return now;
    };
    add_health_routes(router, sources, {});
    http::Request request;
    request.path = "/readyz";
    request.segments = {"readyz"};
    request.client = boost::asio::ip::make_address(client);
    request.host = host;
    if (!forwarded_for.empty()) request.fields.set("X-Forwarded-For", forwarded_for);
    net::Peer peer;
    peer.user = user;
    request.peer = &peer;
    if (!wait.empty()) request.query.emplace_back("wait", wait);
    const http::Router::Match match = router.find(request);
    EXPECT_NE(match.route, nullptr);
    boost::asio::co_spawn(io_, match.route->handler(request, responder),
                          [](const std::exception_ptr& failure) {
                            if (failure) std::rethrow_exception(failure);
                          });
    io_.run();
    responder.forget();
    return asked;
  }

  std::string client = "127.0.0.1";
  std::string host = "localhost:8080";
  std::string forwarded_for;
  std::optional<uid_t> user;  // of a Unix socket
  OneAnswer responder;
  int ready_at_look = 1'000'000;  // never
  std::function<void()> on_first_look;

 private:
  boost::asio::io_context io_{1};
};

TEST_F(Ready, WithoutAWaitIsSaidAtOnce) {
  EXPECT_EQ(ask(""), 1);
  EXPECT_EQ(responder.answer->status, 503U);
  EXPECT_EQ(responder.answer->body, R"({"ready":false,"why":"x"})"
                                    "\n");
  EXPECT_EQ(responder.answer->fields.get("Cache-Control"), "no-store");
}

TEST_F(Ready, WhatIsReadyWaitsForNothing) {
  ready_at_look = 1;
  EXPECT_EQ(ask("60"), 1);
  EXPECT_EQ(responder.answer->status, 200U);
}

TEST_F(Ready, AWaitEndsWithReadiness) {
  ready_at_look = 3;
  EXPECT_EQ(ask("60"), 3);
  EXPECT_EQ(responder.answer->status, 200U);
}

TEST_F(Ready, OtherMachinesHearOnlyWhether) {
  client = "192.0.2.7";
  ask("");
  EXPECT_EQ(responder.answer->status, 503U);
  EXPECT_EQ(responder.answer->body, "{\"ready\":false}\n");
}

TEST_F(Ready, WhatAProxyPassedOnHearsOnlyWhether) {
  forwarded_for = "192.0.2.7";
  ready_at_look = 1;
  ask("");
  EXPECT_EQ(responder.answer->status, 200U);
  EXPECT_EQ(responder.answer->body, "{\"ready\":true}\n");
}

TEST_F(Ready, ANameThatWasReboundToThisMachineHearsOnlyWhether) {
  host = "attacker.example";
  ask("");
  EXPECT_EQ(responder.answer->body, "{\"ready\":false}\n");
}

TEST_F(Ready, TheControlSocketHearsAll) {
  client = "192.0.2.7";
  user = 1000;
  ask("");
  EXPECT_EQ(responder.answer->body, "{\"ready\":false,\"why\":\"x\"}\n");
}

class NoNumber : public Ready, public ::testing::WithParamInterface<const char*> {};

TEST_P(NoNumber, IsNoWait) {
  EXPECT_EQ(ask(GetParam()), 1);
  EXPECT_EQ(responder.answer->status, 503U);
}

INSTANTIATE_TEST_SUITE_P(Waits, NoNumber,
                         ::testing::Values("-1", "x", "1s", "99999999999999999999", " 5", "0"));

TEST_F(Ready, NobodyWaitsForAClientThatHasGone) {
  on_first_look = [this] { responder.disconnect(); };  // while the handler waits
  EXPECT_EQ(ask("60"), 2);  // a minute of looking would be a thousand looks
}

}  // namespace
}  // namespace interline::app
