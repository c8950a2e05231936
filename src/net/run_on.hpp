// A coroutine that does a part of its work on another strand, and can be cancelled meanwhile.
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>

#include "net/asio.hpp"

namespace interline::net {

/// Runs `work` on `elsewhere` and resumes on the caller's executor with what it returned or threw.
/// A cancellation of the caller becomes one of the work. `T` can be made without arguments.
///
/// COMPAT Boost 1.81: co_spawn(elsewhere, work, use_awaitable) does the same, but what it posts to
/// `elsewhere` when it is cancelled points into the caller's slot, which may be gone when the work
/// ends first. Here it shares the signal.
template <class T>
[[nodiscard]] awaitable<T> run_on(Executor elsewhere, awaitable<T> work) {
  // Named, not built inside the statement that awaits: g++ 12 destroys such a temporary twice.
  auto initiation = [elsewhere](auto handler, awaitable<T> begun) {
    const auto signal = std::make_shared<asio::cancellation_signal>();  // touched on elsewhere
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) {
      slot.assign([elsewhere, signal](asio::cancellation_type type) {
        asio::post(elsewhere, [signal, type] { signal->emit(type); });
      });
    }
    auto home = asio::prefer(asio::get_associated_executor(handler, elsewhere),
                             asio::execution::outstanding_work.tracked);
    auto ended = [home, slot, signal, kept = std::move(handler)](const std::exception_ptr& error,
                                                                 T value) mutable {
      asio::dispatch(home,
                     [slot, error, kept = std::move(kept), value = std::move(value)]() mutable {
                       if (slot.is_connected()) slot.clear();
                       std::move(kept)(error, std::move(value));
                     });
    };
    asio::co_spawn(elsewhere, std::move(begun),
                   asio::bind_cancellation_slot(signal->slot(), std::move(ended)));
  };
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>,
                                          void(std::exception_ptr, T)>(
      std::move(initiation), asio::use_awaitable, std::move(work));
}

}  // namespace interline::net
