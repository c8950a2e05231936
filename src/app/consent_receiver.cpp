#include "app/consent_receiver.hpp"

#include <mutex>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "net/host_port.hpp"
#include "net/http/router.hpp"
#include "net/tcp_stream.hpp"
#include "protocols/oauth/authorization_request.hpp"

namespace interline::app {
namespace {

namespace http = net::http;
using std::chrono::milliseconds;

constexpr std::string_view kPath = "/callback";
constexpr std::string_view kDone =
    "The gateway has what it needs. This window can be closed; the terminal says how it went.\n";
constexpr std::string_view kNotOurs = "This is not the answer to a request of this program.\n";
/// How often it is looked whether the browser has come.
constexpr milliseconds kLook{100};

std::string state_of(std::string_view url) {
  const auto query = url.find('?');
  if (query == std::string_view::npos) return {};
  const auto read = protocols::oauth::read_form(url.substr(query + 1));
  return read ? protocols::oauth::value_of(*read, "state") : std::string();
}

}  // namespace

/// Between the connections' strands and who waits.
struct ConsentReceiver::Shared {
  std::mutex mutex;
  std::string state;     // guarded by mutex, as below; "": nobody waits
  std::string answered;  // path and query

  bool take(std::string_view target) {
    const std::lock_guard lock(mutex);
    if (state.empty() || state_of(target) != state) return false;
    answered = target;
    state.clear();
    return true;
  }
};

Result<std::unique_ptr<ConsentReceiver>> ConsentReceiver::open(const net::Executor& executor) {
  const net::HostPort any("127.0.0.1", 0);
  auto listener = net::listen_tcp(executor, any);
  if (!listener) return std::unexpected(std::move(listener.error()));
  return std::unique_ptr<ConsentReceiver>(new ConsentReceiver(executor, *std::move(listener)));
}

ConsentReceiver::ConsentReceiver(const net::Executor& executor,
                                 std::unique_ptr<net::Listener> listener)
    : shared_(std::make_shared<Shared>()), port_(listener->port()) {
  auto router = std::make_shared<http::Router>();
  router->add(http::Method::get, kPath,
              [shared = shared_](http::Request& request,
                                 http::Responder& responder) -> net::awaitable<void> {
                const bool ours = shared->take(request.path + "?" + request.raw_query);
                http::Response response(ours ? 200 : 400, "text/plain; charset=utf-8",
                                        std::string(ours ? kDone : kNotOurs));
                const auto sent = co_await responder.send(std::move(response));
                (void)sent;
              });
  server_ = std::make_unique<http::Server>(executor, std::move(router), http::ServerOptions{});
  server_->serve(std::move(listener));
}

ConsentReceiver::~ConsentReceiver() = default;

std::string ConsentReceiver::redirect_uri() const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string(kPath);
}

net::awaitable<Result<std::string>> ConsentReceiver::wait(std::string authorization_url,
                                                          milliseconds timeout) {
  const auto shared = shared_;
  {
    const std::lock_guard lock(shared->mutex);
    shared->state = state_of(authorization_url);
    shared->answered.clear();
  }
  const auto until = std::chrono::steady_clock::now() + timeout;
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
  while (std::chrono::steady_clock::now() < until) {
    {
      const std::lock_guard lock(shared->mutex);
      if (!shared->answered.empty()) {
        const std::string origin = redirect_uri();
        co_return origin.substr(0, origin.size() - kPath.size()) + shared->answered;
      }
    }
    timer.expires_after(kLook);
    co_await timer.async_wait(net::use_tuple);
  }
  co_return fail(ErrorKind::unavailable, ErrorReason::expired,
                 "Nobody came back from the browser.");
}

net::awaitable<void> ConsentReceiver::close() {
  co_await server_->drain(net::Duration(1'000));
}

}  // namespace interline::app
