#include "runtimes/mcp/mcp_worker.hpp"

#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "engine/suspend.hpp"
#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/notifications.hpp"
#include "protocols/mcp/probe.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace asio = boost::asio;
namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;
using std::chrono::milliseconds;
using words::ClientCapability;
using words::ProbeAnswer;
using words::ProbeStep;
using words::Revision;

constexpr std::array<Revision, 2> kSpoken = {Revision::v2026_07_28, Revision::v2025_11_25};

/// Of a legacy server: what it may ask in a call, for as long as its process lives.
words::ClientCapabilities declared_for_ever(bool asks) {
  words::ClientCapabilities declared;
  if (!asks) return declared;
  declared.add(ClientCapability::elicitation_form);
  declared.add(ClientCapability::elicitation_url);
  declared.add(ClientCapability::sampling);
  declared.add(ClientCapability::roots);
  return declared;
}

ProbeAnswer probe_answer(const Result<Reply>& reply, bool closed) {
  ProbeAnswer answer;
  answer.transport = words::Transport::stdio;
  if (reply) {
    answer.message = &reply->message;
  } else if (closed) {
    answer.kind = ProbeAnswer::Kind::exited;
  } else if (reply.error().kind == ErrorKind::unavailable) {
    answer.kind = reply.error().reason == ErrorReason::expired ? ProbeAnswer::Kind::timeout
                                                               : ProbeAnswer::Kind::failed;
  }  // else an answer that cannot be read: no modern server's
  return answer;
}

/// Nobody's work is done at a server for these.
bool is_of_the_link(std::string_view method) {
  return method == words::method::kListen || method == words::method::kPing ||
         method == words::method::kDiscover;
}

Error gone() {
  return {ErrorKind::unavailable, "The agent's process ended before the call did."};
}

}  // namespace

McpWorker::McpWorker(Setup setup, std::shared_ptr<McpProcesses> processes)
    : ProcessWorker(std::move(setup)),
      processes_(std::move(processes)),
      subscription_(std::make_shared<Subscription>(ProcessWorker::strand(), processes_->state)),
      opening_(ProcessWorker::strand()) {}

// --- opening -----------------------------------------------------------------------------------

void McpWorker::open() {
  asio::co_spawn(strand(), open_up(), asio::detached);
}

net::awaitable<void> McpWorker::open_up() {
  const auto self = shared_from_this();
  if (processes_->ends_when_probed) co_return co_await initialize();
  words::RequestStamp stamp;
  stamp.client_version = INTERLINE_VERSION;
  for (bool retried = false;;) {
    const std::string params = words::stamped_params(stamp, "");
    auto reply = co_await ask(words::method::kDiscover, params, processes_->limits.probe_timeout);
    const auto conclusion = words::conclude_probe(probe_answer(reply, closed_), kSpoken, retried);
    switch (conclusion.step) {
      case ProbeStep::modern: {
        auto hello = words::read_discover_result(reply->message.result, *conclusion.revision);
        if (!hello) co_return give_up(hello.error().message);
        co_return use(*std::move(hello));
      }
      case ProbeStep::retry:
        retried = true;
        stamp.revision = *conclusion.revision;
        continue;
      case ProbeStep::initialize:
        co_return co_await initialize();
      case ProbeStep::restart:
        if (!closed_) end_as_failed();
        co_return;
      case ProbeStep::report:
      case ProbeStep::no_common:
      case ProbeStep::authorize:
      case ProbeStep::not_evidence:
        co_return give_up("it speaks no revision that this gateway does, or none of our requests");
    }
  }
}

net::awaitable<void> McpWorker::initialize() {
  initializing_ = true;
  const std::string params =
      words::initialize_params(INTERLINE_VERSION, declared_for_ever(processes_->limits.asks));
  auto reply = co_await ask(words::method::kInitialize, params, milliseconds(0));
  if (closed_) co_return;
  if (!reply) co_return give_up(reply.error().message);
  if (reply->is_error()) co_return give_up("it refuses to initialize");
  auto hello = words::read_initialize_result(reply->message.result);
  if (!hello) co_return give_up(hello.error().message);
  if (!send(jsonrpc::notification(words::method::kInitialized, ""))) co_return;
  use(*std::move(hello));
}

