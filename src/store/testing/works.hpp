// Short ways to make works in tests, and to see what became of them.
#pragma once

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/store.hpp"

namespace interline::store::testing {

using namespace std::chrono_literals;

inline const SystemTime kStart = SystemTime(std::chrono::seconds(1'788'000'000));

/// "task-0000000000000000000007"
inline std::string numbered(std::string_view prefix, std::uint64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(prefix) + '-' + std::string(22 - digits.size(), '0') + digits;
}

inline RegisterVersion version(std::string endpoint = "weather", std::string name = "1",
                               bool activate = true) {
  RegisterVersion work;
  work.manifest = "{\"agent\":\"" + endpoint + "\",\"version\":\"" + name + "\"}";
  work.hash = sha256(work.manifest);
  work.title = "Title of " + endpoint + " " + name;
  work.agent = "agent-of-" + endpoint;
  work.loss_report = "[]";
  work.origin = "configuration";
  work.endpoint = std::move(endpoint);
  work.version = std::move(name);
  work.activate = activate;
  return work;
}

inline tasks::Admission admission(std::uint64_t number) {
  tasks::Admission made;
  made.id = numbered("task", number);
  made.owner = "xmpp:alice@example.test";
  made.tenant = "default";
  made.endpoint = "weather";
  made.version = "1";
  made.manifest_hash = version().hash;
  made.tool = "forecast.get";
  made.arguments = R"({"city":"Riga"})";
  made.network = "xmpp";
  made.created = kStart;
  made.retention = 24h;
  made.answerable = tasks::bit(tasks::QuestionKind::form);
  return made;
}

inline Admit admit(tasks::Admission made) {
  Admit work;
  work.admission = std::make_shared<const tasks::Admission>(std::move(made));
  return work;
}
inline Admit admit(std::uint64_t number) {
  return admit(admission(number));
}

/// With a claim that lasts an hour.
inline Admit claimed(std::uint64_t number, std::string key, std::string content = "same") {
  Admit work = admit(number);
  ReplayClaim claim;
  claim.scope = "scope";
  claim.key = std::move(key);
  claim.fingerprint = sha256(content);
  claim.answer = "answer of " + work.admission->id;
  claim.expires = kStart + 1h;
  work.claim = std::move(claim);
  return work;
}

inline Apply tell(std::string task, tasks::Command command) {
  Apply work;
  work.task = std::move(task);
  work.command = std::move(command);
  work.event_id = numbered("event", 1);
  work.request_id = numbered("request", 1);
  return work;
}
inline Apply tell(std::uint64_t number, tasks::Command command) {
  return tell(numbered("task", number), std::move(command));
}

inline tasks::Complete complete(std::string text = "done") {
  tasks::Complete command;
  command.result = R"({"content":[{"type":"text","text":")" + text + R"("}]})";
  return command;
}

inline tasks::Ask ask(std::string key = "a") {
  tasks::Question question;
  question.id = "question-" + key;
  question.key = std::move(key);
  question.text = "Which?";
  question.schema = R"({"type":"string"})";
  tasks::Ask command;
  command.questions.push_back(std::move(question));
  return command;
}

inline tasks::Output output(std::string artifact, std::string parts, bool append, bool last) {
  tasks::Output command;
  command.chunk = tasks::ArtifactChunk{std::move(artifact), std::move(parts), append, last};
  return command;
}

inline RecordChange put(std::string key, std::string bytes, Expect expect = Expect::anything) {
  RecordChange change;
  change.record.binding = "xmpp";
  change.record.kind = "route";
  change.record.key = std::move(key);
  change.record.owner = "xmpp:alice@example.test";
  change.record.bytes = std::move(bytes);
  change.expect = expect;
  return change;
}
inline RecordChange drop(std::string key, Expect expect = Expect::anything) {
  RecordChange change = put(std::move(key), {}, expect);
  change.drop = true;
  return change;
}
inline ChangeRecords change(std::vector<RecordChange> changes) {
  ChangeRecords work;
  work.records = std::move(changes);
  return work;
}

inline Activate activate(std::string endpoint, std::string name) {
  Activate work;
  work.endpoint = std::move(endpoint);
  work.version = std::move(name);
  return work;
}
inline Remove remove(std::string endpoint, std::string name) {
  Remove work;
  work.endpoint = std::move(endpoint);
  work.version = std::move(name);
  return work;
}
inline Audit audit(std::string tenant, std::string body) {
  Audit work;
  work.tenant = std::move(tenant);
  work.type = "test";
  work.body = std::move(body);
  return work;
}

/// The value itself, not a reference into the result: for loops over it.
template <class T>
T value_of(Result<T> result) {
  return std::move(result).value();
}

/// Everything that a store keeps of it, as text: equal texts, equal tasks.
[[nodiscard]] std::string describe(const tasks::Task& task);
[[nodiscard]] std::string describe(const tasks::LogEntry& entry);
[[nodiscard]] std::string describe(const Record& record);
/// The answer a work was given; messages of errors are left out.
[[nodiscard]] std::string describe_answer(const Work& work);
/// All that can be read from a store, about these tasks and in all lists.
[[nodiscard]] std::string describe(Store& store, const std::vector<std::string>& tasks);

}  // namespace interline::store::testing
