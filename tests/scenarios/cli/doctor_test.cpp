// `interline doctor`: what is wrong with a configuration and its surroundings, with and without a
// running gateway.
#include <sstream>

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "gateway_process.hpp"
#include "live_server.hpp"

namespace interline::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kDemo =
    "[[endpoint]]\nname = \"demo\"\nversion = \"1\"\nruntime = { kind = \"builtin\" }\n";

class Doctor : public GatewayTest {
 protected:
  [[nodiscard]] Ended doctor(const std::string& arguments = "") const {
    return run_program("doctor " + arguments, folder());
  }
  [[nodiscard]] std::string exec_endpoint(const std::string& command) const {
    return "[[endpoint]]\nname = \"agent\"\nruntime = { kind = \"exec\", command = " + command +
           " }\n";
  }
};

TEST_F(Doctor, AConfigurationWithMistakesIsAUsageError) {
  write("interline.toml", "[gateway]\ntitel = \"x\"\n");
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("interline.toml:2: "));
}

TEST_F(Doctor, WithoutAGatewayEverythingIsTriedFromHere) {
  configure(kDemo);
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("is not running; its parts are tried from here"));
  EXPECT_THAT(ended.out, HasSubstr("free to listen on"));
  EXPECT_THAT(ended.out, ContainsRegex("ok +endpoint demo +7 tools"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "var"));  // it only looks
}

TEST_F(Doctor, WithAGatewayItIsAsked) {
  configure(kDemo);
  start();
  ready_text(60);
  const Ended ended = doctor("--json");
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr(R"({"healthy":true,)"));
  EXPECT_THAT(ended.out, HasSubstr(R"("subject":"gateway","text":"runs since )"));
  EXPECT_THAT(ended.out, Not(HasSubstr("tried from here")));
  EXPECT_EQ(get("/healthz").status, 200);  // and left alone
}

TEST_F(Doctor, AnAgentThatDoesNotStartIsShownWithItsOwnWords) {
  configure(exec_endpoint(R"(["sh", "-c", "echo no such model >&2; exit 3"])"));
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, ContainsRegex("wrong +endpoint agent"));
  EXPECT_THAT(ended.out, HasSubstr("no such model"));
  EXPECT_THAT(ended.out, HasSubstr("to mend it: "));
}

TEST_F(Doctor, ADatabaseThatServeWouldRefuseIsWrong) {
  configure(kDemo);
  std::filesystem::create_directory(folder() / "var");
  ::chmod((folder() / "var").c_str(), 0700);
  write("var/interline.db", std::string(5'000, 'x'));
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, ContainsRegex("wrong +database +./var/interline.db is not a database\n"));
  EXPECT_THAT(ended.out, HasSubstr("to mend it: stop the gateway and put a backup in its place"));
  launch();
  EXPECT_EQ(wait(), 1);
  EXPECT_THAT(log(), HasSubstr("var/interline.db is not a database; stop the gateway and put a "
                               "backup in its place"));
}

TEST_F(Doctor, ADatabaseOfAStoppedGatewayIsInOrder) {
  configure(kDemo);
  EXPECT_THAT(doctor().out, ContainsRegex("ok +database +none yet"));
  start();
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  EXPECT_THAT(doctor().out, ContainsRegex("ok +database +schema [0-9]+, in order\n"));
  start();
  signal(SIGKILL);
  wait();
  EXPECT_THAT(doctor().out, ContainsRegex("ok +database +schema [0-9]+, in order\n"));
}

TEST_F(Doctor, ADataDirectoryThatEveryUserMayWriteInIsRefused) {
  configure(kDemo);
  std::filesystem::create_directory(folder() / "var");
  ::chmod((folder() / "var").c_str(), 0777);
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, ContainsRegex("wrong +data_dir +every user may write in ./var"));
  launch();
  EXPECT_EQ(wait(), 1);
  EXPECT_THAT(log(), HasSubstr("chmod 700 ./var"));
}

TEST_F(Doctor, ADataDirectoryThatIsAFileIsSaidToBeOne) {
  configure(kDemo);
  write("var", "");
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("/var is a file\n"));
  EXPECT_THAT(ended.out, Not(HasSubstr("chown")));
  EXPECT_THAT(ended.out, Not(HasSubstr("MB free")));
}

TEST_F(Doctor, ASecretThatEveryUserMayReadIsWrong) {
  write("secret", "x\n");
  ::chmod((folder() / "secret").c_str(), 0644);
  configure(
      "[xmpp]\ndomain = \"agents.example.test\"\nserver = \"127.0.0.1:1\"\n"
      "secret_file = \"secret\"\n");
  EXPECT_THAT(doctor().out, ContainsRegex("wrong +secret +\\[xmpp\\] secret_file: every user"));
  start();
  EXPECT_THAT(log(),
              HasSubstr("every user of this machine may read or write a file with a secret"));
}

