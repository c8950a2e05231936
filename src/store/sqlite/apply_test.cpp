// How changes of tasks are kept: the row, the log, artifacts, records.
#include <gtest/gtest.h>

#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

TEST(Changes, OfATaskThatIsNotThereAreRefused) {
  TestStore t;
  const Apply done = t.commit_one(tell(9, tasks::Start{}));
  ASSERT_FALSE(done.answer);
  EXPECT_EQ(done.answer.error().kind, ErrorKind::not_found);
}

TEST(Changes, AreReadBackAsTheyWereAnswered) {
  TestStore t;
  t.commit_one(admit(1));
  tasks::GiveInput give;
  give.answers.push_back({});
  give.answers[0].key = "a";
  give.answers[0].value = "\"x\"";
  tasks::Cancel cancel;
  cancel.fingerprint = sha256("c");
  cancel.reason = "no";
  tasks::Ask suspending = ask("a");
  suspending.state = std::string("state\0bytes", 11);
  tasks::Note note;
  note.body = R"({"level":"info","data":1})";
  tasks::Progress progress;
  progress.percent = 50;
  for (const tasks::Command& command : std::vector<tasks::Command>{
           tasks::Hold{}, tasks::Release{}, tasks::Dispatch{3}, tasks::Start{}, progress, note,
           output("out", "[1]", false, false), tasks::Remember{"memory"}, suspending, give,
           tasks::Dispatch{4}, cancel, tasks::ConfirmCancelled{}, tasks::Detach{}}) {
    t.now += 1s;
    const Apply done = t.commit_one(tell(1, command));
    ASSERT_TRUE(done.answer);
    ASSERT_EQ(describe(t.task(1)), describe(done.answer->task));
    t.reopen();  // not from a cache
    ASSERT_EQ(describe(t.task(1)), describe(done.answer->task));
  }
  EXPECT_EQ(t.task(1).state, tasks::State::cancelled);
  EXPECT_EQ(t.store->log(numbered("task", 1), 0, 100).value().size(), t.task(1).sequence);
}

TEST(Changes, WithinAGroupSeeEachOther) {
  TestStore t;
  const std::vector<Work> group =
      t.commit_all(admit(1), tell(1, tasks::Dispatch{1}), tell(1, tasks::Start{}), tell(1, ask()),
                   tell(1, complete()), tell(1, tasks::Cancel{}));
  EXPECT_EQ(std::get<Apply>(group[4]).answer->task.state, tasks::State::completed);
  const auto& late = std::get<Apply>(group[5]).answer->outcome.reply;
  EXPECT_EQ(late.kind, tasks::Reply::Kind::refused);
  EXPECT_EQ(late.error->reason, ErrorReason::terminal);
  const auto log = t.store->log(numbered("task", 1), 0, 100).value();
  ASSERT_EQ(log.size(), 3U);
  for (std::size_t i = 0; i < log.size(); ++i) EXPECT_EQ(log[i].revision, i + 1);
  t.reopen();
  EXPECT_EQ(describe(t.task(1)), describe(std::get<Apply>(group[4]).answer->task));
}

TEST(Changes, ARefusedAnswerMayCommitAnExpiry) {
  TestStore t;
  t.commit_one(admit(1));
  tasks::Ask question = ask();
  question.questions[0].expires_in = 1min;
  t.commit_one(tell(1, question));
  t.now += 2min;
  tasks::GiveInput give;
  give.answers.push_back({});
  give.answers[0].key = "a";
  Apply late = tell(1, give);
  late.records.push_back(put("r", "only with an accepted answer"));
  const Apply done = t.commit_one(std::move(late));
  EXPECT_EQ(done.answer->outcome.reply.kind, tasks::Reply::Kind::refused);
  EXPECT_EQ(t.task(1).state, tasks::State::failed);
  EXPECT_TRUE(t.store->records("xmpp", "route", "", 10).value().empty());
}

