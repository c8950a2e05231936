// Prompts, resources, completion and changes of an MCP server's, asked for outside of any task; of
// either era. The numbers are those of the checklist of MUSTs in README.md.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>

#include <gmock/gmock.h>

#include "runtimes/mcp/mcp_test_support.hpp"

namespace interline::runtimes::mcp {
namespace {

using engine::AgentChange;
using engine::ChangeKind;
using engine::Consultation;
using engine::ConsultationKind;
using engine::Consulted;
using std::chrono::hours;
using testing::kModernServer;
using testing::kServer;
using testing::Lines;

/// What the runtime tells of changes, in order.
class Changes {
 public:
  void add(const AgentChange& change) {
    const std::lock_guard lock(mutex_);
    changes_.push_back(change);
    came_.notify_all();
  }
  std::string next() {
    std::unique_lock lock(mutex_);
    if (!came_.wait_for(lock, std::chrono::seconds(120), [this] { return !changes_.empty(); })) {
      return "nothing";
    }
    const AgentChange change = changes_.front();
    changes_.pop_front();
    constexpr const char* kWords[] = {"tools", "prompts", "resources", "resource "};
    return kWords[static_cast<std::size_t>(change.kind)] + change.uri;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<AgentChange> changes_;
};

class Consulting : public testing::McpRuntimeTest {
 protected:
  Result<Consulted> consult(Consultation asked,
                            std::shared_ptr<engine::Withdrawal> withdrawal = nullptr) {
    return fixture.run(runtime->consult(std::move(asked), std::move(withdrawal)));
  }
  Result<Consulted> consult(ConsultationKind kind, std::string subject = "",
                            std::string params = "") {
    Consultation asked;
    asked.kind = kind;
    asked.subject = std::move(subject);
    asked.params = std::move(params);
    return consult(std::move(asked));
  }
  void hear() {
    runtime->on_change([changes = changes](const AgentChange& change) { changes->add(change); });
  }
  Result<void> follow(std::string uri, bool wanted = true) {
    return fixture.run(runtime->follow_resource(std::move(uri), wanted));
  }
  std::shared_ptr<Changes> changes = std::make_shared<Changes>();
};

constexpr const char* kWhole = R"(
CAPABILITIES = {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}
def read(m):
    if m["params"]["uri"] != "test://a": error(m, -32602, "no such resource", uri=m["params"]["uri"])
    else: result(m, contents=[{"uri": "test://a", "text": "A"}], ttlMs=0, cacheScope="private")
def get(m):
    if m["params"]["name"] != "p": error(m, -32602, "unknown prompt")
    else: result(m, messages=[], description=json.dumps(m["params"].get("arguments")))
def complete(m):
    note(json.dumps({k: v for k, v in m["params"].items() if k != "_meta"}))
    result(m, completion={"values": ["a"], "hasMore": False})
def pages(member):
    def act(m):
        cursor = m["params"].get("cursor")
        if cursor is None: result(m, **{member: [{"name": "one", "n": 1.0}]}, nextCursor="")
        else: result(m, **{member: [{"name": "two"}]})
    return act
serve(None, prompts_list=pages("prompts"), prompts_get=get, resources_list=pages("resources"), resources_read=read,
      completion_complete=complete, resources_templates=None, **{"resources_templates/list": pages("resourceTemplates")})
)";

TEST_F(Consulting, M71_ListsAreAllPagesByteForByteAndAnEmptyCursorGoesOn) {
  open(with(kWhole, 1, kModernServer));
  for (const auto kind : {ConsultationKind::list_prompts, ConsultationKind::list_resources,
                          ConsultationKind::list_resource_templates}) {
    const auto consulted = consult(kind);
    ASSERT_TRUE(consulted) << consulted.error().message;
    EXPECT_EQ(consulted->result, R"([{"name": "one", "n": 1.0},{"name": "two"}])");
  }
}

TEST_F(Consulting, PromptsResourcesAndCompletionAreWhatTheServerWrote) {
  open(with(kWhole, 1, kModernServer));
  EXPECT_EQ(consult(ConsultationKind::get_prompt, "p", R"({"x":"y"})")->result,
            R"({"resultType": "complete", "messages": [], "description": "{\"x\": \"y\"}"})");
  EXPECT_EQ(consult(ConsultationKind::read_resource, "test://a")->result,
            R"({"resultType": "complete", "contents": [{"uri": "test://a", "text": "A"}], )"
            R"("ttlMs": 0, "cacheScope": "private"})");
  EXPECT_EQ(
      consult(ConsultationKind::complete, "p",
              R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"x","value":""}})")
          ->result,
      R"({"values": ["a"], "hasMore": false})");
  EXPECT_EQ(fixture.notes(), Lines{R"({"ref": {"type": "ref/prompt", "name": "p"}, )"
                                   R"("argument": {"name": "x", "value": ""}})"});
}

