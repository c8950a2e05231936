#include "bindings/xmpp/agent_stanzas.hpp"

#include <string>

#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

using namespace protocols::xmpp;

/// U+FFFE and U+FFFF are legal in JSON and in no XML document: escapes stand for them.
std::string xml_json(std::string_view json) {
  constexpr std::string_view kHead = "\xEF\xBF";
  std::string out;
  std::size_t kept = 0;
  for (auto at = json.find(kHead); at != std::string_view::npos; at = json.find(kHead, at + 1)) {
    const auto third = at + 2 < json.size() ? static_cast<unsigned char>(json[at + 2]) : 0U;
    if (third < 0xBEU) continue;
    out.append(json.substr(kept, at - kept)).append(third == 0xBEU ? "\\ufffe" : "\\uffff");
    kept = at + 3;
  }
  return out.append(json.substr(kept));
}

void write_json(XmlWriter& w, std::string_view name, std::string_view json) {
  w.begin(name);
  w.attribute(attribute::kMediaType, media_type::kJson);
  w.text(xml_json(json));
  w.end();
}

struct RequestWriter {
  XmlWriter& w;

  void operator()(const AskEndpoint&) const {
    w.begin(element::kQuery, ns::kDiscoInfo);
    w.end();
  }
  void operator()(const AskManifest& asked) const {
    w.begin(element::kManifestRequest, ns::kAgentApi);
    w.attribute(attribute::kVersion, asked.version);
    w.end();
  }
  void operator()(const Invoke& invoke) const {
    w.begin(element::kInvoke, ns::kAgentTask);
    w.attribute(attribute::kRequestId, invoke.request);
    w.attribute(attribute::kTool, invoke.tool);
    w.attribute(attribute::kApiVersion, invoke.pins.version);
    w.begin(element::kManifestHash);
    w.begin(element::kHash, ns::kHashes);
    w.attribute(attribute::kAlgorithm, kSha256Algorithm);
    w.text(invoke.pins.hash);
    w.end();
    w.end();
    write_json(w, element::kArguments, invoke.arguments);
    if (!invoke.deadline.empty()) w.leaf(element::kDeadline, invoke.deadline);
    w.end();
  }
  void operator()(const AskState& asked) const { task(element::kTaskStateRequest, asked.task); }
  void operator()(const AskResult& asked) const { task(element::kTaskResultRequest, asked.task); }
  void operator()(const ProvideInput& input) const {
    w.begin(element::kProvideInput, ns::kAgentTask);
    w.attribute(attribute::kTaskId, input.task);
    w.attribute(attribute::kRequestId, input.request);
    w.attribute(attribute::kExpectedRevision, std::to_string(input.expected));
    write_json(w, element::kInput, input.value);
    w.end();
  }
  void operator()(const CancelTask& cancel) const {
    w.begin(element::kCancel, ns::kAgentTask);
    w.attribute(attribute::kTaskId, cancel.task);
    w.attribute(attribute::kExpectedRevision, std::to_string(cancel.expected));
    if (cancel.reason) w.leaf(element::kReason, *cancel.reason);
    w.end();
  }

  void task(std::string_view name, const std::string& id) const {
    w.begin(name, ns::kAgentTask);
    w.attribute(attribute::kTaskId, id);
    w.end();
  }
};

}  // namespace

std::string_view iq_type(const AgentRequest& request) {
  const bool changes = std::holds_alternative<Invoke>(request) ||
                       std::holds_alternative<ProvideInput>(request) ||
                       std::holds_alternative<CancelTask>(request);
  return changes ? "set" : "get";
}

void write_request(XmlWriter& w, const AgentRequest& request) {
  std::visit(RequestWriter{w}, request);
}

}  // namespace interline::xmpp
