#include "app/consent_receiver.hpp"

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include "net/http/client.hpp"

namespace interline::app {
namespace {

constexpr std::chrono::minutes kHung{5};

/// A browser's visits, and what each was answered.
net::awaitable<std::vector<unsigned>> visit(const net::Executor& executor,
                                            std::vector<std::string> urls) {
  net::http::Client client(executor, net::http::ClientOptions());
  std::vector<unsigned> statuses;
  for (std::string& url : urls) {
    net::http::FetchRequest request(net::http::Method::get, std::move(url));
    const auto response = co_await client.fetch(std::move(request));
    statuses.push_back(response ? response->status : 0);
  }
  co_return statuses;
}

TEST(ConsentReceiver, TakesTheAnswerToOurRequestAndNothingElse) {
  boost::asio::io_context io;
  const auto receiver = ConsentReceiver::open(io.get_executor());
  ASSERT_TRUE(receiver);
  const std::string back = (*receiver)->redirect_uri();
  EXPECT_TRUE(back.starts_with("http://127.0.0.1:"));
  std::optional<Result<std::string>> answer;
  std::vector<unsigned> statuses;
  const auto work = [&]() -> net::awaitable<void> {
    std::vector<std::string> urls = {back + "?code=x&state=other", back + "?code=x", back,
                                     back + "?code=c&state=ours", back + "?code=d&state=ours"};
    statuses = co_await visit(io.get_executor(), std::move(urls));
  };
  const auto waiting = [&]() -> net::awaitable<void> {
    std::string sent_to = "https://as.example/authorize?client_id=a&state=ours";
    answer = co_await (*receiver)->wait(std::move(sent_to), kHung);
    co_await (*receiver)->close();
  };
  boost::asio::co_spawn(io, waiting(), boost::asio::detached);
  boost::asio::co_spawn(io, work(), boost::asio::detached);
  io.run();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ(**answer, back + "?code=c&state=ours");
  ASSERT_GE(statuses.size(), 4U);
  statuses.resize(4);
  EXPECT_EQ(statuses, (std::vector<unsigned>{400, 400, 400, 200}));
}

TEST(ConsentReceiver, WaitsNoLongerThanItIsTold) {
  boost::asio::io_context io;
  const auto receiver = ConsentReceiver::open(io.get_executor());
  ASSERT_TRUE(receiver);
  std::optional<Result<std::string>> answer;
  const auto waiting = [&]() -> net::awaitable<void> {
    std::string sent_to = "https://as.example/authorize?state=ours";
    answer = co_await (*receiver)->wait(std::move(sent_to), std::chrono::milliseconds(1));
    co_await (*receiver)->close();
  };
  boost::asio::co_spawn(io, waiting(), boost::asio::detached);
  io.run();
  ASSERT_TRUE(answer && !*answer);
  EXPECT_EQ(answer->error().reason, ErrorReason::expired);
}

}  // namespace
}  // namespace interline::app
