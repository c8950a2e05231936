#include "bindings/xmpp/component.hpp"

#include <chrono>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/memory_log_sink.hpp"
#include "bindings/xmpp/testing.hpp"
#include "net/pipe_stream.hpp"
#include "net/test_support.hpp"

namespace interline::xmpp {
namespace {

using net::awaitable;
using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::kHeader;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kHandshake = "<handshake>aaee83c26aeeafcbabeabfcbcd50df997e0a2a1e</handshake>";

/// The server's end of one connection: what arrived, and a voice.
class Server {
 public:
  Server(net::asio::io_context& context, std::unique_ptr<net::Stream> stream)
      : context_(context), stream_(std::move(stream)) {}

  /// Reads until the end, in a coroutine of its own.
  void listen() { net::testing::spawn(context_.get_executor(), read_all()); }
  void say(std::string text) {
    net::testing::spawn(context_.get_executor(), write(std::move(text)));
    context_.poll();
  }
  void authenticate() {
    say(std::string(kHeader));
    say("<handshake/>");
  }
  void hang_up() {
    stream_->close();
    context_.poll();
  }

  std::string seen;
  bool ended = false;

 private:
  awaitable<void> read_all() {
    std::vector<char> buffer(4'096);
    for (;;) {
      auto count = co_await stream_->read_some(buffer);
      if (!count || *count == 0) break;
      seen.append(buffer.data(), *count);
    }
    ended = true;
  }
  awaitable<void> write(std::string text) { (void)co_await stream_->write_all(text); }

  net::asio::io_context& context_;
  std::unique_ptr<net::Stream> stream_;
};

/// A component whose connections end in this test. All happens in one thread: after poll() nothing
/// is under way but timers.
class Bench {
 public:
  explicit Bench(ComponentConfig config = quick(), net::PipeOptions pipe = {},
                 bool servers_listen = true)
      : pipe_(pipe), listening_(servers_listen) {
    make(std::move(config));
  }

  /// Delays of a millisecond, so that reconnecting is not waited for.
  static ComponentConfig quick() {
    ComponentConfig config;
    config.stream.reconnect.least = milliseconds(1);
    config.stream.reconnect.most = milliseconds(1);
    config.flush_timeout = milliseconds(50);
    return config;
  }

  void start() {
    net::testing::spawn(context.get_executor(), run());
    context.poll();
  }
  /// Runs until that is so; a hang fails.
  template <class Condition>
  void until(Condition condition) {
    const auto give_up = std::chrono::steady_clock::now() + net::testing::kHung;
    while (!condition()) {
      context.run_one_for(milliseconds(100));
      if (std::chrono::steady_clock::now() > give_up) throw std::runtime_error("it hangs");
    }
    context.poll();
  }
  /// The n-th connection, counted from 1.
  Server& server(std::size_t number) {
    until([&] { return servers.size() >= number; });
    return *servers[number - 1];
  }
  Server& authenticated() {
    start();
    server(1).authenticate();
    EXPECT_TRUE(component->ready());
    return server(1);
  }
  Result<void> reply(std::string_view id, std::string_view text = "") {
    OutgoingStanza stanza =
        OutgoingStanza::result({component->domain().gateway(), "a@b/r", std::string(id)});
    stanza.xml().leaf("x", text);
    return component->send(SendKind::reply, std::move(stanza));
  }
  Result<void> event(std::string_view text) {
    OutgoingStanza stanza =
        OutgoingStanza::message("normal", component->domain().gateway(), "a@b/r", "e");
    stanza.xml().leaf("x", text);
    return component->send(SendKind::event, std::move(stanza));
  }
  /// Sends a request; its outcome appears in `outcomes`.
  void request(std::string_view to) {
    net::testing::spawn(context.get_executor(), request_and_note(Jid::parse(to).value()));
    context.poll();
  }

  net::asio::io_context context{1};
  std::shared_ptr<MemoryLogSink> log = std::make_shared<MemoryLogSink>();
  std::unique_ptr<Component> component;
  std::deque<std::unique_ptr<Server>> servers;
  std::vector<std::string> stanzas;
  std::vector<std::string> outcomes;
  int refusals = 0;  // connections still to be refused
  int ready = 0;
  int lost = 0;
  bool done = false;

 private:
  void make(ComponentConfig config) {
    StreamRandom random;
    random.uniform = [] { return 0.0; };
    random.id = [this] { return "id" + std::to_string(++ids_); };
    ComponentHandlers handlers;
    handlers.on_stanza = [this](Stanza stanza) { stanzas.push_back(testing::dump(stanza.root())); };
    handlers.on_ready = [this] { ++ready; };
    handlers.on_lost = [this] { ++lost; };
    component = std::make_unique<Component>(
        context.get_executor(), OwnDomain::parse("agents.example.test").value(), Secret("test"),
        std::move(config), [this] { return connect(); }, std::move(handlers), clock_,
        Logger(log, clock_), std::move(random));
  }
  awaitable<ConnectResult> connect() {
    if (refusals > 0) {
      --refusals;
      co_return fail(ErrorKind::unavailable, "refused");
    }
    auto [near, far] = net::make_pipe(context.get_executor(), pipe_);
    servers.push_back(std::make_unique<Server>(context, std::move(far)));
    if (listening_) servers.back()->listen();
    co_return std::move(near);
  }
  awaitable<void> run() {
    co_await component->run();
    done = true;
  }
  awaitable<void> request_and_note(Jid to) {
    auto outgoing = component->request("get", component->domain().gateway(), std::move(to));
    auto answer = co_await component->send_request(std::move(outgoing));
    outcomes.push_back(answer ? testing::dump(answer->root()) : answer.error().message);
  }

