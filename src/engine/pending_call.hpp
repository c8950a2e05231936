// A call of a runtime that may take too long, or for ever: whoever waits is answered by whatever
// comes first, the runtime, the time, the withdrawal or the gateway's end.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/error.hpp"
#include "engine/attended.hpp"
#include "engine/consultation.hpp"

namespace interline::engine {

/// Shared by who waits and who works. Thread-safe.
template <class T>
class PendingCall final : public Attended, public std::enable_shared_from_this<PendingCall<T>> {
 public:
  using Resume = std::move_only_function<void(Result<T>)>;

  explicit PendingCall(boost::asio::any_io_executor executor) : timer_(std::move(executor)) {}

  /// Once. `withdrawal` may be null.
  void begin(Resume resume, std::chrono::nanoseconds longest,
             std::shared_ptr<Withdrawal> withdrawal) {
    const std::weak_ptr<PendingCall> weak = this->weak_from_this();
    if (withdrawal) {
      withdrawal->on_withdraw([weak] {
        if (const auto self = weak.lock()) {
          self->cut(Error(ErrorKind::unavailable, "Nobody waits for this answer any more."));
        }
      });
    }
    {
      const std::lock_guard lock(mutex_);
      if (!early_) {
        resume_ = std::move(resume);
        withdrawal_ = std::move(withdrawal);
        wait(longest);
        return;
      }
    }
    if (withdrawal) withdrawal->on_withdraw(nullptr);
    resume(*std::move(early_));
  }

  /// The first answer counts, also one that comes before begin().
  void end(Result<T> answer) { end(std::move(answer), false); }

  void interrupt() override {
    cut(Error(ErrorKind::unavailable, "The gateway is being shut down."));
  }
  void abandon() override {
    end(std::unexpected(Error(ErrorKind::unavailable, "The gateway is being shut down.")));
  }

  [[nodiscard]] bool ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  /// What the runtime is given: withdrawn when nobody waits any more.
  [[nodiscard]] const std::shared_ptr<Withdrawal>& to_work() const { return to_work_; }

 private:
  void cut(Error why) { end(std::unexpected(std::move(why)), true); }

  /// With the lock held.
  void wait(std::chrono::nanoseconds longest) {
    timer_.expires_after(longest);
    timer_.async_wait([weak = this->weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (self && !error) {
        self->cut(Error(ErrorKind::unavailable, "The agent did not answer in time."));
      }
    });
  }

  void end(Result<T> answer, bool tell_work) {
    Resume resume;
    std::shared_ptr<Withdrawal> withdrawal;
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(ended_, true)) return;
      if (!resume_) early_.emplace(std::move(answer));
      resume = std::exchange(resume_, nullptr);
      withdrawal = std::exchange(withdrawal_, nullptr);
      timer_.cancel();
    }
    // Before the caller goes on: it may use the withdrawal for what comes next.
    if (withdrawal) withdrawal->on_withdraw(nullptr);
    if (tell_work) to_work_->withdraw();
    if (resume) resume(std::move(answer));
  }

  const std::shared_ptr<Withdrawal> to_work_ = std::make_shared<Withdrawal>();
  mutable std::mutex mutex_;
  boost::asio::steady_timer timer_;  // guarded by mutex_, as below
  Resume resume_;
  std::optional<Result<T>> early_;
  bool ended_ = false;
  std::shared_ptr<Withdrawal> withdrawal_;
};

}  // namespace interline::engine
