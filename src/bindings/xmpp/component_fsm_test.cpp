#include "bindings/xmpp/component_fsm.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "base/memory_log_sink.hpp"
#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kHeader;

const std::string kOurHeader =
    "write <?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' "
    "xmlns:stream='http://etherx.jabber.org/streams' to='agents.example.test'>";
const std::string kHandshake =
    "write <handshake>aaee83c26aeeafcbabeabfcbcd50df997e0a2a1e</handshake>";
const std::string kEnd = "write </stream:stream>";

std::string our_error(std::string_view condition) {
  return "write <stream:error><" + std::string(condition) +
         " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>";
}
std::string their_error(std::string_view condition) {
  return "<stream:error><" + std::string(condition) +
         " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/><text "
         "xmlns='urn:ietf:params:xml:ns:xmpp-streams'>why</text></stream:error>";
}

/// A component in a test: tasks as text, time by hand, chance that counts.
class Script {
 public:
  explicit Script(StreamConfig config = {}) {
    StreamRandom random;
    random.uniform = [this] { return uniform; };
    random.id = [this] { return "id" + std::to_string(++ids_); };
    random.hash_salt = [] { return std::uint64_t{1}; };
    config.ping_target = Jid::parse("example.test").value();
    fsm = std::make_unique<ComponentFsm>(OwnDomain::parse("agents.example.test").value(),
                                         Secret("test"), std::move(config), std::move(random),
                                         Logger(log, clock));
  }

  std::vector<std::string> on(const StreamHappening& happening) {
    std::vector<std::string> out;
    for (const StreamTask& task : fsm->resume(happening, clock.steady())) out.push_back(text(task));
    return out;
  }
  std::vector<std::string> on_bytes(std::string_view bytes) { return on(happened::Bytes{bytes}); }
  std::vector<std::string> after(milliseconds time) {
    clock.tick(time);
    return on(happened::Tick());
  }
  milliseconds until_deadline() const {
    return std::chrono::duration_cast<milliseconds>(fsm->deadline().value() - clock.steady());
  }
  void connect() {
    EXPECT_THAT(on(happened::Start()), ElementsAre("connect"));
    handshake();
  }
  void handshake() {
    EXPECT_THAT(on(happened::Connected()), ElementsAre(kOurHeader));
    EXPECT_THAT(on_bytes(kHeader), ElementsAre(kHandshake));
    EXPECT_THAT(on_bytes("<handshake/>"), ElementsAre("ready"));
    EXPECT_TRUE(fsm->ready());
  }
  /// Waits for the next attempt and lets it come to that point.
  milliseconds reconnect_delay() {
    const milliseconds delay = until_deadline();
    EXPECT_THAT(after(delay - milliseconds(1)), IsEmpty());
    EXPECT_THAT(after(milliseconds(1)), ElementsAre("connect"));
    return delay;
  }
  std::string begin_iq(std::string_view to) {
    std::string id = fsm->new_id();
    EXPECT_TRUE(fsm->expect_answer(id, Jid::parse(to).value(), clock.steady()));
    return id;
  }

  ManualClock clock;
  std::shared_ptr<MemoryLogSink> log = std::make_shared<MemoryLogSink>();
  double uniform = 0;
  std::unique_ptr<ComponentFsm> fsm;

 private:
  static std::string text(const StreamTask& task) {
    struct Visitor {
      std::string operator()(const todo::Connect&) const { return "connect"; }
      std::string operator()(const todo::Write& t) const { return "write " + t.bytes; }
      std::string operator()(const todo::Ready&) const { return "ready"; }
      std::string operator()(const todo::Deliver& t) const {
        return "deliver " + testing::dump(t.stanza.root());
      }
      std::string operator()(const todo::Answer& t) const {
        if (t.stanza) {
          return "answer " + t.id + " " +
                 std::string(t.stanza->root().attribute("type").value_or(""));
        }
        return "answer " + t.id + " " + std::string(to_string(t.stanza.error().kind)) + "/" +
               std::string(to_string(t.stanza.error().reason));
      }
      std::string operator()(const todo::Close&) const { return "close"; }
      std::string operator()(const todo::Stopped&) const { return "stopped"; }
    };
    return std::visit(Visitor(), task);
  }

