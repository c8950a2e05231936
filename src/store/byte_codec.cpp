#include "store/byte_codec.hpp"

#include <cstring>

namespace interline::store {

void ByteWriter::number(std::uint64_t value) {
  while (value >= 0x80U) {
    byte(static_cast<std::uint8_t>(value | 0x80U));
    value >>= 7U;
  }
  byte(static_cast<std::uint8_t>(value));
}

void ByteWriter::signed_number(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  number((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0U));
}

void ByteWriter::text(std::string_view value) {
  number(value.size());
  out_.append(value);
}

void ByteWriter::digest(const Digest& value) {
  out_.append(reinterpret_cast<const char*>(value.data()), value.size());
}

std::uint8_t ByteReader::byte() {
  if (left_.empty()) {
    refuse();
    return 0;
  }
  const auto value = static_cast<std::uint8_t>(left_.front());
  left_.remove_prefix(1);
  return value;
}

std::uint64_t ByteReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    const bool too_large = shift == 63 && next > 1;
    const bool too_long = shift > 0 && next == 0;  // a shorter form says the same
    if (!ok_ || too_large || too_long) break;
    value |= static_cast<std::uint64_t>(next & 0x7FU) << shift;
    if ((next & 0x80U) == 0) return value;
  }
  refuse();
  return 0;
}

std::int64_t ByteReader::signed_number() {
  const std::uint64_t bits = number();
  const std::uint64_t sign = (bits & 1U) == 0 ? 0U : ~std::uint64_t{0};
  return static_cast<std::int64_t>((bits >> 1U) ^ sign);
}

std::string ByteReader::text() {
  const std::uint64_t size = number();
  if (size > left_.size()) {
    refuse();
    return {};
  }
  std::string value(left_.substr(0, size));
  left_.remove_prefix(size);
  return value;
}

Digest ByteReader::digest() {
  Digest value{};
  if (left_.size() < value.size()) {
    refuse();
    return value;
  }
  std::memcpy(value.data(), left_.data(), value.size());
  left_.remove_prefix(value.size());
  return value;
}

std::size_t ByteReader::count() {
  const std::uint64_t value = number();
  if (value > left_.size()) {
    refuse();
    return 0;
  }
  return static_cast<std::size_t>(value);
}

}  // namespace interline::store
