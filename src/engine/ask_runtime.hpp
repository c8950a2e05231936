// Asks a runtime something outside of tasks, and waits no longer than it is worth.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>

#include "engine/consultation_rules.hpp"
#include "engine/dispatcher.hpp"
#include "engine/pending_call.hpp"
#include "engine/suspend.hpp"

namespace interline::engine {

/// `ask(runtime, withdrawal)` gives the runtime's awaitable<Result<T>>. The place is held until the
/// runtime is done, however soon the caller is answered.
template <class T, class Ask>
[[nodiscard]] awaitable<Result<T>> ask_runtime(const Dispatcher::Asking& asking,
                                               boost::asio::any_io_executor executor,
                                               std::chrono::nanoseconds longest,
                                               std::shared_ptr<Withdrawal> withdrawal, Ask ask) {
  auto call = std::make_shared<PendingCall<T>>(executor);
  const Dispatcher::Attendance attendance = asking.attend(call);
  // Everything by value: what resumes the coroutine may be quicker than the rest of this.
  auto start = [call, executor, longest, withdrawal = std::move(withdrawal), ask = std::move(ask),
                runtime = asking.runtime(),
                place = asking.place()](typename PendingCall<T>::Resume resume) mutable {
    call->begin(std::move(resume), longest, std::move(withdrawal));
    if (call->ended()) return;
    auto& worker = *runtime;
    auto answered = [call, runtime = std::move(runtime), place = std::move(place)](
                        const std::exception_ptr& broken, Result<T> answer) {
      if (broken) answer = fail(ErrorKind::internal, "The agent could not be asked.");
      if (!answer) answer = std::unexpected(safe_refusal(std::move(answer.error())));
      call->end(std::move(answer));
    };
    boost::asio::co_spawn(executor, ask(worker, call->to_work()), std::move(answered));
  };
  co_return co_await suspend<Result<T>>(std::move(start));
}

}  // namespace interline::engine
