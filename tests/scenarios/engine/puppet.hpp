// A runtime whose work the test does itself, report by report.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/runtime.hpp"
#include "engine/suspend.hpp"

namespace interline::testing {

/// One piece of work, as the runtime was given it, and what it was told since.
class PuppetCall {
 public:
  explicit PuppetCall(std::shared_ptr<engine::Job> a_job) : job(std::move(a_job)) {}

  const std::shared_ptr<engine::Job> job;

  /// Waits until the work was told so; throws after a minute.
  tasks::Answer answer() {
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return !answers_.empty(); });
    tasks::Answer first = std::move(answers_.front());
    answers_.pop_front();
    return first;
  }
  void cancelled() {
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return cancels_ > 0; });
  }
  void stopped() {
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return stops_ > 0; });
  }
  Error refused() {
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return refused_.has_value(); });
    return *refused_;
  }

  static void listen(const std::shared_ptr<PuppetCall>& call) {
    engine::JobCallbacks callbacks;
    const std::weak_ptr<PuppetCall> weak = call;
    callbacks.on_input = [weak](const tasks::Answer& given) {
      if (const auto to = weak.lock()) to->note([&] { to->answers_.push_back(given); });
    };
    callbacks.on_cancel = [weak](const std::optional<std::string>&) {
      if (const auto to = weak.lock()) to->note([&] { ++to->cancels_; });
    };
    callbacks.on_stop = [weak] {
      if (const auto to = weak.lock()) to->note([&] { ++to->stops_; });
    };
    call->job->listen(std::move(callbacks));
  }
  void ask(std::vector<engine::AskedQuestion> questions, std::optional<std::string> state = {}) {
    job->ask(std::move(questions), std::move(state),
             [this](const Error& error) { note([&] { refused_ = error; }); });
  }

 private:
  template <class Change>
  void note(Change change) {
    {
      const std::lock_guard lock(mutex_);
      change();
      changed_.notify_all();  // whoever waits may end this once it has the lock
    }
  }
  template <class Until>
  void wait(std::unique_lock<std::mutex>& lock, Until until) {
    if (!changed_.wait_for(lock, std::chrono::minutes(1), until)) {
      throw std::runtime_error("the work was not told in a minute");
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<tasks::Answer> answers_;  // guarded by mutex_, as below
  std::optional<Error> refused_;
  int cancels_ = 0;
  int stops_ = 0;
};

/// What the runtime was asked outside of tasks, until the test answers it, or never.
class PuppetQuestion {
 public:
  using Answer = std::move_only_function<void(Result<engine::Consulted>)>;

  PuppetQuestion(engine::Consultation question, std::shared_ptr<engine::Withdrawal> until,
                 Answer to)
      : asked(std::move(question)), withdrawal(std::move(until)), answer_(std::move(to)) {}

  const engine::Consultation asked;
  const std::shared_ptr<engine::Withdrawal> withdrawal;

  void answer(Result<engine::Consulted> with) { answer_(std::move(with)); }
  void answer(std::string result) {
    engine::Consulted with;
    with.result = std::move(result);
    answer_(std::move(with));
  }

 private:
  Answer answer_;
};

class Puppet final : public engine::Runtime {
 public:
  [[nodiscard]] engine::RuntimeFeatures features() const override { return features_; }
  [[nodiscard]] bool available() const override { return available_; }
  [[nodiscard]] engine::awaitable<Result<engine::ImportedTools>> list_tools() override {
    engine::ImportedTools imported;
    imported.definitions.emplace_back(
        R"({"name":"do","inputSchema":{"type":"object"},"urn:xmpp:agent-api:0":{"supportsInput":true,"supportsCancellation":true,"supportsProgress":true}})");
    co_return imported;
  }
  void start(std::shared_ptr<engine::Job> job) override {
    auto call = std::make_shared<PuppetCall>(std::move(job));
    PuppetCall::listen(call);
    {
      const std::lock_guard lock(mutex_);
      calls_.push_back(std::move(call));
      ++started_;
      changed_.notify_all();
    }
  }
  [[nodiscard]] engine::awaitable<void> drain(std::chrono::milliseconds) override {
    {
      const std::lock_guard lock(mutex_);
      ++drains_;
      changed_.notify_all();
    }
    co_return;
  }

  [[nodiscard]] engine::Offers offers() const override {
    return engine::Offers().add(engine::ConsultationKind::get_prompt);
  }
  [[nodiscard]] engine::awaitable<Result<engine::Consulted>> consult(
      engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) override {
    auto start = [&](PuppetQuestion::Answer resume) {
      auto question = std::make_unique<PuppetQuestion>(std::move(asked), std::move(withdrawal),
                                                       std::move(resume));
      {
        const std::lock_guard lock(mutex_);
        questions_.push_back(std::move(question));
        ++asked_;
        changed_.notify_all();
      }
    };
    co_return co_await engine::suspend<Result<engine::Consulted>>(std::move(start));
  }
  /// What it is asked next; waits for it, throws after a minute.
  std::unique_ptr<PuppetQuestion> question() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(1), [this] { return !questions_.empty(); })) {
      throw std::runtime_error("nothing was asked in a minute");
    }
    auto first = std::move(questions_.front());
    questions_.pop_front();
    return first;
  }
  [[nodiscard]] std::size_t asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

  void on_change(std::function<void(const engine::AgentChange&)> listener) override {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }
  /// Says that something of it is different.
  void changed(engine::ChangeKind kind, std::string uri = {}) {
    std::function<void(const engine::AgentChange&)> listener;
    {
      const std::lock_guard lock(mutex_);
      listener = listener_;
    }
    if (listener) listener({kind, std::move(uri)});
  }
  /// What it was told of resources: "+URI" is followed, "-URI" is not any more. A URI that ends
  /// with "none" is of nothing.
  [[nodiscard]] engine::awaitable<Result<void>> follow_resource(std::string uri,
                                                                bool follow) override {
    if (uri.ends_with("none")) co_return fail(ErrorKind::not_found, "no such resource");
    {
      const std::lock_guard lock(mutex_);
      followed_.push_back((follow ? '+' : '-') + uri);
      changed_.notify_all();
    }
    co_return Result<void>();
  }
  /// Waits until it was told so many things of resources; throws after a minute.
  std::vector<std::string> followed(std::size_t how_many) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(1),
                           [&] { return followed_.size() >= how_many; })) {
      throw std::runtime_error("nothing was said of resources in a minute");
    }
    return followed_;
  }

  /// Waits until it was told to drain; throws after a minute.
  void drained() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(1), [this] { return drains_ > 0; })) {
      throw std::runtime_error("nothing was drained in a minute");
    }
  }

  /// The next piece of work that was started; waits for it, throws after a minute.
  std::shared_ptr<PuppetCall> next() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(1), [this] { return !calls_.empty(); })) {
      throw std::runtime_error("no work was started in a minute");
    }
    auto call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }
  /// The same without waiting; null if there is none.
  std::shared_ptr<PuppetCall> try_next() {
    const std::lock_guard lock(mutex_);
    if (calls_.empty()) return nullptr;
    auto call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }
  [[nodiscard]] std::size_t started() const {
    const std::lock_guard lock(mutex_);
    return started_;
  }
  /// As after a crash: what it had is gone.
  void forget() {
    const std::lock_guard lock(mutex_);
    calls_.clear();
    questions_.clear();
  }
  void resumable(bool is) { features_.resumable = is; }
  void available(bool is) { available_ = is; }
  void features(engine::RuntimeFeatures features) { features_ = features; }

 private:
  engine::RuntimeFeatures features_{true, true, true, false};
  std::atomic<bool> available_ = true;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<PuppetCall>> calls_;  // guarded by mutex_, as below
  std::deque<std::unique_ptr<PuppetQuestion>> questions_;
  std::size_t started_ = 0;
  std::size_t asked_ = 0;
  std::vector<std::string> followed_;
  std::function<void(const engine::AgentChange&)> listener_;
  int drains_ = 0;
};

/// A question of one string.
inline engine::AskedQuestion asks(std::string key, std::chrono::nanoseconds expires_in = {},
                                  std::uint32_t reasks = 0) {
  engine::AskedQuestion question;
  question.key = std::move(key);
  question.text = "Which?";
  question.schema = R"({"type":"string"})";
  question.expires_in = expires_in;
  question.reasks = reasks;
  return question;
}

}  // namespace interline::testing
