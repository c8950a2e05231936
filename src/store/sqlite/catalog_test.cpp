// Versions are immutable, removal is refused while something depends on them, and leaves its mark.
#include <gtest/gtest.h>

#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

std::string result(const Result<void>& answer) {
  if (answer) return "ok";
  return std::string(to_string(answer.error().kind));
}

RegisterVersion other_content(std::string name) {
  RegisterVersion work = version("weather", std::move(name));
  work.manifest += " ";
  work.hash = sha256(work.manifest);
  return work;
}

std::string endpoints_of(TestStore& t) {
  std::string text;
  for (const EndpointRow& row : value_of(t.store->endpoints("", 100))) {
    text += row.name + '=' + row.active + ' ';
  }
  return text;
}

TEST(Registration, IsIdempotentAndWritesNothingTheSecondTime) {
  TestStore t;
  const auto before = t.disk->counts();
  EXPECT_EQ(result(t.commit_one(version()).answer), "ok");
  EXPECT_EQ(t.disk->counts().writes, before.writes);
}

TEST(Registration, OfOtherContentIsAConflict) {
  TestStore t;
  EXPECT_EQ(result(t.commit_one(other_content("1")).answer), "conflict");
  EXPECT_EQ(t.store->manifest("weather", "1").value(), version().manifest);
}

TEST(Registration, ActivatesOnlyWhereAsked) {
  TestStore t;
  t.commit_one(version("weather", "2", false));
  EXPECT_EQ(endpoints_of(t), "weather=1 ");
  t.commit_one(version("radio", "1", false));
  EXPECT_EQ(endpoints_of(t), "radio= weather=1 ");
  t.commit_one(version("weather", "2", true));
  EXPECT_EQ(endpoints_of(t), "radio= weather=2 ");
}

TEST(Registration, KeepsWhatItWasGiven) {
  TestStore t;
  t.reopen();
  EXPECT_EQ(t.store->manifest("weather", "1").value(), version().manifest);
  EXPECT_EQ(t.store->loss_report("weather", "1").value(), "[]");
  EXPECT_EQ(t.store->loss_report("weather", "9").value(), "");
  EXPECT_FALSE(t.store->manifest("weather", "9").value());
  const auto endpoints = t.store->endpoints("", 10).value();
  ASSERT_EQ(endpoints.size(), 1U);
  EXPECT_EQ(endpoints[0].title, version().title);
  EXPECT_EQ(endpoints[0].agent, version().agent);
  EXPECT_EQ(endpoints[0].origin, "configuration");
  const auto versions = t.store->versions("weather").value();
  ASSERT_EQ(versions.size(), 1U);
  EXPECT_EQ(versions[0].hash, version().hash);
}

TEST(Registration, OfTooManyVersionsIsRefused) {
  TestStore t(std::make_unique<SimulatedDisk>(),
              [](SqliteOptions& options) { options.versions_per_endpoint = 3; });
  EXPECT_EQ(result(t.commit_one(version("weather", "2")).answer), "ok");
  EXPECT_EQ(result(t.commit_one(version("weather", "3")).answer), "ok");
  const RegisterVersion fourth = t.commit_one(version("weather", "4"));
  EXPECT_EQ(result(fourth.answer), "resource_constraint");
  EXPECT_EQ(fourth.answer.error().reason, ErrorReason::too_many);
  EXPECT_EQ(result(t.commit_one(version("weather", "3")).answer), "ok");
  EXPECT_EQ(result(t.commit_one(version("radio", "1")).answer), "ok");
}

TEST(Activation, SelectsAndClears) {
  TestStore t;
  t.commit_one(version("weather", "2", false));
  EXPECT_EQ(result(t.commit_one(activate("weather", "2")).answer), "ok");
  EXPECT_EQ(endpoints_of(t), "weather=2 ");
  EXPECT_EQ(t.store->endpoints("", 1).value()[0].title, version("weather", "2").title);
  EXPECT_EQ(result(t.commit_one(activate("weather", "")).answer), "ok");
  EXPECT_EQ(endpoints_of(t), "weather= ");
  EXPECT_EQ(result(t.commit_one(activate("weather", "")).answer), "ok");
  EXPECT_EQ(result(t.commit_one(activate("weather", "3")).answer), "not_found");
  EXPECT_EQ(result(t.commit_one(activate("nowhere", "1")).answer), "not_found");
  EXPECT_EQ(result(t.commit_one(activate("nowhere", "")).answer), "not_found");
}

