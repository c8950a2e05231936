#include "net/http/server.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/deadline.hpp"
#include "net/event.hpp"
#include "net/http/session.hpp"

namespace interline::net::http {
namespace {

constexpr Duration kAcceptPause{100};  // out of descriptors: until some connection has ended
constexpr std::size_t kMaxRefusing = 64;

// What counts as one address: an IPv6 host owns its /64, a user of this machine its number.
std::string address_key(const Peer& peer) {
  if (!peer.address) return peer.user ? "user " + std::to_string(*peer.user) : std::string();
  if (peer.address->is_v4()) {
    const auto bytes = peer.address->to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto bytes = peer.address->to_v6().to_bytes();
  return {bytes.begin(), bytes.begin() + 8};
}

}  // namespace

// The registry of connections; everything but the shared context is touched on strand_ only.
class Server::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(const Executor& executor, std::shared_ptr<const Router> router, ServerOptions options)
      : strand_(new_strand(executor)),
        context_(std::make_shared<SessionContext>()),
        changed_(strand_) {
    context_->router = std::move(router);
    context_->options = std::move(options);
  }

  [[nodiscard]] const Executor& strand() const { return strand_; }
  [[nodiscard]] const ServerStats& stats() const { return context_->stats; }

  static awaitable<void> accept(std::shared_ptr<Core> self, std::shared_ptr<Listener> listener,
                                TlsSource tls);
  static awaitable<void> drain(std::shared_ptr<Core> self, Duration grace);
  void stop_accepting();
  void abort_all();

 private:
  struct Entry {
    std::weak_ptr<Session> session;
    Executor executor;
    std::string address;
  };

  void admit(std::unique_ptr<Stream> stream, const std::shared_ptr<const TlsContext>& tls);
  [[nodiscard]] bool has_room(const Peer& peer, const std::string& address) const;
  void refuse(std::unique_ptr<Stream> stream, bool tls);
  static awaitable<void> say_busy(std::shared_ptr<Core> self, std::unique_ptr<Stream> stream);
  static awaitable<void> run_session(std::shared_ptr<Session> session,
                                     std::shared_ptr<const TlsContext> tls);
  void ended(std::uint64_t id);
  template <class Action>
  void for_each_session(Action action);

