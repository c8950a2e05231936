// MCP servers that misbehave in every way, each beside a healthy one under load: whatever they do
// fails their own calls alone.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include <gmock/gmock.h>

#include "net/stream.hpp"
#include "runtimes/mcp/http_test_support.hpp"
#include "runtimes/mcp/mcp_test_support.hpp"

namespace interline::runtimes::mcp {
namespace {

using net::awaitable;
using testing::FakeJob;
using testing::Seen;
using ::testing::StartsWith;
using testing::Stub;

constexpr const char* kFine = R"(complete {"content":[]})";

/// What a bad server does with each connection.
struct Vice {
  const char* name;
  std::string bytes;     ///< what it writes to whatever it is asked
  bool hangs = false;    ///< and then says nothing more; else it closes
  bool refuses = false;  ///< nothing listens there
};

/// A port at which a vice is practised.
class Bad {
 public:
  Bad(const net::Executor& executor, Vice vice)
      : vice_(std::move(vice)), strand_(net::new_strand(executor)) {
    const net::HostPort any("127.0.0.1", 0);
    listener_ = net::listen_tcp(strand_, any).value();
    port_ = listener_->port();
    if (vice_.refuses) {
      listener_.reset();
    } else {
      served_ = boost::asio::co_spawn(strand_, serve(), boost::asio::use_future);
    }
  }
  ~Bad() { end(); }
  Bad(const Bad&) = delete;
  Bad& operator=(const Bad&) = delete;

  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/mcp";
  }
  /// Nobody is accepted any more when it returns.
  void end() {
    if (!served_.valid()) return;
    boost::asio::post(strand_, [this] { listener_->close(); });
    served_.get();
  }