TEST_F(Doctor, EachIssuerIsTried) {
  write("keys.json", R"({"keys":[]})");
  configure(std::string(kDemo) +
            "[[issuer]]\nurl = \"https://id.example\"\naudience = \"a\"\njwks = \"keys.json\"\n" +
            "[[issuer]]\nurl = \"https://127.0.0.1:1\"\naudience = \"a\"\n");
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, ContainsRegex("wrong +issuer +https://id.example: it has no key"));
  EXPECT_THAT(ended.out, ContainsRegex("wrong +issuer +https://127.0.0.1:1: its keys cannot be"));
  EXPECT_THAT(ended.out, HasSubstr("curl -i https://127.0.0.1:1/.well-known/"));
}

/// A script that lists one tool once `until` is there, and makes the file `first` before that.
std::string waiting_agent(const std::string& first, const std::string& until) {
  return "touch " + first + "; while [ ! -e " + until +
         R"( ]; do sleep 0.02; done; read x; echo '{"type":"tools","tools":[{"name":"t",)"
         R"("inputSchema":{"type":"object"}}]}'; cat >/dev/null)";
}

TEST_F(Doctor, FindingsAreWrittenAsTheyCome) {
  write("agent.sh", waiting_agent("begun", "seen"));
  configure(exec_endpoint(R"(["sh", "agent.sh"])"));
  // Lists its tools once the first finding was read, and never if it were written at the end.
  const Ended ended = run_program(
      "doctor --wait 600 | while read -r line; do touch seen; echo \"$line\"; done >seen.out; "
      "cat seen.out",
      folder());
  EXPECT_THAT(ended.out, ContainsRegex("ok +endpoint agent +1 tool\n"));
}

TEST_F(Doctor, AgentsAreAskedSideBySide) {
  write("a.sh", waiting_agent("a", "b"));
  write("b.sh", waiting_agent("b", "a"));
  std::string b = exec_endpoint(R"(["sh", "b.sh"])");
  b.replace(b.find("agent"), 5, "other");
  configure(exec_endpoint(R"(["sh", "a.sh"])") + b);
  const Ended ended = doctor("--wait 600");
  EXPECT_EQ(ended.code, 0) << ended.out;
}

TEST_F(Doctor, AnAgentThatStaysSilentIsGivenUp) {
  configure(exec_endpoint(R"(["sh", "-c", "cat >/dev/null"])"));
  const Ended ended = doctor("--wait 1");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("did not list its tools within 1 s"));
  EXPECT_THAT(ended.out, HasSubstr("interline doctor --wait 120"));
}

TEST_F(Doctor, AnAgentWithoutToolsIsWrong) {
  configure(exec_endpoint(
      R"(["sh", "-c", "read x; echo '{\"type\":\"tools\",\"tools\":[]}'; cat >/dev/null"])"));
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("its agent lists no tools"));
}

TEST_F(Doctor, ACommandThatIsNotThereIsNamed) {
  configure(exec_endpoint(R"(["nothing-of-this-name"])"));
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("nothing-of-this-name: No such file or directory"));
}

TEST_F(Doctor, APortThatIsTakenIsSaid) {
  configure(kDemo);
  start();
  const std::string address = this->address();
  // Another gateway's configuration, with its own data_dir, that wants the same port.
  write("other.toml", "[gateway]\ndata_dir = \"other\"\n[http]\nlisten = \"" + address + "\"\n");
  const Ended ended = doctor("-c other.toml");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("Address already in use"));
  EXPECT_THAT(ended.out, HasSubstr("choose another [http] listen"));
}

TEST_F(Doctor, ThePublicUrlIsTriedWhileTheGatewayRuns) {
  configure(kDemo);
  start();
  // A reload takes no `listen`: the gateway stays where it is, and the configuration says where.
  const auto with_url = [this](const std::string& url) {
    write("interline.toml",
          "[http]\nlisten = \"" + address() + "\"\npublic_url = \"" + url + "\"\n" + kDemo);
    return doctor();
  };
  EXPECT_THAT(with_url("http://" + address()).out, ContainsRegex("ok +public_url"));
  const Ended wrong = with_url("http://127.0.0.1:1");
  EXPECT_EQ(wrong.code, 0) << wrong.out;
  EXPECT_THAT(wrong.out, ContainsRegex("doubtful +public_url +http://127.0.0.1:1: "));
  EXPECT_THAT(wrong.out, HasSubstr("pass http://127.0.0.1:1 on to " + address()));
}

