// GET /v1/mcp?endpoint=NAME with `Upgrade: mcp`: the connection goes on as MCP, one JSON-RPC
// message a line, as over standard input and output. The messages are no matter of this binding.
#include <utility>

#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"

namespace interline::control {

awaitable<void> speak_mcp(std::shared_ptr<Services> services, Principal who, Request& request,
                          net::http::Responder& responder) {
  const McpLines& mcp = services->options.mcp;
  std::string endpoint(request.query_value("endpoint").value_or(""));
  const Result<void> served = co_await mcp.check(who, endpoint);
  if (!served) {
    Response response = error_response(served.error());
    const auto sent = co_await responder.send(std::move(response));
    (void)sent;  // the peer is gone: nobody to tell
    co_return;
  }
  const auto stream = co_await responder.upgrade(kMcpProtocol);
  if (stream) co_await mcp.serve(**stream, std::move(who), std::move(endpoint));
}

}  // namespace interline::control
