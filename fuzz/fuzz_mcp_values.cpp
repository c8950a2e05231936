// Single values from an MCP peer: header values, task ids, tools' names, schemas with headers and
// forms, answers to questions.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "json/parse.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/call_result.hpp"
#include "protocols/mcp/form_schema.hpp"
#include "protocols/mcp/header_value.hpp"
#include "protocols/mcp/input_requests.hpp"
#include "protocols/mcp/param_headers.hpp"
#include "protocols/mcp/task_ids.hpp"
#include "protocols/mcp/tool_names.hpp"

namespace {

using namespace interline;
using namespace interline::protocols;

void check_text(std::string_view text) {
  if (const auto decoded = mcp::decode_header_value(text)) {
    if (mcp::decode_header_value(mcp::encode_header_value(*decoded)) != decoded) std::abort();
  }
  if (is_valid_utf8(text) && mcp::decode_header_value(mcp::encode_header_value(text)) != text) {
    std::abort();
  }
  if (const auto id = mcp::read_task_id(text)) {
    const auto again = mcp::read_task_id(mcp::write_task_id(id->tenant, id->id));
    if (!again || again->tenant != id->tenant || again->id != id->id) std::abort();
  }
  if (text.empty()) return;
  for (const char* endpoint : {"", "a", "a.b"}) {
    const mcp::ToolRef ref{endpoint, std::string(text)};
    const std::string name = mcp::tool_name(ref);
    if (!mcp::is_tool_name(name)) std::abort();
    if (!ref.endpoint.empty() && !mcp::is_marked(name) && mcp::read_tool_name(name) != ref) {
      std::abort();
    }
  }
}

void check_schema(std::string_view text, const json::Value& root) {
  const mcp::ParamHeaders headers = mcp::read_param_headers(root);
  if (headers.headers.size() > mcp::kMaxParamHeaders ||
      headers.faults.size() > mcp::kMaxParamHeaderFaults) {
    std::abort();
  }
  if (const auto mirrored = mcp::mirrored_headers(headers, root)) {
    const auto lookup = [&](std::string_view name) -> std::optional<std::string_view> {
      for (const auto& [header, value] : *mirrored) {
        if (header == name) return value;
      }
      return std::nullopt;
    };
    if (mcp::param_header_mismatch(headers, root, lookup)) std::abort();
  }
  for (const auto revision : {mcp::Revision::v2025_06_18, mcp::Revision::v2026_07_28}) {
    const mcp::Form form = mcp::form_for(text, revision);
    const auto parsed = json::parse_borrowed(form.schema, jsonrpc::limits_for(form.schema.size()),
                                             json::Numbers::faithful);
    if (!parsed || mcp::form_fault(parsed->root(), revision)) std::abort();
  }
}

void check_answers(const json::Value& root) {
  using tasks::QuestionKind;
  const mcp::InputQuestion questions[] = {
      {"f", QuestionKind::form, "?", "", ""},
      {"j", QuestionKind::form, "?", R"({"type":"array"})", ""},
      {"u", QuestionKind::url, "?", "", "https://a"},
      {"s", QuestionKind::sampling, "?", "", ""},
      {"r", QuestionKind::roots, "?", "", ""},
  };
  const auto answers = mcp::read_input_responses(root, questions, mcp::Revision::v2026_07_28);
  if (!answers) return;
  for (const auto& answer : *answers) {
    const bool accepted = answer.action == tasks::AnswerAction::accept;
    if (accepted != !answer.value.empty()) std::abort();
    if (accepted && !json::parse_borrowed(answer.value, jsonrpc::limits_for(answer.value.size()),
                                          json::Numbers::faithful)) {
      std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_text(text);
  const auto document =
      json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
  if (!document) return 0;
  check_schema(text, document->root());
  check_answers(document->root());
  if (document->root().is_object()) {
    const mcp::Envelope old{mcp::Revision::v2024_11_05, ""};
    const std::string told = mcp::call_result(old, document->root());
    if (!json::parse_borrowed(told, jsonrpc::limits_for(told.size()), json::Numbers::faithful)) {
      std::abort();
    }
    (void)mcp::tool_definition(document->root(), "n", mcp::Revision::v2026_07_28);
  }
  return 0;
}
