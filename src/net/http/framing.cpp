#include "net/http/framing.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

std::unexpected<Refusal> refuse(unsigned status, std::string_view why) {
  return std::unexpected(Refusal(status, why));
}

// RFC 9110 section 8.6: digits only; here also only one field with one value.
Parsed<std::uint64_t> content_length(const Fields& fields) {
  if (fields.count("Content-Length") > 1) return refuse(400, "more than one Content-Length");
  const std::string_view text = fields.get("Content-Length").value_or("");
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || !digits || error != std::errc() || end != text.data() + text.size()) {
    return refuse(400, "a malformed Content-Length");
  }
  return length;
}

// None where no field says anything.
Parsed<std::optional<Framing>> declared(const Fields& fields, int minor_version) {
  const bool has_length = fields.contains("Content-Length");
  if (!fields.contains("Transfer-Encoding")) {
    if (!has_length) return std::nullopt;
    const auto length = content_length(fields);
    if (!length) return std::unexpected(length.error());
    return Framing(Framing::Kind::length, *length);
  }
  if (has_length) return refuse(400, "Content-Length beside Transfer-Encoding");
  if (minor_version == 0) return refuse(400, "Transfer-Encoding in HTTP/1.0");
  if (fields.count("Transfer-Encoding") > 1) return refuse(400, "more than one Transfer-Encoding");
  if (!equals_without_case(*fields.get("Transfer-Encoding"), "chunked")) {
    return refuse(501, "a transfer coding other than chunked");
  }
  return Framing(Framing::Kind::chunked);
}

}  // namespace

Parsed<Framing> request_framing(const RequestHead& head) {
  auto framing = declared(head.fields, head.minor_version);
  if (!framing) return std::unexpected(framing.error());
  if (*framing) return **framing;
  const bool has_content =
      head.method == Method::post || head.method == Method::put || head.method == Method::patch;
  if (head.minor_version == 0 && has_content) return refuse(411, "no Content-Length");
  return Framing(Framing::Kind::none);
}

Parsed<Framing> response_framing(const ResponseHead& head, bool to_head) {
  auto framing = declared(head.fields, head.minor_version);
  if (to_head || never_has_body(head.status)) return Framing(Framing::Kind::none);
  if (!framing) return std::unexpected(framing.error());
  return framing->value_or(Framing(Framing::Kind::until_close));
}

bool is_persistent(int minor_version, const Fields& fields) {
  if (fields.has_token("Connection", "close")) return false;
  return minor_version >= 1 || fields.has_token("Connection", "keep-alive");
}

}  // namespace interline::net::http
