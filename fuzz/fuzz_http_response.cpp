// HTTP/1.1 responses: head, framing and chunks, whole and in pieces (the first byte says how
// large), through the client's own connection over a pipe.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "net/http/client_connection.hpp"
#include "net/pipe_stream.hpp"

namespace net = interline::net;
namespace http = interline::net::http;

namespace {

net::awaitable<void> serve(std::unique_ptr<net::Stream> server, std::string_view bytes) {
  auto sent = co_await server->write_all(bytes);
  if (sent) co_await server->shutdown_write();
}

net::awaitable<void> ask(std::unique_ptr<net::Stream> client, bool head_only,
                         std::string& outcome) {
  http::ClientConnection connection(std::move(client));
  http::ClientRequest request;
  request.method = head_only ? http::Method::head : http::Method::get;
  request.host = "h";
  for (int i = 0; i < 3; ++i) {
    auto head = co_await connection.exchange(request);
    if (!head) {
      outcome += head.error().message;
      co_return;
    }
    outcome += std::to_string(head->status) + " " + head->fields.joined("Content-Type") + " ";
    auto body = co_await connection.read_whole_body(100'000);
    outcome += body ? *body : body.error().message;
    if (!body) co_return;
  }
}

std::string converse(std::string_view bytes, std::size_t piece, bool head_only) {
  net::asio::io_context context{1};
  net::PipeOptions options;
  options.capacity = 1 << 20;
  options.chunk = piece;
  auto [client, server] = net::make_pipe(context.get_executor(), options);
  std::string outcome;
  net::asio::co_spawn(context, serve(std::move(server), bytes), net::asio::detached);
  net::asio::co_spawn(context, ask(std::move(client), head_only, outcome), net::asio::detached);
  context.run();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool head_only = data[0] >= 0xC0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = converse(input, input.size() + 1, head_only);
  if (whole.empty() || whole != converse(input, 1 + data[0] % 64, head_only)) std::abort();
  return 0;
}
