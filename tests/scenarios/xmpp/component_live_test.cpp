// The component stream against real servers: what xmpp_wire_test proves with scripted bytes, seen
// from Prosody and ejabberd.
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/memory_log_sink.hpp"
#include "bindings/xmpp/component.hpp"
#include "bindings/xmpp/connector.hpp"
#include "bindings/xmpp/incoming_iq.hpp"
#include "bindings/xmpp/names.hpp"
#include "live_server.hpp"
#include "net/tls_context.hpp"

namespace interline::xmpp {
namespace {

using net::awaitable;
using std::chrono::milliseconds;
using testing::Ended;
using ::testing::HasSubstr;
using testing::LiveServer;

/// Where a gateway of a test runs, and what it says.
struct Place {
  net::asio::io_context& context;
  std::shared_ptr<MemoryLogSink> log;
};

/// A gateway of a few lines: answers pings, keeps silent to itself, says service-unavailable to all
/// else.
class Gateway {
 public:
  Gateway(const Place& place, const std::string& server, std::string_view secret,
          std::shared_ptr<const net::TlsContext> tls = nullptr, ComponentConfig config = quick())
      : log(place.log), context_(place.context) {
    StreamRandom random;
    random.id = [this, make = random.id] {
      ++ids;
      return make();
    };
    ComponentHandlers handlers;
    handlers.on_stanza = [this](Stanza stanza) { answer(stanza); };
    handlers.on_ready = [this] { ++ready; };
    handlers.on_lost = [this] { ++lost; };
    component_ = std::make_unique<Component>(
        context_.get_executor(), OwnDomain::parse("agents.example.test").value(), Secret(secret),
        std::move(config), make_connector({.server = server, .tls = std::move(tls)}).value(),
        std::move(handlers), clock_, Logger(log, clock_), std::move(random));
    net::testing::spawn(context_.get_executor(), run());
  }

  static ComponentConfig quick() {
    ComponentConfig config;
    config.stream.reconnect.least = milliseconds(20);
    config.stream.reconnect.most = milliseconds(100);
    config.stream.ping_target = Jid::parse("example.test").value();
    return config;
  }

  Component& component() { return *component_; }
  /// Its answer, or the error's message, appears in `outcomes`.
  void request(OutgoingRequest outgoing) {
    net::testing::spawn(context_.get_executor(), request_and_note(std::move(outgoing)));
  }
  OutgoingRequest ping(std::string_view to) {
    OutgoingRequest outgoing =
        component_->request("get", component_->domain().gateway(), Jid::parse(to).value());
    outgoing.stanza.xml().begin(element::kPing, ns::kPing);
    outgoing.stanza.xml().end();
    return outgoing;
  }

  const std::shared_ptr<MemoryLogSink> log;
  int ready = 0;
  int lost = 0;
  int ids = 0;
  bool done = false;
  std::vector<std::string> outcomes;
  std::vector<std::string> texts;  // of what we sent to ourselves

 private:
  void answer(const Stanza& stanza) {
    if (stanza.root().name() != element::kIq) return;
    const IqVerdict verdict = read_iq(stanza, component_->domain());
    if (const auto* refused = std::get_if<RefusedIq>(&verdict)) {
      EXPECT_TRUE(
          component_->send(SendKind::reply, OutgoingStanza::error(refused->route, refused->error)));
    }
    const auto* request = std::get_if<IqRequest>(&verdict);
    if (request == nullptr) return;
    if (request->from == component_->domain().jid()) {
      texts.push_back(request->payload.text());
    } else if (request->payload.is(ns::kPing, element::kPing)) {
      EXPECT_TRUE(component_->send(SendKind::reply, OutgoingStanza::result(request->route)));
    } else {
      const Error unavailable(ErrorKind::unavailable, "");
      EXPECT_TRUE(
          component_->send(SendKind::reply, OutgoingStanza::error(request->route, unavailable)));
    }
  }
  awaitable<void> run() {
    co_await component_->run();
    done = true;
  }
  awaitable<void> request_and_note(OutgoingRequest outgoing) {
    auto answer = co_await component_->send_request(std::move(outgoing));
    outcomes.push_back(answer ? std::string(answer->root().attribute("type").value_or(""))
                              : answer.error().message);
  }

  net::asio::io_context& context_;
  SystemClock clock_;
  std::unique_ptr<Component> component_;
};

/// One server of each kind for all tests of this file.
class LiveComponent : public ::testing::TestWithParam<const char*> {
 protected:
  static void TearDownTestSuite() { servers().clear(); }

