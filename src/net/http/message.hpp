// A request as a handler sees it, and a response as it gives it.
#pragma once

#include <any>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http/fields.hpp"
#include "net/stream.hpp"

namespace interline::net::http {

/// The methods we implement; others are answered with 501.
enum class Method : std::uint8_t { get, head, post, put, patch, delete_, options };

[[nodiscard]] std::string_view to_string(Method method);
[[nodiscard]] std::optional<Method> parse_method(std::string_view token);

struct Request {
  Request() = default;

  Method method = Method::get;
  int minor_version = 1;  ///< HTTP/1.1 or HTTP/1.0
  std::string path;       ///< As sent, without the query: "/a%20b/c".
  /// Of the path, each decoded, valid UTF-8: {"a b", "c"}. "/" is {""}. None is "." or "..", nor
  /// has such a part between slashes that were escaped.
  std::vector<std::string> segments;
  /// Decoded as application/x-www-form-urlencoded, in order.
  std::vector<std::pair<std::string, std::string>> query;
  std::string raw_query;  ///< As sent, without the question mark.
  std::string host;       ///< Of the Host field or an absolute target: "example.org:8080".
  Fields fields;
  std::string body;  ///< Whole, within the route's limit.

  /// Who asks, as far as proxies that we trust say so; none over a Unix socket.
  std::optional<asio::ip::address> client;
  bool secure = false;  ///< TLS to us, or to a proxy that we trust.
  /// The connection itself, while the handler runs: a Unix socket's user, a client certificate.
  const Peer* peer = nullptr;

  /// What the route's pattern named: "/mcp/{name}".
  std::vector<std::pair<std::string_view, std::string>> parameters;
  /// For what a route's guard finds out and its handler needs: the authenticated caller.
  std::any context;

  /// Empty where the pattern has no such name.
  [[nodiscard]] std::string_view parameter(std::string_view name) const;
  /// The first of that name.
  [[nodiscard]] std::optional<std::string_view> query_value(std::string_view name) const;
};

struct Response {
  unsigned status = 200;
  Fields fields;  ///< The server adds Date, Content-Length, Connection and Transfer-Encoding.
  std::string body;

  Response() = default;
  explicit Response(unsigned status_code) : status(status_code) {}
  Response(unsigned status_code, std::string_view content_type, std::string text)
      : status(status_code), body(std::move(text)) {
    fields.add("Content-Type", content_type);
  }
};

/// "Not Found"; empty for a code that the RFCs do not name.
[[nodiscard]] std::string_view reason_phrase(unsigned status);

/// The bounded answer for people: "404 Not Found\n" as text/plain. Always the same bytes.
[[nodiscard]] Response plain_response(unsigned status);

/// No such response has a body or says its length (RFC 9110 section 6.4.1).
[[nodiscard]] constexpr bool never_has_body(unsigned status) {
  return status < 200 || status == 204 || status == 304;
}

}  // namespace interline::net::http
