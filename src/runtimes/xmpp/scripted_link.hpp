// A way to an agent that the test is: it reads what is asked, answers, and tells of events.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/suspend.hpp"
#include "runtimes/xmpp/link.hpp"

namespace interline::runtimes::xmpp::testing {

namespace words = protocols::xmpp;

/// The test's side, shared with the link. Nothing here waits for time.
class Script {
 public:
  using Answer = words::Answered<words::AgentAnswer>;
  struct Asked {
    words::AgentRequest request;
    std::move_only_function<void(Answer)> answer;
  };

  /// The next request, whichever it is. Waits for it.
  Asked next() {
    std::unique_lock lock(mutex_);
    if (!came_.wait_for(lock, kHung, [this] { return !asked_.empty(); })) {
      throw std::runtime_error("nothing was asked");
    }
    Asked first = std::move(asked_.front());
    asked_.pop_front();
    return first;
  }
  /// The next request, which is one of those.
  template <class T>
  T expect(Answer with) {
    Asked asked = next();
    const T* request = std::get_if<T>(&asked.request);
    if (request == nullptr) throw std::runtime_error("something else was asked");
    T copy = *request;
    asked.answer(std::move(with));
    return copy;
  }
  [[nodiscard]] std::size_t unread() const {
    const std::lock_guard lock(mutex_);
    return asked_.size();
  }
  void tell(words::Event event) const { ears_->on_event(std::move(event)); }
  void ready() const { ears_->on_ready(); }
  /// What is asked from now on, and what is open, has no answer: the test is over.
  void close() {
    std::deque<Asked> open;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      open.swap(asked_);
    }
    for (Asked& asked : open) {
      asked.answer(std::unexpected(words::Fault(words::Fault::Kind::unanswered)));
    }
  }

 private:
  friend class ScriptedLink;
  static constexpr std::chrono::minutes kHung{2};

  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Asked> asked_;  // guarded by mutex_, as below
  bool closed_ = false;
  std::shared_ptr<const LinkEars> ears_;
};

class ScriptedLink final : public Link {
 public:
  explicit ScriptedLink(std::shared_ptr<Script> script) : script_(std::move(script)) {}

  [[nodiscard]] bool ready() const override { return true; }
  [[nodiscard]] engine::awaitable<Script::Answer> ask(words::AgentRequest request) override {
    auto start = [script = script_,
                  &request](std::move_only_function<void(Script::Answer)> answer) {
      const std::lock_guard lock(script->mutex_);
      if (script->closed_) {
        answer(std::unexpected(words::Fault(words::Fault::Kind::unanswered)));
        return;
      }
      script->asked_.push_back({std::move(request), std::move(answer)});
      script->came_.notify_all();
    };
    co_return co_await engine::suspend<Script::Answer>(std::move(start));
  }
  void listen(std::shared_ptr<const LinkEars> ears) override { script_->ears_ = std::move(ears); }

 private:
  const std::shared_ptr<Script> script_;
};

}  // namespace interline::runtimes::xmpp::testing
