// Work of one coroutine on another strand; what a cancellation may and may not touch.
#include "net/run_on.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <gtest/gtest.h>

namespace interline::net {
namespace {

/// Two executors that run only when the test says so.
class Net_RunOn : public ::testing::Test {
 protected:
  static std::size_t turn(asio::io_context& context) {
    context.restart();
    return context.poll();
  }
  /// The caller hears it at home.
  void cancel() {
    signal_->emit(asio::cancellation_type::terminal);
    turn(home_);
  }
  /// Begins `work` elsewhere for a caller at home that `signal` cancels.
  template <class T>
  void begin(awaitable<T> work) {
    asio::co_spawn(
        home_, run_on(Executor(elsewhere_.get_executor()), std::move(work)),
        asio::bind_cancellation_slot(signal_->slot(), [this](std::exception_ptr error, T) {
          ended_ = true;
          error_ = std::move(error);
        }));
    turn(home_);
  }

  asio::io_context home_;
  asio::io_context elsewhere_;
  std::unique_ptr<asio::cancellation_signal> signal_ =
      std::make_unique<asio::cancellation_signal>();
  bool ended_ = false;
  std::exception_ptr error_;
};

awaitable<std::string> say(std::string what) {
  co_return what;
}

awaitable<int> wait_for_ever(asio::io_context& context, bool& aborted) {
  asio::steady_timer timer(context, asio::steady_timer::time_point::max());
  const auto [error] = co_await timer.async_wait(use_tuple);
  aborted = error == asio::error::operation_aborted;
  co_return 1;
}

awaitable<int> throw_up() {
  throw std::runtime_error("no");
  co_return 1;
}

TEST_F(Net_RunOn, RunsThereAndComesBackHere) {
  begin(say("done"));
  EXPECT_FALSE(ended_);
  turn(elsewhere_);
  EXPECT_FALSE(ended_);
  turn(home_);
  EXPECT_TRUE(ended_);
  EXPECT_FALSE(error_);
}

TEST_F(Net_RunOn, WhatItThrowsComesBackToo) {
  begin(throw_up());
  turn(elsewhere_);
  turn(home_);
  EXPECT_THROW(std::rethrow_exception(error_), std::runtime_error);
}

TEST_F(Net_RunOn, ACancellationReachesTheWork) {
  bool aborted = false;
  begin(wait_for_ever(elsewhere_, aborted));
  turn(elsewhere_);
  cancel();
  EXPECT_FALSE(aborted);
  turn(elsewhere_);
  EXPECT_TRUE(aborted);
  turn(home_);
  EXPECT_TRUE(ended_);
}

TEST_F(Net_RunOn, ACancellationThatComesTooLateTouchesNothing) {
  begin(say("done"));
  elsewhere_.poll_one();
  cancel();  // waits elsewhere behind the end of the work
  while (!ended_) {
    elsewhere_.restart();
    ASSERT_EQ(elsewhere_.poll_one(), 1U);
    turn(home_);
  }
  signal_.reset();  // with all that was the caller's own
  EXPECT_EQ(turn(elsewhere_), 1U);
}

}  // namespace
}  // namespace interline::net
