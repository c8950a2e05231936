#include "bindings/mcp/line_connection.hpp"

#include <array>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "net/deadline.hpp"

namespace interline::mcp {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} * 1024;

}  // namespace

LineConnection::LineConnection(server::Server& mcp, const LineOptions& options, net::Stream& stream,
                               policy::Principal who, std::string endpoint)
    : options_(options),
      stream_(stream),
      outbox_(std::make_shared<LineOutbox>(stream.executor())),
      exchanges_(std::make_shared<LineExchanges>(mcp, options.legacy, outbox_, stream.executor(),
                                                 std::move(who), std::move(endpoint))) {}

void LineConnection::end() {
  boost::asio::post(stream_.executor(), [self = shared_from_this()] {
    self->ending_ = true;
    self->outbox_->changed().notify_all();
  });
}

awaitable<void> LineConnection::run() {
  boost::asio::co_spawn(stream_.executor(), read(shared_from_this()), boost::asio::detached);
  boost::asio::co_spawn(stream_.executor(), write(shared_from_this()), boost::asio::detached);
  net::Event& changed = outbox_->changed();
  while (reading_ && writing_ && !ending_) co_await changed.wait();
  // Where the gateway ends, each subscription is answered; a reader that left waits for nothing.
  if (!ending_) exchanges_->leave_subscriptions();
  co_await wait_for_answers();
  exchanges_->cancel_all();
  outbox_->close();
  co_await wait_for_writer();
  stream_.close();
  while (reading_ || writing_ || exchanges_->open() > 0) co_await changed.wait();
}

/// What is nearly done may be answered; the rest is taken back.
awaitable<void> LineConnection::wait_for_answers() {
  net::Event& changed = outbox_->changed();
  net::Deadline deadline(stream_.executor(), [&changed] { changed.notify_all(); });
  deadline.expires_after(options_.grace);
  while (writing_ && exchanges_->open() > 0 && !deadline.expired()) co_await changed.wait();
}

awaitable<void> LineConnection::wait_for_writer() {
  net::Event& changed = outbox_->changed();
  net::Deadline deadline(stream_.executor(), [&changed] { changed.notify_all(); });
  deadline.expires_after(options_.grace);
  while (writing_ && !deadline.expired()) co_await changed.wait();
}

/// Who does not read is not read.
bool LineConnection::is_slow() const {
  return outbox_->bytes() > options_.waiting_bytes && writing_ && !outbox_->closed();
}

awaitable<void> LineConnection::take_lines(net::LineBuffer& lines) {
  while (auto line = lines.next()) {
    co_await exchanges_->take(*std::move(line));
    while (is_slow()) co_await outbox_->changed().wait();
  }
}

awaitable<void> LineConnection::read(std::shared_ptr<LineConnection> self) {
  net::LineBuffer lines(self->options_.line_limit);
  std::vector<char> buffer(kReadBytes);
  for (;;) {
    const std::span<char> room(buffer);
    const auto got = co_await self->stream_.read_some(room);
    if (!got) break;
    if (*got == 0) {
      if (auto line = lines.rest()) co_await self->exchanges_->take(*std::move(line));
      break;
    }
    lines.append({buffer.data(), *got});
    co_await self->take_lines(lines);
  }
  self->reading_ = false;
  self->outbox_->changed().notify_all();
}

awaitable<void> LineConnection::write(std::shared_ptr<LineConnection> self) {
  LineOutbox& outbox = *self->outbox_;
  for (;;) {
    const std::string text = outbox.take();
    if (text.empty()) {
      if (outbox.closed()) break;
      co_await outbox.changed().wait();
      continue;
    }
    const auto written = co_await self->stream_.write_all(text);
    if (!written) break;
  }
  self->writing_ = false;
  outbox.close();
  outbox.changed().notify_all();
}

}  // namespace interline::mcp
