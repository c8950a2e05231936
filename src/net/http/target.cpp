#include "net/http/target.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"
#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

constexpr std::size_t kMaxSegments = 64;
constexpr std::size_t kMaxQueryPairs = 100;

std::unexpected<Refusal> refuse(std::string_view why) {
  return std::unexpected(Refusal(400, why));
}

// RFC 3986 section 3.2.2 without user information: a name, an address, brackets, a port.
bool is_authority(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~%!$&'()*+,;=:[]").find(c) != std::string_view::npos;
  });
}

// RFC 9112 section 3.2: exactly one Host, but HTTP/1.0 may have none.
Parsed<std::string_view> host_field(const RequestHead& head) {
  const std::size_t count = head.fields.count("Host");
  if (count > 1) return refuse("more than one Host");
  if (count == 0 && head.minor_version > 0) return refuse("no Host");
  const std::string_view host = head.fields.get("Host").value_or("");
  if (!is_authority(host)) return refuse("a malformed Host");
  return host;
}

// Clients resolve "." and ".." (RFC 3986 section 5.2.4); what is left of them is meant to climb,
// also behind an escaped slash.
bool climbs(std::string_view segment) {
  while (true) {
    const std::size_t slash = segment.find('/');
    const std::string_view part = segment.substr(0, slash);
    if (part == "." || part == "..") return true;
    if (slash == std::string_view::npos) return false;
    segment.remove_prefix(slash + 1);
  }
}

Parsed<void> parse_path(std::string_view path, Request& request) {
  request.path = path;
  path.remove_prefix(1);
  for (bool more = true; more;) {
    if (request.segments.size() == kMaxSegments) return refuse("too many path segments");
    const std::size_t slash = path.find('/');
    auto segment = decode_percent(path.substr(0, slash));
    if (!segment) return refuse("a malformed path");
    if (climbs(*segment)) return refuse("a path with dot segments");
    request.segments.push_back(std::move(*segment));
    more = slash != std::string_view::npos;
    if (more) path.remove_prefix(slash + 1);
  }
  return {};
}

Parsed<void> parse_query(std::string_view text, Request& request) {
  request.raw_query = text;
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (pair.empty()) continue;
    if (request.query.size() == kMaxQueryPairs) return refuse("too many query parameters");
    const std::size_t equals = pair.find('=');
    auto name = decode_percent(pair.substr(0, equals), true);
    auto value = decode_percent(
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !value) return refuse("a malformed query");
    request.query.emplace_back(std::move(*name), std::move(*value));
  }
  return {};
}

}  // namespace

std::optional<std::string> decode_percent(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    decoded += c;
  }
  if (!is_valid_utf8(decoded)) return std::nullopt;
  return decoded;
}

std::string encode_percent(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    if (unreserved) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kHex[byte >> 4U];
      encoded += kHex[byte & 15U];
    }
  }
  return encoded;
}

Parsed<void> parse_target(const RequestHead& head, Request& request) {
  auto host = host_field(head);
  if (!host) return std::unexpected(host.error());
  std::string_view target = head.target;
  if (target == "*") {  // section 3.2.4
    if (head.method != Method::options) return refuse("a malformed request target");
    request.host = *host;
    request.path = target;
    return {};
  }
  if (!target.starts_with('/')) {  // section 3.2.2: the absolute form overrides Host
    const std::size_t scheme = target.find("://");
    const std::string_view name = target.substr(0, std::min(scheme, target.size()));
    if (!equals_without_case(name, "http") && !equals_without_case(name, "https")) {
      return refuse("a malformed request target");
    }
    target.remove_prefix(scheme + 3);
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    host = target.substr(0, end);
    if (host->empty() || !is_authority(*host)) return refuse("a malformed request target");
    target.remove_prefix(end);
  }
  request.host = *host;
  const std::size_t question = target.find('?');
  std::string_view path = target.substr(0, question);
  if (path.empty()) path = "/";
  if (auto parsed = parse_path(path, request); !parsed) return parsed;
  if (question == std::string_view::npos) return {};
  return parse_query(target.substr(question + 1), request);
}

}  // namespace interline::net::http
