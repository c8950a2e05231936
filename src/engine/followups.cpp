#include "engine/followups.hpp"

#include <utility>

namespace interline::engine {
namespace {

constexpr auto kRetryAfter = std::chrono::milliseconds(200);

}  // namespace

bool may_be_repeated(const Result<TaskWriter::Applied>& answer) {
  if (!answer) {
    const Error& error = answer.error();
    return error.kind == ErrorKind::unavailable ||
           (error.kind == ErrorKind::resource_constraint && error.reason == ErrorReason::too_many);
  }
  const tasks::Reply& reply = answer->outcome.reply;
  return reply.kind == tasks::Reply::Kind::refused && !tasks::is_terminal(answer->task.state) &&
         reply.error->reason == ErrorReason::expired;
}

Followups::Followups(boost::asio::any_io_executor executor, std::shared_ptr<TaskWriter> writer)
    : writer_(std::move(writer)), timer_(std::move(executor)) {}

void Followups::send(std::string task, tasks::Command command, Done done) {
  submit(std::make_shared<Item>(Item{std::move(task), std::move(command), std::move(done)}));
}

void Followups::submit(std::shared_ptr<Item> item) {
  const Result<void> queued = writer_->submit(
      item->task, item->command, {},
      [self = shared_from_this(), item](Result<TaskWriter::Applied> answer) mutable {
        if (may_be_repeated(answer)) {
          self->later(std::move(item));
        } else if (item->done) {
          item->done(std::move(answer));
        }
      });
  if (!queued) later(std::move(item));
}

void Followups::later(std::shared_ptr<Item> item) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  waiting_.push_back(std::move(item));
  if (waiting_.size() > 1) return;  // the timer runs already
  timer_.expires_after(kRetryAfter);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (const auto self = weak.lock(); self && !error) self->fire();
  });
}

void Followups::fire() {
  std::vector<std::shared_ptr<Item>> again;
  {
    const std::lock_guard lock(mutex_);
    again.swap(waiting_);
  }
  for (auto& item : again) submit(std::move(item));
}

void Followups::stop() {
  std::vector<std::shared_ptr<Item>> dropped;  // what they hold may lock something of its own
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  dropped.swap(waiting_);
  timer_.cancel();
}

}  // namespace interline::engine