TEST_F(Doctor, EachFindingThatIsNotFineSaysWhatToDo) {
  write("interline.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\n"
        "[xmpp]\ndomain = \"agents.example.test\"\nserver = \"127.0.0.1:1\"\nsecret = \"x\"\n" +
            exec_endpoint(R"(["python3", "no such file.py"])"));
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  std::istringstream stream(ended.out);
  bool mended = true;
  int unwell = 0;
  for (std::string line; std::getline(stream, line);) {
    const bool remedy = line.find("          ") == 0;
    if (remedy) {
      mended = true;
      continue;
    }
    EXPECT_TRUE(mended) << "nothing was said to do before: " << line << "\n" << ended.out;
    mended = line.starts_with("ok ");
    if (!mended) ++unwell;
  }
  EXPECT_TRUE(mended);
  EXPECT_GE(unwell, 4) << ended.out;  // grants, xmpp twice, the endpoint
  // Lines that can be copied as they are.
  EXPECT_THAT(ended.out,
              HasSubstr("            [[grant]]\n            principals = [\"local:*\"]\n"));
  EXPECT_THAT(ended.out, HasSubstr("cd " + folder().string() + " && python3 'no such file.py'\n"));
}

TEST_F(Doctor, AnXmppServerThatIsNotThereIsSaid) {
  configure(
      "[xmpp]\ndomain = \"agents.example.test\"\nserver = \"127.0.0.1:1\"\nsecret = \"x\"\n"
      "local_domains = [\"example.test\"]\n");
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("127.0.0.1:1: "));
  EXPECT_THAT(ended.out, HasSubstr("Connection refused"));
}

TEST_F(Doctor, AnXmppServerIsTriedAsTheComponent) {
  const xmpp::testing::LiveServer prosody("prosody");
  const auto with_secret = [&](std::string_view secret) {
    configure("[xmpp]\ndomain = \"agents.example.test\"\nserver = \"" +
              prosody.address("component") + "\"\nsecret = \"" + std::string(secret) +
              "\"\nlocal_domains = [\"example.test\"]\n");
    return doctor();
  };
  const Ended right = with_secret(xmpp::testing::LiveServer::kSecret);
  EXPECT_EQ(right.code, 0) << right.out;
  EXPECT_THAT(right.out, HasSubstr("takes the component agents.example.test"));
  const Ended wrong = with_secret("another");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("not-authorized"));
  EXPECT_THAT(wrong.out, HasSubstr("to mend it: the component's secret differs from the one"));
}

TEST_F(Doctor, EachWayNotToReachTheXmppServerHasItsRemedy) {
  const xmpp::testing::LiveServer prosody("prosody", {"--component-tls"});
  const auto with = [&](const std::string& domain, const std::string& server,
                        const std::string& more = "") {
    configure("[xmpp]\ndomain = \"" + domain + "\"\nserver = \"" + server + "\"\nsecret = \"" +
              std::string(xmpp::testing::LiveServer::kSecret) +
              "\"\nlocal_domains = [\"example.test\"]\n" + more);
    const Ended ended = doctor();
    EXPECT_EQ(ended.code, 1) << ended.out;
    return ended.out;
  };
  const std::string plain = prosody.address("component");
  const std::string tls = prosody.address("component_tls");
  const std::string domain = "agents.example.test";
  const std::string on = "tls = \"on\"\n";
  const std::string trusted = on + "tls_ca = \"" + prosody.certificate() + "\"\n";
  const auto mend = [](const std::string& what) { return HasSubstr("to mend it: " + what); };
  EXPECT_THAT(with("others.example.test", plain),
              mend("the server has no component of this domain"));
  EXPECT_THAT(with(domain, "no-such-host.invalid:5347", on),
              mend("mend the name in [xmpp] server"));
  EXPECT_THAT(with(domain, "127.0.0.1:1"), mend("start the server, and see that it listens there"));
  EXPECT_THAT(with(domain, plain, on), mend("that port speaks no TLS"));
  EXPECT_THAT(with(domain, tls, on), mend("let [xmpp] tls_ca name the certificate"));
  const std::string port = tls.substr(tls.rfind(':'));
  EXPECT_THAT(with(domain, "127.0.0.2" + port, trusted), mend("start the server"));
  EXPECT_THAT(with(domain, "localhost" + port, trusted),
              mend("let [xmpp] server have a name that the server's certificate is for"));
  EXPECT_THAT(with(domain, tls),
              mend("see that [xmpp] server is the server's port for components"));
}

TEST_F(Doctor, ADataDirectoryThatOthersReadIsDoubtful) {
  configure(kDemo);
  std::filesystem::create_directory(folder() / "var");
  ::chmod((folder() / "var").c_str(), 0755);
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, HasSubstr("chmod 700"));
}

TEST_F(Doctor, APathThatIsTooLongForASocketIsSaid) {
  configure("[gateway]\ndata_dir = \"" + std::string(120, 'd') + "\"\n");
  const Ended ended = doctor();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("the system takes 107"));
}

}  // namespace
}  // namespace interline::testing
