#include "store/testing/random_work.hpp"

namespace interline::store::testing {
namespace {

constexpr std::array<const char*, 3> kOwners = {"xmpp:alice@example.test", "mcp:bob", "key:carol"};
constexpr std::array<const char*, 3> kContexts = {"", "c1", "c2"};
constexpr std::array<const char*, 2> kEndpoints = {"weather", "radio"};
constexpr std::array<const char*, 3> kVersions = {"1", "2", "3"};
constexpr std::array<const char*, 3> kKeys = {"a", "b", "c"};

}  // namespace

CommitTime RandomWork::next_time() {
  if (one_in(20)) {
    now_ += std::chrono::minutes(below(90));
  } else if (one_in(30)) {
    now_ -= std::chrono::minutes(below(20));
  } else {
    now_ += std::chrono::milliseconds(below(3'000));
  }
  if (one_in(30)) behind_ = one_in(2) ? 0min : std::chrono::minutes(below(180));
  return time();
}

std::string RandomWork::some_task() {
  if (tasks_.empty() || one_in(40)) return numbered("nothing", 0);
  const std::size_t recent = std::min<std::size_t>(tasks_.size(), 12);
  if (one_in(5)) return tasks_[below(tasks_.size())];
  return tasks_[tasks_.size() - 1 - below(recent)];
}

Work RandomWork::next() {
  const std::size_t what = below(100);
  if (what < 18) return admit_some();
  if (what < 80) return apply_some();
  if (what < 86) return change(records(some_task()));
  if (what < 94) return catalog();
  if (what < 97) {
    Purge purge;
    purge.limit = 1'000'000;
    return purge;
  }
  return audit("default", std::to_string(stamps_++));
}

Work RandomWork::admit_some() {
  tasks::Admission made = admission(tasks_.size() + 1);
  made.owner = kOwners[below(kOwners.size())];
  made.context = kContexts[below(kContexts.size())];
  made.endpoint = kEndpoints[below(kEndpoints.size())];
  made.version = kVersions[below(kVersions.size())];
  made.manifest_hash = version(made.endpoint, made.version).hash;
  made.created = now_;
  made.retention = std::chrono::minutes(30 + below(90));
  made.rerun_on_restart = one_in(2);
  made.cancellable = !one_in(5);
  if (one_in(3)) {
    made.deadline.emplace(Instant(now_ + std::chrono::minutes(below(60)) - 1min),
                          tasks::DeadlineSource::caller);
  }
  tasks_.push_back(made.id);
  Admit work = admit(made);
  work.attached = one_in(4);
  work.dispatch_boot = one_in(2) ? 1 : 0;
  if (one_in(2)) {
    ReplayClaim claim;
    claim.scope = "scope";
    claim.key = "k" + std::to_string(below(4));
    claim.fingerprint = sha256(std::to_string(below(2)));
    claim.answer = made.id;
    claim.expires = now_ + std::chrono::minutes(below(120));
    work.claim = claim;
  }
  if (one_in(4)) work.records = records(made.id);
  return work;
}

Work RandomWork::apply_some() {
  Apply work = tell(some_task(), command());
  work.event_id = numbered("event", ++stamps_);
  work.request_id = numbered("request", stamps_);
  if (one_in(6)) work.records = records(work.task);
  return work;
}

tasks::Command RandomWork::question() {
  tasks::Ask command = ask(kKeys[below(kKeys.size())]);
  command.questions[0].id = numbered("question", ++stamps_);
  if (one_in(2)) command.questions[0].expires_in = std::chrono::minutes(1 + below(20));
  command.questions[0].reasks_left = static_cast<std::uint32_t>(below(2));
  if (one_in(3)) command.state = "state " + std::to_string(stamps_);
  return command;
}

tasks::Command RandomWork::input() {
  tasks::GiveInput command;
  tasks::Answer& answer = command.answers.emplace_back();
  answer.key = kKeys[below(kKeys.size())];
  answer.value = std::to_string(below(2));
  answer.digest = sha256(answer.value);
  return command;
}

tasks::Command RandomWork::command() {
  switch (below(19)) {
    case 0:
      return one_in(8) ? tasks::Command(tasks::Undispatch{1 + below(3)})
                       : tasks::Command(tasks::Dispatch{1 + below(3)});
    case 1:
    case 2:
      return tasks::Start{};
    case 3:
      return tasks::Progress{static_cast<double>(below(100)), {}, {}};
    case 4:
      return tasks::Note{tasks::EntryType::log, R"({"n":1})"};
    case 5:
    case 6:
      return output(kKeys[below(kKeys.size())], one_in(4) ? "[]" : "[1,2]", one_in(2), one_in(3));
    case 7:
    case 8:
      return question();
    case 9:
    case 10:
    case 11:
      return input();
    case 12:
      return tasks::Cancel{{}, {}, one_in(2) ? std::optional<std::string>("why") : std::nullopt};
    case 13:
      return complete(std::string(below(3'000), 'x'));
    case 14:
      return one_in(2) ? tasks::Command(tasks::Fail{tasks::Failure("x:y", "Broken.", true)})
                       : tasks::Command(tasks::ConfirmCancelled{});
    case 15:
      return tasks::Tick{};
    case 16:
      return tasks::Remember{one_in(3) ? "" : "memory"};
    case 17:
      return one_in(2) ? tasks::Command(tasks::Hold{}) : tasks::Command(tasks::Release{});
    default:
      return one_in(2) ? tasks::Command(tasks::Detach{})
                       : tasks::Command(tasks::Recover{1 + below(3), one_in(2)});
  }
}

Work RandomWork::catalog() {
  const std::string endpoint = kEndpoints[below(kEndpoints.size())];
  const std::string name = kVersions[below(kVersions.size())];
  switch (below(4)) {
    case 0:
    case 1: {
      RegisterVersion work = version(endpoint, name, one_in(2));
      work.origin = kOwners[below(kOwners.size())];
      if (one_in(10)) work.hash = sha256("other");
      return work;
    }
    case 2: {
      Activate work = activate(endpoint, one_in(3) ? "" : name);
      if (one_in(2)) work.hash = one_in(4) ? sha256("other") : version(endpoint, name).hash;
      return work;
    }
    default:
      return remove(endpoint, one_in(4) ? "" : name);
  }
}

std::vector<RecordChange> RandomWork::records(const std::string& task) {
  std::vector<RecordChange> changes;
  for (std::size_t i = 1 + below(2); i > 0; --i) {
    RecordChange made = put("r" + std::to_string(below(6)), std::to_string(stamps_++));
    made.drop = one_in(4);
    made.expect = static_cast<Expect>(one_in(2) ? 0 : below(3));
    made.record.owner = one_in(5) ? "" : kOwners[below(kOwners.size())];
    if (one_in(2)) made.record.task = task;
    if (one_in(2)) made.record.expires = now_ + std::chrono::minutes(below(60));
    changes.push_back(std::move(made));
  }
  return changes;
}

TaskQuery RandomWork::query() {
  TaskQuery made;
  for (const char* owner : kOwners) {
    if (one_in(2)) made.owners.emplace_back(owner);
  }
  if (one_in(3)) made.context = kContexts[below(kContexts.size())];
  for (std::size_t state = 0; state < tasks::kStateCount; ++state) {
    if (one_in(6)) made.states.push_back(static_cast<tasks::State>(state));
  }
  if (one_in(3)) made.updated_since = now_ - std::chrono::minutes(below(120));
  if (one_in(3)) {
    made.after_time = now_ - std::chrono::minutes(below(60));
    made.after_id = some_task();
  }
  made.limit = 1 + below(20);
  return made;
}

}  // namespace interline::store::testing
