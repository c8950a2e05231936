// What an MCP client sends: whatever the body and the headers, one decision, and params that are
// read or refused. The first line is headers, the rest the body.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "protocols/mcp/exchange.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/results.hpp"

namespace {

using namespace interline;
using namespace interline::protocols;

void must_be_json(const std::string& text) {
  if (!json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful)) {
    std::abort();
  }
}

void read_as_everything(const json::Value& params) {
  (void)mcp::read_list_params(params);
  (void)mcp::read_call_params(params);
  (void)mcp::read_prompt_params(params);
  (void)mcp::read_resource_params(params);
  (void)mcp::read_completion_params(params);
  (void)mcp::read_listen_params(params);
  (void)mcp::read_task_update_params(params);
  (void)mcp::read_cancelled_params(params);
  (void)mcp::read_level_params(params);
  (void)mcp::read_initialize_params(params);
  (void)mcp::salient_digest("tools/call", params);
}

void check(const mcp::Decision& decision) {
  if (const auto* refusal = std::get_if<mcp::Refusal>(&decision)) {
    if (mcp::name_of(refusal->answer.code).empty()) std::abort();
    must_be_json(mcp::error_line(refusal->id, refusal->answer));
  }
  if (const auto* modern = std::get_if<mcp::ModernExchange>(&decision)) {
    const bool request = modern->message.kind == jsonrpc::Kind::request;
    if (request && (modern->method == nullptr || modern->meta.version != "2026-07-28"))
      std::abort();
    read_as_everything(modern->message.params);
  }
  if (const auto* legacy = std::get_if<mcp::LegacyExchange>(&decision)) {
    if (mcp::is_modern(legacy->revision)) std::abort();
    read_as_everything(legacy->message.params);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  // version|method|name
  const std::string_view head = input.substr(0, line);
  const auto first = head.find('|');
  const auto second = first == std::string_view::npos ? first : head.find('|', first + 1);
  mcp::RequestHeaders headers;
  headers.protocol_version = head.substr(0, first);
  if (first != std::string_view::npos) {
    headers.method =
        head.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
  }
  if (second != std::string_view::npos) headers.name = head.substr(second + 1);
  const std::string_view body = input.substr(line + 1);
  const auto document =
      json::parse_borrowed(body, jsonrpc::limits_for(body.size()), json::Numbers::faithful);
  if (!document) {
    (void)mcp::parse_error(document.error());
    return 0;
  }
  mcp::Served served;
  served.features.tasks = served.features.resources = served.features.prompts = true;
  for (const auto transport : {mcp::Transport::http, mcp::Transport::stdio}) {
    for (const bool opened : {false, true}) {
      mcp::LegacyState state;
      if (opened) state = {true, mcp::Revision::v2025_03_26};
      const auto decision = mcp::decide(document->root(), transport, headers, state, served);
      check(decision);
      if (const auto* batch = std::get_if<mcp::LegacyBatch>(&decision)) {
        for (const auto& element : batch->messages.items()) {
          check(mcp::decide_in_batch(element, batch->revision, served));
        }
      }
    }
  }
  if (document->root().is_object()) {
    const mcp::Envelope envelope{mcp::Revision::v2026_07_28, R"({"name":"n","version":"v"})"};
    must_be_json(mcp::complete_result(envelope, document->root(), mcp::Cache{}));
    must_be_json(mcp::complete_result({mcp::kNewestLegacy, ""}, document->root()));
  }
  return 0;
}