TEST_F(Consulting, ErrorsSayWhoseTheyAre) {
  open(with(kWhole, 1, kModernServer));
  EXPECT_EQ(consult(ConsultationKind::read_resource, "test://b").error().kind,
            ErrorKind::not_found);
  EXPECT_EQ(consult(ConsultationKind::get_prompt, "q").error(),
            Error(ErrorKind::malformed, "unknown prompt"));
  EXPECT_EQ(consult(ConsultationKind::prepare, "echo").error().kind, ErrorKind::not_acceptable);
  open(with(R"(
serve(None, others=lambda m: rpc(id=m["id"], error={"code": -32002, "message": "not there"}) if m["method"] == "resources/read"
            else rpc(id=m["id"], error={"code": -1, "message": "burnt"}) if "id" in m else None,
      initialize=lambda m: rpc(id=m["id"], result={"protocolVersion": VERSION, "capabilities": {"resources": {}, "prompts": {}}}))
)"));
  EXPECT_EQ(consult(ConsultationKind::read_resource, "test://b").error().kind,
            ErrorKind::not_found);
  EXPECT_EQ(consult(ConsultationKind::get_prompt, "q").error(),
            Error(ErrorKind::internal, "burnt"));
  EXPECT_EQ(consult(ConsultationKind::complete, "q", "{}").error().kind, ErrorKind::not_acceptable);
}

TEST_F(Consulting, WhatIsOfferedIsWhatTheServerHas) {
  open(with(R"(
CAPABILITIES = {"tools": {}, "prompts": {}}
serve(None)
)",
            1, kModernServer));
  EXPECT_FALSE(runtime->offers().has(ConsultationKind::get_prompt)) << "not known yet";
  ASSERT_TRUE(list());
  EXPECT_TRUE(runtime->offers().has(ConsultationKind::get_prompt));
  EXPECT_TRUE(runtime->offers().has(ConsultationKind::list_prompts));
  EXPECT_FALSE(runtime->offers().has(ConsultationKind::read_resource));
  EXPECT_FALSE(runtime->offers().has(ConsultationKind::complete));
  EXPECT_FALSE(runtime->offers().has(ConsultationKind::prepare));
}

TEST_F(Consulting, M58_QuestionsBeforeAPromptComeBackWithTheirAnswers) {
  open(with(R"(
CAPABILITIES = {"tools": {}, "prompts": {}}
def get(m):
    p = m["params"]
    if "inputResponses" not in p: asks(m, "s", who=form("Who?"))
    else: result(m, messages=[], description=json.dumps([p["inputResponses"], p["requestState"], p["name"]]))
serve(None, prompts_get=get)
)",
            1, kModernServer));
  auto first = consult(ConsultationKind::get_prompt, "p");
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_EQ(first->questions.size(), 1U);
  EXPECT_EQ(first->questions[0].key, "who");
  Consultation again;
  again.kind = ConsultationKind::get_prompt;
  again.subject = "p";
  again.state = first->state;
  again.answers.resize(1);
  again.answers[0].key = "who";
  again.answers[0].value = R"({"name":"Ann"})";
  const auto second = consult(std::move(again));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_THAT(second->result,
              ::testing::HasSubstr(
                  R"([{\"who\": {\"action\": \"accept\", \"content\": {\"name\": \"Ann\"}}}, )"
                  R"(\"s\", \"p\"])"));
}

