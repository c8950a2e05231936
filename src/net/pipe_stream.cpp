#include "net/pipe_stream.hpp"

#include <algorithm>
#include <string>

#include "net/deadline.hpp"
#include "net/errors.hpp"
#include "net/event.hpp"

namespace interline::net {
namespace {

// One direction; its two users hold it together.
struct Channel {
  Channel(const Executor& executor, const PipeOptions& pipe_options)
      : options(pipe_options), changed(executor) {}

  [[nodiscard]] std::size_t room() const {
    return std::min(options.capacity - bytes.size(), options.breaks_after - written);
  }
  void update() { changed.notify_all(); }

  PipeOptions options;
  Event changed;
  std::string bytes;
  std::size_t written = 0;
  bool ended = false;   // the writer will write no more
  bool broken = false;  // an end was closed
};

class PipeStream final : public Stream {
 public:
  PipeStream(const Executor& executor, std::shared_ptr<Channel> in, std::shared_ptr<Channel> out)
      : executor_(executor), in_(std::move(in)), out_(std::move(out)), deadline_(executor, [this] {
          in_->update();
          out_->update();
        }) {
    peer_.description = "memory";
  }
  ~PipeStream() override { close(); }

  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    const std::shared_ptr<Channel> in = in_;
    for (;;) {
      if (closed_) co_return std::unexpected(connection_closed());
      if (deadline_.expired()) co_return std::unexpected(timed_out("read"));
      if (!in->bytes.empty()) {
        const std::size_t count = std::min({buffer.size(), in->bytes.size(), in->options.chunk});
        std::copy_n(in->bytes.begin(), count, buffer.begin());
        in->bytes.erase(0, count);
        in->update();
        co_return count;
      }
      if (in->broken || in->written == in->options.breaks_after) {
        co_return std::unexpected(to_error("read", ECONNRESET));
      }
      if (in->ended) co_return std::size_t{0};
      co_await in->changed.wait();
    }
  }

  awaitable<Result<void>> write_all(std::span<const std::string_view> pieces) override {
    const std::shared_ptr<Channel> out = out_;
    for (std::string_view piece : pieces) {
      while (!piece.empty()) {
        if (closed_ || out->ended) co_return std::unexpected(connection_closed());
        if (deadline_.expired()) co_return std::unexpected(timed_out("write"));
        if (out->broken || out->written == out->options.breaks_after) {
          co_return std::unexpected(to_error("write", EPIPE));
        }
        const std::size_t count = std::min(piece.size(), out->room());
        if (count == 0) {
          co_await out->changed.wait();
          continue;
        }
        out->bytes += piece.substr(0, count);
        out->written += count;
        piece.remove_prefix(count);
        out->update();
      }
    }
    co_return Result<void>();
  }

  void expires_after(Duration duration) override { deadline_.expires_after(duration); }
  void expires_never() override { deadline_.expires_never(); }

  awaitable<Result<void>> shutdown_write() override {
    out_->ended = true;
    out_->update();
    co_return Result<void>();
  }

  // The peer still reads what was written, then the end: as a socket closed with nothing unread.
  void close() override {
    if (closed_) return;
    closed_ = true;
    deadline_.stop();
    in_->broken = true;
    out_->ended = true;
    in_->update();
    out_->update();
  }

  bool quiet() override {
    return !closed_ && in_->bytes.empty() && !in_->ended && !in_->broken &&
           in_->written != in_->options.breaks_after;
  }

  const Peer& peer() const override { return peer_; }
  Executor executor() override { return executor_; }

 private:
  Executor executor_;
  std::shared_ptr<Channel> in_;
  std::shared_ptr<Channel> out_;
  Deadline deadline_;
  Peer peer_;
  bool closed_ = false;
};

}  // namespace

std::pair<std::unique_ptr<Stream>, std::unique_ptr<Stream>> make_pipe(const Executor& executor,
                                                                      const PipeOptions& options) {
  auto there = std::make_shared<Channel>(executor, options);
  auto back = std::make_shared<Channel>(executor, options);
  return {std::make_unique<PipeStream>(executor, back, there),
          std::make_unique<PipeStream>(executor, there, back)};
}

}  // namespace interline::net
