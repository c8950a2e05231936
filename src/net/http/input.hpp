// What a connection has received and nobody has taken yet: bounded, and filled on demand.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "net/stream.hpp"

namespace interline::net::http {

class InputBuffer {
 public:
  /// Holds at most `capacity` bytes; memory grows with need.
  InputBuffer(Stream& stream, std::size_t capacity) : stream_(stream), capacity_(capacity) {}

  [[nodiscard]] std::string_view data() const;
  void consume(std::size_t size);
  [[nodiscard]] bool full() const { return end_ - begin_ == capacity_; }

  /// Reads some more; 0 at the peer's end. Not while full. Data may be consumed while it waits.
  awaitable<Result<std::size_t>> fill();

 private:
  Stream& stream_;
  std::size_t capacity_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool filling_ = false;  // the room behind end_ is lent to the stream
};

}  // namespace interline::net::http