  void SetUp() override {
    std::unique_ptr<LiveServer>& server = servers()[GetParam()];
    if (!server) {
      server =
          std::make_unique<LiveServer>(GetParam(), std::vector<std::string>{"--component-tls"});
    }
    if (!server->running()) server->command("start");
    server_ = server.get();
  }
  void TearDown() override {
    if (!HasFailure()) return;
    for (const auto& log : logs_) std::cout << "-- a gateway said:\n" << log->text();
  }

  Place place() {
    logs_.push_back(std::make_shared<MemoryLogSink>());
    return {context_, logs_.back()};
  }

  std::unique_ptr<Gateway> connect(ComponentConfig config = Gateway::quick()) {
    auto gateway = std::make_unique<Gateway>(place(), server_->address("component"),
                                             LiveServer::kSecret, nullptr, std::move(config));
    until([&] { return gateway->component().ready(); });
    return gateway;
  }
  void stop(Gateway& gateway) {
    gateway.component().stop();
    until([&] { return gateway.done; });
  }
  template <class Condition>
  void until(Condition condition) {
    const auto give_up = std::chrono::steady_clock::now() + net::testing::kHung;
    while (!condition()) {
      context_.restart();
      context_.run_one_for(milliseconds(100));
      if (std::chrono::steady_clock::now() > give_up) throw std::runtime_error("it hangs");
    }
  }
  /// What slixmpp gets as alice.
  Ended ask(std::vector<std::string> arguments) {
    std::vector<std::string> command = server_->client("alice");
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto ended = std::make_shared<std::optional<Ended>>();
    net::testing::spawn(context_.get_executor(),
                        testing::run_program(context_.get_executor(), std::move(command), ended));
    until([&] { return ended->has_value(); });
    return **ended;
  }

  net::asio::io_context context_{1};
  LiveServer* server_ = nullptr;

 private:
  std::vector<std::shared_ptr<MemoryLogSink>> logs_;

