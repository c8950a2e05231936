// Bytes between a socket and two descriptors, both ways at once, at the pace of the slower side:
// nothing is looked at, and no more is held than one read each way. The descriptors stay as they
// are, blocking or not, since others may share them.
#pragma once

#include <cstdint>
#include <string_view>

namespace interline::cli {

enum class PipeEnd : std::uint8_t {
  input,   ///< the input ended; the peer, told so, has said the rest and ended too
  peer,    ///< the peer ended first
  output,  ///< nobody reads the output any more
};

/// Returns when nothing more can come out. `first` is written before what the socket gives.
[[nodiscard]] PipeEnd pipe_bytes(int socket, std::string_view first, int input, int output);

}  // namespace interline::cli
