// Where a message's body ends: RFC 9112 section 6, without its leniencies. Two lengths, a length
// beside chunked, or a coding before chunked have all been used to make two parties disagree about
// that; each of them is refused.
#pragma once

#include <cstdint>

#include "net/http/head.hpp"

namespace interline::net::http {

struct Framing {
  enum class Kind : std::uint8_t {
    none,         ///< No body.
    length,       ///< `length` bytes, perhaps 0.
    chunked,      ///< Until the last chunk.
    until_close,  ///< Responses only.
  };
  Kind kind = Kind::none;
  std::uint64_t length = 0;

  Framing() = default;
  explicit Framing(Kind body_kind, std::uint64_t bytes = 0) : kind(body_kind), length(bytes) {}
};

/// Statuses: 400, 411 (HTTP/1.0 methods with content), 501 (another transfer coding).
[[nodiscard]] Parsed<Framing> request_framing(const RequestHead& head);

/// `to_head`: the request was HEAD, so there is no body whatever the fields say.
[[nodiscard]] Parsed<Framing> response_framing(const ResponseHead& head, bool to_head);

/// RFC 9112 section 9.3: whether the connection may carry another message after this one.
[[nodiscard]] bool is_persistent(int minor_version, const Fields& fields);

}  // namespace interline::net::http
