#include "net/http/client.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/this_coro.hpp>

#include "net/errors.hpp"
#include "net/http/pool.hpp"
#include "net/http/url.hpp"
#include "net/run_on.hpp"
#include "net/tls_stream.hpp"

namespace interline::net::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Duration kLongest = std::chrono::hours(24 * 365);

PoolLimits pool_limits(const ClientOptions& options) {
  PoolLimits limits;
  limits.idle_timeout = options.idle_timeout;
  limits.max_idle_per_origin = options.max_idle_per_origin;
  limits.max_idle = options.max_idle;
  limits.max_connections_per_origin = options.max_connections_per_origin;
  return limits;
}

// RFC 9110 section 9.2.2.
bool may_repeat(const FetchRequest& request) {
  return request.repeatable || (request.method != Method::post && request.method != Method::patch);
}

// One request on its way. Shared by the caller and the coroutine on the connection's strand.
struct Call {
  Call(FetchRequest fetch, Url parsed, bool read_body)
      : request(std::move(fetch)),
        url(std::move(parsed)),
        origin(url.origin()),
        deadline(Clock::now() + std::min(request.timeout, kLongest)),
        whole(read_body) {}

  [[nodiscard]] Duration left() const {
    return std::max(std::chrono::ceil<Duration>(deadline - Clock::now()), Duration(0));
  }

  FetchRequest request;
  Url url;
  std::string origin;
  Clock::time_point deadline;
  bool whole;  // the body too, and the connection back to the pool
  ClientRequest wire;
};

// What came of a request on one connection.
struct Attempt {
  enum class Next { none, another, fresh };  // which connection to try after this failed

  Attempt() = default;

  std::optional<Error> error;
  Next next = Next::none;
  ResponseHead head;
  std::string body;
  PooledConnection connection;
};

}  // namespace

class Client::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(Executor executor, ClientOptions options)
      : executor_(std::move(executor)),
        options_(std::move(options)),
        pool_(pool_limits(options_)) {}

  using CallPointer = std::shared_ptr<Call>;
  using Pointer = std::shared_ptr<Core>;

  Result<CallPointer> prepare(FetchRequest request, bool whole) const;
  static awaitable<Attempt> ask(Pointer self, CallPointer call);
  static awaitable<Attempt> ask_kept(Pointer self, CallPointer call, PooledConnection kept);
  static awaitable<Attempt> ask_new(Pointer self, CallPointer call, Executor strand);
  awaitable<Result<std::unique_ptr<Stream>>> connect(const Call& call) const;
  static awaitable<void> exchange(Pointer self, CallPointer call, Attempt& attempt);

  [[nodiscard]] Pool& pool() { return pool_; }

 private:
  Executor executor_;
  ClientOptions options_;
  Pool pool_;
};

namespace {

// A share of the origin's connections; given back whatever happens.
class Share {
 public:
  Share(std::shared_ptr<void> owner, Pool& pool, std::string origin)
      : owner_(std::move(owner)),
        pool_(pool),
        origin_(std::move(origin)),
        held_(pool_.reserve(origin_)) {}
  ~Share() {
    if (held_) pool_.release(origin_);
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  [[nodiscard]] bool held() const { return held_; }
  void give_back(PooledConnection connection) {
    pool_.put(origin_, std::move(connection), Clock::now());
  }

 private:
  std::shared_ptr<void> owner_;  // of the pool
  Pool& pool_;
  std::string origin_;
  bool held_;
};

std::unexpected<Error> too_many() {
  return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
              "too many connections to this origin");
}

struct Piece {
  Piece() = default;

  Result<std::string> bytes;
  bool reusable = false;  // at the end: the connection may go back to the pool
};

// On the connection's strand, and with a share in it: the stream may be dropped meanwhile.
awaitable<Piece> read_piece(std::shared_ptr<ClientConnection> connection, Duration timeout) {
  Piece piece;
  connection->stream().expires_after(timeout);
  auto bytes = co_await connection->read_body();
  if (!bytes) {
    piece.bytes = std::unexpected(std::move(bytes.error()));
    co_return piece;
  }
  piece.bytes = std::string(*bytes);
  if (!bytes->empty()) co_return piece;
  connection->stream().expires_never();
  piece.reusable = connection->reusable();
  co_return piece;
}

class PooledResponse final : public ResponseStream {
 public:
  PooledResponse(std::unique_ptr<Share> share, Attempt attempt)
      : share_(std::move(share)), attempt_(std::move(attempt)) {}
  ~PooledResponse() override = default;

  unsigned status() const override { return attempt_.head.status; }
  const Fields& fields() const override { return attempt_.head.fields; }

  awaitable<Result<std::string>> read(Duration timeout) override {
    if (!attempt_.connection) co_return std::string();
    const Executor strand = attempt_.connection.strand();
    Piece piece = co_await run_on(strand, read_piece(attempt_.connection.connection(), timeout));
    if (!piece.bytes || piece.bytes->empty()) {
      PooledConnection done = std::exchange(attempt_.connection, PooledConnection());
      if (piece.reusable) share_->give_back(std::move(done));
    }
    co_return std::move(piece.bytes);
  }

 private:
  std::unique_ptr<Share> share_;
  Attempt attempt_;
};

}  // namespace

