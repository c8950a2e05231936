// What waits to be written to the stream, bounded by bytes, and what becomes of it when the stream
// breaks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"

namespace interline::xmpp {

enum class SendKind : std::uint8_t {
  stream,  ///< the stream's own bytes: header, handshake, pings, its end; ends with the stream
  reply,   ///< to a request: goes out on the next stream if this one breaks, for a while
  event,   ///< goes out on the next stream too; recoverable by asking: the first to be given up
  own,     ///< requests and presence of ours: ends with the stream
};

struct SendQueueConfig {
  std::size_t most = std::size_t{16} << 20;      ///< bytes of stanzas
  std::size_t batch = 262'144;                   ///< bytes written at once
  std::chrono::milliseconds reply_life{30'000};  ///< of a reply without a stream
};

/// Not thread-safe; no I/O.
class SendQueue {
 public:
  explicit SendQueue(const SendQueueConfig& config) : config_(config) {}

  enum class Verdict : std::uint8_t {
    queued,
    refused,   ///< no room, or no stream, for what is recoverable: its sender keeps it
    overflow,  ///< no room for what is not: the stream is to be closed
  };
  /// Before open(), the stream's own bytes and replies are taken, the rest is refused.
  [[nodiscard]] Verdict push(SendKind kind, std::string bytes, SteadyTime now);

  /// Stanzas may be written from now on; before, the stream's own bytes alone.
  /// Replies that waited longer than reply_life for it are dropped.
  void open(SteadyTime now);
  /// No more stanzas on this stream: only its own bytes are still written.
  void close();
  /// The stream is gone. Replies younger than reply_life are kept, and all events, those being
  /// written too: an answer or an event that comes twice harms nobody.
  void lost(SteadyTime now);

  /// What to write next; empty if nothing waits. Valid until written() or lost().
  [[nodiscard]] std::vector<std::string_view> begin_batch();
  void written();

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// While stanzas are written: from half of the most on, until a quarter is left. Then nothing
  /// more is read.
  [[nodiscard]] bool congested() const { return open_ && congested_; }
  [[nodiscard]] std::uint64_t dropped_events() const { return dropped_events_; }

 private:
  struct Item {
    SendKind kind;
    std::string bytes;
    SteadyTime queued_at;
  };

  void drop_events();
  void drop_old_replies(SteadyTime now);
  void update();
  [[nodiscard]] std::deque<Item>& current() { return open_ ? stanzas_ : stream_; }

  SendQueueConfig config_;
  std::deque<Item> stream_;   // the stream's own bytes while it is not open
  std::deque<Item> stanzas_;  // all others, in their order
  std::vector<Item> in_flight_;
  std::size_t bytes_ = 0;
  bool open_ = false;
  bool congested_ = false;
  std::uint64_t dropped_events_ = 0;
};

}  // namespace interline::xmpp