TEST_F(Consulting, M63_WhatTakesTooLongOrIsWithdrawnIsCancelledThere) {
  open(with(R"(
CAPABILITIES = {"tools": {}, "prompts": {}}
def get(m):
    if m["params"]["name"] == "other": result(m, messages=[])
    elif m["params"]["name"] == "told": result(m, messages=[], description=open(folder + "/notes").read())
serve(None, prompts_get=get, notifications_cancelled=lambda m: note(m["params"]["requestId"]))
)",
            1, kModernServer));
  Consultation late;
  late.kind = ConsultationKind::get_prompt;
  late.subject = "never";
  late.timeout = std::chrono::milliseconds(1);
  ASSERT_TRUE(list());
  const auto expired = consult(late);
  EXPECT_EQ(expired.error().kind, ErrorKind::unavailable);
  EXPECT_EQ(expired.error().reason, ErrorReason::expired);
  const auto withdrawal = std::make_shared<engine::Withdrawal>();
  late.timeout = hours(1);
  withdrawal->withdraw();
  EXPECT_FALSE(consult(late, withdrawal));
  EXPECT_TRUE(consult(ConsultationKind::get_prompt, "other"));
}

// --- changes -------------------------------------------------------------------------------------

TEST_F(Consulting, ALegacyServerTellsOfChangesByItself) {
  open(with(R"(
def call(m):
    for kind in ("tools/list", "prompts/list", "resources/list"): rpc(method="notifications/" + kind + "_changed")
    rpc(method="notifications/resources/updated", params={"uri": "test://a"})
    rpc(id=m["id"], result=text("fine"))
serve(call)
)"));
  hear();
  (void)start("a")->next();
  for (const char* one : {"tools", "prompts", "resources", "resource test://a"}) {
    EXPECT_EQ(changes->next(), one);
  }
}

TEST_F(Consulting, ALegacyServerIsToldWhichResourcesAreFollowed) {
  open(with(R"(
def others(m):
    if "id" in m:
        note(m["method"] + " " + m["params"]["uri"])
        rpc(id=m["id"], result={})
        if m["method"] == "resources/subscribe": rpc(method="notifications/resources/updated", params=m["params"])
        else: rpc(method="notifications/tools/list_changed")
serve(None, others, initialize=lambda m: rpc(id=m["id"], result={"protocolVersion": VERSION,
      "capabilities": {"tools": {}, "resources": {"subscribe": True}}}))
)"));
  hear();
  ASSERT_TRUE(follow("test://a"));
  EXPECT_EQ(changes->next(), "resource test://a");
  ASSERT_TRUE(follow("test://a")) << "counted, and not asked again";
  ASSERT_TRUE(follow("test://a", false));
  ASSERT_TRUE(follow("test://b"));
  EXPECT_EQ(changes->next(), "resource test://b");
  ASSERT_TRUE(follow("test://a", false));
  EXPECT_EQ(changes->next(), "tools") << "by which this server says that it was told";
  ASSERT_TRUE(follow("test://c"));
  EXPECT_EQ(changes->next(), "resource test://c");
  std::vector<std::string> notes = fixture.notes();
  std::ranges::sort(notes);
  EXPECT_EQ(notes, (Lines{"resources/subscribe test://a", "resources/subscribe test://b",
                          "resources/subscribe test://c", "resources/unsubscribe test://a"}));
}

TEST_F(Consulting, WhatANewProcessRefusesToTellOfIsAskedForAgain) {
  open(with(R"(
def others(m):
    if "id" not in m: return
    note(m["method"])
    if len(open(folder + "/notes").readlines()) == 2: return rpc(id=m["id"], error={"code": -32002, "message": "not yet"})
    rpc(id=m["id"], result={})
    rpc(method="notifications/resources/updated", params=m["params"])
def call(m):
    if m["params"]["name"] == "die": os._exit(1)
    rpc(id=m["id"], result=text("fine"))
serve(call, others, initialize=lambda m: rpc(id=m["id"], result={"protocolVersion": VERSION,
      "capabilities": {"tools": {}, "resources": {"subscribe": True}}}))
)"));
  hear();
  ASSERT_TRUE(follow("test://a"));
  EXPECT_EQ(changes->next(), "resource test://a");
  EXPECT_TRUE(start("a", "die")->next().starts_with("fail unavailable"));
  (void)start("b")->next();  // in another process
  EXPECT_EQ(changes->next(), "resource test://a");
  EXPECT_EQ(fixture.notes().size(), 3) << "the second was refused";
}

constexpr const char* kListened = R"(
CAPABILITIES = {"tools": {"listChanged": True}, "prompts": {"listChanged": True}, "resources": {"subscribe": True}}
SUB = "io.modelcontextprotocol/subscriptionId"
open_ones = []
def listen(m):
    asked = m["params"]["notifications"]
    note(json.dumps(asked))
    open_ones.append(m["id"])
    rpc(method="notifications/subscriptions/acknowledged", params={"notifications": asked, "_meta": {SUB: m["id"]}})
    for uri in asked.get("resourceSubscriptions", []):
        rpc(method="notifications/resources/updated", params={"uri": uri, "_meta": {SUB: m["id"]}})
    while early: call(early.pop())
early = []
def call(m):
    if not open_ones: return early.append(m)
    if m["params"]["name"] == "die": os._exit(1)
    rpc(method="notifications/tools/list_changed")
    rpc(method="notifications/tools/list_changed", params={"_meta": {SUB: str(open_ones[-1])}})
    rpc(method="notifications/prompts/list_changed", params={"_meta": {SUB: open_ones[-1]}})
    result(m, **text("fine"))
def cancelled(m):
    note("cancelled %d" % open_ones.index(m["params"]["requestId"]))
serve(call, subscriptions_listen=listen, notifications_cancelled=cancelled)
)";

TEST_F(Consulting, M33_AModernServerIsListenedToAndWhatIsUnderAnotherNameIsNotHeard) {
  open(with(kListened, 1, kModernServer));
  hear();
  (void)start("a")->next();
  EXPECT_EQ(changes->next(), "prompts");
  EXPECT_EQ(fixture.notes(), Lines{R"({"toolsListChanged": true, "promptsListChanged": true})"});
}

TEST_F(Consulting, M68_WhatIsFollowedIsListenedForAnewAndTheOldStreamThenLeft) {
  open(with(kListened, 1, kModernServer));
  hear();
  ASSERT_TRUE(follow("test://a"));
  EXPECT_EQ(changes->next(), "resource test://a");
  ASSERT_TRUE(follow("test://b"));
  EXPECT_EQ(changes->next(), "resource test://a");
  EXPECT_EQ(changes->next(), "resource test://b");
  (void)start("a")->next();
  const auto notes = fixture.notes();
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes.back(), "cancelled " + std::to_string((notes.size() - 1) / 2 - 1))
      << notes.size();
}

TEST_F(Consulting, M32_AfterARestartItIsListenedAgain) {
  open(with(kListened, 1, kModernServer));
  hear();
  ASSERT_TRUE(follow("test://a"));
  EXPECT_EQ(changes->next(), "resource test://a");
  EXPECT_TRUE(start("a", "die")->next().starts_with("fail unavailable"));
  (void)start("b")->next();
  EXPECT_EQ(changes->next(), "resource test://a");
}

TEST_F(Consulting, WhoeverCannotBeFollowedSaysSo) {
  open(with("serve(None)", 1, kModernServer));
  EXPECT_EQ(follow("test://a").error().kind, ErrorKind::not_acceptable);
}

}  // namespace
}  // namespace interline::runtimes::mcp
