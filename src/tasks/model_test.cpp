// Random lives of tasks, a hundred thousand of them, checked against the promises at every step by
// a model that knows only what a caller could see.
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/sanitized.hpp"
#include "tasks/testing.hpp"

namespace interline::tasks {
namespace {

using namespace testing;
using Kind = Reply::Kind;

constexpr int kSequences = cases(100'000);
constexpr int kSteps = 24;

/// What a caller remembers of one life.
struct Seen {
  Revision revision = 0;
  Sequence sequence = 0;
  std::set<std::string> event_ids;
  std::optional<Task> terminal;
  std::map<std::string, std::pair<GiveInput, Revision>> answered;  // by request id
  std::set<std::string> requests;
  std::optional<std::pair<Cancel, Revision>> cancel;
  std::uint64_t dispatches = 0;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

Command random_command(Random& random, const Life& life, const Seen& seen, std::uint64_t boot) {
  switch (random.below(16)) {
    case 0:
      return random.one_in(8) ? Command(Undispatch{boot}) : Command(Dispatch{boot});
    case 1:
      return Start{};
    case 2:
      return progress(static_cast<double>(random.below(101)));
    case 3: {
      Ask command = ask("k" + std::to_string(random.below(4)));
      command.questions.front().id += std::to_string(life.task.sequence);
      if (random.one_in(2)) command.questions.front().expires_in = 1s * (1 + random.below(5));
      command.questions.front().reasks_left = static_cast<std::uint32_t>(random.below(2));
      if (random.one_in(3)) command.state = "{}";
      command.anew = random.one_in(4);
      return command;
    }
    case 4:
    case 5: {
      if (!seen.answered.empty() && random.one_in(3)) return seen.answered.begin()->second.first;
      GiveInput command = give(life.task, "k" + std::to_string(random.below(4)),
                               random.one_in(2) ? R"("x")" : R"("y")");
      if (command.request.empty() && !seen.requests.empty())
        command.request = *seen.requests.begin();
      if (random.one_in(4)) command.expected = life.task.revision - random.below(2);
      return command;
    }
    case 6: {
      if (seen.cancel && random.one_in(2)) return seen.cancel->first;
      Cancel command;
      command.fingerprint = sha256(std::to_string(random.below(2)));
      if (random.one_in(4)) command.expected = life.task.revision - random.below(2);
      return command;
    }
    case 7:
      return complete();
    case 8:
      return fail_with("a:b");
    case 9:
      return ConfirmCancelled{};
    case 10:
      return Note{EntryType::log, "{}"};
    case 11:
      return Output{ArtifactChunk{"a", "[]", false, false}};
    case 12:
      return Remember{"m"};
    case 13:
      return random.one_in(2) ? Command(Hold{}) : Command(Release{});
    case 14:
      return Detach{};
    default:
      return random.one_in(4) ? Command(Recover{boot, random.one_in(2)}) : Command(Tick{});
  }
}

void check_step(const Task& before, const Command& command, const Outcome& outcome,
                const Life& life, Seen& seen) {
  const Task& after = life.task;
  // Promise 3: revisions have no gap and make exactly one event, with an id of its own.
  ASSERT_LE(after.revision - before.revision, 1U);
  const bool event = outcome.entry && outcome.entry->revision.has_value();
  ASSERT_EQ(after.revision != before.revision, event);
  if (event) {
    ASSERT_EQ(*outcome.entry->revision, after.revision);
    ASSERT_EQ(outcome.entry->state, after.state);
    ASSERT_TRUE(seen.event_ids.insert(outcome.entry->event_id).second);
  }
  ASSERT_EQ(after.sequence - before.sequence, outcome.entry ? 1U : 0U);
  if (after.state != before.state) {
    ASSERT_TRUE(event);
  }
  // A new request for input makes one event, and there is a request in exactly one state.
  ASSERT_EQ(after.pending.has_value(), after.state == State::input_required);
  if (after.pending) {
    const bool fresh = seen.requests.insert(after.pending->id).second;
    const bool issued = !before.pending || before.pending->id != after.pending->id;
    ASSERT_EQ(fresh, issued);
    if (fresh) {
      ASSERT_EQ(outcome.entry->type, EntryType::input_required);
    }
  }
  // Promise 4: terminal states never change.
  if (seen.terminal) {
    ASSERT_EQ(after.state, seen.terminal->state);
    ASSERT_EQ(after.revision, seen.terminal->revision);
    ASSERT_EQ(after.outcome, seen.terminal->outcome);
    ASSERT_EQ(after.updated, seen.terminal->updated);
    ASSERT_EQ(after.retain_until, seen.terminal->retain_until);
  } else if (is_terminal(after.state)) {
    ASSERT_FALSE(after.outcome.empty());
    ASSERT_GE(after.retain_until, life.now + after.admission->retention);
    seen.terminal = after;
  }
  // Promise 2, for answers and cancellations: the first reply for ever, a conflict for another.
  if (const auto* input = std::get_if<GiveInput>(&command)) {
    const auto known = seen.answered.find(input->request);
    if (known != seen.answered.end()) {
      const bool same = known->second.first.fingerprint == input->fingerprint;
      ASSERT_EQ(outcome.reply.kind, same ? Kind::replayed : Kind::refused);
      if (same) {
        ASSERT_EQ(outcome.reply.revision, known->second.second);
      }
      ASSERT_FALSE(outcome.next);
    } else if (outcome.reply.kind == Kind::accepted) {
      seen.answered.emplace(input->request, std::pair(*input, outcome.reply.revision));
    }
  }
  if (const auto* cancel = std::get_if<Cancel>(&command)) {
    if (seen.cancel) {
      const bool same = seen.cancel->first.fingerprint == cancel->fingerprint;
      ASSERT_EQ(outcome.reply.kind, same ? Kind::replayed : Kind::refused);
      if (same) {
        ASSERT_EQ(outcome.reply.revision, seen.cancel->second);
      }
      ASSERT_FALSE(outcome.next);
    } else if (outcome.reply.kind == Kind::accepted) {
      seen.cancel.emplace(*cancel, outcome.reply.revision);
    }
  }
  // A refusal commits nothing but what time itself has done.
  if (outcome.reply.kind == Kind::refused && outcome.next) {
    ASSERT_EQ(outcome.reply.error->reason, ErrorReason::expired);
  }
  // Nothing is committed after a deadline but its failure.
  const auto& deadline = after.admission->deadline;
  if (outcome.next && deadline && deadline->at <= Instant(life.now) &&
      !std::holds_alternative<Detach>(command)) {
    ASSERT_EQ(after.state, State::failed);
  }
  // Nor after an expiry but what becomes of the question.
  const auto expiry = before.pending ? before.pending->expires_at() : std::nullopt;
  if (outcome.next && expiry && *expiry <= life.now && !std::holds_alternative<Detach>(command)) {
    ASSERT_TRUE(after.state == State::failed || after.state == State::input_required);
    ASSERT_NE(after.pending ? after.pending->id : std::string(), before.pending->id);
  }
  ASSERT_GE(after.updated, before.updated);
}

TEST(Promises, HoldInRandomLives) {
  for (int sequence = 0; sequence < kSequences; ++sequence) {
    Random random(static_cast<std::uint64_t>(sequence));
    Admission made = admission();
    made.rerun_on_restart = random.one_in(4);
    if (random.one_in(3)) {
      made.deadline.emplace(
          Instant(kStart + 1s * (1 + random.below(30))),
          random.one_in(2) ? DeadlineSource::caller : DeadlineSource::max_duration);
    }
    Life life(std::move(made), random.one_in(4));
    Seen seen;
    std::uint64_t boot = 1;
    for (int step = 0; step < kSteps; ++step) {
      if (random.one_in(4)) life.now += 1s * random.below(4);
      if (random.one_in(40)) life.now -= 1s * random.below(20);  // the clock is set back
      if (random.one_in(20)) ++boot;
      const Task before = life.task;
      const Command command = random_command(random, life, seen, boot);
      const Outcome outcome = life.apply(command);
      check_step(before, command, outcome, life, seen);
      if (::testing::Test::HasFatalFailure()) {
        FAIL() << "sequence " << sequence << ", step " << step << ", command " << command.index()
               << ", state before " << to_string(before.state);
      }
    }
  }
  RecordProperty("said", std::to_string(kSequences) + " random lives");
}

/// Promise: a task that may have started is not handed out again by a later boot unless its
/// endpoint says rerun, or it was taken back before a worker got it, or its work ended in a
/// suspension, or its runtime goes on by what it remembered.
TEST(Promises, NothingIsStartedTwice) {
  for (int sequence = 0; sequence < kSequences / 4; ++sequence) {
    Random random(static_cast<std::uint64_t>(sequence) + 1'000'000);
    Life life;
    Seen seen;
    bool at_work = false;
    std::uint64_t boot = 1;
    for (int step = 0; step < kSteps; ++step) {
      const Command command = random_command(random, life, seen, boot);
      if (const auto* recover = std::get_if<Recover>(&command); recover && recover->resumable) {
        continue;
      }
      const Outcome outcome = life.apply(command);
      if (outcome.reply.kind != Kind::accepted) continue;
      if (std::holds_alternative<Dispatch>(command)) {
        ASSERT_FALSE(at_work) << sequence;
        at_work = true;
      } else if (const auto* asked = std::get_if<Ask>(&command); asked && asked->state) {
        at_work = false;
      } else if (std::holds_alternative<Undispatch>(command)) {
        at_work = false;  // said of what no worker got
      }
      if (random.one_in(20)) ++boot;
    }
  }
}

}  // namespace
}  // namespace interline::tasks
