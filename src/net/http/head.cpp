#include "net/http/head.hpp"

#include <algorithm>
#include <utility>

#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

std::unexpected<Refusal> refuse(unsigned status, std::string_view why) {
  return std::unexpected(Refusal(status, why));
}

// Takes the line off `text`; every line has its CRLF, as the scanner saw to.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

// RFC 9112 section 2.3: "HTTP/" DIGIT "." DIGIT. The minor version, or -1; major through `major`.
int parse_version(std::string_view text, int& major) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() != 8 || !text.starts_with("HTTP/") || text[6] != '.' || !digit(text[5]) ||
      !digit(text[7])) {
    return -1;
  }
  major = text[5] - '0';
  return text[7] - '0';
}

// RFC 9112 section 5.
Parsed<void> parse_fields(std::string_view text, const HeadLimits& limits, Fields& fields) {
  while (true) {
    const std::string_view line = take_line(text);
    if (line.empty()) return {};
    if (fields.size() == limits.fields) return refuse(431, "too many header fields");
    if (line.front() == ' ' || line.front() == '\t') {
      return refuse(400, "a folded header field");  // section 5.2: obs-fold
    }
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    if (colon == std::string_view::npos || !is_token(name)) {
      return refuse(400, "a malformed header field name");
    }
    const std::string_view value = trim(line.substr(colon + 1));
    if (!is_field_value(value)) return refuse(400, "a control character in a header field");
    fields.add(name, value);
  }
}

}  // namespace

Parsed<std::optional<std::size_t>> HeadScanner::scan(std::string_view data) {
  while (scanned_ < data.size()) {
    const std::size_t newline = data.find('\n', scanned_);
    const std::size_t end = newline == std::string_view::npos ? data.size() : newline;
    if (!first_line_done_ && end > limits_.line) return refuse(414, "the request line is too long");
    if (end >= limits_.bytes) return refuse(431, "the head is too long");
    scanned_ = end;
    if (newline == std::string_view::npos) break;
    if (newline == line_ || data[newline - 1] != '\r') {
      return refuse(400, "a line that does not end with CRLF");
    }
    scanned_ = newline + 1;
    if (newline == line_ + 1 && first_line_done_) return scanned_;
    first_line_done_ = true;
    line_ = scanned_;
  }
  return std::nullopt;
}

Parsed<RequestHead> parse_request_head(std::string_view head, const HeadLimits& limits) {
  RequestHead request;
  const std::string_view line = take_line(head);
  // RFC 9112 section 3: method SP request-target SP HTTP-version, single spaces.
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) {
    return refuse(400, "a malformed request line");
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, second - first - 1);
  int major = 0;
  request.minor_version = parse_version(line.substr(second + 1), major);
  if (!is_token(method) || target.empty() || request.minor_version < 0) {
    return refuse(400, "a malformed request line");
  }
  if (major != 1) return refuse(505, "an HTTP version other than 1.x");
  // RFC 9110 section 2.5: a higher minor version is read as the highest that we know.
  request.minor_version = std::min(request.minor_version, 1);
  if (!detail::all_of_class(target, detail::kTargetChar)) {
    return refuse(400, "a character that no request target has");
  }
  if (auto fields = parse_fields(head, limits, request.fields); !fields) {
    return std::unexpected(fields.error());
  }
  const auto known = parse_method(method);
  if (!known) return refuse(501, "an unknown method");
  request.method = *known;
  request.target = target;
  return request;
}

Parsed<ResponseHead> parse_response_head(std::string_view head, const HeadLimits& limits) {
  ResponseHead response;
  const std::string_view line = take_line(head);
  // RFC 9112 section 4: HTTP-version SP 3DIGIT SP [reason]; servers forget the last space.
  int major = 0;
  response.minor_version = parse_version(line.substr(0, 8), major);
  if (response.minor_version < 0 || major != 1 || line.size() < 12 || line[8] != ' ' ||
      (line.size() > 12 && line[12] != ' ') || !is_field_value(line)) {
    return refuse(400, "a malformed status line");
  }
  response.minor_version = std::min(response.minor_version, 1);
  for (const char c : line.substr(9, 3)) {
    if (c < '0' || c > '9') return refuse(400, "a malformed status line");
    response.status = response.status * 10 + static_cast<unsigned>(c - '0');
  }
  if (response.status < 100) return refuse(400, "a malformed status line");
  if (auto fields = parse_fields(head, limits, response.fields); !fields) {
    return std::unexpected(fields.error());
  }
  return response;
}

}  // namespace interline::net::http