  Executor strand_;
  std::shared_ptr<SessionContext> context_;
  std::vector<std::shared_ptr<Listener>> listeners_;
  std::unordered_map<std::uint64_t, Entry> sessions_;
  std::unordered_map<std::string, std::size_t> per_address_;
  std::uint64_t next_id_ = 0;
  std::atomic<std::size_t> refusing_ = 0;
  bool stopping_ = false;
  Event changed_;
};

awaitable<void> Server::Core::accept(std::shared_ptr<Core> self, std::shared_ptr<Listener> listener,
                                     TlsSource tls) {
  if (self->stopping_) co_return;
  self->listeners_.push_back(listener);
  while (!self->stopping_) {
    auto stream = co_await listener->accept();
    if (stream) {
      self->admit(std::move(*stream), tls ? tls() : nullptr);
      continue;
    }
    if (stream.error().kind != ErrorKind::resource_constraint) break;
    asio::steady_timer pause(self->strand_, kAcceptPause);
    co_await pause.async_wait(use_tuple);
  }
}

bool Server::Core::has_room(const Peer& peer, const std::string& address) const {
  const ServerOptions& options = context_->options;
  if (peer.user &&
      std::ranges::find(options.favoured_users, *peer.user) != options.favoured_users.end()) {
    return sessions_.size() < options.max_connections;
  }
  if (sessions_.size() + options.reserved >= options.max_connections) return false;
  const bool proxy = peer.address && contains(options.trusted_proxies, *peer.address);
  if (proxy || address.empty()) return true;
  const auto count = per_address_.find(address);
  return count == per_address_.end() || count->second < options.max_per_address;
}

void Server::Core::admit(std::unique_ptr<Stream> stream,
                         const std::shared_ptr<const TlsContext>& tls) {
  if (stopping_) return;
  ++context_->stats.connections_accepted;
  std::string address = address_key(stream->peer());
  if (!has_room(stream->peer(), address)) return refuse(std::move(stream), tls != nullptr);
  ++context_->stats.connections_open;
  ++per_address_[address];
  const std::uint64_t id = next_id_++;
  const Executor executor = stream->executor();
  auto session = std::make_shared<Session>(std::move(stream), context_);
  sessions_.emplace(id, Entry{session, executor, std::move(address)});
  asio::co_spawn(executor, run_session(std::move(session), tls),
                 [self = shared_from_this(), id](const std::exception_ptr&) {
                   asio::post(self->strand_, [self, id] { self->ended(id); });
                 });
}

awaitable<void> Server::Core::run_session(std::shared_ptr<Session> session,
                                          std::shared_ptr<const TlsContext> tls) {
  try {
    co_await session->run(std::move(tls));
  } catch (const std::exception& error) {  // a broken environment ends this connection only
    session->failed(error);
  }
}

void Server::Core::refuse(std::unique_ptr<Stream> stream, bool tls) {
  ++context_->stats.connections_refused;
  if (tls || refusing_ >= kMaxRefusing) return;  // closed with the stream
  const Executor executor = stream->executor();
  ++refusing_;
  asio::co_spawn(executor, say_busy(shared_from_this(), std::move(stream)), asio::detached);
}

awaitable<void> Server::Core::say_busy(std::shared_ptr<Core> self, std::unique_ptr<Stream> stream) {
  stream->expires_after(self->context_->options.linger_timeout);
  auto sent = co_await stream->write_all(
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
      "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 24\r\n\r\n"
      "503 Service Unavailable\n");
  if (sent) sent = co_await stream->shutdown_write();
  std::array<char, 4096> ignored;
  const std::span<char> target(ignored);
  for (int reads = 0; sent && reads < 16; ++reads) {
    auto got = co_await stream->read_some(target);
    if (!got || *got == 0) break;
  }
  --self->refusing_;
}

void Server::Core::ended(std::uint64_t id) {
  const auto entry = sessions_.find(id);
  if (entry == sessions_.end()) return;
  --context_->stats.connections_open;
  const auto count = per_address_.find(entry->second.address);
  if (--count->second == 0) per_address_.erase(count);
  sessions_.erase(entry);
  changed_.notify_all();
}

template <class Action>
void Server::Core::for_each_session(Action action) {
  for (const auto& [id, entry] : sessions_) {
    if (auto session = entry.session.lock()) {
      asio::post(entry.executor, [session, action] { action(*session); });
    }
  }
}

void Server::Core::stop_accepting() {
  stopping_ = true;
  for (const auto& listener : listeners_) listener->close();
  listeners_.clear();
}

void Server::Core::abort_all() {
  for_each_session([](Session& session) { session.abort(); });
}

awaitable<void> Server::Core::drain(std::shared_ptr<Core> self, Duration grace) {
  self->stop_accepting();
  self->for_each_session([](Session& session) { session.drain(); });
  Deadline deadline(self->strand_, [&self] { self->changed_.notify_all(); });
  deadline.expires_after(grace);
  while (!self->sessions_.empty() && !deadline.expired()) co_await self->changed_.wait();
  self->abort_all();
  while (!self->sessions_.empty()) co_await self->changed_.wait();
}

Server::Server(const Executor& executor, std::shared_ptr<const Router> router,
               ServerOptions options)
    : core_(std::make_shared<Core>(executor, std::move(router), std::move(options))) {}

Server::~Server() {
  asio::post(core_->strand(), [core = core_] {
    core->stop_accepting();
    core->abort_all();
  });
}

void Server::serve(std::unique_ptr<Listener> listener, TlsSource tls) {
  std::shared_ptr<Listener> shared = std::move(listener);
  asio::co_spawn(core_->strand(), Core::accept(core_, std::move(shared), std::move(tls)),
                 asio::detached);
}

awaitable<void> Server::drain(Duration grace) {
  const std::shared_ptr<Core> core = core_;
  co_await asio::co_spawn(core->strand(), Core::drain(core, grace), asio::use_awaitable);
}

const ServerStats& Server::stats() const {
  return core_->stats();
}

}  // namespace interline::net::http