  int ids_ = 0;
};

// --- opening -------------------------------------------------------------------------------------

TEST(Xep0114_Open, HeaderHandshakeReady) {
  Script script;
  script.connect();
  EXPECT_THAT(script.on_bytes("<iq type='get' id='1' from='a@b'/>"),
              ElementsAre(HasSubstr("deliver {jabber:component:accept}iq")));
}

TEST(Xep0114_Open, EverythingInOneRead) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  EXPECT_THAT(script.on_bytes(std::string(kHeader) + "<handshake/><message/>"),
              ElementsAre(kHandshake, "ready", "deliver {jabber:component:accept}message()"));
}

TEST(Xep0114_Open, TheIdIsHashedAsParsed) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  std::string header(kHeader);
  header.replace(header.find("3BF96D32"), 8, "3BF&#57;6D32");
  EXPECT_THAT(script.on_bytes(header), ElementsAre(kHandshake));
}

TEST(Xep0114_Open, ADifferentNameOfTheStreamIsOnlyLogged) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  std::string header(kHeader);
  header.replace(header.find("agents."), 7, "other.");
  EXPECT_THAT(script.on_bytes(header), ElementsAre(kHandshake));
  EXPECT_THAT(script.log->text(), HasSubstr("names its stream differently"));
}

TEST(Xep0114_Open, AnotherKindOfPortIsAConfigurationFault) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  std::string header(kHeader);
  header.replace(header.find("jabber:component:accept"), 23, "jabber:client");
  EXPECT_THAT(script.on_bytes(header), ElementsAre(our_error("invalid-namespace"), "close"));
  EXPECT_EQ(script.reconnect_delay(), seconds(30));
  EXPECT_THAT(script.log->text(), HasSubstr("not one for components"));
}

std::string header_without_id() {
  std::string header(kHeader);
  return header.replace(header.find("3BF96D32"), 8, "");
}

// Prosody begins the stream so whose error is that it knows no such component.
TEST(Xep0114_Open, AStreamWithoutIdIsReadUpToTheErrorThatItIsAbout) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  EXPECT_THAT(script.on_bytes(header_without_id()), IsEmpty());
  EXPECT_FALSE(script.fsm->ready());
  EXPECT_THAT(script.on_bytes(their_error("host-unknown")), ElementsAre(kEnd, "close"));
  EXPECT_THAT(script.log->text(), HasSubstr("mend [xmpp] domain"));
  EXPECT_EQ(script.reconnect_delay(), seconds(30));
}

TEST(Xep0114_Open, AStreamWithoutIdThatSaysNothingMoreIsAConfigurationFault) {
  const auto refused = [](Script& script) {
    (void)script.on(happened::Start());
    (void)script.on(happened::Connected());
    (void)script.on_bytes(header_without_id());
  };
  Script stanza;
  refused(stanza);
  EXPECT_THAT(stanza.on_bytes("<handshake/>"),
              ElementsAre(our_error("undefined-condition"), "close"));
  Script closed;
  refused(closed);
  EXPECT_THAT(closed.on_bytes("</stream:stream>"), ElementsAre(kEnd, "close"));
  Script lost;
  refused(lost);
  EXPECT_THAT(lost.on(happened::Lost()), IsEmpty());
  Script silent;
  refused(silent);
  EXPECT_THAT(silent.after(seconds(10)), ElementsAre(our_error("undefined-condition"), "close"));
  for (Script* script : {&stanza, &closed, &lost, &silent}) {
    EXPECT_THAT(script->log->text(), HasSubstr("has no id"));
    EXPECT_THAT(script->log->text(), HasSubstr("mend [xmpp] domain"));
    EXPECT_EQ(script->reconnect_delay(), seconds(30));
  }
}

TEST(Xep0114_Open, AStopWaitsForNoErrorOfAStreamWithoutId) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  (void)script.on_bytes(header_without_id());
  EXPECT_THAT(script.on(happened::Stop()), ElementsAre(kEnd));
  EXPECT_THAT(script.on(happened::Lost()), ElementsAre("stopped"));
}

