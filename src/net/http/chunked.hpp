// The chunked transfer coding (RFC 9112 section 7.1), decoded as it arrives. Extensions and trailer
// fields are read over, within limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/http/head.hpp"

namespace interline::net::http {

class ChunkDecoder {
 public:
  struct Step {
    std::size_t consumed = 0;  ///< Bytes of the input that are done with.
    std::string_view data;     ///< Of the body; a part of the input.
    bool done = false;         ///< The body, and its trailer, have ended.
  };

  /// One step: takes framing up to and including the next piece of data. Nothing consumed and not
  /// done means that it needs more input. Errors end the connection; status 400.
  [[nodiscard]] Parsed<Step> step(std::string_view input);

 private:
  enum class State : std::uint8_t {
    size,
    extension,
    size_end,
    data,
    data_cr,
    data_lf,
    trailer_begin,
    trailer,
    trailer_lf,
    last_lf,
    done,
  };

  // The state after one byte of framing; false where that byte cannot be.
  bool take(char c);
  bool take_size(char c);

  State state_ = State::size;
  std::uint64_t left_ = 0;    // of the chunk
  unsigned digits_ = 0;       // of the size
  std::size_t overhead_ = 0;  // bytes of extensions and trailer
};

/// A chunk's first line: "1a\r\n". After the data comes "\r\n"; the end is kLastChunk.
[[nodiscard]] std::string chunk_head(std::size_t size);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace interline::net::http
