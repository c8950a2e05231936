#include "control_bench.hpp"

#include <stdexcept>
#include <utility>

#include <boost/asio/detached.hpp>

#include "net/pipe_stream.hpp"

namespace interline::testing {
namespace {

using net::http::ClientConnection;
using net::http::ClientRequest;
using net::http::Method;
using net::http::SseEvent;

/// A stream whose other end is that user's.
class StreamOf final : public net::Stream {
 public:
  StreamOf(std::unique_ptr<net::Stream> stream, std::optional<uid_t> user)
      : stream_(std::move(stream)), peer_(stream_->peer()) {
    peer_.user = user;
  }

  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    return stream_->read_some(buffer);
  }
  awaitable<Result<void>> write_all(std::span<const std::string_view> pieces) override {
    return stream_->write_all(pieces);
  }
  void expires_after(net::Duration duration) override { stream_->expires_after(duration); }
  void expires_never() override { stream_->expires_never(); }
  awaitable<Result<void>> shutdown_write() override { return stream_->shutdown_write(); }
  void close() override { stream_->close(); }
  bool quiet() override { return stream_->quiet(); }
  const net::Peer& peer() const override { return peer_; }
  net::Executor executor() override { return stream_->executor(); }

 private:
  std::unique_ptr<net::Stream> stream_;
  net::Peer peer_;
};

awaitable<void> run_session(std::shared_ptr<net::http::Session> session) {
  co_await session->run(nullptr);
}

std::shared_ptr<const policy::Policy> make_policy() {
  policy::Configuration configuration;
  configuration.operators = {"local:root"};
  policy::Grant grant;
  grant.principals = {"local:*", "key:*", "xmpp:alice@example.test"};
  grant.endpoints = {"*", "!hidden"};
  grant.invoke = {"*"};
  grant.visible = true;
  configuration.local_domains = {"example.test"};
  configuration.grants.push_back(std::move(grant));
  return std::make_shared<policy::Policy>(*policy::Policy::compile(std::move(configuration)));
}

}  // namespace

json::Document Reply::json() const {
  auto parsed = json::parse(body);
  if (!parsed) throw std::runtime_error("no JSON: " + body);
  return *std::move(parsed);
}

std::string Reply::text(std::string_view name) const {
  const json::Document document = json();
  const json::Value* value = document.root().find(name);
  return value == nullptr ? "" : std::string(value->get_string().value_or(""));
}

std::string Reply::error(std::string_view name) const {
  const json::Document document = json();
  const json::Value* error = document.root().find("error");
  const json::Value* value = error == nullptr ? nullptr : error->find(name);
  return value == nullptr ? "" : std::string(value->get_string().value_or(""));
}

struct ControlBench::Asked {
  std::optional<uid_t> user;
  ClientRequest request;
};

namespace {

EngineOptions with(engine::LaneConfiguration lane) {
  EngineOptions options;
  options.lane = lane;
  return options;
}

}  // namespace

ControlBench::ControlBench(engine::LaneConfiguration lane) : ControlBench(with(lane)) {}

ControlBench::ControlBench(EngineOptions bench_options)
    : bench_(std::move(bench_options)), context_(std::make_shared<net::http::SessionContext>()) {
  bench_.engine().use_policy(make_policy());
  auto router = std::make_shared<net::http::Router>();
  control::Options options;
  options.domain = "agents.example.test";
  options.endpoints = [this] { return configured; };
  options.status = [this] {
    control::GatewayStatus status;
    status.title = "Bench";
    status.ready = true;
    status.parts.push_back(control::PartStatus{"xmpp", false, "not connected"});
    status.retention_hold = bench_.engine().statistics().retention_hold;
    return status;
  };
  streams_ = control::add_routes(*router, bench_.engine(), clock_, std::move(options));
  context_->router = std::move(router);
  context_->options.refusal = control::refusal;
}

