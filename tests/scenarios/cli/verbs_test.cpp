// The verbs of a running gateway, as scripts run them: the program itself against the program
// itself.
#include <set>
#include <signal.h>

#include <gmock/gmock.h>

#include "gateway_process.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Verbs : public GatewayTest {
 protected:
  void SetUp() override {
    configure(
        "[[endpoint]]\nname = \"demo\"\ntitle = \"Demo\"\nversion = \"1\"\nconcurrency = 16\n"
        "runtime = { kind = \"builtin\" }\n");
  }
  void start_demo() {
    start();
    ready_text(60);
  }
  [[nodiscard]] Ended interline(const std::string& arguments) const {
    return run_program(arguments, folder());
  }
  [[nodiscard]] static std::string line_of(const Ended& ended) {
    return ended.out.substr(0, ended.out.find('\n'));
  }
};

TEST_F(Verbs, WithoutAGateway_SayHowToStartOne) {
  for (const auto* const verb : {"tasks list", "call demo echo", "endpoints list", "keys list"}) {
    const Ended ended = interline(verb);
    EXPECT_EQ(ended.code, 1) << verb;
    EXPECT_THAT(ended.err, HasSubstr("start one with interline serve -c interline.toml"));
  }
}

TEST_F(Verbs, WithoutAConfiguration_AreAUsageError) {
  const Ended ended = interline("tasks list -c nowhere.toml");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("nowhere.toml"));
}

TEST_F(Verbs, FindTheGatewayByTheEnvironment) {
  start_demo();
  ::setenv("INTERLINE_CONFIG", (folder() / "interline.toml").c_str(), 1);
  const Ended ended = run_program("endpoints list", folder() / "var");
  ::unsetenv("INTERLINE_CONFIG");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("demo  active  1        Demo\n"));
}

TEST_F(Verbs, NeedNothingOfTheConfigurationButItsPlace) {
  // As for a user who lacks the gateway's environment and may not read its secrets.
  write("client.toml",
        "[gateway]\ntitle = \"x\"\ndata_dir = \"var\"\n"
        "[xmpp]\ndomain = \"a.test\"\nsecret = \"${NOT_SET_ANYWHERE}\"\nunknown = 1\n");
  start_demo();
  EXPECT_EQ(interline("check -c client.toml").code, 2);
  const Ended ended = interline("endpoints list -c client.toml");
  EXPECT_EQ(ended.code, 0) << ended.err;
  write("broken.toml", "[gateway\n");
  const Ended broken = interline("endpoints list -c broken.toml");
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.err, HasSubstr("broken.toml:1: "));
}

TEST_F(Verbs, Call_PrintsTheResultAloneOnStandardOutput) {
  start_demo();
  const Ended ended = interline(R"(call demo echo '{"a":1}')");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "{\"a\":1}\n");
  const Ended whole = interline(R"(call demo echo '{"a":1}' --json)");
  EXPECT_THAT(whole.out, HasSubstr(R"("structuredContent":{"a":1})"));
  EXPECT_THAT(whole.out, HasSubstr(R"("state":"completed")"));
}

TEST_F(Verbs, Call_ShowsProgressOnStandardError) {
  start_demo();
  const Ended ended = interline(R"(call demo sleep '{"milliseconds":60,"steps":3}')");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "Slept.\n");
  EXPECT_THAT(ended.err, HasSubstr("step"));
  EXPECT_EQ(interline(R"(call demo sleep '{"milliseconds":1}' -q)").err, "");
}

TEST_F(Verbs, Call_TakesItsArgumentsFromStandardInput) {
  start_demo();
  write("arguments.json", R"({"b":[2]})");
  // The last redirections, which are run_program's, are those of `cat`.
  const Ended ended = interline("call demo echo - < arguments.json > result; cat result");
  EXPECT_EQ(ended.out, "{\"b\":[2]}\n");
}