  net::PipeOptions pipe_;
  bool listening_;
  SystemClock clock_;
  int ids_ = 0;
};

TEST(Xep0114_Component, ConnectsReadsAndWrites) {
  Bench bench;
  Server& server = bench.authenticated();
  EXPECT_EQ(bench.ready, 1);
  EXPECT_THAT(server.seen, StartsWith("<?xml version='1.0'?><stream:stream "));
  EXPECT_THAT(server.seen, EndsWith(kHandshake));
  server.say("<iq type='get' id='1' from='a@b/r' to='agents.example.test'><x/></iq>");
  ASSERT_EQ(bench.stanzas.size(), 1U);
  EXPECT_THAT(bench.stanzas[0], HasSubstr("iq[type=\"get\"][id=\"1\"]"));
  ASSERT_TRUE(bench.reply("1"));
  bench.context.poll();
  EXPECT_THAT(server.seen,
              EndsWith("<iq type='result' id='1' from='agents.example.test' to='a@b/r'><x/></iq>"));
}

TEST(Xep0114_Component, RequestsOfOursGetTheirAnswer) {
  Bench bench;
  Server& server = bench.authenticated();
  bench.request("desk@other.test");
  EXPECT_THAT(
      server.seen,
      EndsWith("<iq type='get' id='id1' from='agents.example.test' to='desk@other.test'/>"));
  server.say("<iq type='result' id='id1' from='mallory@other.test'/>");
  EXPECT_TRUE(bench.outcomes.empty());
  server.say("<iq type='error' id='id1' from='desk@other.test'/>");
  ASSERT_EQ(bench.outcomes.size(), 1U);
  EXPECT_THAT(bench.outcomes[0], HasSubstr("[type=\"error\"]"));
  EXPECT_TRUE(bench.stanzas.empty());
}

// Checklist 17.
TEST(Checklist17_Component, ALostStreamFailsRequestsAndIsOpenedAgain) {
  Bench bench;
  bench.authenticated();
  bench.request("a@b");
  bench.request("a@c");
  bench.refusals = 3;
  bench.server(1).hang_up();
  bench.until([&] { return bench.outcomes.size() == 2; });
  EXPECT_THAT(bench.outcomes[0], StartsWith("stream-lost"));
  EXPECT_EQ(bench.lost, 1);
  EXPECT_FALSE(bench.component->ready());
  bench.request("a@b");
  EXPECT_EQ(bench.outcomes.back(), "not connected to the XMPP server");

  bench.server(2).authenticate();
  EXPECT_TRUE(bench.component->ready());
  EXPECT_EQ(bench.ready, 2);
  bench.server(2).say("<message/>");
  EXPECT_EQ(bench.stanzas.size(), 1U);
}

TEST(BriefSection2_PendingOnLoss, UnwrittenRepliesGoOutOnTheNextStream) {
  Bench bench;
  bench.authenticated();
  bench.server(1).hang_up();
  EXPECT_TRUE(bench.reply("while-away"));
  EXPECT_FALSE(bench.event("lost"));
  Server& second = bench.server(2);
  second.say(std::string(kHeader));
  EXPECT_THAT(second.seen, Not(HasSubstr("while-away")));
  second.say("<handshake/>");
  EXPECT_THAT(second.seen, HasSubstr("id='while-away'"));
  EXPECT_THAT(second.seen, Not(HasSubstr("lost")));
}

TEST(BriefSection2_Shutdown, EndsTheStreamInGoodOrder) {
  Bench bench;
  Server& server = bench.authenticated();
  (void)bench.reply("1");
  bench.component->stop();
  bench.context.poll();
  EXPECT_THAT(server.seen, EndsWith("</iq></stream:stream>"));
  EXPECT_FALSE(bench.done);
  server.say("</stream:stream>");
  EXPECT_TRUE(bench.done);
  EXPECT_TRUE(server.ended);
  EXPECT_EQ(bench.servers.size(), 1U);
}

TEST(BriefSection2_Shutdown, DoesNotWaitForAServerThatIsNotThere) {
  Bench bench;
  bench.refusals = 1'000'000;
  bench.start();
  bench.component->stop();
  bench.context.poll();
  EXPECT_TRUE(bench.done);
}

TEST(BriefSection2_Shutdown, AServerThatSaysNothingMoreIsLeft) {
  ComponentConfig config = Bench::quick();
  config.stream.close_timeout = milliseconds(5);
  Bench bench(config);
  bench.authenticated();
  bench.component->stop();
  bench.until([&] { return bench.done; });
}

TEST(BriefSection2_SendQueue, AServerThatDoesNotReadIsNotReadEither) {
  ComponentConfig config = Bench::quick();
  config.queue = {.most = 40'000, .batch = 4'000, .reply_life = std::chrono::seconds(30)};
  net::PipeOptions pipe;
  pipe.capacity = 2'000;
  Bench bench(config, pipe, false);
  Server& server = bench.authenticated();
  const std::string text(1'000, 'x');
  server.say("<message id='1'/>");
  EXPECT_EQ(bench.stanzas.size(), 1U);
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(bench.reply("r", text));
  // One read was under way when the queue filled; what it brings is still taken.
  server.say("<message id='2'/>");
  server.say("<message id='3'/>");
  EXPECT_EQ(bench.stanzas.size(), 2U);
  server.listen();
  bench.context.poll();
  EXPECT_EQ(bench.stanzas.size(), 3U);
  EXPECT_GT(server.seen.size(), 25'000U);
}

TEST(BriefSection2_SendQueue, WithoutRoomNothingIsReadAndThenTheStreamEnds) {
  ComponentConfig config = Bench::quick();
  config.queue = {.most = 40'000, .batch = 4'000, .reply_life = std::chrono::seconds(30)};
  Bench bench(config);
  Server& server = bench.authenticated();
  const std::string text(1'000, 'x');
  // Without a poll in between the writer has no turn: as if the server did not read.
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(bench.reply("r", text));
  EXPECT_TRUE(bench.event(text));
  bool waited = false;
  auto wait = [](Component& component, bool& flag) -> awaitable<void> {
    co_await component.room();
    flag = true;
  };
  net::testing::spawn(bench.context.get_executor(), wait(*bench.component, waited));
  EXPECT_FALSE(waited);
  while (bench.event(text)) {
  }
  EXPECT_EQ(bench.event(text).error().reason, ErrorReason::too_many);
  EXPECT_EQ(bench.ready - bench.lost, 1);
  int replies = 20;
  while (bench.reply("r", text)) ++replies;  // in the place of the events
  EXPECT_GT(replies, 30);
  bench.server(2).authenticate();
  EXPECT_TRUE(waited);
  EXPECT_EQ(bench.lost, 1);
  EXPECT_THAT(bench.server(2).seen, HasSubstr("id='r'"));
  EXPECT_THAT(server.seen, Not(HasSubstr("id='e'")));
}

TEST(BriefSection2_Bounds, AStanzaBeyondStanzaOutIsNeverSent) {
  Bench bench;
  Server& server = bench.authenticated();
  const auto refused = bench.reply("1", std::string(400'000, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, ErrorReason::too_large);
  bench.context.poll();
  EXPECT_THAT(server.seen, EndsWith(kHandshake));
}

TEST(Checklist16_Component, ASilentServerIsPingedAndThenLeft) {
  ComponentConfig config = Bench::quick();
  config.stream.ping_target = Jid::parse("example.test").value();
  config.stream.ping_interval = milliseconds(2);
  config.stream.ping_timeout = milliseconds(2);
  Bench bench(config);
  Server& server = bench.authenticated();
  bench.until([&] { return server.ended; });
  EXPECT_THAT(server.seen, HasSubstr("<ping xmlns='urn:xmpp:ping'/>"));
  EXPECT_THAT(server.seen, HasSubstr("<connection-timeout "));
  EXPECT_THAT(server.seen, EndsWith("</stream:stream>"));
  bench.server(2).authenticate();
  EXPECT_EQ(bench.ready, 2);
}

TEST(Xep0114_Component, AStreamErrorOfOursIsWrittenBeforeTheEnd) {
  Bench bench;
  Server& server = bench.authenticated();
  server.say("<a></b>");
  EXPECT_TRUE(server.ended);
  EXPECT_THAT(server.seen, HasSubstr("<not-well-formed "));
  bench.server(2).authenticate();
  EXPECT_TRUE(bench.component->ready());
}

// Whatever byte the connection breaks at, in either direction, the next one works.
TEST(Xep0114_Component, SurvivesABreakAtEveryByte) {
  for (std::size_t bytes = 0; bytes < 400; bytes += 7) {
    net::PipeOptions pipe;
    pipe.breaks_after = bytes;
    Bench bench(Bench::quick(), pipe);
    bench.start();
    for (std::size_t number = 1; number <= 2; ++number) {
      Server& server = bench.server(number);
      server.authenticate();
      if (bench.component->ready()) {
        bench.request("a@b");
        server.say("<iq type='result' id='id" + std::to_string(number) + "' from='a@b'/>" +
                   std::string(400, ' '));
      }
      bench.until([&] { return !bench.component->ready(); });
    }
    bench.component->stop();
    bench.until([&] { return bench.done; });
    EXPECT_EQ(bench.ready, bench.lost);
    EXPECT_EQ(bench.outcomes.size(), static_cast<std::size_t>(bench.ready));
  }
}

}  // namespace
}  // namespace interline::xmpp