ControlBench::~ControlBench() {
  streams_->end_all();
  // Work that nobody ended would hold itself: the engine ends it.
  bench_.run(bench_.engine().drain(std::chrono::milliseconds(0)));
}

std::unique_ptr<ClientConnection> ControlBench::connect(std::optional<uid_t> user,
                                                        net::Executor strand) {
  auto [client, server] = net::make_pipe(strand, net::PipeOptions());
  auto session = std::make_shared<net::http::Session>(
      std::make_unique<StreamOf>(std::move(server), user), context_);
  boost::asio::co_spawn(strand, run_session(std::move(session)), boost::asio::detached);
  return std::make_unique<ClientConnection>(std::move(client));
}

awaitable<Reply> ControlBench::exchange(std::shared_ptr<Asked> asked) {
  const auto connection = connect(asked->user, co_await boost::asio::this_coro::executor);
  Reply reply;
  const auto head = co_await connection->exchange(asked->request);
  if (!head) throw std::runtime_error(head.error().message);
  auto body = co_await connection->read_whole_body(std::size_t{16} * 1024 * 1024);
  if (!body) throw std::runtime_error(body.error().message);
  reply.status = head->status;
  reply.body = *std::move(body);
  connection->stream().close();
  co_return reply;
}

Reply ControlBench::ask(uid_t user, Method method, std::string target, std::string body) {
  auto asked = std::make_shared<Asked>();
  asked->user = user;
  asked->request.method = method;
  asked->request.target = std::move(target);
  asked->request.host = "localhost";
  asked->request.body = std::move(body);
  return bench_.run_on_strand(exchange(std::move(asked)));
}

Reply ControlBench::ask_from_elsewhere(std::string target) {
  auto asked = std::make_shared<Asked>();
  asked->request.target = std::move(target);
  asked->request.host = "localhost";
  return bench_.run_on_strand(exchange(std::move(asked)));
}

std::string ControlBench::call(uid_t user, const std::string& tool, const std::string& arguments) {
  const Reply reply =
      post(user, "/v1/calls",
           R"({"endpoint":"demo","tool":")" + tool + R"(","arguments":)" + arguments + "}");
  if (reply.status != 201) throw std::runtime_error(reply.body);
  return reply.text("task");
}

awaitable<std::vector<SseEvent>> ControlBench::read_events(uid_t user, std::string task,
                                                           std::string state, bool leave) {
  const auto connection = connect(user, co_await boost::asio::this_coro::executor);
  ClientRequest request;
  request.target = "/v1/tasks/" + task + "/events";
  request.host = "localhost";
  const auto head = co_await connection->exchange(request);
  if (!head || head->status != 200) throw std::runtime_error("the task cannot be followed");
  std::vector<SseEvent> events;
  net::http::SseParser parser;
  const std::string wanted = "\"state\":\"" + state + '"';
  for (;;) {
    auto bytes = co_await connection->read_body();
    if (!bytes) throw std::runtime_error(bytes.error().message);
    parser.append(*bytes);
    for (;;) {
      auto event = parser.next();
      if (!event) throw std::runtime_error(event.error().message);
      if (!*event) break;
      events.push_back(**std::move(event));
      if (on_event) on_event(events.back());
      const bool reached = !state.empty() && events.back().data.find(wanted) != std::string::npos;
      if (leave || reached) {
        connection->stream().close();
        co_return events;
      }
    }
    if (bytes->empty()) co_return events;
  }
}

std::vector<SseEvent> ControlBench::follow(uid_t user, const std::string& task) {
  return bench_.run_on_strand(read_events(user, task, "", false));
}

void ControlBench::follow_and_leave(uid_t user, const std::string& task) {
  bench_.run_on_strand(read_events(user, task, "", true));
}

Reply ControlBench::until(uid_t user, const std::string& task, std::string_view state) {
  bench_.run_on_strand(read_events(user, task, std::string(state), false));
  return get(user, "/v1/tasks/" + task);
}

}  // namespace interline::testing