 private:
  awaitable<void> serve() {
    for (;;) {
      auto stream = co_await listener_->accept();
      if (!stream) co_return;
      auto kept = std::shared_ptr<net::Stream>(std::move(*stream));
      const net::Executor executor = kept->executor();
      boost::asio::co_spawn(executor, talk(std::move(kept), vice_), boost::asio::detached);
    }
  }
  static awaitable<void> talk(std::shared_ptr<net::Stream> stream, Vice vice) {
    std::string buffer(65'536, '\0');
    stream->expires_after(std::chrono::seconds(60));
    (void)co_await stream->read_some(std::span<char>(buffer));
    if (!vice.bytes.empty()) (void)co_await stream->write_all(std::string_view(vice.bytes));
    if (vice.hangs) (void)co_await stream->read_some(std::span<char>(buffer));
  }

  const Vice vice_;
  const net::Executor strand_;
  std::future<void> served_;
  std::unique_ptr<net::Listener> listener_;
  std::uint16_t port_ = 0;
};

class Chaos : public testing::HttpMcpTest {
 protected:
  std::unique_ptr<McpRuntime> make(const std::string& url) {
    McpConfiguration configuration;
    configuration.http.emplace();
    configuration.http->url = url;
    configuration.http->retry_first = std::chrono::milliseconds(1);
    configuration.http->probe_timeout = std::chrono::milliseconds(200);
    configuration.http->limits.body = 100'000;
    return std::make_unique<McpRuntime>(fixture.executor(), std::move(configuration),
                                        fixture.log());
  }
  std::shared_ptr<FakeJob> call(McpRuntime& on, std::string handle) {
    auto job = fixture.job(std::move(handle), "echo");
    on.start(job);
    return job;
  }
};

std::string ok(const std::string& body, const std::string& type = "application/json") {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST_F(Chaos, ABadServerFailsItsOwnCallsAndNobodyElses) {
  Stub stub(fixture.executor());
  stub.be_modern();
  open(stub.url());
  const std::string event = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  std::vector<Vice> vices;
  vices.push_back({"refuses", "", false, true});
  vices.push_back({"closes at once", ""});
  vices.push_back({"black hole", "", true});
  vices.push_back({"garbage", std::string(50'000, '\xFF')});
  vices.push_back({"no JSON", ok("<html>")});
  vices.push_back({"other JSON", ok("[1,2,3]")});
  vices.push_back({"half a head", "HTTP/1.1 200", true});
  vices.push_back({"half a body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", true});
  vices.push_back({"huge body", ok(std::string(300'000, ' '))});
  vices.push_back({"huge event", event + "data: " + std::string(300'000, 'x')});
  vices.push_back({"endless comments", event + std::string(90'000, ':') + "\n", true});
  vices.push_back({"nested", ok(std::string(40'000, '['))});
  vices.push_back({"status 500", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"});
  vices.push_back({"redirect", "HTTP/1.1 302 No\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"});
  std::vector<std::unique_ptr<Bad>> bad;
  std::vector<std::unique_ptr<McpRuntime>> runtimes;
  std::vector<std::shared_ptr<FakeJob>> lost;
  for (const Vice& vice : vices) {
    bad.push_back(std::make_unique<Bad>(fixture.executor(), vice));
    runtimes.push_back(make(bad.back()->url()));
    for (int i = 0; i < 3; ++i) lost.push_back(call(*runtimes.back(), "bad" + std::to_string(i)));
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(start("good" + std::to_string(i))->next(), kFine) << vice.name;
    }
  }
  for (std::size_t i = 0; i < lost.size(); ++i) {
    EXPECT_THAT(lost[i]->next(), StartsWith("fail ")) << vices[i / 3].name;
  }
  for (const auto& one : runtimes) {
    auto work = [](McpRuntime& of) -> engine::awaitable<bool> {
      co_await of.drain(std::chrono::milliseconds(0));
      co_return true;
    };
    (void)fixture.run(work(*one));
  }
  for (const auto& one : bad) one->end();
}

TEST_F(Chaos, AnAnswerThatIsCutAtAnyByteIsALostCall) {
  const std::string body =
      R"({"jsonrpc":"2.0","id":"x","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}})";
  const std::string whole = ok(body);
  for (std::size_t cut = 0; cut < whole.size(); cut += 3) {
    Bad bad(fixture.executor(), Vice{"cut", whole.substr(0, cut)});
    const auto one = make(bad.url());
    EXPECT_THAT(call(*one, "a")->next(), StartsWith("fail ")) << cut;
    bad.end();
  }
}

class ChaosStdio : public testing::McpRuntimeTest {};

TEST_F(ChaosStdio, AProcessThatEndsAtAnyByteOfItsAnswerFailsThatCallAlone) {
  auto configuration = with(R"(
line = json.dumps({"jsonrpc": "2.0", "id": 3, "result": text("fine")})
def call(m):
    name = m["params"]["name"]
    if name == "whole": return rpc(id=m["id"], result=text("fine"))
    write(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": text("fine")})[:int(name)])
    os._exit(1)
serve(call)
)");
  configuration.process.backoff_max = std::chrono::milliseconds(1);
  open(configuration);
  for (int cut = 0; cut < 70; cut += 10) {
    EXPECT_THAT(start("cut" + std::to_string(cut), std::to_string(cut))->next(),
                StartsWith("fail "))
        << cut;
    EXPECT_THAT(start("whole" + std::to_string(cut), "whole")->next(), StartsWith("complete "));
  }
}

TEST_F(ChaosStdio, AProcessThatWritesWithoutEndWhatNoRequestIsAboutIsEnded) {
  auto configuration = with(R"(
def call(m):
    if m["params"]["name"] == "whole": return rpc(id=m["id"], result=text("fine"))
    while True:
        if m["params"]["name"] == "progress": progress("of nobody", progress=1, message="x" * 500)
        elif m["params"]["name"] == "pings": rpc(id="x" * 500, method="ping")
        elif m["params"]["name"] == "answers": rpc(id="x" * 500, result={})
        else: write("{" * 500 + "\n")
serve(call)
)");
  configuration.process.backoff_max = std::chrono::milliseconds(1);
  configuration.process.output_limit = 100'000;
  open(configuration);
  for (const std::string flood : {"progress", "pings", "answers", "nonsense"}) {
    EXPECT_THAT(start(flood, flood)->next(), StartsWith("fail unavailable")) << flood;
    EXPECT_THAT(start("after " + flood, "whole")->next(), StartsWith("complete "));
  }
}

}  // namespace
}  // namespace interline::runtimes::mcp
