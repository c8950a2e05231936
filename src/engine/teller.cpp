#include "engine/teller.hpp"

#include <utility>

namespace interline::engine {
namespace {

void call(Teller::Group group) {
  for (std::size_t i = 0; i < group.works.size(); ++i) group.callbacks[i](group.works[i]);
}

}  // namespace

Teller::Teller() : thread_([this] { run(); }) {}

Teller::~Teller() {
  stop();
}

void Teller::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Teller::tell(Group group, bool here) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_; });
    if (!here || telling_) {
      waiting_ = std::move(group);
      lock.unlock();
      changed_.notify_all();
      return;
    }
  }
  call(std::move(group));
}

void Teller::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || waiting_; });
    if (!waiting_) return;
    Group group = *std::exchange(waiting_, std::nullopt);
    telling_ = true;
    lock.unlock();
    changed_.notify_all();
    call(std::move(group));
    lock.lock();
    telling_ = false;
  }
}

}  // namespace interline::engine