void McpWorker::use(words::ServerHello hello) {
  hello_ = std::move(hello);
  processes_->state->learned(hello_);
  set_ready();
  opening_.notify_all();
  asio::co_spawn(strand(), subscription_->run(self()), asio::detached);
}

void McpWorker::give_up(std::string_view why) {
  if (closed_) return;
  complain("the MCP server cannot be used", why);
  unusable_ = Error(ErrorKind::not_acceptable, std::string(why));
  opening_.notify_all();
  listed(std::unexpected(*unusable_));
  end_as_failed();
}

net::awaitable<Result<void>> McpWorker::opened() {
  const auto self = shared_from_this();
  while (!was_ready() && !closed_ && !unusable_) co_await opening_.wait();
  if (unusable_) co_return std::unexpected(*unusable_);
  if (closed_) co_return std::unexpected(gone());
  co_return Result<void>();
}

void McpWorker::closed() {
  closed_ = true;
  if (!was_ready() && !unusable_) {
    // It was asked who it is, and ended: the next one is not asked. Nor was that the reason if it
    // ends all the same.
    anew_ = !initializing_;
    processes_->ends_when_probed = anew_;
  }
  flights_.land_all(gone());
  doubt_.reset();
  courses_.clear();
  subscription_->close();
  opening_.notify_all();
}

void McpWorker::refollow() {
  subscription_->refresh();
}

// --- what is written ---------------------------------------------------------------------------

net::awaitable<Result<Reply>> McpWorker::ask(std::string_view method, std::string params,
                                             milliseconds timeout) {
  Outgoing outgoing(method);
  outgoing.timeout = timeout;
  std::string id = flights_.next_id();
  std::string line = jsonrpc::request(id, method, params);
  co_return co_await fly(std::move(id), std::move(line), std::move(outgoing));
}

net::awaitable<Result<Reply>> McpWorker::request(Outgoing outgoing) {
  auto ready = co_await opened();
  if (!ready) co_return std::unexpected(std::move(ready.error()));
  std::string id = flights_.next_id();
  const words::RequestStamp stamp = stamp_of(outgoing, hello_.revision, id);
  const std::string params = words::stamped_params(stamp, outgoing.members);
  std::string line = jsonrpc::request(id, outgoing.method, params);
  co_return co_await fly(std::move(id), std::move(line), std::move(outgoing));
}

net::awaitable<Result<Reply>> McpWorker::fly(std::string id, std::string line, Outgoing outgoing) {
  const auto self = this->self();
  if (closed_) co_return std::unexpected(gone());
  if (outgoing.stop && outgoing.stop->stopped()) co_return std::unexpected(stopped_error());
  if (!send(line)) {
    co_return fail(ErrorKind::unavailable, "The agent's process does not read its input.");
  }
  auto start = [self, &id, &outgoing](Flight::Resume resume) {
    auto flight = std::make_shared<Flight>();
    flight->id = id;
    flight->hearer = outgoing.hearer;
    flight->call = outgoing.progress;
    if (self->was_ready() && !is_of_the_link(outgoing.method)) {
      self->unanswered_.sent(id, outgoing.caller, outgoing.progress ? outgoing.hearer : nullptr);
    }
    flight->resume = std::move(resume);
    if (outgoing.timeout.count() > 0) {
      flight->timer = std::make_unique<asio::steady_timer>(self->strand(), outgoing.timeout);
      flight->timer->async_wait([self, id](const boost::system::error_code& error) {
        if (error || !self->flights_.find(id)) return;
        self->stop_flight(id);
        self->flights_.land(id, fail(ErrorKind::unavailable, ErrorReason::expired,
                                     "The MCP server did not answer in time."));
      });
    }
    self->flights_.add(std::move(flight));
  };
  if (outgoing.stop) {
    outgoing.stop->on_stop([weak = std::weak_ptr(self), id] {
      const auto worker = weak.lock();
      if (!worker || !worker->flights_.find(id)) return;
      worker->stop_flight(id);
      worker->flights_.land(id, std::unexpected(stopped_error()));
    });
  }
  auto reply = co_await engine::suspend<Result<Reply>>(std::move(start));
  if (outgoing.stop) outgoing.stop->on_stop(nullptr);
  unanswered_.left(id);  // where its answer was lost, say
  if (occupied()) limit_doubt();
  co_return reply;
}

