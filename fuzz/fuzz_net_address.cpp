// What configurations and headers say about addresses: URLs, host:port, networks, forwarded hops,
// percent-encoding; and lines cut from a process's output.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/host_port.hpp"
#include "net/http/proxy.hpp"
#include "net/http/target.hpp"
#include "net/http/url.hpp"
#include "net/line_buffer.hpp"

namespace net = interline::net;
namespace http = interline::net::http;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_urls(std::string_view text) {
  if (const auto url = http::parse_url(text)) {
    const auto again = http::parse_url(url->origin() + url->target);
    require(again && again->origin() == url->origin() && again->target == url->target);
  }
  if (const auto address = net::parse_host_port(text, 1)) {
    require(net::parse_host_port(net::to_string(*address)) == *address || address->port == 0);
  }
  if (const auto decoded = http::decode_percent(text)) {
    require(http::decode_percent(http::encode_percent(*decoded)) == *decoded);
  }
}

void check_hops(std::string_view text) {
  const http::Networks trusted{http::Network::parse("10.0.0.0/8").value()};
  net::Peer peer;
  peer.address = net::asio::ip::make_address("10.0.0.1");
  http::Fields fields;
  fields.add("X-Forwarded-For", text);
  fields.add("X-Forwarded-Proto", text);
  require(http::find_origin(peer, fields, trusted).client.has_value());
  peer.address = net::asio::ip::make_address("192.0.2.1");
  require(http::find_origin(peer, fields, trusted).client == peer.address);
  if (const auto network = http::Network::parse(text)) (void)network->contains(*peer.address);
}

std::string cut(std::string_view text, std::size_t piece) {
  net::LineBuffer buffer(20);
  std::string lines;
  const auto note = [&](const net::Line& line) {
    require(line.text.size() <= 20);
    lines += line.text + (line.too_long ? "!" : "") + (line.terminated ? "\n" : "~");
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    buffer.append(text.substr(at, piece));
    while (auto line = buffer.next()) note(*line);
  }
  if (auto line = buffer.rest()) note(*line);
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  check_urls(text);
  check_hops(text);
  require(cut(text, text.size() + 1) == cut(text, 1 + data[0] % 64));
  return 0;
}
