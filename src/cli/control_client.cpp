#include "cli/control_client.hpp"

#include <array>
#include <cerrno>
#include <unistd.h>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "json/parse.hpp"
#include "net/unix_stream.hpp"

namespace interline::cli {
namespace {

using net::http::ClientConnection;
using net::http::ClientRequest;
using net::http::Method;

constexpr net::Duration kConnectTimeout{5'000};
constexpr net::Duration kRequestTimeout{120'000};
constexpr std::size_t kLargestAnswer = std::size_t{64} * 1024 * 1024;
constexpr int kAttempts = 4;
constexpr net::Duration kBetweenAttempts{250};

template <class Word>
Word word_named(std::string_view text, Word last, Word otherwise) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (to_string(static_cast<Word>(i)) == text) return static_cast<Word>(i);
  }
  return otherwise;
}

}  // namespace

std::string path_segment(std::string_view text) {
  constexpr std::array<char, 16> kDigits = {'0', '1', '2', '3', '4', '5', '6', '7',
                                            '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kDigits.at(byte >> 4U));
    out.push_back(kDigits.at(byte & 15U));
  }
  return out;
}

Error read_error(unsigned status, std::string_view body) {
  const auto parsed = json::parse_borrowed(body);
  const json::Value* const error = parsed ? parsed->root().find("error") : nullptr;
  if (error == nullptr || !error->is_object()) {
    return {ErrorKind::internal, "the gateway answered with status " + std::to_string(status) +
                                     ", in a form that this program does not know; are they of the "
                                     "same version?"};
  }
  const auto text = [error](std::string_view name) {
    const json::Value* value = error->find(name);
    return value == nullptr ? std::string_view() : value->get_string().value_or("");
  };
  Error made(word_named(text("code"), ErrorKind::internal, ErrorKind::internal),
             word_named(text("reason"), ErrorReason::rate, ErrorReason::none),
             std::string(text("message")));
  const json::Value* const wait = error->find("retryAfter");
  if (const auto seconds = wait == nullptr ? std::nullopt : wait->get_double()) {
    made.retry_after = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1'000));
  }
  return made;
}

/// How one exchange went: its error is set where no answer came, and `sent` tells whether the
/// gateway may have seen the request.
struct ControlClient::Exchange {
  Exchange() = default;
  explicit Exchange(Error error) : failure(std::move(error)) {}

  std::optional<Error> failure;
  bool sent = false;
  unsigned status = 0;
  std::string body;
};

Error ControlClient::nobody(const Error& why) const {
  if (::access(socket_.c_str(), R_OK | W_OK) != 0 && errno == EACCES) {
    return {ErrorKind::unavailable,
            socket_ +
                " may not be opened by this user; run this as the gateway's user, or let its "
                "data_dir be entered (chmod 711)"};
  }
  if (why.kind == ErrorKind::malformed) return {ErrorKind::unavailable, why.message};
  return {ErrorKind::unavailable,
          "no gateway is running at " + socket_ + ": start one with " + start_command_};
}

net::awaitable<Result<ControlClient::Connection>> ControlClient::connect() const {
  auto stream = co_await net::connect_unix(socket_, kConnectTimeout);
  if (!stream) co_return std::unexpected(nobody(stream.error()));
  co_return std::make_unique<ClientConnection>(*std::move(stream));
}

net::awaitable<bool> ControlClient::somebody_answers() const {
  const auto connection = co_await connect();
  co_return connection.has_value();
}

net::awaitable<ControlClient::Exchange> ControlClient::exchange(ClientRequest request) const {
  auto connection = co_await connect();
  if (!connection) co_return Exchange(std::move(connection.error()));
  ClientConnection& open = **connection;
  open.stream().expires_after(kRequestTimeout);
  request.host = "localhost";
  if (!request.body.empty()) request.fields.add("Content-Type", "application/json");
  Exchange exchanged;
  exchanged.sent = true;
  const auto head = co_await open.exchange(request);
  if (!head) {
    exchanged.failure =
        Error(ErrorKind::unavailable, "the gateway did not answer: " + head.error().message);
    co_return exchanged;
  }
  auto body = co_await open.read_whole_body(kLargestAnswer);
  if (!body) {
    exchanged.failure =
        Error(ErrorKind::unavailable, "the gateway's answer broke off: " + body.error().message);
    co_return exchanged;
  }
  exchanged.status = head->status;
  exchanged.body = *std::move(body);
  co_return exchanged;
}

net::awaitable<Result<std::string>> ControlClient::request(Method method, std::string target,
                                                           std::string body) const {
  ClientRequest request;
  request.method = method;
  request.target = std::move(target);
  request.body = std::move(body);
  Exchange exchanged = co_await exchange(std::move(request));
  if (exchanged.failure) co_return std::unexpected(*std::move(exchanged.failure));
  if (exchanged.status >= 300) {
    co_return std::unexpected(read_error(exchanged.status, exchanged.body));
  }
  co_return std::move(exchanged.body);
}

net::awaitable<Result<std::string>> ControlClient::repeatable_request(Method method,
                                                                      std::string target,
                                                                      std::string body) const {
  net::asio::steady_timer timer(co_await net::asio::this_coro::executor);
  for (int attempt = 1;; ++attempt) {
    ClientRequest request;
    request.method = method;
    request.target = target;
    request.body = body;
    Exchange exchanged = co_await exchange(std::move(request));
    if (!exchanged.failure && exchanged.status < 300) co_return std::move(exchanged.body);
    Error error = exchanged.failure ? *std::move(exchanged.failure)
                                    : read_error(exchanged.status, exchanged.body);
    // Sent before, and now nobody is there: the gateway may be starting again.
    const bool lost = exchanged.failure && (exchanged.sent || attempt > 1);
    if (!lost || attempt == kAttempts) co_return std::unexpected(std::move(error));
    timer.expires_after(kBetweenAttempts * attempt);
    co_await timer.async_wait(net::use_tuple);
  }
}

net::awaitable<Result<std::unique_ptr<TaskEvents>>> ControlClient::follow(
    std::string task, std::optional<std::uint64_t> after) const {
  auto connection = co_await connect();
  if (!connection) co_return std::unexpected(std::move(connection.error()));
  ClientConnection& open = **connection;
  ClientRequest request;
  request.target = "/v1/tasks/" + path_segment(task) + "/events";
  if (after) request.target += "?after=" + std::to_string(*after);
  request.host = "localhost";
  open.stream().expires_after(kRequestTimeout);
  const auto head = co_await open.exchange(request);
  if (!head) {
    co_return fail(ErrorKind::unavailable, "the gateway did not answer: " + head.error().message);
  }
  if (head->status != 200) {
    auto body = co_await open.read_whole_body(kLargestAnswer);
    co_return std::unexpected(read_error(head->status, body ? *body : std::string()));
  }
  open.stream().expires_never();  // a task may be silent for as long as it likes
  co_return std::make_unique<TaskEvents>(*std::move(connection));
}

net::awaitable<Result<std::optional<net::http::SseEvent>>> TaskEvents::next() {
  using Next = Result<std::optional<net::http::SseEvent>>;
  for (;;) {
    auto event = parser_.next();
    if (!event || *event) co_return event;
    auto bytes = co_await connection_->read_body();
    if (!bytes) co_return std::unexpected(std::move(bytes.error()));
    if (bytes->empty()) co_return Next(std::nullopt);
    parser_.append(*bytes);
  }
}

}  // namespace interline::cli
