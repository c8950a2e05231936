// How a gateway starts and how it ends, seen from outside.
#include <fstream>
#include <signal.h>
#include <sqlite3.h>

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "gateway_process.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

// Ends a call when somebody writes to the named pipe in its arguments.
constexpr const char* kGatedAgent = R"py(
import json, sys, threading
def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
def work(message):
    send({"type": "progress", "task": message["task"], "message": "waiting"})
    with open(message["arguments"]["gate"]) as gate:
        send({"type": "result", "task": message["task"], "text": gate.read()})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "list":
        send({"type": "tools", "tools": [{"name": "wait", "inputSchema": {"type": "object"}}]})
    elif message["type"] == "call":
        threading.Thread(target=work, args=(message,), daemon=True).start()
)py";

class Lifecycle : public GatewayTest {
 protected:
  void configure_gated(const std::string& more = "") const {
    write("agent.py", kGatedAgent);
    configure(more +
              "[[endpoint]]\nname = \"gated\"\nconcurrency = 4\n"
              "runtime = { kind = \"exec\", command = [\"python3\", \"agent.py\"] }\n");
  }
  /// A call that is at work, until open_gate().
  std::string running_call() {
    EXPECT_EQ(::mkfifo((folder() / "gate").c_str(), 0600), 0);
    until("an endpoint is served", "endpoint=gated");
    std::string id = call("gated", "wait", R"({"gate":"gate"})");
    follow_until(id, "running");
    return id;
  }
  void open_gate() const { std::ofstream(folder() / "gate") << "at last"; }
};

TEST_F(Lifecycle, Start_AnswersHealthAndReadiness) {
  configure("[[endpoint]]\nname = \"demo\"\nruntime = { kind = \"builtin\" }\n");
  start();
  EXPECT_EQ(get("/healthz").body, "ok\n");
  const Reply ready = get("/readyz?wait=60");
  EXPECT_EQ(ready.status, 200) << ready.body;
  EXPECT_THAT(ready.body, HasSubstr(R"({"name":"demo","state":"imported"})"));
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
}

TEST_F(Lifecycle, Terminate_RunningCallEndsBeforeTheProcess) {
  configure_gated();
  start();
  const std::string id = running_call();
  signal(SIGTERM);
  until("draining");
  open_gate();
  EXPECT_EQ(wait(), 0);
  start();
  EXPECT_THAT(task(id), HasSubstr(R"("state":"completed")"));
  EXPECT_THAT(task(id), HasSubstr("at last"));
}

TEST_F(Lifecycle, Terminate_CallThatDoesNotEndInTimeFailsAsUnavailable) {
  configure_gated("[tasks]\ndrain = \"0ms\"\n");
  start();
  const std::string id = running_call();
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  start();
  EXPECT_THAT(task(id), HasSubstr(R"("state":"failed")"));
  EXPECT_THAT(task(id), HasSubstr("unavailable"));
}

TEST_F(Lifecycle, Terminate_NoNewCallsWhileDraining) {
  configure_gated();
  start();
  const std::string id = running_call();
  signal(SIGTERM);
  until("draining");
  const Reply refused = local("POST", "/v1/calls", R"({"endpoint":"gated","tool":"wait"})");
  EXPECT_EQ(refused.status, 503) << refused.body;
  const Reply ready = get("/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(ready.body, HasSubstr(R"("draining":true)"));
  open_gate();
  EXPECT_EQ(wait(), 0);
}

TEST_F(Lifecycle, Terminate_QuestionsOfSuspendedTasksAreNotWaitedFor) {
  configure(
      "[tasks]\ndrain = \"1h\"\n"
      "[[endpoint]]\nname = \"demo\"\nruntime = { kind = \"builtin\" }\n");
  start();
  until("an endpoint is served", "endpoint=demo");
  const std::string id = call("demo", "ask", R"({"suspend":true})");
  follow_until(id, "input_required");
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);  // an hour would be stuck
  start();
  EXPECT_THAT(task(id), HasSubstr(R"("state":"input_required")"));
}