TEST_F(Verbs, Call_FailuresSayWhyAndEndInOne) {
  start_demo();
  const Ended failed = interline("call demo fail");
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr("the task failed: Failed as it was told to."));
  const Ended error = interline(R"(call demo fail '{"isError":true}')");
  EXPECT_EQ(error.code, 1);
  EXPECT_EQ(error.out, "It did not work.\n");
  const Ended absent = interline("call demo nothing");
  EXPECT_EQ(absent.code, 1);
  EXPECT_THAT(absent.err, HasSubstr("No such endpoint, version or tool."));
  const Ended wrong = interline(R"(call demo sleep '{"steps":"x"}')");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("/steps"));
  EXPECT_EQ(interline("call demo echo '{'").code, 2);
}

TEST_F(Verbs, C13_001_Call_HiddenForbiddenAndAbsentSayTheSame) {
  const std::string agent = "version = \"1\"\nruntime = { kind = \"builtin\" }\n";
  write("interline.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\n"
        "[[grant]]\nprincipals = [\"local:*\"]\nendpoints = [\"demo\"]\nvisible = true\n"
        "invoke = [\"echo\"]\n"
        "[[endpoint]]\nname = \"demo\"\n" +
            agent + "[[endpoint]]\nname = \"hidden\"\n" + agent);
  start_demo();
  EXPECT_EQ(interline("call demo echo").code, 0);
  const Ended absent = interline("call nobody echo");
  EXPECT_EQ(absent.code, 1);
  for (const auto* const call : {"call hidden echo", "call hidden nothing", "call demo nothing",
                                 "call demo fail", "call demo echo --version 9"}) {
    const Ended ended = interline(call);
    EXPECT_EQ(ended.code, absent.code) << call;
    EXPECT_EQ(ended.out + ended.err, absent.out + absent.err) << call;
  }
}

TEST_F(Verbs, C13_140_WhatPeopleReadIsWordsAndSaysWhichAgent) {
  start_demo();
  const Ended called = interline(R"(call demo sleep '{"milliseconds":60,"steps":3}')");
  EXPECT_THAT(called.err, HasSubstr("step 1 of 3"));  // the stage's text, not only a number
  const std::string never = line_of(interline("call demo never --detach"));
  follow_until(never, "running");
  const Ended shown = interline("tasks show " + never);
  EXPECT_THAT(shown.out, HasSubstr("state       running\n"));
  EXPECT_THAT(shown.out, HasSubstr("demo"));
  const Ended endpoint = interline("endpoints show demo");
  EXPECT_THAT(endpoint.out, HasSubstr("demo@localhost"));  // beside its title
  EXPECT_EQ(interline("tasks cancel " + never).code, 0);
  for (const Ended& each : {called, shown, endpoint}) {
    EXPECT_THAT(each.out + each.err, Not(HasSubstr("\033")));  // no colour says anything
  }
}

TEST_F(Verbs, Call_WithTheSameRequestKeyRunsOnce) {
  start_demo();
  const std::string call = R"(call demo echo '{"a":1}' --detach --request-key k)";
  EXPECT_EQ(line_of(interline(call)), line_of(interline(call)));
  EXPECT_THAT(interline(R"(call demo echo '{"a":2}' --request-key k)").err,
              HasSubstr("was used for another request"));
  EXPECT_THAT(interline("tasks list --json").out, Not(HasSubstr(R"({"a":2})")));
}

TEST_F(Verbs, Call_WithoutATerminalSaysHowToAnswer) {
  start_demo();
  const Ended asked = interline(R"(call demo ask '{"question":"Who?"}' -c interline.toml)");
  EXPECT_EQ(asked.code, 1);
  EXPECT_THAT(asked.err, HasSubstr("Who?"));
  const auto begin = asked.err.find("answer with: interline ") + 23;
  std::string command = asked.err.substr(begin, asked.err.find('\n', begin) - begin);
  EXPECT_THAT(command, StartsWith("tasks answer "));
  EXPECT_THAT(command, HasSubstr("-c interline.toml"));
  const Ended answered = interline(command);  // as it was printed
  EXPECT_EQ(answered.code, 0) << answered.err;
  const std::string id = command.substr(13, command.find(' ', 13) - 13);
  const Ended watched = interline("tasks watch " + id);
  EXPECT_EQ(watched.code, 0);
  EXPECT_EQ(watched.out, "Thank you.\n");
  EXPECT_THAT(interline("tasks show " + id).out, HasSubstr("state       completed\n"));
}

