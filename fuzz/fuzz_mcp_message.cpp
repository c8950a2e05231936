// A message from an MCP server: understood or refused, and what is written back is JSON-RPC again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/client.hpp"

namespace {

using namespace interline;
using namespace interline::protocols;

void must_be_a_message(const std::string& text) {
  const auto document =
      json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
  if (!document || !jsonrpc::read_message(document->root())) std::abort();
}

void read_as_everything(const json::Value& value) {
  (void)mcp::read_initialize_result(value);
  (void)mcp::read_tools_page(value);
  (void)mcp::needs_server_task(value);
  (void)mcp::read_log(value);
  (void)mcp::read_elicitation(value);
  const auto progress = mcp::read_progress(value);
  if (progress && progress->percent && !(*progress->percent >= 0 && *progress->percent <= 100)) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto document =
      json::parse_borrowed(line, jsonrpc::limits_for(line.size()), json::Numbers::faithful);
  if (!document) return 0;
  read_as_everything(document->root());
  const auto message = jsonrpc::read_message(document->root());
  if (!message) {
    if (message.error().message.empty()) std::abort();
    return 0;
  }
  read_as_everything(message->params);
  read_as_everything(message->result);
  if (!message->id.empty()) must_be_a_message(jsonrpc::result(message->id, "{}"));
  must_be_a_message(jsonrpc::error(message->id, message->code, message->message));
  return 0;
}
