#include "bindings/xmpp/component.hpp"

#include <algorithm>
#include <exception>

#include <boost/asio/co_spawn.hpp>

namespace interline::xmpp {

namespace asio = boost::asio;
using net::awaitable;

/// One connection; its reader and its writer hold it together.
struct Component::Connection {
  Connection(const net::Executor& executor, std::unique_ptr<net::Stream> opened)
      : stream(std::move(opened)), writable(executor), done(executor) {}

  std::unique_ptr<net::Stream> stream;
  net::Event writable;
  net::Event done;
  bool closing = false;  // the writer writes what the stream itself still says, then closes
  bool broken = false;
  bool writer_done = false;
};

/// One try to connect. It may outlive the component: then nobody takes its outcome.
struct Component::Attempt {
  explicit Attempt(const net::Executor& executor) : changed(executor) {}
  net::Event changed;
  std::optional<ConnectResult> outcome;
};

struct Component::Waiter {
  explicit Waiter(const net::Executor& executor) : changed(executor) {}
  net::Event changed;
  std::optional<Result<Stanza>> answer;
};

Component::Component(net::Executor executor, OwnDomain domain, Secret secret,
                     ComponentConfig config, Connector connector, ComponentHandlers handlers,
                     const Clock& clock, Logger log, StreamRandom random)
    : executor_(std::move(executor)),
      config_(std::move(config)),
      connector_(std::move(connector)),
      handlers_(std::move(handlers)),
      clock_(clock),
      log_(std::move(log)),
      fsm_(std::move(domain), std::move(secret), config_.stream, std::move(random), log_),
      queue_(config_.queue),
      deadline_(executor_, [this] { resume(happened::Tick()); }),
      changed_(executor_),
      room_(executor_) {}

Component::~Component() = default;

// --- rules ---------------------------------------------------------------------------------------

void Component::resume(const StreamHappening& happening) {
  for (StreamTask& task : fsm_.resume(happening, clock_.steady())) perform(task);
  if (announced_ && !fsm_.ready()) {
    announced_ = false;
    if (handlers_.on_lost) handlers_.on_lost();
  }
  arm_deadline();
}

void Component::perform(StreamTask& task) {
  std::visit([this](auto& each) { do_task(each); }, task);
}

void Component::arm_deadline() {
  const auto next = fsm_.deadline();
  if (!next) return deadline_.expires_never();
  const auto left = std::chrono::ceil<net::Duration>(*next - clock_.steady());
  deadline_.expires_after(std::max(left, net::Duration(1)));
}

void Component::do_task(todo::Connect&) {
  connect_wanted_ = true;
  changed_.notify_all();
}

void Component::do_task(todo::Write& write) {
  (void)queue(SendKind::stream, std::move(write.bytes));
}

void Component::do_task(todo::Ready&) {
  queue_.open(clock_.steady());
  wake_writer();
  announced_ = true;
  if (handlers_.on_ready) handlers_.on_ready();
}

void Component::do_task(todo::Deliver& deliver) {
  if (handlers_.on_stanza) handlers_.on_stanza(std::move(deliver.stanza));
}

void Component::do_task(todo::Answer& answer) {
  const auto found = waiters_.find(answer.id);
  if (found == waiters_.end()) return;
  found->second->answer.emplace(std::move(answer.stanza));
  found->second->changed.notify_all();
  waiters_.erase(found);
}

void Component::do_task(todo::Close&) {
  if (!connection_) return;
  queue_.close();
  connection_->closing = true;
  connection_->stream->expires_after(
      std::chrono::duration_cast<net::Duration>(config_.flush_timeout));
  wake_writer();
  room_.notify_all();
}

void Component::do_task(todo::Stopped&) {
  stopped_ = true;
  changed_.notify_all();
  if (attempt_) attempt_->changed.notify_all();
}

// --- sending -------------------------------------------------------------------------------------

void Component::wake_writer() {
  if (connection_) connection_->writable.notify_all();
}

Result<void> Component::queue(SendKind kind, std::string bytes) {
  switch (queue_.push(kind, std::move(bytes), clock_.steady())) {
    case SendQueue::Verdict::queued:
      wake_writer();
      return {};
    case SendQueue::Verdict::refused:
      if (!ready()) return fail(ErrorKind::unavailable, "not connected to the XMPP server");
      break;
    case SendQueue::Verdict::overflow:
      // The server has read nothing for 16 MiB: a new stream is the way on.
      if (connection_ && !connection_->closing) connection_->stream->close();
      break;
  }
  return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
              "the XMPP server does not take what is sent to it");
}

Result<void> Component::send(SendKind kind, OutgoingStanza stanza) {
  std::string bytes = stanza.finish();
  if (stanza.wire_size() > config_.stanza_out) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                "a stanza is larger than XMPP servers pass on");
  }
  return queue(kind, std::move(bytes));
}