TEST(Changes, ThatChangeNothingWriteNothing) {
  TestStore t;
  t.commit_one(admit(1));
  t.commit_one(tell(1, tasks::Start{}));
  const auto before = t.disk->counts();
  t.now += 1s;
  t.commit_all(tell(1, tasks::Start{}), tell(1, tasks::Tick{}), tell(9, tasks::Start{}));
  EXPECT_EQ(t.disk->counts().syncs, before.syncs);
  EXPECT_EQ(t.disk->counts().writes, before.writes);
}

TEST(Changes, AGroupIsOneSync) {
  TestStore t;
  const auto before = t.disk->counts();
  std::vector<Work> group;
  for (std::uint64_t i = 1; i <= 200; ++i) group.emplace_back(admit(i));
  for (std::uint64_t i = 1; i <= 200; ++i) group.emplace_back(tell(i, complete()));
  EXPECT_EQ(t.commit(group), GroupEnd::committed);
  EXPECT_EQ(t.disk->counts().syncs, before.syncs + 1);
}

TEST(Changes, TimeNeverStepsBack) {
  TestStore t;
  t.now = kStart + 1h;
  t.commit_one(admit(1));
  t.commit_one(tell(1, tasks::Start{}));
  EXPECT_EQ(t.task(1).updated, kStart + 1h);
  t.now = kStart + 10min;  // the clock was set back
  t.commit_one(tell(1, tasks::Progress{10, {}, {}}));
  EXPECT_EQ(t.task(1).updated, kStart + 1h);
  t.reopen();
  t.commit_one(tell(1, tasks::Progress{20, {}, {}}));
  EXPECT_EQ(t.task(1).updated, kStart + 1h);
}

TEST(Changes, RecordsGoOnlyWithWhatIsAccepted) {
  TestStore t;
  t.commit_one(admit(1));
  Apply start = tell(1, tasks::Start{});
  start.records.push_back(put("r", "1"));
  t.commit_one(start);
  EXPECT_TRUE(t.store->record({"xmpp", "route", "r"}).value());
  Apply again = tell(1, tasks::Start{});  // unchanged
  again.records.push_back(put("s", "2"));
  t.commit_one(again);
  EXPECT_FALSE(t.store->record({"xmpp", "route", "s"}).value());
  Apply blocked = tell(1, tasks::Progress{10, {}, {}});
  blocked.records.push_back(put("r", "3", Expect::absent));
  const Apply done = t.commit_one(blocked);
  ASSERT_FALSE(done.answer);
  EXPECT_EQ(done.answer.error().kind, ErrorKind::conflict);
  EXPECT_EQ(t.task(1).revision, 1U);
}

