// The lines that one connection is still to be told, in their order. What comes in is bounded for
// notifications; answers are always taken, since who asked waits for them: their number is bounded
// by the requests in flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "net/event.hpp"

namespace interline::mcp {

/// All members but changed() may be called from any thread.
class LineOutbox : public std::enable_shared_from_this<LineOutbox> {
 public:
  /// Whose lines they are, so that they can be taken back.
  using Owner = std::uint64_t;
  static constexpr Owner kNobody = 0;
  static constexpr std::size_t kMostLines = 4'096;
  static constexpr std::size_t kMostBytes = std::size_t{4} * 1024 * 1024;
  /// Of one write, unless a single line is longer.
  static constexpr std::size_t kWriteBytes = std::size_t{64} * 1024;

  /// `executor`: the connection's strand.
  explicit LineOutbox(const net::Executor& executor) : executor_(executor), changed_(executor) {}

  /// False: too much waits already, or it is closed; it was dropped.
  bool offer(Owner owner, std::string line);
  /// Whatever waits.
  void put(Owner owner, std::string line);
  /// What of it was not taken yet is never told.
  void forget(Owner owner);

  /// What is to be written next, whole lines with their ends; "": nothing now.
  [[nodiscard]] std::string take();
  [[nodiscard]] std::size_t bytes() const;
  /// Nothing more is taken in; what is there may still be taken out.
  void close();
  [[nodiscard]] bool closed() const;

  /// On the strand: told when something came in, was taken out, or it was closed. Whoever waits for
  /// anything of the connection waits here.
  [[nodiscard]] net::Event& changed() { return changed_; }

 private:
  struct Entry {
    Owner owner = kNobody;
    std::string line;
  };
  void append(Owner owner, std::string line);
  void wake();

  const net::Executor executor_;
  net::Event changed_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // guarded by mutex_, as below
  std::size_t bytes_ = 0;
  bool closed_ = false;
  bool wake_posted_ = false;
};

}  // namespace interline::mcp