  static std::map<std::string, std::unique_ptr<LiveServer>>& servers() {
    static std::map<std::string, std::unique_ptr<LiveServer>> all;
    return all;
  }
};

constexpr const char* kPing = "<ping xmlns='urn:xmpp:ping'/>";

TEST_P(LiveComponent, C13_012_AClientsPingReachesAnyAddressOfTheDomain) {
  const auto gateway = connect();
  for (const char* to :
       {"agents.example.test", "desk@agents.example.test", "Desk@AGENTS.example.test",
        "absent@agents.example.test", "wetter-münchen@agents.example.test"}) {
    const Ended ended = ask({to, kPing});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_THAT(ended.output, HasSubstr("type=\"result\"")) << to;
  }
  stop(*gateway);
}

TEST_P(LiveComponent, WhatIsNotKnownIsServiceUnavailableAndNeverReflected) {
  const auto gateway = connect();
  const Ended ended = ask({"desk@agents.example.test", "<x xmlns='urn:x'>marker</x>"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output, HasSubstr("<service-unavailable"));
  EXPECT_THAT(ended.output, ::testing::Not(HasSubstr("marker")));
  stop(*gateway);
}

TEST_P(LiveComponent, TooDeepXmlIsABadRequestAndCostsNothingElse) {
  const auto gateway = connect();
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "<x xmlns='urn:x'>";
  for (int i = 0; i < 200; ++i) deep += "</x>";
  const Ended ended = ask({"desk@agents.example.test", deep, kPing});
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("<bad-request"));
  EXPECT_EQ(gateway->lost, 0);
  stop(*gateway);
}

TEST_P(LiveComponent, AWrongSecretIsNotAuthorizedAndWaitsThirtySeconds) {
  Gateway gateway(place(), server_->address("component"), "wrong");
  until([&] { return gateway.log->text().find("reconnecting") != std::string::npos; });
  EXPECT_THAT(gateway.log->text(), HasSubstr("condition=not-authorized"));
  EXPECT_THAT(gateway.log->text(), HasSubstr("delay_ms=30000"));
  EXPECT_EQ(gateway.ready, 0);
  stop(gateway);
}

TEST_P(LiveComponent, TheServerAnswersPings) {
  ComponentConfig config = Gateway::quick();
  config.stream.ping_interval = milliseconds(5);
  const auto gateway = connect(config);
  gateway->request(gateway->ping("example.test"));
  until([&] { return gateway->outcomes.size() == 1; });
  EXPECT_EQ(gateway->outcomes[0], "result");
  // Each keepalive takes an id, and none is sent before the one before it was answered.
  until([&] { return gateway->ids >= 6; });
  EXPECT_EQ(gateway->lost, 0);
  stop(*gateway);
}

// Checklist 17.
TEST_P(LiveComponent, AKilledServerFailsPendingRequestsAndIsFoundAgain) {
  const auto gateway = connect();
  for (int i = 0; i < 100; ++i) gateway->request(gateway->ping("agents.example.test"));
  until([&] { return gateway->texts.size() == 100; });
  EXPECT_TRUE(gateway->outcomes.empty());
  server_->command("kill");
  until([&] { return gateway->outcomes.size() == 100; });
  for (const std::string& outcome : gateway->outcomes) {
    EXPECT_THAT(outcome, ::testing::StartsWith("stream-lost"));
  }
  EXPECT_EQ(gateway->lost, 1);
  server_->command("start");
  until([&] { return gateway->ready == 2; });
  EXPECT_EQ(ask({"agents.example.test", kPing}).code, 0);
  stop(*gateway);
}

TEST_P(LiveComponent, AServerThatShutsDownIsFoundAgain) {
  const auto gateway = connect();
  server_->command("stop");
  until([&] { return gateway->lost == 1; });
  server_->command("start");
  until([&] { return gateway->ready == 2; });
  stop(*gateway);
}

TEST_P(LiveComponent, AServerThatHangsIsLeftAndFoundAgain) {
  ComponentConfig config = Gateway::quick();
  config.stream.ping_interval = milliseconds(50);
  config.stream.ping_timeout = milliseconds(500);
  config.stream.header_timeout = milliseconds(1'000);
  const auto gateway = connect(config);
  server_->command("pause");
  until([&] { return gateway->lost >= 1; });
  EXPECT_THAT(gateway->log->text(), HasSubstr("does not answer pings"));
  server_->command("resume");
  until([&] { return gateway->component().ready(); });
  stop(*gateway);
}

/// Prosody alone: ejabberd's parser, with an expat that defers reparsing, may keep the end of a
/// large stanza until more bytes come, whoever sent it (COMPAT ejabberd 23, expat 2.5.0-1+deb12u5).
class LargeStanza : public LiveComponent {};

TEST_P(LargeStanza, TheLargestStanzaWeSendIsPassedOn) {
  const auto gateway = connect();
  // Every byte of it one that servers write as six.
  const std::string text((OutgoingStanza::kMostBytes - 400) / 6, '"');
  const std::string marks = "<&>\t\n]]> é\U0001F916\uFFFD";
  OutgoingRequest outgoing = gateway->component().request(
      "set", gateway->component().domain().gateway(), gateway->component().domain().jid());
  outgoing.stanza.xml().begin("x", "urn:x");
  outgoing.stanza.xml().text(marks);
  outgoing.stanza.xml().text(text);
  outgoing.stanza.xml().end();
  ASSERT_LE(outgoing.stanza.wire_size(), OutgoingStanza::kMostBytes);
  gateway->request(std::move(outgoing));
  until([&] { return gateway->texts.size() == 1; });
  EXPECT_TRUE(gateway->texts[0] == marks + text);
  EXPECT_EQ(gateway->lost, 0);
  stop(*gateway);
}

TEST_P(LiveComponent, TlsVerifiesTheServer) {
  net::TlsClientOptions options;
  options.ca_file = server_->certificate();
  const auto trusting = net::TlsContext::client(options).value();
  Gateway good(place(), server_->address("component_tls"), LiveServer::kSecret, trusting);
  until([&] { return good.component().ready(); });
  stop(good);

  Gateway bad(place(), server_->address("component_tls"), LiveServer::kSecret,
              net::TlsContext::client({}).value());
  until([&] { return bad.log->text().find("cannot connect") != std::string::npos; });
  EXPECT_EQ(bad.ready, 0);
  stop(bad);
}

TEST_P(LiveComponent, ASecondGatewayOfTheDomain) {
  const auto first = connect();
  Gateway second(place(), server_->address("component"), LiveServer::kSecret);
  if (std::string_view(GetParam()) == "prosody") {
    until([&] { return second.log->text().find("reconnecting") != std::string::npos; });
    EXPECT_THAT(second.log->text(), HasSubstr("condition=conflict"));
    EXPECT_THAT(second.log->text(), HasSubstr("delay_ms=5000"));
  } else {  // ejabberd takes both and spreads stanzas over them
    until([&] { return second.component().ready(); });
  }
  EXPECT_TRUE(first->component().ready());
  stop(second);
  stop(*first);
}

INSTANTIATE_TEST_SUITE_P(Servers, LargeStanza, ::testing::Values("prosody"));
INSTANTIATE_TEST_SUITE_P(Servers, LiveComponent, ::testing::Values("prosody", "ejabberd"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace interline::xmpp