Result<Client::Core::CallPointer> Client::Core::prepare(FetchRequest request, bool whole) const {
  auto url = parse_url(request.url);
  if (!url) return std::unexpected(std::move(url.error()));
  if (url->secure && !options_.tls) return fail(ErrorKind::malformed, "https is not set up");
  auto call = std::make_shared<Call>(std::move(request), std::move(*url), whole);
  call->wire.method = call->request.method;
  call->wire.target = call->url.target;
  call->wire.host = call->url.authority();
  call->wire.fields = std::move(call->request.fields);
  call->wire.body = std::move(call->request.body);
  if (!call->wire.fields.contains("User-Agent") && !options_.user_agent.empty()) {
    call->wire.fields.add("User-Agent", options_.user_agent);
  }
  if (!call->wire.fields.contains("Accept-Encoding")) {
    call->wire.fields.add("Accept-Encoding", "identity");
  }
  return call;
}

awaitable<Result<std::unique_ptr<Stream>>> Client::Core::connect(const Call& call) const {
  ConnectOptions connect = options_.connect;
  connect.total_timeout = std::min(connect.total_timeout, call.left());
  const HostPort target(call.url.host, call.url.port);
  auto stream = co_await connect_tcp(target, std::move(connect));
  if (!stream || !call.url.secure) co_return stream;
  (*stream)->expires_after(std::min(options_.tls_timeout, call.left()));
  co_return co_await tls_connect(std::move(*stream), options_.tls, call.url.host);
}

awaitable<void> Client::Core::exchange(Pointer self, CallPointer call, Attempt& attempt) {
  const std::shared_ptr<ClientConnection> connection = attempt.connection.connection();
  connection->stream().expires_after(call->left());
  auto head = co_await connection->exchange(call->wire);
  if (!head) {
    attempt.error = std::move(head.error());
    const bool broke = !connection->answered() && !is_timeout(*attempt.error) &&
                       attempt.error->kind == ErrorKind::unavailable;
    if (broke && may_repeat(call->request)) attempt.next = Attempt::Next::fresh;
    co_return;
  }
  attempt.head = std::move(*head);
  if (!call->whole) co_return;
  auto body = co_await connection->read_whole_body(call->request.body_limit);
  if (!body) {
    attempt.error = std::move(body.error());
    co_return;
  }
  attempt.body = std::move(*body);
  connection->stream().expires_never();
  if (!connection->reusable()) co_return;
  self->pool_.put(call->origin, std::move(attempt.connection), Clock::now());
}

awaitable<Attempt> Client::Core::ask_kept(Pointer self, CallPointer call, PooledConnection kept) {
  Attempt attempt;
  attempt.connection = std::move(kept);
  if (!attempt.connection.connection()->reusable()) {  // the server closed it meanwhile
    attempt.error = connection_closed();
    attempt.next = Attempt::Next::another;
    co_return attempt;
  }
  co_await exchange(std::move(self), std::move(call), attempt);
  co_return attempt;
}

awaitable<Attempt> Client::Core::ask_new(Pointer self, CallPointer call, Executor strand) {
  Attempt attempt;
  auto stream = co_await self->connect(*call);
  if (!stream) {
    attempt.error = std::move(stream.error());
    co_return attempt;
  }
  auto connection = std::make_shared<ClientConnection>(std::move(*stream), self->options_.head);
  attempt.connection = PooledConnection(std::move(strand), std::move(connection));
  co_await exchange(std::move(self), std::move(call), attempt);
  co_return attempt;
}

awaitable<Attempt> Client::Core::ask(Pointer self, CallPointer call) {
  while (true) {
    PooledConnection kept = self->pool_.take(call->origin, Clock::now());
    if (!kept) break;
    const Executor strand = kept.strand();
    Attempt attempt = co_await run_on(strand, ask_kept(self, call, std::move(kept)));
    if (attempt.next == Attempt::Next::none) co_return attempt;
    // What broke after it was sent is repeated once, on a connection that is surely alive.
    if (attempt.next == Attempt::Next::fresh) break;
  }
  const Executor strand = new_strand(self->executor_);
  co_return co_await run_on(strand, ask_new(self, call, strand));
}

Client::Client(const Executor& executor, ClientOptions options)
    : core_(std::make_shared<Core>(executor, std::move(options))) {}
Client::~Client() = default;

awaitable<Result<Response>> Client::fetch(FetchRequest request) {
  const std::shared_ptr<Core> core = core_;
  auto call = core->prepare(std::move(request), true);
  if (!call) co_return std::unexpected(std::move(call.error()));
  const Share share(core, core->pool(), (*call)->origin);
  if (!share.held()) co_return too_many();
  Attempt attempt = co_await Core::ask(core, *call);
  if (attempt.error) co_return std::unexpected(std::move(*attempt.error));
  Response response(attempt.head.status);
  response.fields = std::move(attempt.head.fields);
  response.body = std::move(attempt.body);
  co_return response;
}

awaitable<Result<std::unique_ptr<ResponseStream>>> Client::open(FetchRequest request) {
  const std::shared_ptr<Core> core = core_;
  auto call = core->prepare(std::move(request), false);
  if (!call) co_return std::unexpected(std::move(call.error()));
  auto share = std::make_unique<Share>(core, core->pool(), (*call)->origin);
  if (!share->held()) co_return too_many();
  Attempt attempt = co_await Core::ask(core, *call);
  if (attempt.error) co_return std::unexpected(std::move(*attempt.error));
  co_return std::make_unique<PooledResponse>(std::move(share), std::move(attempt));
}

std::size_t Client::idle_connections() const {
  return core_->pool().idle();
}

}  // namespace interline::net::http
