// HTTP/1.1 requests: head, framing, target and chunks, fed whole and in pieces (the first byte says
// how large). What we accept, Boost.Beast's parser must read as the same request: two readings of
// the same bytes are how requests are smuggled.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "net/http/chunked.hpp"
#include "net/http/framing.hpp"
#include "net/http/head.hpp"
#include "net/http/target.hpp"

namespace http = interline::net::http;
namespace beast = boost::beast;

namespace {

constexpr std::size_t kMuch = 1 << 20;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Body {
  bool refused = false;
  bool done = false;
  std::string text;
  std::size_t consumed = 0;

  bool operator==(const Body&) const = default;
};

Body decode_chunks(std::string_view input, std::size_t piece) {
  Body body;
  http::ChunkDecoder decoder;
  std::size_t available = 0;
  while (!body.done) {
    const auto step = decoder.step(input.substr(body.consumed, available - body.consumed));
    if (!step) {
      body.refused = true;
      body.text.clear();
      body.consumed = 0;
      return body;
    }
    body.text += step->data;
    body.consumed += step->consumed;
    body.done = step->done;
    if (step->consumed > 0 || body.done) continue;
    if (available == input.size()) return body;
    available = std::min(input.size(), available + piece);
  }
  return body;
}

http::Parsed<std::optional<std::size_t>> scan(std::string_view input, std::size_t piece) {
  http::HeadScanner scanner{http::HeadLimits{}};
  for (std::size_t have = 0; have < input.size();) {
    have = std::min(input.size(), have + piece);
    auto found = scanner.scan(input.substr(0, have));
    if (!found || *found) return found;
  }
  return std::nullopt;
}

using Parser = beast::http::request_parser<beast::http::string_body>;

// True where Beast understood all of it.
bool feed(Parser& parser, std::string_view input) {
  parser.header_limit(kMuch);
  parser.body_limit(std::uint64_t{kMuch});
  parser.eager(true);
  beast::error_code error;
  while (!parser.is_done() && !input.empty() && !error) {
    input.remove_prefix(parser.put(boost::asio::buffer(input.data(), input.size()), error));
  }
  return !error || error == beast::http::error::need_more;
}

void compare_head(std::string_view head_text, const http::RequestHead& head) {
  Parser parser;
  parser.skip(true);  // the head alone: a length beyond any limit is the body's matter
  require(feed(parser, head_text));  // the more lenient of the two
  const auto& message = parser.get();
  require(message.method_string() == http::to_string(head.method));
  require(message.target() == head.target);
  require(message.version() == 10U + static_cast<unsigned>(head.minor_version));
  std::size_t count = 0;
  for (const auto& field : message) {
    (void)field;
    ++count;
  }
  require(count == head.fields.size());
  for (std::size_t i = 0; i < head.fields.size(); ++i) {  // Beast keeps equal names together
    std::string joined;
    const auto same = message.equal_range(head.fields[i].name);
    for (auto at = same.first; at != same.second; ++at) {
      if (at != same.first) joined += ", ";
      joined += at->value();
    }
    require(joined == head.fields.joined(head.fields[i].name));
  }
}

void compare_body(std::string_view input, const http::Framing& framing, const Body& chunks) {
  Parser parser;
  if (!feed(parser, input) || !parser.is_header_done()) return;  // stricter about extensions
  require(parser.chunked() == (framing.kind == http::Framing::Kind::chunked));
  if (parser.chunked() && parser.is_done() && chunks.done) {
    require(parser.get().body() == chunks.text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] % 64;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = scan(input, input.size());
  const auto pieces = scan(input, piece);
  require(whole.has_value() == pieces.has_value());
  if (!whole) {
    require(whole.error().status == pieces.error().status);
    return 0;
  }
  require(*whole == *pieces);
  if (!*whole) return 0;
  const auto head = http::parse_request_head(input.substr(0, **whole), http::HeadLimits{});
  if (!head) return 0;
  http::Request request;
  (void)http::parse_target(*head, request);
  const auto framing = http::request_framing(*head);
  if (!framing) return 0;
  const std::string_view rest = input.substr(**whole);
  Body body;
  if (framing->kind == http::Framing::Kind::chunked) {
    body = decode_chunks(rest, rest.size());
    require(body == decode_chunks(rest, piece));
  }
  const std::string_view line = input.substr(0, input.find('\r'));
  if (line.back() > '1') return 0;  // Beast knows no HTTP/1.2
  compare_head(input.substr(0, **whole), *head);
  compare_body(input, *framing, body);
  return 0;
}
