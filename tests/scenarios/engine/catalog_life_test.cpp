// Versions of an endpoint: registered, activated, pinned by tasks, removed for ever.
// ProtoXEP "Registering Agent APIs", "Administrative Provisioning".
#include <string>

#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using tasks::State;

const Principal kAdmin = Principal::of("xmpp", "admin@example.test");

class Engine_Catalog : public ::testing::Test {
 protected:
  std::shared_ptr<const catalog::Manifest> manifest(const std::string& version,
                                                    const std::string& title,
                                                    const std::string& name = "demo") {
    std::string text = R"({"manifestSpecVersion":"0","agent":{"jid":"demo@agents.example.test",)";
    text.append(R"("name":")").append(name).append("\",");
    text.append(R"("title":")").append(title).append(R"(","version":")").append(version);
    text.append(R"("},"tools":[{"name":"echo","inputSchema":{"type":"object"}},)");
    text.append(R"({"name":"never","inputSchema":{"type":"object"},"urn:xmpp:agent-api:0":)");
    text.append(R"({"supportsCancellation":true}}]})");
    return *bench_.run(bench_.engine().read_manifest(text));
  }
  Result<void> add(const std::string& version, const std::string& title = "t",
                   const Principal& who = kAdmin) {
    return bench_.run(bench_.engine().register_version(who, "demo", manifest(version, title)));
  }
  Result<void> activate(const std::string& version) {
    return bench_.run(bench_.engine().activate(kAdmin, "demo", version, std::nullopt));
  }
  Result<void> remove(const std::string& version) {
    return bench_.run(bench_.engine().remove(kAdmin, "demo", version));
  }
  Result<engine::EndpointView> describe(const std::string& version) {
    return bench_.run(bench_.engine().describe(kAlice, "demo", version));
  }
  ErrorKind refusal(const Result<void>& done) {
    EXPECT_FALSE(done);
    return done ? ErrorKind::internal : done.error().kind;
  }

  EngineBench bench_{engine::LaneConfiguration(), engine::GatewayConfiguration()};
};

TEST_F(Engine_Catalog, SearchesFindAnAgentByItsOwnNameWhateverItsTitle) {
  const auto count = [this](std::string words) {
    return bench_.run(bench_.engine().search(kAlice, std::move(words), {}))->count;
  };
  const auto made = manifest("2", "Front Desk", "Reception");
  ASSERT_TRUE(bench_.run(bench_.engine().register_version(kAdmin, "demo", made)));
  EXPECT_EQ(count("reception"), 0U);
  ASSERT_TRUE(activate("2"));
  EXPECT_EQ(count("reception desk"), 1U);
  bench_.restart();
  EXPECT_EQ(count("RECEPTION"), 1U);
  ASSERT_TRUE(activate("1"));
  EXPECT_EQ(count("reception"), 0U);
}

TEST_F(Engine_Catalog, RegisteringActivatesNothing) {
  ASSERT_TRUE(add("2", "second"));
  EXPECT_EQ(describe("")->manifest->version, "1");
  EXPECT_TRUE(describe("")->active);
  EXPECT_EQ(describe("2")->manifest->title, "second");
  EXPECT_FALSE(describe("2")->active);
  auto call = bench_.call("echo");
  call.version = "2";
  const auto refused = bench_.admit(kAlice, call);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::conflict) << "only the active version is invoked";
}

TEST_F(Engine_Catalog, TheActiveVersionIsAPointer) {
  ASSERT_TRUE(add("2", "second"));
  ASSERT_TRUE(activate("2"));
  EXPECT_TRUE(activate("2")) << "repeating changes nothing";
  EXPECT_EQ(describe("")->manifest->version, "2");
  const auto page = bench_.run(bench_.engine().list(kAlice, catalog::PageRequest()));
  ASSERT_EQ(page->entries.size(), 1U);
  EXPECT_EQ(page->entries[0].title, "second");
  auto old = bench_.call("echo");
  old.version = "1";
  EXPECT_EQ(bench_.admit(kAlice, old).error().kind, ErrorKind::conflict);
  ASSERT_TRUE(activate("1"));
  EXPECT_TRUE(bench_.admit(kAlice, old));
}