awaitable<void> Component::room() {
  while (queue_.congested() && fsm_.ready()) co_await room_.wait();
}

OutgoingRequest Component::request(std::string_view type, const Sender& from, Jid to) const {
  std::string id = fsm_.new_id();
  OutgoingStanza stanza = OutgoingStanza::request(type, from, to.text(), id);
  return {std::move(stanza), std::move(id), std::move(to)};
}

awaitable<Result<Stanza>> Component::send_request(OutgoingRequest request) {
  auto expected = fsm_.expect_answer(request.id, request.to, clock_.steady(), request.timeout);
  if (!expected) co_return std::unexpected(std::move(expected.error()));
  const auto waiter = std::make_shared<Waiter>(executor_);
  waiters_.emplace(request.id, waiter);
  auto sent = send(SendKind::own, std::move(request.stanza));
  if (!sent) {
    fsm_.forget_answer(request.id);
    waiters_.erase(request.id);
    co_return std::unexpected(std::move(sent.error()));
  }
  arm_deadline();
  while (!waiter->answer) co_await waiter->changed.wait();
  co_return std::move(*waiter->answer);
}

// --- connections ---------------------------------------------------------------------------------

awaitable<void> Component::run() {
  resume(happened::Start());
  while (!stopped_) {
    if (connect_wanted_) {
      connect_wanted_ = false;
      co_await connect();
    } else {
      co_await changed_.wait();
    }
  }
  deadline_.stop();
}

void Component::stop() {
  resume(happened::Stop());
}

awaitable<void> Component::connect() {
  const auto attempt = std::make_shared<Attempt>(executor_);
  attempt_ = attempt;
  auto task = [](Connector connector, std::shared_ptr<Attempt> self) -> awaitable<void> {
    self->outcome.emplace(co_await connector());
    self->changed.notify_all();
  };
  asio::co_spawn(executor_, task(connector_, attempt), [attempt](std::exception_ptr error) {
    if (!error) return;
    attempt->outcome.emplace(fail(ErrorKind::internal, "connecting failed"));
    attempt->changed.notify_all();
  });
  while (!attempt->outcome && !stopped_) co_await attempt->changed.wait();
  attempt_.reset();
  if (stopped_) co_return;
  if (!*attempt->outcome) {
    const ConnectError& error = attempt->outcome->error();
    log_.warning("cannot connect to the XMPP server",
                 {{"error", static_cast<const Error&>(error)}, {"remedy", error.remedy}});
    resume(happened::ConnectFailed());
    co_return;
  }
  co_await serve(std::move(**attempt->outcome));
}

awaitable<void> Component::serve(std::unique_ptr<net::Stream> stream) {
  const auto connection = std::make_shared<Connection>(executor_, std::move(stream));
  connection_ = connection;
  asio::co_spawn(executor_, write(connection), [connection](std::exception_ptr) {
    connection->stream->close();  // so the reader notices too
    connection->writer_done = true;
    connection->done.notify_all();
  });
  resume(happened::Connected());
  co_await read(connection);
  connection->stream->close();
  connection->writable.notify_all();
  while (!connection->writer_done) co_await connection->done.wait();
  connection_.reset();
  queue_.lost(clock_.steady());
  room_.notify_all();
}

awaitable<void> Component::read(std::shared_ptr<Connection> connection) {
  std::vector<char> buffer(65'536);
  for (;;) {
    while (queue_.congested() && !connection->closing && !connection->broken) {
      co_await room_.wait();
    }
    if (connection->closing) break;
    auto count = co_await connection->stream->read_some(buffer);
    if (!count || *count == 0) {
      const std::string why = count ? std::string() : count.error().message;
      if (!connection->closing) resume(happened::Lost{why});
      break;
    }
    const happened::Bytes bytes{std::string_view(buffer.data(), *count)};
    resume(bytes);
  }
  // What the stream still says goes out, then the writer closes it.
  while (connection->closing && !connection->writer_done) co_await connection->done.wait();
  connection->broken = true;
}

awaitable<void> Component::write(std::shared_ptr<Connection> connection) {
  while (!connection->broken) {
    const std::vector<std::string_view> batch = queue_.begin_batch();
    if (batch.empty()) {
      if (connection->closing) break;
      co_await connection->writable.wait();
      continue;
    }
    auto written = co_await connection->stream->write_all(batch);
    if (!written) break;
    queue_.written();
    if (!queue_.congested()) room_.notify_all();
  }
  if (connection->closing) (void)co_await connection->stream->shutdown_write();
  room_.notify_all();
}

}  // namespace interline::xmpp