TEST(Outcome, IsStoredOnceAndReadWithTheTask) {
  TestStore t;
  t.commit_one(admit(1));
  const std::string text(100'000, 'x');
  const std::size_t before = t.disk->used();
  t.commit_one(tell(1, complete(text)));
  EXPECT_LT(t.disk->used() - before, 150'000U);
  t.reopen();
  EXPECT_NE(t.task(1).outcome.find(text), std::string::npos);
}

std::string artifacts_of(TestStore& t) {
  std::string text;
  for (const Artifact& artifact : value_of(t.store->artifacts(numbered("task", 1)))) {
    text += artifact.id + artifact.parts + (artifact.complete ? "." : "") + ' ';
  }
  return text;
}

TEST(Artifacts, AreFolded) {
  TestStore t;
  t.commit_one(admit(1));
  t.commit_all(tell(1, output("a", "[1, 2]", false, false)),
               tell(1, output("b", "[ ]", true, false)), tell(1, output("a", "[3]", true, true)));
  EXPECT_EQ(artifacts_of(t), "a[1, 2,3]. b[] ");
  t.commit_one(tell(1, output("b", " [4] ", true, false)));
  t.commit_one(tell(1, output("c", "[5]", true, true)));
  EXPECT_EQ(artifacts_of(t), "a[1, 2,3]. b[4] c[5]. ");
}

TEST(Artifacts, AReplacedOneKeepsItsPlace) {
  TestStore t;
  t.commit_one(admit(1));
  t.commit_all(tell(1, output("z", "[1]", false, false)), tell(1, output("z", "[2]", true, false)),
               tell(1, output("a", "[3]", false, true)), tell(1, output("z", "[4]", false, true)));
  EXPECT_EQ(artifacts_of(t), "z[4]. a[3]. ");
  t.commit_one(tell(1, output("z", "[5]", true, true)));
  EXPECT_EQ(artifacts_of(t), "z[4,5]. a[3]. ");
}

TEST(Artifacts, WithoutAnArrayAreRefused) {
  TestStore t;
  t.commit_one(admit(1));
  for (const char* parts : {"", "{}", "[", "1]", "[1"}) {
    const Apply done = t.commit_one(tell(1, output("a", parts, false, false)));
    ASSERT_FALSE(done.answer) << parts;
    EXPECT_EQ(done.answer.error().kind, ErrorKind::malformed);
  }
  EXPECT_EQ(t.task(1).sequence, 0U);
}

TEST(Log, IsReadInPiecesAfterASequence) {
  TestStore t;
  t.commit_one(admit(1));
  t.commit_one(tell(1, tasks::Start{}));
  tasks::Note note;
  note.body = "{}";
  for (int i = 0; i < 9; ++i) t.commit_one(tell(1, note));
  const auto first = t.store->log(numbered("task", 1), 0, 4).value();
  ASSERT_EQ(first.size(), 4U);
  EXPECT_EQ(first[0].type, tasks::EntryType::status);
  EXPECT_EQ(first[0].revision, 1U);
  EXPECT_FALSE(first[1].revision);
  const auto rest = t.store->log(numbered("task", 1), first.back().sequence, 100).value();
  EXPECT_EQ(rest.size(), 6U);
  EXPECT_EQ(rest.front().sequence, 5U);
  EXPECT_TRUE(t.store->log(numbered("task", 2), 0, 100).value().empty());
}

TEST(Timers, FindWhatIsDueBeforeAHorizon) {
  TestStore t;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    tasks::Admission made = admission(i);
    if (i < 4) {
      made.deadline.emplace(Instant(kStart + std::chrono::hours(5 - i)),
                            tasks::DeadlineSource::caller);
    }
    t.commit_one(admit(made));
  }
  const auto due = t.store->due_before(kStart + 4h).value();
  ASSERT_EQ(due.size(), 2U);
  EXPECT_EQ(due[0].second, numbered("task", 3));
  EXPECT_EQ(due[1].second, numbered("task", 2));
  t.commit_one(tell(3, complete()));
  tasks::Ask question = ask();
  question.questions[0].expires_in = 1min;
  t.commit_one(tell(4, question));
  const auto later = t.store->due_before(kStart + 4h).value();
  ASSERT_EQ(later.size(), 2U);
  EXPECT_EQ(later[0].second, numbered("task", 4));
  EXPECT_EQ(later[0].first, kStart + 1min);
}

TEST(Recovery, FindsAllOpenTasksOldestFirst) {
  TestStore t;
  for (std::uint64_t i = 1; i <= 25; ++i) t.commit_one(admit(i));
  for (std::uint64_t i = 1; i <= 25; i += 2) t.commit_one(tell(i, complete()));
  std::vector<std::string> found;
  std::string after;
  for (;;) {
    const auto page = t.store->open_tasks(after, 5).value();
    if (page.empty()) break;
    found.insert(found.end(), page.begin(), page.end());
    after = page.back();
  }
  ASSERT_EQ(found.size(), 12U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], numbered("task", 2 * i + 2));
}

}  // namespace
}  // namespace interline::store
