// Tasks with any details, for tests of how they are stored.
#pragma once

#include <random>
#include <string>

#include "tasks/model.hpp"

namespace interline::store::testing {

class RandomTask {
 public:
  explicit RandomTask(std::mt19937_64& random) : random_(random) {}

  void details(tasks::Task& task) {
    if (chance()) task.pending = request();
    for (std::size_t i = below(4); i > 0; --i) task.answers.push_back(answer());
    for (std::size_t i = below(4); i > 0; --i) task.past.push_back(past());
    if (chance()) {
      task.cancel = tasks::CancelRecord{digest(), below(1'000'000), {}};
      if (chance()) task.cancel->reason = text();
      if (chance()) task.cancel->fingerprint.reset();
    }
    if (chance()) task.suspended = text();
    if (chance()) task.memory = text();
    if (chance()) task.outcome = text();
    task.resume_from = below(3);
  }

 private:
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
  bool chance() { return below(2) == 0; }
  std::string text() {
    std::string made(below(8) == 0 ? below(400) : below(12), '\0');
    for (char& byte : made) byte = static_cast<char>(below(256));
    return made;
  }
  Digest digest() {
    Digest made{};
    for (std::uint8_t& byte : made) byte = static_cast<std::uint8_t>(below(256));
    return made;
  }
  SystemTime time() {
    return SystemTime(std::chrono::nanoseconds(static_cast<std::int64_t>(random_()) >> below(60)));
  }
  tasks::Question question() {
    tasks::Question made;
    made.id = text();
    made.key = text();
    made.kind = static_cast<tasks::QuestionKind>(below(tasks::kQuestionKindCount));
    made.text = text();
    made.schema = text();
    made.url = text();
    if (chance()) made.expires_at = time();
    made.expires_in = time().time_since_epoch();
    made.reasks_left = static_cast<std::uint32_t>(random_());
    return made;
  }
  tasks::InputRequest request() {
    tasks::InputRequest made;
    made.id = text();
    made.created = time();
    for (std::size_t i = 1 + below(3); i > 0; --i) made.questions.push_back(question());
    return made;
  }
  tasks::Answer answer() {
    tasks::Answer made;
    made.question = text();
    made.key = text();
    made.action = static_cast<tasks::AnswerAction>(below(3));
    made.value = text();
    made.digest = digest();
    made.revision = random_();
    return made;
  }
  tasks::PastRequest past() {
    tasks::PastRequest made;
    made.id = text();
    made.disposition = static_cast<tasks::Disposition>(below(5));
    if (chance()) made.fingerprint = digest();
    made.revision = random_();
    return made;
  }

  std::mt19937_64& random_;
};

inline void random_details(std::mt19937_64& random, tasks::Task& task) {
  RandomTask(random).details(task);
}

}  // namespace interline::store::testing
