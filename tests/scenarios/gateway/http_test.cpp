// Who may ask what over HTTP, and what check says of a configuration.
#include <gmock/gmock.h>

#include "gateway_process.hpp"
#include "http_exchange.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Http : public GatewayTest {};

TEST_F(Http, Metrics_AreForThisMachineAndForOperators) {
  configure("");
  start();
  const std::string metrics = get("/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("# TYPE interline_commit_group_size histogram"));
  EXPECT_THAT(metrics, HasSubstr("interline_http_requests_total{listener=\"http\"} 1\n"));
  // What a proxy passed on comes from anywhere.
  EXPECT_EQ(get("/metrics", "X-Forwarded-For: 203.0.113.7\r\n").status, 404);
  EXPECT_EQ(local("GET", "/metrics").status, 200);
}

TEST_F(Http, Metrics_AreNotForAPageWhoseNameResolvesToThisMachine) {
  configure("");
  start();
  const auto named = [this](const std::string& host) {
    std::string answer;
    exchange(address(), "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n",
             [&answer](const std::string& all) {
               answer = all;
               return true;
             });
    return answer.substr(0, answer.find("\r\n"));
  };
  EXPECT_EQ(named("localhost"), "HTTP/1.1 200 OK");
  EXPECT_EQ(named(address()), "HTTP/1.1 200 OK");
  EXPECT_THAT(named("evil.example"), HasSubstr("404"));
  EXPECT_THAT(named("evil.example" + address().substr(address().rfind(':'))), HasSubstr("404"));
}

TEST_F(Http, Origin_OfAPageThatIsNotAllowedIsRefused) {
  write("interline.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\nallowed_origins = [\"https://good.example\"]\n");
  start();
  EXPECT_EQ(get("/healthz", "Origin: https://evil.example\r\n").status, 403);
  EXPECT_EQ(get("/healthz", "Origin: https://good.example\r\n").status, 200);
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(Http, ControlRoutes_AreNotOnTheOpenListener) {
  configure("");
  start();
  EXPECT_EQ(get("/v1/status").status, 404);
  EXPECT_EQ(local("GET", "/v1/status").status, 200);
}

TEST_F(Http, Check_SaysEveryMistakeWithItsLine) {
  write("interline.toml", "[gateway]\ntitel = \"x\"\n[tasks]\ndrain = 5\n");
  const Ended checked = run_program("check", folder());
  EXPECT_EQ(checked.code, 2);
  EXPECT_THAT(checked.err, HasSubstr("interline.toml:2: [gateway] has an unknown key: titel; did "
                                     "you mean title?"));
  EXPECT_THAT(checked.err, HasSubstr("interline.toml:4: [tasks] drain is wrong"));
  const Ended served = run_program("serve", folder());
  EXPECT_EQ(served.code, 2);
  EXPECT_EQ(served.err, checked.err);
}

TEST_F(Http, Check_GoodConfigurationIsInOrder) {
  configure("");
  const Ended checked = run_program("check", folder());
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.err, "");
}

}  // namespace
}  // namespace interline::testing
