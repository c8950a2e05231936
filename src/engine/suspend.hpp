// The bridge from callbacks to coroutines: suspends until something calls back, from any thread.
#pragma once

#include <functional>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace interline::engine {

/// `start` is given a function that resumes the coroutine, on its own executor, with a value. It
/// must be called exactly once, from whichever thread; calling it inside `start` is allowed.
template <class T, class Start>
[[nodiscard]] boost::asio::awaitable<T> suspend(Start start) {
  namespace asio = boost::asio;
  const auto executor = co_await asio::this_coro::executor;
  // Named, not built inside the statement that awaits: g++ 12 destroys such a temporary twice.
  auto initiation = [executor](auto handler, Start begin) {
    auto tracked = asio::prefer(executor, asio::execution::outstanding_work.tracked);
    begin(std::move_only_function<void(T)>([tracked, kept = std::move(handler)](T value) mutable {
      asio::post(tracked, [kept = std::move(kept), value = std::move(value)]() mutable {
        std::move(kept)(std::move(value));
      });
    }));
  };
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(T)>(
      std::move(initiation), asio::use_awaitable, std::move(start));
}

/// Runs `work` on another executor (a worker pool) and resumes with what it returns.
template <class T, class Work>
[[nodiscard]] boost::asio::awaitable<T> run_on(boost::asio::any_io_executor elsewhere, Work work) {
  auto start = [elsewhere, &work](std::move_only_function<void(T)> resume) {
    boost::asio::post(elsewhere, [work = std::move(work), resume = std::move(resume)]() mutable {
      resume(work());
    });
  };
  co_return co_await suspend<T>(std::move(start));
}

}  // namespace interline::engine