TEST_F(Verbs, Tasks_AreDeclinedAndCancelled) {
  start_demo();
  const std::string asking = line_of(interline("call demo ask --detach"));
  follow_until(asking, "input_required");
  EXPECT_EQ(interline("tasks answer " + asking).code, 2);
  EXPECT_EQ(interline("tasks answer " + asking + " 'Ada'").code, 2);
  const Ended wrong = interline("tasks answer " + asking + " 7");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err,
              HasSubstr("does not match the question's schema: it must be of type string"));
  const Ended shown = interline("tasks show " + asking);
  const auto at = shown.out.find("\nrequest     ") + 13;
  const std::string request = shown.out.substr(at, shown.out.find('\n', at) - at);
  EXPECT_THAT(interline("tasks answer " + asking + " 7 --request " + request).err,
              HasSubstr("does not match"));
  EXPECT_EQ(interline("tasks answer " + asking + " --decline").code, 0);
  EXPECT_EQ(interline("tasks watch " + asking).code, 0);
  EXPECT_THAT(interline("tasks answer " + asking + " --decline").err,
              HasSubstr("waits for no answer; it is completed"));

  const std::string never = line_of(interline("call demo never --detach"));
  EXPECT_EQ(interline("tasks cancel " + never + " --reason enough").code, 0);
  const Ended watched = interline("tasks watch " + never);
  EXPECT_EQ(watched.code, 1);
  EXPECT_THAT(watched.err, HasSubstr("the task was cancelled: enough"));
  const Ended again = interline("tasks cancel " + never);
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.out, "was cancelled before; the task is cancelled\n");
  EXPECT_EQ(interline("tasks approve " + never).code, 1);
}

TEST_F(Verbs, Tasks_TrustClockSaysWhatWasHeld) {
  start_demo();
  const Ended ended = interline("tasks trust-clock");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "nothing was held: what is kept goes by the clock\n");
  EXPECT_EQ(interline("tasks trust-clock --json").out, "{\"held\":false}\n");
}

TEST_F(Verbs, Tasks_ListAndUnknownOnes) {
  start_demo();
  EXPECT_EQ(interline("tasks list").out, "no tasks\n");
  const std::string id = line_of(interline("call demo echo --detach"));
  follow_until(id, "completed");
  EXPECT_THAT(interline("tasks list --state completed").out, HasSubstr(id));
  EXPECT_EQ(interline("tasks list --state failed --json").out, "{\"tasks\":[],\"total\":0}\n");
  for (const auto* const verb : {"show", "watch", "cancel", "approve", "answer --decline"}) {
    const Ended ended = interline(std::string("tasks ") + verb + " nothing");
    EXPECT_EQ(ended.code, 1) << verb;
    EXPECT_THAT(ended.err, HasSubstr("No such task.")) << verb;
  }
}

TEST_F(Verbs, Tasks_AListThatIsCutSaysSoAndGoesOn) {
  start_demo();
  std::set<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    const std::string id = line_of(interline("call demo echo --detach"));
    follow_until(id, "completed");
    ids.insert(id);
  }
  const Ended cut = interline("tasks list --limit 2 --state completed");
  const std::string command = "; the next ones: interline ";
  EXPECT_THAT(cut.err, HasSubstr("2 of 3 tasks" + command + "tasks list --after "));
  EXPECT_THAT(cut.err, HasSubstr(" --state completed --limit 2\n"));
  const auto begin = cut.err.find(command) + command.size();
  const Ended rest = interline(cut.err.substr(begin, cut.err.size() - begin - 1));
  EXPECT_EQ(rest.err, "");
  std::size_t found = 0;
  for (const std::string& id : ids) {
    if ((cut.out + rest.out).find(id) != std::string::npos) ++found;
  }
  EXPECT_EQ(found, ids.size());
  EXPECT_THAT(interline("tasks list --limit 2 --json").out, HasSubstr("],\"total\":3,\"next\":\""));
  EXPECT_THAT(interline("tasks list --limit 3 --json").out, HasSubstr("],\"total\":3}\n"));
  EXPECT_EQ(interline("tasks list --limit 3").err, "");
}

