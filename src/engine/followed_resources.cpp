#include "engine/followed_resources.hpp"

#include <algorithm>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "engine/suspend.hpp"

namespace interline::engine {
namespace {

std::unexpected<Error> gone() {
  return fail(ErrorKind::unavailable, "The agent behind this endpoint is not available now.");
}

void answer_all(std::vector<std::move_only_function<void(Result<void>)>>& waiting,
                const Result<void>& answer) {
  for (auto& resume : waiting) resume(answer);
}

}  // namespace

class FollowedResources::Following final : public Subscription {
 public:
  Following(std::shared_ptr<FollowedResources> of, Key key)
      : of_(std::move(of)), key_(std::move(key)) {}
  Following(const Following&) = delete;
  Following& operator=(const Following&) = delete;
  ~Following() override { of_->unfollow(key_); }

 private:
  const std::shared_ptr<FollowedResources> of_;
  const Key key_;
};

awaitable<Result<std::unique_ptr<Subscription>>> FollowedResources::follow(std::string endpoint,
                                                                           std::string uri) {
  const Key key(std::move(endpoint), std::move(uri));
  auto self = shared_from_this();
  auto start = [self, key](Resume resume) {
    Result<void> at_once;
    {
      const std::lock_guard lock(self->mutex_);
      if (self->stopped_) {
        at_once = gone();
      } else if (self->followers_ >= self->parts_.most) {
        at_once = fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                       "Too many resources are followed.");
      } else {
        Followed& entry = self->followed_[key];
        ++entry.followers;
        ++self->followers_;
        if (entry.busy || !self->settled(key, entry)) {
          entry.waiting.push_back(std::move(resume));
          self->talk(key, entry);
          return;
        }
      }
    }
    resume(std::move(at_once));
  };
  const Result<void> begun = co_await suspend<Result<void>>(std::move(start));
  if (!begun) co_return std::unexpected(begun.error());
  co_return std::make_unique<Following>(std::move(self), key);
}

void FollowedResources::unfollow(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto found = followed_.find(key);
  if (stopped_ || found == followed_.end()) return;
  --found->second.followers;
  --followers_;
  if (found->second.followers == 0) talk(key, found->second);
}

bool FollowedResources::any(std::string_view endpoint) const {
  const std::lock_guard lock(mutex_);
  const auto first = followed_.lower_bound(Key(std::string(endpoint), std::string()));
  return first != followed_.end() && first->first.first == endpoint;
}

void FollowedResources::lane_changed(std::string_view endpoint) {
  const std::lock_guard lock(mutex_);
  auto at = followed_.lower_bound(Key(std::string(endpoint), std::string()));
  for (; at != followed_.end() && at->first.first == endpoint; ++at) talk(at->first, at->second);
}

void FollowedResources::stop() {
  std::vector<Resume> waiting;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (auto& [key, entry] : followed_) {
      for (Resume& resume : entry.waiting) waiting.push_back(std::move(resume));
    }
    followed_.clear();
  }
  answer_all(waiting, gone());
}

bool FollowedResources::settled(const Key& key, Followed& entry) const {
  const auto runtime = parts_.runtime(key.first);
  if (entry.told != runtime) entry.told = nullptr;  // it has gone, and knows nothing any more
  return entry.followers > 0 ? entry.told != nullptr : entry.told == nullptr;
}

void FollowedResources::talk(const Key& key, Followed& entry) {
  if (stopped_ || std::exchange(entry.busy, true)) return;
  // Posted: the lock is held here.
  boost::asio::post(parts_.executor, [self = shared_from_this(), key] {
    boost::asio::co_spawn(self->parts_.executor, self->talking(key), boost::asio::detached);
  });
}

awaitable<void> FollowedResources::talking(Key key) {
  const auto self = shared_from_this();
  bool follow = false;
  std::shared_ptr<Runtime> runtime;
  while (next(key, follow, runtime)) {
    Result<void> answer = co_await parts_.tell(key.first, key.second, follow);
    if (!told(key, follow, std::move(runtime), std::move(answer))) co_return;
  }
}

/// Holds nothing while it waits, so that it keeps nobody from ending.
awaitable<void> FollowedResources::retry(std::weak_ptr<FollowedResources> of, Key key) {
  auto wait = std::chrono::milliseconds::zero();
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
  for (;;) {
    {
      const auto self = of.lock();
      if (!self) co_return;
      wait = std::clamp(wait * 2, self->parts_.retry_first, self->parts_.retry_longest);
    }
    timer.expires_after(wait);
    co_await timer.async_wait(boost::asio::use_awaitable);
    const auto self = of.lock();
    if (!self || !self->try_again(key)) co_return;
  }
}

bool FollowedResources::try_again(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto found = followed_.find(key);
  if (stopped_ || found == followed_.end()) return false;
  Followed& entry = found->second;
  if (!entry.busy && settled(key, entry)) {
    entry.retrying = false;
    return false;
  }
  if (parts_.runtime(key.first)) talk(key, entry);
  return true;
}

bool FollowedResources::next(const Key& key, bool& follow, std::shared_ptr<Runtime>& runtime) {
  std::vector<Resume> waiting;
  Result<void> answer;
  {
    const std::lock_guard lock(mutex_);
    const auto found = followed_.find(key);
    if (stopped_ || found == followed_.end()) return false;
    Followed& entry = found->second;
    runtime = parts_.runtime(key.first);
    const bool done = settled(key, entry);
    if (!done && runtime) {
      follow = entry.followers > 0;
      return true;
    }
    if (!done) answer = gone();
    entry.busy = false;
    waiting.swap(entry.waiting);
    if (!answer) {
      entry.followers -= waiting.size();
      followers_ -= waiting.size();
    }
    if (entry.followers == 0) followed_.erase(found);
  }
  answer_all(waiting, answer);
  return false;
}

bool FollowedResources::told(const Key& key, bool follow, std::shared_ptr<Runtime> runtime,
                             Result<void> answer) {
  std::vector<Resume> waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto found = followed_.find(key);
    if (stopped_ || found == followed_.end()) return false;
    Followed& entry = found->second;
    entry.told = follow && answer ? std::move(runtime) : nullptr;
    if (answer || !follow) return true;
    entry.busy = false;
    waiting.swap(entry.waiting);
    entry.followers -= waiting.size();
    followers_ -= waiting.size();
    if (entry.followers == 0) {
      followed_.erase(found);
    } else if (!std::exchange(entry.retrying, true)) {
      // Those that followed it before, at an earlier runtime.
      boost::asio::co_spawn(parts_.executor, retry(weak_from_this(), key), boost::asio::detached);
    }
  }
  answer_all(waiting, answer);
  return false;
}

}  // namespace interline::engine
