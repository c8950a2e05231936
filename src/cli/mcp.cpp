// interline mcp [--endpoint NAME]: an MCP server over standard input and output in front of the
// running gateway, which does all the talking; here bytes are passed on.
#include <memory>
#include <string>
#include <unistd.h>

#include "cli/gateway_verb.hpp"
#include "cli/mcp_connection.hpp"
#include "cli/mcp_pipe.hpp"

namespace interline::cli {
namespace {

class Mcp final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.optional("--endpoint", endpoint_,
                       "Show this one alone, its tools under their own names; without it all, as "
                       "endpoint.tool");
    declare_gateway(arguments);
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const auto connection = McpConnection::open(gateway, endpoint_);
    if (!connection) return refused(io, connection.error());
    if (::isatty(STDIN_FILENO) == 1) {
      io.err(
          "interline mcp waits for MCP messages, one a line; MCP hosts start it. Ctrl-D ends "
          "it.\n");
    }
    const PipeEnd end =
        pipe_bytes(connection->descriptor(), connection->read_ahead(), STDIN_FILENO, STDOUT_FILENO);
    if (end == PipeEnd::input) return kOk;
    if (end == PipeEnd::peer) {
      io.complain(
          "the gateway has ended; what was not answered is lost. Start this again when it "
          "runs: " +
          gateway.start_command());
    }
    return kNo;
  }

 private:
  int refused(Streams& io, const Error& error) const {
    if (error.kind != ErrorKind::not_found || endpoint_.empty()) return complain_of(io, error);
    io.complain("this user may see no endpoint " + endpoint_ + "; interline endpoints list" +
                gateway_option() + " names those that it may see");
    return kNo;
  }

  std::string endpoint_;
};

}  // namespace

std::unique_ptr<Verb> make_mcp() {
  return std::make_unique<Mcp>();
}

}  // namespace interline::cli