TEST_F(Verbs, Tasks_AStateThatIsNoneIsNamed) {
  start_demo();
  const Ended ended = interline("tasks list --state running,foo");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("There is no state \"foo\"; there are accepted, running, "));
  EXPECT_THAT(ended.err, HasSubstr(" and cancelled."));
}

TEST_F(Verbs, Call_SaysBehindWhatItWaits) {
  configure(
      "[[endpoint]]\nname = \"demo\"\nversion = \"1\"\nconcurrency = 1\n"
      "runtime = { kind = \"builtin\" }\n");
  start_demo();
  const std::string first = line_of(interline("call demo never --detach"));
  follow_until(first, "running");
  const std::string second = line_of(interline("call demo echo --detach"));
  EXPECT_THAT(interline("tasks show " + second).out,
              HasSubstr("waits for its turn: 1 call is in work\n"));
  const std::string third = line_of(interline("call demo echo --detach"));
  EXPECT_THAT(task(third), HasSubstr(R"("line":{"working":1,"waiting":2})"));
  EXPECT_THAT(interline("tasks show " + third).out, HasSubstr("in work, 1 more in line\n"));
  EXPECT_EQ(interline("tasks cancel " + first).code, 0);
  follow_until(third, "completed");
  EXPECT_THAT(task(third), Not(HasSubstr("\"line\"")));
}

TEST_F(Verbs, Call_ADeadlineMayBeADuration) {
  start_demo();
  const Ended ended = interline("call demo never --deadline 1s");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("(deadline-expired)"));
  EXPECT_EQ(interline("call demo echo --deadline 1h").code, 0);
  EXPECT_EQ(interline("call demo echo --deadline soon").code, 2);
}

TEST_F(Verbs, Call_OfWhatIsNotThereNamesTheCommandsThatList) {
  start_demo();
  const Ended ended = interline("call demo ecko");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("interline endpoints show NAME"));
}

TEST_F(Verbs, Watch_PrintsEntriesAsLinesOfJson) {
  start_demo();
  const std::string id =
      line_of(interline(R"(call demo sleep '{"milliseconds":200,"steps":2}' --detach)"));
  const Ended ended = interline("tasks watch " + id + " --json");
  EXPECT_EQ(ended.code, 0);
  const std::string last = ended.out.substr(ended.out.rfind('\n', ended.out.size() - 2) + 1);
  EXPECT_THAT(last, StartsWith("{\"id\":\"" + id));
  EXPECT_THAT(ended.out, StartsWith(R"({"sequence":1,)"));
  EXPECT_THAT(ended.out, HasSubstr(R"("type":"progress")"));
  // Of a task that has settled the same.
  const Ended again = interline("tasks watch " + id + " --json");
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.out, ended.out);
}

TEST_F(Verbs, Endpoints_AreRegisteredActivatedAndRemoved) {
  start_demo();
  write(
      "news.json",
      R"({"manifestSpecVersion":"0","agent":{"jid":"news@localhost","name":"news","version":"2"},)"
      R"("tools":[{"name":"read","inputSchema":{"type":"object"}}]})");
  const Ended made = interline("endpoints register news.json");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("interline endpoints activate news 2"));
  EXPECT_THAT(interline("endpoints list").out, HasSubstr("news  inactive"));
  EXPECT_EQ(interline("endpoints activate news 2").code, 0);
  EXPECT_THAT(interline("endpoints show news").out, HasSubstr("runtime     none"));
  EXPECT_EQ(interline("endpoints remove news 2").code, 1);  // active
  EXPECT_EQ(interline("endpoints deactivate news").code, 0);
  EXPECT_EQ(interline("endpoints remove news").code, 0);
  EXPECT_THAT(interline("endpoints list").out, Not(HasSubstr("news")));
  EXPECT_EQ(interline("endpoints remove demo").code, 1);  // the configuration's
  EXPECT_EQ(interline("endpoints register nothing.json").code, 2);
  write("wrong.json", "{}");
  EXPECT_EQ(interline("endpoints register wrong.json").code, 1);
}

