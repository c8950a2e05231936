#include "protocols/mcp/client_request.hpp"

#include <array>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/mcp/request_meta.hpp"

namespace interline::protocols::mcp {
namespace {

/// basic/index, "_meta": the only names without a prefix.
constexpr std::array<std::string_view, 3> kTraceNames = {"traceparent", "tracestate", "baggage"};
constexpr std::size_t kLongestTrace = 8'192;

void write_client_info(json::Writer& writer, std::string_view version) {
  writer.begin_object();
  writer.member("name", "interline");
  writer.member("title", "Interline");
  writer.member("version", version);
  writer.end_object();
}

/// What `text` is inside its outermost braces.
std::string inside(std::string text) {
  return text.substr(1, text.size() - 2);
}

std::string meta_text(const RequestStamp& stamp) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  if (is_modern(stamp.revision)) {
    writer.member(meta_key::kProtocolVersion, to_string(stamp.revision));
    writer.raw_member(meta_key::kClientCapabilities, capabilities_text(stamp.capabilities));
    writer.name(meta_key::kClientInfo);
    write_client_info(writer, stamp.client_version);
    if (!stamp.log_level.empty()) writer.member(meta_key::kLogLevel, stamp.log_level);
  }
  if (!stamp.progress_token.empty()) {
    writer.raw_member(meta_key::kProgressToken, stamp.progress_token);
  }
  if (!stamp.request_key.empty()) writer.member(meta_key::kRequestId, stamp.request_key);
  writer.end_object();
  if (stamp.trace.empty()) return text;
  text.pop_back();
  if (text.size() > 1) text += ',';
  return text.append(stamp.trace).append("}");
}

}  // namespace

std::string stamped_params(const RequestStamp& stamp, std::string_view members) {
  const std::string meta = meta_text(stamp);
  std::string text = "{";
  text += members;
  if (meta != "{}") {
    if (!members.empty()) text += ',';
    text.append("\"_meta\":").append(meta);
  }
  return text += '}';
}

std::string trace_members(std::string_view metadata) {
  if (metadata.empty()) return {};
  const auto document = json::parse_borrowed(metadata, {}, json::Numbers::faithful);
  if (!document || !document->root().is_object()) return {};
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const std::string_view name : kTraceNames) {
    const json::Value* value = document->root().find(name);
    if (value == nullptr || !value->is_string()) continue;
    if (value->as_string().size() <= kLongestTrace) writer.member(name, *value);
  }
  writer.end_object();
  return inside(std::move(text));
}

std::string initialize_params(std::string_view client_version, ClientCapabilities capabilities) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("protocolVersion", kInitializedVersions.front());
  writer.raw_member("capabilities", capabilities_text(capabilities));
  writer.name("clientInfo");
  write_client_info(writer, client_version);
  writer.end_object();
  return text;
}

std::string list_members(const std::string* cursor) {
  if (cursor == nullptr) return {};
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("cursor", *cursor);
  writer.end_object();
  return inside(std::move(text));
}

std::string call_members(std::string_view tool, std::string_view arguments) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("name", tool);
  writer.raw_member("arguments", arguments);
  writer.end_object();
  return inside(std::move(text));
}

std::string task_members(std::string_view task) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("taskId", task);
  writer.end_object();
  return inside(std::move(text));
}

std::string cancelled_params(std::string_view id, std::string_view reason) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.raw_member("requestId", id);
  if (!reason.empty()) writer.member("reason", reason);
  writer.end_object();
  return text;
}

}  // namespace interline::protocols::mcp
