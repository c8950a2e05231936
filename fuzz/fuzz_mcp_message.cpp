// A message from an MCP server: understood or refused, and what is written back is JSON-RPC again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/client.hpp"
#include "protocols/mcp/client_questions.hpp"
#include "protocols/mcp/client_request.hpp"
#include "protocols/mcp/client_task.hpp"
#include "protocols/mcp/server_hello.hpp"

namespace {

using namespace interline;
using namespace interline::protocols;

void must_be_a_message(const std::string& text) {
  const auto document =
      json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
  if (!document || !jsonrpc::read_message(document->root())) std::abort();
}

/// What a server asks becomes a round, which is read back as it was.
void ask(const json::Value& value) {
  const auto questions = mcp::read_input_requests(value);
  if (!questions) return;
  mcp::PendingRound round;
  for (const auto& question : *questions) round.questions.emplace_back(question.key, question.kind);
  const auto read = mcp::read_round(mcp::write_round(round));
  if (!read || read->questions != round.questions) std::abort();
}

void read_as_everything(const json::Value& value) {
  (void)mcp::read_initialize_result(value);
  (void)mcp::read_discover_result(value, mcp::kFirstModern);
  (void)mcp::read_list_page(value, "tools");
  (void)mcp::result_type(value);
  (void)mcp::read_server_task(value, true);
  (void)mcp::read_required_urls(value);
  (void)mcp::trace_members(value.source());
  ask(value);
  (void)mcp::needs_server_task(value);
  (void)mcp::read_log(value);
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