/// `initialize` alone is never cancelled (2025-11-25, basic/utilities/cancellation).
void McpWorker::stop_flight(const std::string& id) {
  if (!was_ready()) return;
  (void)send(jsonrpc::notification(words::notification::kCancelled,
                                   words::cancelled_params(id, "cancelled")));
  unanswered_.left(id);
  if (occupied()) limit_doubt();
  check();
}

void McpWorker::check() {
  ++stopped_flights_;
  if (!std::exchange(checking_, true)) asio::co_spawn(strand(), ping(), asio::detached);
}

/// Modern servers have no ping, and all can say who they are. What cannot be written is another
/// doubt, and has its own end.
net::awaitable<void> McpWorker::ping() {
  const auto self = this->self();
  const bool modern = hello_.modern();
  words::RequestStamp stamp;
  stamp.client_version = INTERLINE_VERSION;
  const std::string params = modern ? words::stamped_params(stamp, "") : std::string();
  const auto method = modern ? words::method::kDiscover : words::method::kPing;
  for (unsigned before = stopped_flights_ - 1; before != stopped_flights_ && !closed_;) {
    before = stopped_flights_;
    doubt(Doubt::answer);
    (void)co_await ask(method, params, milliseconds(0));
  }
  checking_ = false;
  reassured(Doubt::answer);
}

/// A server need not answer what was cancelled: after a while its process is given up for one that
/// has nothing behind it.
void McpWorker::limit_doubt() {
  if (doubt_) return;
  doubt_ = std::make_unique<asio::steady_timer>(strand(), configuration().cancel_grace);
  doubt_->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto worker = std::static_pointer_cast<McpWorker>(weak.lock());
    if (error || !worker) return;
    worker->doubt_.reset();
    if (worker->occupied()) worker->retire();
  });
}

bool McpWorker::write_call(const std::string& handle, Call& call) {
  auto take = [weak = weak_from_this(), handle]() -> std::shared_ptr<engine::Job> {
    const auto worker = std::static_pointer_cast<McpWorker>(weak.lock());
    if (!worker) return nullptr;
    worker->courses_.erase(handle);
    return worker->finish(handle);
  };
  CourseLimits limits = processes_->limits.course;
  limits.output = configuration().output_limit;
  limits.cancel_grace = configuration().cancel_grace;
  const auto course =
      std::make_shared<CallCourse>(self(), call.job, limits, std::move(take), log());
  courses_[handle] = course;
  asio::co_spawn(strand(), course->run(), asio::detached);
  return true;
}

std::shared_ptr<CallCourse> McpWorker::course(const std::string& handle) const {
  const auto found = courses_.find(handle);
  return found == courses_.end() ? nullptr : found->second;
}

void McpWorker::write_cancel(const std::string& handle, const Call& /*call*/) {
  if (const auto one = course(handle)) one->cancel();
}

void McpWorker::write_stop(const std::string& handle, const Call& /*call*/) {
  if (const auto one = course(handle)) one->stop();
  courses_.erase(handle);
}

bool McpWorker::ends_late(const std::string& handle) const {
  const auto one = course(handle);
  return one && one->follows();
}

bool McpWorker::write_answer(const std::string& handle, const Call& /*call*/,
                             const tasks::Answer& answer) {
  if (const auto one = course(handle)) one->answer(answer);
  return true;
}

void McpWorker::write_list() {
  asio::co_spawn(strand(), list(), asio::detached);
}

net::awaitable<void> McpWorker::list() {
  const auto self = this->self();
  auto tools = co_await import_tools(self, processes_->limits.lists, false);
  if (tools) warn_of_losses(*tools, log());
  if (!closed_) listed(std::move(tools));
}

}  // namespace interline::runtimes::mcp
