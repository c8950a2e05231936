// The MCP server over a whole engine: whatever a client sends, nothing breaks, and every request is
// answered once, by JSON with its id. The first line is headers (version|method|name), the rest the
// body. The reader of an answer is gone as soon as anybody asks, so that nothing waits.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "../tests/scenarios/engine/demo_gateway.hpp"
#include "json/parse.hpp"
#include "protocols/mcp/server/sessions.hpp"

using namespace interline;                  // NOLINT
using namespace interline::protocols::mcp;  // NOLINT
namespace server = interline::protocols::mcp::server;
namespace jsonrpc = interline::protocols::jsonrpc;

namespace {

server::Settings settings() {
  server::Settings made;
  made.self.name = "fuzzed";
  made.self.version = "1";
  made.seal_keys.emplace_back("a key for tests of 32 bytes.....");
  made.task_grace = std::chrono::milliseconds(0);
  return made;
}

void must_be_message(const std::string& line) {
  const auto parsed =
      json::parse_borrowed(line, jsonrpc::limits_for(line.size()), json::Numbers::faithful);
  testing::require(parsed && jsonrpc::read_message(parsed->root()).has_value());
}

class GoneReader final : public server::Sink {
 public:
  explicit GoneReader(boost::asio::io_context& io) : io_(io) {}
  bool tell(std::string message) override {
    must_be_message(message);
    return true;
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  void on_closed(std::function<void()> then) override {
    *then_ = std::move(then);
    if (!*then_) return;
    closed_ = true;
    // The request may be over, and this with it, before its turn comes.
    boost::asio::post(io_, [waits = then_] {
      if (auto call = std::exchange(*waits, nullptr)) call();
    });
  }

 private:
  boost::asio::io_context& io_;
  const std::shared_ptr<std::function<void()>> then_ = std::make_shared<std::function<void()>>();
  bool closed_ = false;
};

/// Lives as long as the process.
class Front {
 public:
  Front() { features_ = *gateway_.run(server_.offered(policy::Principal::anonymous(), "")); }

  void take(std::string_view head, std::string_view body) {
    const auto document =
        json::parse_borrowed(body, jsonrpc::limits_for(body.size()), json::Numbers::faithful);
    if (!document) return;
    RequestHeaders headers;
    const auto first = std::min(head.find('|'), head.size());
    const auto second = std::min(head.find('|', first + 1), head.size());
    if (first > 0) headers.protocol_version = head.substr(0, first);
    if (first < head.size()) headers.method = head.substr(first + 1, second - first - 1);
    if (second < head.size()) headers.name = head.substr(second + 1);
    Served served;
    served.features = features_;
    for (const auto revision : {Revision::v2025_03_26, Revision::v2025_11_25}) {
      LegacyState state;
      state.session_named = true;
      state.negotiated = revision;
      answer(decide(document->root(), Transport::http, headers, state, served), revision);
    }
  }

 private:
  void answer(const Decision& decision, Revision revision) {
    if (const auto* modern = std::get_if<ModernExchange>(&decision)) {
      if (modern->message.kind != jsonrpc::Kind::request) return;
      GoneReader reader(gateway_.io());
      server::Asked asked;
      asked.who = policy::Principal::anonymous();
      asked.features = features_;
      asked.message = modern->message;
      asked.method = modern->method;
      asked.meta = modern->meta;
      asked.header = [](std::string_view) { return std::nullopt; };
      asked.sink = &reader;
      check(gateway_.run(server_.handle(std::move(asked))), modern->message.id);
    }
    const auto* legacy = std::get_if<LegacyExchange>(&decision);
    if (legacy == nullptr) return;
    server::Session& session = session_of(revision);
    if (legacy->message.kind == jsonrpc::Kind::request) {
      if (legacy->opens()) return;
      const auto log = session.open_stream(legacy->message.id);
      log->close();
      check(gateway_.run(session.handle(*legacy, features_, log)), legacy->message.id);
    } else {
      session.answered(legacy->message);
      session.cancelled(legacy->message.id);
    }
  }

  server::Session& session_of(Revision revision) {
    auto& session = sessions_[revision == Revision::v2025_11_25 ? 1 : 0];
    if (!session) {
      server::SessionRecord agreed;
      agreed.who = policy::Principal::anonymous();
      agreed.revision = revision;
      session = std::make_shared<server::Session>(server_.core(), "fuzzed", std::move(agreed),
                                                  gateway_.io().get_executor());
      gateway_.run(begun(*session));
    }
    return *session;
  }
  server::awaitable<bool> begun(server::Session& session) {
    co_await session.begin(features_);
    co_return true;
  }

  static void check(const server::Reply& reply, std::string_view id) {
    const auto parsed = json::parse_borrowed(
        reply.message, jsonrpc::limits_for(reply.message.size()), json::Numbers::faithful);
    testing::require(parsed.has_value());
    const auto message = jsonrpc::read_message(parsed->root());
    testing::require(message && message->id == id);
    testing::require(message->kind == jsonrpc::Kind::error ||
                     message->kind == jsonrpc::Kind::result);
  }

  testing::DemoGateway gateway_{testing::everything_for("anonymous")};
  server::Server server_{gateway_.engine(), gateway_.clock(), settings(), Logger()};
  Features features_;
  std::shared_ptr<server::Session> sessions_[2];
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Front* const front = new Front;  // its threads end with the process
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  front->take(input.substr(0, line), input.substr(line + 1));
  return 0;
}
