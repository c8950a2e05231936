// Appends to a std::string through a bare pointer: one check of the room for each piece, no
// bookkeeping for each byte. Internal to json/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace interline::json::detail {

class Sink {
 public:
  /// Appends to `out`, which has room for `expected` more bytes at first, and grows as needed.
  Sink(std::string& out, std::size_t expected) : out_(out), used_(out.size()) { grow(expected); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  /// Until here the string's own size says nothing.
  ~Sink() { out_.resize(static_cast<std::size_t>(at_ - out_.data())); }

  /// At least that many bytes may be written at the pointer; advance_to says how many were.
  [[nodiscard]] char* room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]] {
      used_ = static_cast<std::size_t>(at_ - out_.data());
      grow(bytes);
    }
    return at_;
  }
  void advance_to(char* at) { at_ = at; }

  void put(char c) {
    *room(1) = c;
    ++at_;
  }
  void put(const char* text, std::size_t size) {
    char* const at = room(size);
    if (size > 16) {
      std::memcpy(at, text, size);
    } else {
      put_short(at, text, size);
    }
    at_ += size;
  }

 private:
  /// Up to 16 bytes, in two overlapping pieces: most of what is written is as short as this.
  static void put_short(char* at, const char* text, std::size_t size) {
    if (size >= 8) {
      std::memcpy(at, text, 8);
      std::memcpy(at + size - 8, text + size - 8, 8);
    } else if (size >= 4) {
      std::memcpy(at, text, 4);
      std::memcpy(at + size - 4, text + size - 4, 4);
    } else {
      for (std::size_t i = 0; i < size; ++i) at[i] = text[i];
    }
  }

  void grow(std::size_t bytes) {
    const std::size_t wanted = std::max({used_ + bytes, used_ * 2, out_.capacity()});
    out_.resize_and_overwrite(wanted, [](char*, std::size_t size) { return size; });
    at_ = out_.data() + used_;
    end_ = out_.data() + out_.size();
  }

  std::string& out_;
  std::size_t used_;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace interline::json::detail