TEST_F(Lifecycle, TerminateTwice_EndsAtOnce) {
  configure_gated("[tasks]\ndrain = \"1h\"\n");
  start();
  running_call();
  signal(SIGTERM);
  until("draining");
  signal(SIGTERM);
  EXPECT_EQ(wait(), 1);
  EXPECT_THAT(log(), HasSubstr("a second signal"));
}

TEST_F(Lifecycle, Killed_TasksAreStillThereAfterTheNextStart) {
  configure_gated();
  start();
  const std::string id = running_call();
  signal(SIGKILL);
  EXPECT_EQ(wait(), 128 + SIGKILL);
  start();
  // It may have had effects, so it is not run again.
  EXPECT_THAT(task(id), HasSubstr(R"("state":"failed")"));
  EXPECT_THAT(task(id), HasSubstr("unavailable"));
}

TEST_F(Lifecycle, SecondProcessOnTheSameData_IsRefused) {
  configure("");
  start();
  const Ended second = run_program("serve", folder());
  EXPECT_EQ(second.code, 1);
  EXPECT_THAT(second.err, HasSubstr(") has the database open: "));
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(Lifecycle, DatabaseOfANewerVersion_IsRefusedAndLeftAlone) {
  configure("");
  start();
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((folder() / "var/interline.db").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, "PRAGMA user_version = 99", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  const Ended refused = run_program("serve", folder());
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("; run that version again, or restore a backup"));
}

TEST_F(Lifecycle, Terminate_AnAgentThatIsBeingAskedForItsToolsIsNotWarnedAbout) {
  write(
      "agent.py",
      "import sys\nfor line in sys.stdin:\n    open(\"asked\", \"w\").close()\n");  // and no answer
  ASSERT_EQ(::mkfifo((folder() / "asked").c_str(), 0600), 0);
  configure(
      "[[endpoint]]\nname = \"slow\"\n"
      "runtime = { kind = \"exec\", command = [\"python3\", \"agent.py\"] }\n");
  start();
  std::ifstream(folder() / "asked").get();  // until it was asked
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  EXPECT_EQ(log().find("did not list its tools"), std::string::npos) << log();
}

TEST_F(Lifecycle, DatabaseRemovedUnderTheGateway_IsSaidAndNothingNewIsTaken) {
  configure("[[endpoint]]\nname = \"demo\"\nruntime = { kind = \"builtin\" }\n");
  start();
  ready_text(60);
  const auto database = folder() / "var" / "interline.db";
  const auto elsewhere = folder() / "interline.db";
  std::filesystem::rename(database, elsewhere);
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_THAT(ready_text(0), HasSubstr(R"("store":"gone","why":"the database was removed)"));
  const Reply refused = local("POST", "/v1/calls", R"({"endpoint":"demo","tool":"echo"})");
  EXPECT_EQ(refused.status, 503) << refused.body;
  until("the database was removed or replaced");
  const Ended doctor = run_program("doctor", folder());
  EXPECT_EQ(doctor.code, 1);
  EXPECT_THAT(doctor.out, HasSubstr("to mend it: put interline.db"));
  std::filesystem::rename(elsewhere, database);
  EXPECT_EQ(get("/readyz").status, 200);
  follow_until(call("demo", "echo"), "completed");
}

TEST_F(Lifecycle, DiskThatIsFull_IsNotReady) {
  configure("[[endpoint]]\nname = \"demo\"\nruntime = { kind = \"builtin\" }\n");
  // Where the reserve has no place, as on a full disk.
  std::filesystem::create_directories(folder() / "var" / "interline.db-reserve");
  start();
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_THAT(ready_text(0), HasSubstr(R"("store":"full","why":"the disk is full)"));
}

TEST_F(Lifecycle, PortInUse_SaysSoAndTouchesNoTask) {
  configure("");
  start();
  const std::string address = log().substr(log().find("address=127.0.0.1:") + 8);
  write("other.toml", "[gateway]\ndata_dir = \"other\"\n[http]\nlisten = \"" +
                          address.substr(0, address.find(' ')) + "\"\n");
  const Ended second = run_program("serve -c other.toml", folder());
  EXPECT_EQ(second.code, 1);
  EXPECT_THAT(second.err, HasSubstr("[http]"));
  EXPECT_THAT(second.err, HasSubstr("in use"));
}

}  // namespace
}  // namespace interline::testing