TEST_F(Engine_Catalog, AVersionIsImmutable) {
  ASSERT_TRUE(add("2", "second"));
  EXPECT_TRUE(add("2", "second"));
  EXPECT_EQ(refusal(add("2", "changed")), ErrorKind::conflict);
  EXPECT_EQ(describe("2")->manifest->title, "second");
}

TEST_F(Engine_Catalog, ARetainedTaskKeepsItsVersion) {
  const std::string task = bench_.task("echo");
  bench_.until(task, State::completed);
  ASSERT_TRUE(add("2"));
  ASSERT_TRUE(activate("2"));
  EXPECT_EQ(refusal(remove("1")), ErrorKind::conflict);
  EXPECT_EQ(refusal(remove("")), ErrorKind::conflict) << "the endpoint is the configuration's";
  EXPECT_EQ(bench_.state(task).admission->version, "1");
  const auto versions = bench_.run(bench_.engine().status(kAdmin, "demo"));
  ASSERT_EQ(versions->size(), 2U);
}

TEST_F(Engine_Catalog, AnOpenTaskEndsUnderTheVersionItBeganWith) {
  const std::string task = bench_.task("never");
  bench_.until(task, State::running);
  ASSERT_TRUE(add("2"));
  ASSERT_TRUE(activate("2"));
  engine::Cancellation request;
  request.task = task;
  ASSERT_TRUE(bench_.run(bench_.engine().cancel(kAlice, request)));
  const tasks::Task done = bench_.until(task, State::cancelled);
  EXPECT_EQ(done.state, State::cancelled);
  EXPECT_EQ(done.admission->version, "1");
}

TEST_F(Engine_Catalog, ARemovedVersionLeavesATombstoneThatOnlyTheSameContentLifts) {
  ASSERT_TRUE(add("2", "second"));
  ASSERT_TRUE(remove("2"));
  EXPECT_FALSE(describe("2"));
  EXPECT_EQ(refusal(remove("2")), ErrorKind::not_found);
  EXPECT_EQ(refusal(add("2", "other")), ErrorKind::conflict);
  bench_.restart();
  EXPECT_EQ(refusal(add("2", "other")), ErrorKind::conflict);
  EXPECT_TRUE(add("2", "second"));
  EXPECT_EQ(describe("2")->manifest->title, "second");
}

TEST_F(Engine_Catalog, TheActiveVersionIsNotRemoved) {
  EXPECT_EQ(refusal(remove("1")), ErrorKind::conflict);
}

TEST_F(Engine_Catalog, ADeactivatedEndpointIsNotListedAndNotInvoked) {
  ASSERT_TRUE(bench_.run(bench_.engine().deactivate(kAdmin, "demo")));
  EXPECT_EQ(bench_.run(bench_.engine().list(kAlice, catalog::PageRequest()))->count, 0U);
  EXPECT_EQ(bench_.admit(kAlice, bench_.call("echo")).error().kind, ErrorKind::not_found);
  EXPECT_TRUE(describe("1")) << "an exact version is still read";
  EXPECT_FALSE(describe(""));
}

TEST_F(Engine_Catalog, OnlyAdministratorsChangeIt) {
  EXPECT_EQ(refusal(add("2", "t", kAlice)), ErrorKind::forbidden);
  EXPECT_EQ(refusal(bench_.run(bench_.engine().deactivate(kAlice, "demo"))), ErrorKind::forbidden);
  EXPECT_EQ(refusal(bench_.run(bench_.engine().remove(kStranger, "nowhere", ""))),
            ErrorKind::forbidden);
}

}  // namespace
}  // namespace interline::testing
