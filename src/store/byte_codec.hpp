// Bytes of our own making: variable-length integers, texts with their length before them. What is
// written has one form only, and whatever is read back was written so, or is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "base/sha256.hpp"

namespace interline::store {

class ByteWriter {
 public:
  void byte(std::uint8_t value) { out_.push_back(static_cast<char>(value)); }
  /// Seven bits a byte, lowest first, the top bit on all but the last (LEB128).
  void number(std::uint64_t value);
  /// Zigzag: small magnitudes stay short.
  void signed_number(std::int64_t value);
  void time(SystemTime value) { signed_number(value.time_since_epoch().count()); }
  void text(std::string_view value);
  void digest(const Digest& value);

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// After the first thing that is not there or not well formed, ok() is false and all reads are
/// empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  [[nodiscard]] std::uint8_t byte();
  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::int64_t signed_number();
  [[nodiscard]] SystemTime time() { return SystemTime(std::chrono::nanoseconds(signed_number())); }
  [[nodiscard]] std::string text();
  [[nodiscard]] Digest digest();
  /// How many elements follow: never more than there are bytes left, so a count reserves no memory
  /// that was not paid for.
  [[nodiscard]] std::size_t count();

  void refuse() {
    ok_ = false;
    left_ = {};
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && left_.empty(); }

 private:
  std::string_view left_;
  bool ok_ = true;
};

}  // namespace interline::store
