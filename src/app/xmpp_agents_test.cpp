#include "app/xmpp_agents.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include "bindings/xmpp/testing.hpp"

namespace interline::app {
namespace {

xmpp::Stanza message(std::string_view from, std::string_view to,
                     std::string_view type = "cancelled") {
  return xmpp::testing::read_stanza(
      std::string("<message from='").append(from).append("' to='").append(to) +
      "'><event xmlns='urn:xmpp:agent-task:0' task-id='tk-aaaaaaaaaaaaaaaaaaaaaa' "
      "event-id='ev-aaaaaaaaaaaaaaaaaaaaaa' revision='1' type='" +
      std::string(type) + "'>{}</event></message>");
}

class Heard {
 public:
  Heard() : link_(agents->link("here", *xmpp::Jid::parse("far@agents.partner.test"))) {
    auto ears = std::make_shared<runtimes::xmpp::LinkEars>();
    ears->on_event = [this](const protocols::xmpp::Event&) { ++events; };
    link_->listen(std::move(ears));
  }
  void forget() { link_.reset(); }

  const std::shared_ptr<XmppAgents> agents = std::make_shared<XmppAgents>();
  int events = 0;

 private:
  std::unique_ptr<runtimes::xmpp::Link> link_;
};

constexpr std::string_view kHere = "here@agents.example.test/interline";

TEST(AgentsEvents, AreBelievedOfTheConfiguredAgentAlone) {
  Heard heard;
  EXPECT_TRUE(heard.agents->take(message("far@agents.partner.test", kHere)));
  EXPECT_TRUE(heard.agents->take(message("FAR@Agents.Partner.TEST/x", "here@agents.example.test")));
  EXPECT_EQ(heard.events, 2);
  for (const auto* stranger :
       {"farther@agents.partner.test", "agents.partner.test", "far@partner.test",
        "far@agents.partner.test.evil.test", "here@agents.example.test", "", "@"}) {
    EXPECT_FALSE(heard.agents->take(message(stranger, kHere))) << stranger;
  }
  EXPECT_FALSE(heard.agents->take(message("far@agents.partner.test", "other@agents.example.test")));
  EXPECT_EQ(heard.events, 2);
}

TEST(AgentsEvents, ThatAreWrongAreTakenAndIgnored) {
  Heard heard;
  EXPECT_TRUE(heard.agents->take(message("far@agents.partner.test", kHere, "something")));
  EXPECT_EQ(heard.events, 0);
}

TEST(AgentsEvents, OfNoRuntimeAnyMoreAreNobodys) {
  Heard heard;
  heard.forget();
  EXPECT_FALSE(heard.agents->take(message("far@agents.partner.test", kHere)));
}

TEST(AgentsRequests, WithoutAConnectionAreSaidToBeUnsent) {
  boost::asio::io_context io;
  const auto agents = std::make_shared<XmppAgents>();
  const auto link = agents->link("here", *xmpp::Jid::parse("far@agents.partner.test"));
  EXPECT_FALSE(link->ready());
  auto answered =
      boost::asio::co_spawn(io, link->ask(protocols::xmpp::AskEndpoint()), boost::asio::use_future);
  io.run();
  const auto answer = answered.get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, protocols::xmpp::Fault::Kind::unsent);
}

}  // namespace
}  // namespace interline::app