TEST(Xep0114_Open, WhatIsNoComponentPortIsSaid) {
  const auto opened = [](Script& script) {
    (void)script.on(happened::Start());
    (void)script.on(happened::Connected());
  };
  Script closed;
  opened(closed);
  (void)closed.on(happened::Lost{"TLS: tlsv13 alert certificate required"});
  EXPECT_THAT(closed.log->text(), HasSubstr("alert certificate required"));
  Script other;
  opened(other);
  (void)other.on_bytes("\x15\x03\x01");
  Script silent;
  opened(silent);
  (void)silent.after(seconds(10));
  for (Script* script : {&closed, &other, &silent}) {
    EXPECT_THAT(script->log->text(), HasSubstr("is the server's port for components"));
  }
}

TEST(Xep0114_Open, NoStanzaIsAcceptedBeforeTheHandshake) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  (void)script.on_bytes(kHeader);
  EXPECT_THAT(script.on_bytes("<iq type='get' id='1' from='a@b'/><handshake/>"),
              ElementsAre(our_error("not-authorized"), "close"));
  EXPECT_FALSE(script.fsm->ready());
}

TEST(BriefSection2_Open, NothingIsSentBeforeTheHandshake) {
  Script script;
  const Jid to = Jid::parse("a@b").value();
  EXPECT_EQ(script.fsm->expect_answer("x", to, script.clock.steady()).error().kind,
            ErrorKind::unavailable);
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  (void)script.on_bytes(kHeader);
  EXPECT_FALSE(script.fsm->ready());
  EXPECT_FALSE(script.fsm->expect_answer("x", to, script.clock.steady()));
}

