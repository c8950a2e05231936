// Short ways to make tasks and commands in the tests of this folder.
#pragma once

#include <string>
#include <utility>

#include "tasks/apply.hpp"

namespace interline::tasks::testing {

using namespace std::chrono_literals;

inline const SystemTime kStart = SystemTime(std::chrono::seconds(1'788'000'000));

inline Admission admission() {
  Admission made;
  made.id = "task-0000000000000000000000";
  made.owner = "xmpp:alice@example.test";
  made.tenant = "default";
  made.endpoint = "weather";
  made.version = "1";
  made.tool = "forecast.get";
  made.arguments = "{}";
  made.network = "xmpp";
  made.created = kStart;
  made.retention = 24h;
  made.answerable = bit(QuestionKind::form);
  return made;
}

/// Applies commands one after another to one task, as a store would.
class Life {
 public:
  explicit Life(Admission made = admission(), bool attached = false)
      : task(admitted(std::make_shared<const Admission>(std::move(made)), attached)) {}

  Outcome apply(Command command) {
    ++stamps_;
    const Stamp stamp(now, "event-" + padded(), "request-" + padded());
    Outcome outcome = tasks::apply(task, command, stamp);
    if (outcome.next) task = *outcome.next;
    return outcome;
  }
  /// The kind of reply alone.
  Reply::Kind reply(Command command) { return apply(std::move(command)).reply.kind; }

  Task task;
  SystemTime now = kStart;

 private:
  [[nodiscard]] std::string padded() const {
    std::string digits = std::to_string(stamps_);
    return std::string(22 - digits.size(), '0') + digits;
  }
  int stamps_ = 0;
};

inline Question question(std::string key) {
  Question asked;
  asked.id = "question-" + key;
  asked.key = std::move(key);
  asked.text = "Which?";
  asked.schema = R"({"type":"string"})";
  return asked;
}

inline Ask ask(std::string key = "a") {
  Ask command;
  command.questions.push_back(question(std::move(key)));
  return command;
}

inline Answer answer(std::string key, std::string value = R"("x")") {
  Answer given;
  given.key = std::move(key);
  given.value = std::move(value);
  given.digest = sha256(given.value);
  return given;
}

inline GiveInput give(const Task& task, std::string key = "a", std::string value = R"("x")") {
  GiveInput command;
  if (task.pending) command.request = task.pending->id;
  command.fingerprint = sha256(value);
  command.answers.push_back(answer(std::move(key), std::move(value)));
  return command;
}

inline Complete complete() {
  return Complete{R"({"content":[]})", std::nullopt};
}
inline Fail fail_with(std::string code) {
  return Fail{Failure(std::move(code), "Broken.", false)};
}
inline Progress progress(double percent) {
  return Progress{percent, std::nullopt, std::nullopt};
}

/// A task brought into a state by the shortest way.
inline Life life_in(State state) {
  Life life;
  if (state == State::accepted) return life;
  life.apply(Dispatch{1});
  switch (state) {
    case State::accepted:
      break;
    case State::running:
      life.apply(Start{});
      break;
    case State::input_required:
      life.apply(ask());
      break;
    case State::cancelling:
      life.apply(Cancel{});
      break;
    case State::completed:
      life.apply(complete());
      break;
    case State::failed:
      life.apply(fail_with("x:y"));
      break;
    case State::cancelled:
      life.apply(ConfirmCancelled{});
      break;
  }
  return life;
}

}  // namespace interline::tasks::testing
