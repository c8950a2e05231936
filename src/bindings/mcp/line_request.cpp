#include "bindings/mcp/line_request.hpp"

#include <utility>

namespace interline::mcp {

bool LineRequest::tell(std::string message) {
  const std::lock_guard lock(mutex_);
  if (cancelled_ || finished_) return false;
  const bool taken = outbox_->offer(owner_, std::move(message));
  told_ = told_ || taken;
  return taken;
}

bool LineRequest::closed() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

bool LineRequest::told() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

void LineRequest::on_closed(std::function<void()> then) {
  if (!closed()) {
    on_closed_ = std::move(then);
  } else if (then) {
    then();
  }
}

void LineRequest::cancel() {
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_ || finished_) return;
    cancelled_ = true;
    outbox_->forget(owner_);
  }
  if (auto then = std::exchange(on_closed_, nullptr)) then();
}

bool LineRequest::finish(std::string answer) {
  const std::lock_guard lock(mutex_);
  if (cancelled_ || finished_) return false;
  finished_ = true;
  if (!answer.empty()) outbox_->put(owner_, std::move(answer));
  return true;
}

}  // namespace interline::mcp