TEST(Activation, ComparesTheHash) {
  TestStore t;
  t.commit_one(version("weather", "2", false));
  Activate work = activate("weather", "2");
  work.hash = sha256("other");
  EXPECT_EQ(result(t.commit_one(work).answer), "conflict");
  EXPECT_EQ(endpoints_of(t), "weather=1 ");
  work.hash = version("weather", "2").hash;
  EXPECT_EQ(result(t.commit_one(work).answer), "ok");
}

TEST(Removal, OfAnActiveVersionIsAConflict) {
  TestStore t;
  EXPECT_EQ(result(t.commit_one(remove("weather", "1")).answer), "conflict");
  EXPECT_FALSE(t.store->versions("weather").value()[0].removable);
}

TEST(Removal, OfAVersionThatARetainedTaskPinsIsAConflict) {
  TestStore t;
  t.commit_all(admit(1), activate("weather", ""));
  EXPECT_EQ(result(t.commit_one(remove("weather", "1")).answer), "conflict");
  EXPECT_EQ(result(t.commit_one(remove("weather", "")).answer), "conflict");
  t.commit_one(tell(1, complete()));
  EXPECT_EQ(result(t.commit_one(remove("weather", "1")).answer), "conflict");
  EXPECT_FALSE(t.store->versions("weather").value()[0].removable);
  t.now += 24h;
  t.commit_one(Purge{});
  EXPECT_TRUE(t.store->versions("weather").value()[0].removable);
  EXPECT_EQ(result(t.commit_one(remove("weather", "1")).answer), "ok");
  EXPECT_EQ(result(t.commit_one(remove("weather", "1")).answer), "not_found");
}

TEST(Removal, SeesATaskAdmittedInTheSameGroup) {
  TestStore t;
  t.commit_one(activate("weather", ""));
  const std::vector<Work> group = t.commit_all(admit(1), remove("weather", "1"));
  EXPECT_EQ(describe_answer(group[1]), "conflict/none");
  EXPECT_TRUE(t.has_task(1));
}

TEST(Removal, LeavesATombstoneForEver) {
  TestStore t;
  t.commit_one(activate("weather", ""));
  t.commit_one(remove("weather", "1"));
  EXPECT_TRUE(t.store->versions("weather").value().empty());
  EXPECT_EQ(result(t.commit_one(activate("weather", "1")).answer), "not_found");
  t.reopen();
  EXPECT_EQ(result(t.commit_one(other_content("1")).answer), "conflict");
  EXPECT_EQ(result(t.commit_one(version()).answer), "ok");  // restored
  EXPECT_EQ(endpoints_of(t), "weather=1 ");
  t.commit_one(activate("weather", ""));
  EXPECT_EQ(result(t.commit_one(remove("weather", "1")).answer), "ok");
  EXPECT_EQ(result(t.commit_one(other_content("1")).answer), "conflict");
}

TEST(Removal, OfAnEndpointDeactivatesAndTakesAllVersionsOrNone) {
  TestStore t;
  t.commit_all(version("weather", "2", false), admit(1));
  EXPECT_EQ(result(t.commit_one(remove("weather", "")).answer), "conflict");
  EXPECT_EQ(t.store->versions("weather").value().size(), 2U);
  EXPECT_EQ(endpoints_of(t), "weather=1 ");
  t.commit_one(tell(1, complete()));
  t.now += 24h;
  t.commit_one(Purge{});
  EXPECT_EQ(result(t.commit_one(remove("weather", "")).answer), "ok");
  EXPECT_TRUE(t.store->versions("weather").value().empty());
  EXPECT_EQ(endpoints_of(t), "weather= ");  // its position stays known
  EXPECT_EQ(result(t.commit_one(remove("weather", "")).answer), "not_found");
  EXPECT_EQ(result(t.commit_one(other_content("2")).answer), "conflict");
}

TEST(Endpoints, ArePagedByName) {
  TestStore t;
  for (const char* name : {"b", "a", "d", "c"}) t.commit_one(version(name, "1"));
  const auto page = t.store->endpoints("a", 2).value();
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(page[0].name, "b");
  EXPECT_EQ(page[1].name, "c");
}

}  // namespace
}  // namespace interline::store