TEST_F(Verbs, Endpoints_WhoseAgentDoesNotStartAreListedAndSayWhy) {
  configure(
      "[[endpoint]]\nname = \"broken\"\ntitle = \"Broken\"\n"
      "runtime = { kind = \"exec\", command = [\"nothing-of-this-name\"] }\n"
      "[[endpoint]]\nname = \"demo\"\nversion = \"1\"\nruntime = { kind = \"builtin\" }\n");
  start_demo();
  const Ended listed = interline("endpoints list");
  EXPECT_EQ(listed.code, 0);
  EXPECT_THAT(listed.out, HasSubstr("broken  retrying           Broken\n"));
  EXPECT_THAT(listed.out, HasSubstr("demo    active    1\n"));
  EXPECT_THAT(listed.err, HasSubstr("broken: "));
  EXPECT_THAT(listed.err, HasSubstr("nothing-of-this-name"));
  EXPECT_THAT(listed.err, HasSubstr("See interline doctor"));
  EXPECT_THAT(interline("endpoints list --json").out, HasSubstr(R"("state":"retrying","why":")"));
  for (const auto* const verb : {"call broken echo", "endpoints show broken"}) {  // an operator
    const Ended ended = interline(verb);
    EXPECT_EQ(ended.code, 1) << verb;
    EXPECT_THAT(ended.err, HasSubstr("is configured and not served yet: it is retrying: ")) << verb;
  }
}

TEST_F(Verbs, Keys_AreShownOnce) {
  start_demo();
  const Ended made = interline("keys create ci");
  EXPECT_EQ(made.code, 0);
  EXPECT_THAT(made.out, StartsWith("il_"));
  EXPECT_EQ(interline("keys create ci").code, 1);
  EXPECT_THAT(interline("keys list").out, HasSubstr("key:ci"));
  EXPECT_THAT(interline("keys list --json").out, Not(HasSubstr(line_of(made))));
  EXPECT_EQ(interline("keys revoke ci").code, 0);
  EXPECT_EQ(interline("keys revoke ci").code, 1);
  EXPECT_EQ(interline("keys list").out, "no keys\n");
  EXPECT_THAT(interline("keys create two --json").out, StartsWith(R"({"name":"two","key":"il_)"));
}

TEST_F(Verbs, WordsThatTheGatewayDoesNotUnderstandAreUsageErrors) {
  start_demo();
  write("no.json", "{");
  for (const auto* const verb :
       {"tasks list --state asleep", "tasks list --since yesterday", "keys create '*'",
        "call demo echo --deadline soon", "endpoints register no.json"}) {
    const Ended ended = interline(verb);
    EXPECT_EQ(ended.code, 2) << verb;
    EXPECT_EQ(ended.out, "") << verb;
    EXPECT_THAT(ended.err, StartsWith("interline: ")) << verb;
  }
}

TEST_F(Verbs, AFollowerOutlivesARestartOfTheGateway) {
  start_demo();
  const std::string id = line_of(interline("call demo ask '{\"suspend\":true}' --detach"));
  follow_until(id, "input_required");
  signal(SIGKILL);
  wait();
  start_demo();
  EXPECT_EQ(interline("tasks answer " + id + " '\"Ada\"'").code, 0);
  const Ended watched = interline("tasks watch " + id);
  EXPECT_EQ(watched.code, 0) << watched.err;
  EXPECT_EQ(watched.out, "Welcome back.\n");
}

}  // namespace
}  // namespace interline::testing
