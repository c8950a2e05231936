// HTTP/1.1 message heads (RFC 9112): from bytes to request line or status line and fields.
//
// Strict where leniency has let requests be smuggled past proxies: lines end with CRLF and nothing
// else, no folded fields, no space before a colon, one Host. No I/O here.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "net/http/fields.hpp"
#include "net/http/message.hpp"

namespace interline::net::http {

struct HeadLimits {
  std::size_t line = std::size_t{8} * 1024;    ///< Bytes of the request line: 414 beyond.
  std::size_t bytes = std::size_t{32} * 1024;  ///< Bytes of the whole head: 431 beyond.
  std::size_t fields = 100;                    ///< 431 beyond.
};

/// Why a request is answered by the server itself: a status and a fixed sentence for the log.
struct Refusal {
  unsigned status = 400;
  std::string_view why;

  Refusal(unsigned code, std::string_view reason) : status(code), why(reason) {}
};

template <class T>
using Parsed = std::expected<T, Refusal>;

/// Looks for the end of a head in bytes that arrive piece by piece; reads each byte once.
class HeadScanner {
 public:
  explicit HeadScanner(const HeadLimits& limits) : limits_(limits) {}

  /// `data`: all that has arrived of the message so far. The size of the head with its empty line,
  /// or none while it is incomplete.
  [[nodiscard]] Parsed<std::optional<std::size_t>> scan(std::string_view data);

 private:
  HeadLimits limits_;
  std::size_t scanned_ = 0;
  std::size_t line_ = 0;  // where the current line begins
  bool first_line_done_ = false;
};

struct RequestHead {
  RequestHead() = default;  // not an aggregate: it travels through coroutines

  Method method = Method::get;
  std::string target;
  int minor_version = 1;
  Fields fields;
};

/// `head` is what HeadScanner found. Statuses: 400, 431, 501 (method), 505 (version).
[[nodiscard]] Parsed<RequestHead> parse_request_head(std::string_view head,
                                                     const HeadLimits& limits);

struct ResponseHead {
  ResponseHead() = default;

  unsigned status = 0;
  int minor_version = 1;
  Fields fields;
};

/// The status of a refusal means nothing here.
[[nodiscard]] Parsed<ResponseHead> parse_response_head(std::string_view head,
                                                       const HeadLimits& limits);

}  // namespace interline::net::http