TEST(BriefSection2_Open, HeaderAndHandshakeAreWaitedForTenSecondsEach) {
  Script script;
  (void)script.on(happened::Start());
  (void)script.on(happened::Connected());
  EXPECT_EQ(script.until_deadline(), seconds(10));
  EXPECT_THAT(script.after(milliseconds(9'999)), IsEmpty());
  EXPECT_THAT(script.after(milliseconds(1)), ElementsAre(our_error("connection-timeout"), "close"));
  (void)script.reconnect_delay();
  (void)script.on(happened::Connected());
  (void)script.after(seconds(9));
  (void)script.on_bytes(kHeader);
  EXPECT_EQ(script.until_deadline(), seconds(10));
  EXPECT_THAT(script.after(seconds(10)), ElementsAre(our_error("connection-timeout"), "close"));
}

// --- errors --------------------------------------------------------------------------------------

TEST(Xep0114_StreamErrors, ConfigurationFaultsWaitAndSayTheRemedy) {
  for (const char* condition : {"not-authorized", "host-unknown", "invalid-namespace"}) {
    Script script;
    (void)script.on(happened::Start());
    (void)script.on(happened::Connected());
    (void)script.on_bytes(kHeader);
    EXPECT_THAT(script.on_bytes(their_error(condition) + "</stream:stream>"),
                ElementsAre(kEnd, "close"));
    EXPECT_THAT(script.log->text(), HasSubstr("remedy"));
    EXPECT_EQ(script.reconnect_delay(), seconds(30)) << condition;
  }
}

TEST(Xep0114_StreamErrors, AConflictWaitsFiveSeconds) {
  Script script;
  script.connect();
  EXPECT_THAT(script.on_bytes(their_error("conflict")), ElementsAre(kEnd, "close"));
  EXPECT_EQ(script.reconnect_delay(), seconds(5));
}

TEST(Xep0114_StreamErrors, OthersAreRetriedAsUsual) {
  Script script;
  script.connect();
  EXPECT_THAT(script.on_bytes(their_error("system-shutdown")), ElementsAre(kEnd, "close"));
  EXPECT_EQ(script.reconnect_delay(), milliseconds(500));
}

TEST(Xep0114_StreamErrors, AnEarlierFaultDoesNotSlowLaterAttempts) {
  Script script;
  script.connect();
  (void)script.on_bytes(their_error("conflict"));
  (void)script.reconnect_delay();
  EXPECT_THAT(script.on(happened::ConnectFailed()), IsEmpty());
  EXPECT_EQ(script.until_deadline(), milliseconds(1'000));  // n = 1
}

TEST(Rfc6120_StreamErrors, BadXmlIsAnsweredWithItsCondition) {
  const std::pair<const char*, const char*> kCases[] = {
      {"<a></b>", "not-well-formed"},
      {"<!--x-->", "restricted-xml"},
      {"text", "bad-format"},
  };
  for (const auto& [xml, condition] : kCases) {
    Script script;
    script.connect();
    EXPECT_THAT(script.on_bytes(std::string("<message/>") + xml),
                ElementsAre(HasSubstr("deliver"), our_error(condition), "close"));
    EXPECT_FALSE(script.fsm->ready());
    EXPECT_THAT(script.on_bytes("<message/>"), IsEmpty());
  }
}

TEST(Rfc6120_StreamErrors, TheServersEndIsAnswered) {
  Script script;
  script.connect();
  EXPECT_THAT(script.on_bytes("<message/></stream:stream>"),
              ElementsAre(HasSubstr("deliver"), kEnd, "close"));
  EXPECT_THAT(script.on(happened::Lost()), IsEmpty());
}

// --- stanzas -------------------------------------------------------------------------------------

TEST(BriefSection2_Namespaces, StanzasOfAllThreeAreDeliveredOthersAreNot) {
  Script script;
  script.connect();
  for (const char* ns : {"jabber:component:accept", "jabber:client", "jabber:server"}) {
    EXPECT_EQ(script.on_bytes("<presence xmlns='" + std::string(ns) + "'/>").size(), 1U);
  }
  EXPECT_THAT(script.on_bytes("<iq xmlns='urn:other'/><other/><stream:features/>"), IsEmpty());
}

TEST(BriefSection2_Duties, AnswersAreNeverDelivered) {
  Script script;
  script.connect();
  EXPECT_THAT(script.on_bytes("<iq type='result' id='x' from='a@b'/><iq type='error' from='a@b'/>"),
              ElementsAre());
}

TEST(BriefSection2_OwnIqs, AreMatchedByIdAndPreparedSender) {
  Script script;
  script.connect();
  const std::string id = script.begin_iq("Straße@Example.TEST/R");
  EXPECT_THAT(script.on_bytes("<iq type='result' id='" + id + "' from='strasse@other.test/R'/>"),
              IsEmpty());
  EXPECT_THAT(script.on_bytes("<iq type='result' id='" + id + "' from='strasse@example.test/r'/>"),
              IsEmpty());
  EXPECT_THAT(script.on_bytes("<iq type='result' id='" + id + "'/>"), IsEmpty());
  EXPECT_THAT(script.on_bytes("<iq type='result' id='other' from='strasse@example.test/R'/>"),
              IsEmpty());
  const std::string answer = "<iq type='error' id='" + id + "' from='strasse@EXAMPLE.test./R'/>";
  EXPECT_THAT(script.on_bytes(answer), ElementsAre("answer " + id + " error"));
  EXPECT_THAT(script.on_bytes(answer), IsEmpty());
}

TEST(BriefSection2_OwnIqs, WaitThirtySeconds) {
  Script script;
  script.connect();
  const std::string first = script.begin_iq("a@b");
  (void)script.after(seconds(10));
  const std::string second = script.begin_iq("a@b");
  EXPECT_EQ(script.until_deadline(), seconds(20));
  EXPECT_THAT(script.after(milliseconds(19'999)), IsEmpty());
  EXPECT_THAT(script.after(milliseconds(1)),
              ElementsAre("answer " + first + " unavailable/expired"));
  EXPECT_THAT(script.on_bytes("<iq type='result' id='" + first + "' from='a@b'/>"), IsEmpty());
  EXPECT_THAT(script.on_bytes("<iq type='result' id='" + second + "' from='a@b'/>"),
              ElementsAre("answer " + second + " result"));
}

TEST(BriefSection2_OwnIqs, AThousandMayWait) {
  Script script;
  script.connect();
  for (int i = 0; i < 1'000; ++i) (void)script.begin_iq("a@b");
  const auto refused =
      script.fsm->expect_answer("x", Jid::parse("a@b").value(), script.clock.steady());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, ErrorReason::too_many);
  script.fsm->forget_answer("id7");
  EXPECT_EQ(script.begin_iq("a@b"), "id1001");
}

// Checklist 17.
TEST(Checklist17_OwnIqs, FailAtOnceWhenTheStreamIsLost) {
  Script script;
  script.connect();
  for (int i = 0; i < 3; ++i) (void)script.begin_iq("a@b");
  EXPECT_THAT(script.on(happened::Lost()),
              ElementsAre("answer id1 unavailable/none", "answer id2 unavailable/none",
                          "answer id3 unavailable/none"));
  (void)script.reconnect_delay();
  script.handshake();
  EXPECT_THAT(script.on_bytes("<iq type='result' id='id1' from='a@b'/>"), IsEmpty());
}

// --- keepalive -----------------------------------------------------------------------------------

std::string ping(std::string_view id) {
  return "write <iq type='get' id='" + std::string(id) +
         "' from='agents.example.test' to='example.test'><ping xmlns='urn:xmpp:ping'/></iq>";
}

// Checklist 16.
TEST(Checklist16_Keepalive, APingAfterSixtySecondsOfSilence) {
  Script script;
  script.connect();
  EXPECT_EQ(script.until_deadline(), seconds(60));
  (void)script.after(seconds(59));
  (void)script.on_bytes(" ");
  EXPECT_EQ(script.until_deadline(), seconds(60));
  EXPECT_THAT(script.after(milliseconds(59'999)), IsEmpty());
  EXPECT_THAT(script.after(milliseconds(1)), ElementsAre(ping("id1")));
  EXPECT_EQ(script.until_deadline(), seconds(30));
}

TEST(Checklist16_Keepalive, AnyAnswerIsLife) {
  for (const char* type : {"result", "error"}) {
    Script script;
    script.connect();
    (void)script.after(seconds(60));
    EXPECT_THAT(
        script.on_bytes("<iq id='id1' from='example.test' type='" + std::string(type) + "'/>"),
        IsEmpty());
    EXPECT_THAT(script.after(seconds(59)), IsEmpty());
    EXPECT_THAT(script.after(seconds(1)), ElementsAre(ping("id2")));
  }
}

TEST(Checklist16_Keepalive, ThirtySecondsWithoutAnswerEndTheStream) {
  Script script;
  script.connect();
  (void)script.after(seconds(60));
  (void)script.on_bytes("<message/>");
  EXPECT_THAT(script.after(milliseconds(29'999)), IsEmpty());
  const std::string id = script.begin_iq("a@b");
  EXPECT_THAT(script.after(milliseconds(1)), ElementsAre(our_error("connection-timeout"), "close",
                                                         "answer " + id + " unavailable/none"));
  EXPECT_EQ(script.reconnect_delay(), milliseconds(500));
}

// --- reconnecting --------------------------------------------------------------------------------

TEST(Checklist16_Reconnect, DelaysDoubleUpToAMinuteWithJitter) {
  Script script;
  (void)script.on(happened::Start());
  const std::vector<int> kSeconds = {1, 2, 4, 8, 16, 32, 60, 60, 60};
  for (const int base : kSeconds) {
    script.uniform = 0.5;
    (void)script.on(happened::ConnectFailed());
    EXPECT_EQ(script.reconnect_delay(), milliseconds(base * 750));
  }
}

TEST(Checklist16_Reconnect, AThousandDelaysAreInRange) {
  StreamRandom random;
  ReconnectDelay delay({}, random.uniform);
  double sum = 0;
  for (int i = 0; i < 1'000; ++i) {
    const auto base = std::min<long>(1'000L << std::min(i, 20), 60'000);
    const auto chosen = delay.next(Retry::ordinary).count();
    EXPECT_GE(chosen, base / 2);
    EXPECT_LE(chosen, base);
    sum += static_cast<double>(chosen) / static_cast<double>(base);
  }
  EXPECT_GT(sum, 700.0);  // uniform in [0.5, 1): 750 expected, 5.7 standard deviations allowed
  EXPECT_LT(sum, 800.0);
}

TEST(Checklist16_Reconnect, DelaysBeginAnewAfterAMinuteAuthenticated) {
  Script script;
  script.connect();
  (void)script.on(happened::Lost());
  EXPECT_EQ(script.reconnect_delay(), milliseconds(500));
  script.handshake();
  (void)script.on_bytes(" ");
  script.clock.tick(milliseconds(59'999));
  (void)script.on(happened::Lost());
  EXPECT_EQ(script.reconnect_delay(), milliseconds(1'000));
  script.handshake();
  script.clock.tick(seconds(60));
  (void)script.on(happened::Lost());
  EXPECT_EQ(script.reconnect_delay(), milliseconds(500));
}

TEST(BriefSection2_Reconnect, ANewSecretIsUsedByTheNextStream) {
  Script script;
  script.connect();
  script.fsm->set_secret(Secret("other"));
  (void)script.on(happened::Lost());
  (void)script.reconnect_delay();
  (void)script.on(happened::Connected());
  EXPECT_THAT(script.on_bytes(kHeader),
              ElementsAre(::testing::AllOf(HasSubstr("<handshake>"), ::testing::Ne(kHandshake))));
}

// --- stopping ------------------------------------------------------------------------------------

TEST(BriefSection2_Shutdown, EndsTheStreamAndWaitsForTheServersEnd) {
  Script script;
  script.connect();
  EXPECT_THAT(script.on(happened::Stop()), ElementsAre(kEnd));
  EXPECT_EQ(script.until_deadline(), seconds(5));
  EXPECT_THAT(script.on_bytes("<message/></stream:stream>"), ElementsAre("close", "stopped"));
  EXPECT_EQ(script.fsm->deadline(), std::nullopt);
}

TEST(BriefSection2_Shutdown, WaitsFiveSecondsAtMost) {
  Script script;
  script.connect();
  const std::string id = script.begin_iq("a@b");
  (void)script.on(happened::Stop());
  EXPECT_THAT(script.after(milliseconds(4'999)), IsEmpty());
  EXPECT_THAT(script.after(milliseconds(1)),
              ElementsAre("close", "answer " + id + " unavailable/none", "stopped"));
}

TEST(BriefSection2_Shutdown, IsQuickWhereThereIsNoStream) {
  Script idle;
  EXPECT_THAT(idle.on(happened::Stop()), ElementsAre("stopped"));

  Script waiting;
  (void)waiting.on(happened::Start());
  (void)waiting.on(happened::ConnectFailed());
  EXPECT_THAT(waiting.on(happened::Stop()), ElementsAre("stopped"));

  Script connecting;
  (void)connecting.on(happened::Start());
  EXPECT_THAT(connecting.on(happened::Stop()), ElementsAre("stopped"));
  EXPECT_THAT(connecting.on(happened::Connected()), IsEmpty());

  Script lost;
  lost.connect();
  (void)lost.on(happened::Stop());
  EXPECT_THAT(lost.on(happened::Lost()), ElementsAre("stopped"));
  EXPECT_THAT(lost.on(happened::Stop()), IsEmpty());
}

// --- our addresses -------------------------------------------------------------------------------

// Checklist 144.
TEST(Checklist144_Senders, AreOfOurDomainAlone) {
  const OwnDomain own = OwnDomain::parse("Agents.Example.test").value();
  EXPECT_EQ(own.gateway().text(), "agents.example.test");
  EXPECT_EQ(own.endpoint("desk").value().text(), "desk@agents.example.test");
  EXPECT_EQ(own.endpoint("desk", "node 1").value().text(), "desk@agents.example.test/node 1");
  for (const char* bad : {"", "desk@other.test", "desk/x", "Desk", "a b", ".test"}) {
    EXPECT_FALSE(own.endpoint(bad)) << bad;
  }
  EXPECT_FALSE(own.endpoint("desk", ""));
  EXPECT_EQ(own.addressed(Jid::parse("X@AGENTS.example.test/r").value())->text(),
            "x@agents.example.test/r");
  EXPECT_FALSE(own.addressed(Jid::parse("x@example.test").value()));
  EXPECT_FALSE(own.addressed(Jid::parse("x@sub.agents.example.test").value()));
  for (const char* bad : {"a@agents.example.test", "agents.example.test/x", ""}) {
    EXPECT_FALSE(OwnDomain::parse(bad)) << bad;
  }
}

}  // namespace
}  // namespace interline::xmpp
