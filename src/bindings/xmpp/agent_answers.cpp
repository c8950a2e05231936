// What agents elsewhere answer and tell, read from stanzas.
#include <algorithm>
#include <charconv>
#include <string>

#include "base/base64.hpp"
#include "base/id.hpp"
#include "base/sha256.hpp"
#include "bindings/xmpp/agent_stanzas.hpp"
#include "bindings/xmpp/data_form.hpp"
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/handlers/task_syntax.hpp"
#include "bindings/xmpp/hash_element.hpp"
#include "bindings/xmpp/json_payload.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/stanza_error.hpp"
#include "bindings/xmpp/tool_node.hpp"

namespace interline::xmpp {
namespace {

using namespace protocols::xmpp;
using MaybeAnswer = std::optional<AgentAnswer>;

constexpr std::string_view kAcceptedAttributes[] = {attribute::kRequestId, attribute::kTaskId,
                                                    attribute::kRevision, attribute::kCreated,
                                                    attribute::kRetainUntil};
constexpr ElementShape kAccepted{kAcceptedAttributes, {}, {}};
constexpr std::string_view kTakenAttributes[] = {attribute::kTaskId, attribute::kRevision};
constexpr ElementShape kTaken{kTakenAttributes, {}, {}};
constexpr std::string_view kStateAttributes[] = {
    attribute::kTaskId,   attribute::kEndpoint,    attribute::kState,
    attribute::kRevision, attribute::kApiVersion,  attribute::kCreated,
    attribute::kUpdated,  attribute::kRetainUntil, attribute::kResultAvailable};
constexpr std::string_view kStateOptional[] = {attribute::kDeadline};
constexpr ChildShape kStateChildren[] = {{ns::kAgentTask, element::kManifestHash, true},
                                         {ns::kAgentTask, element::kPendingInput, false}};
constexpr ElementShape kState{kStateAttributes, kStateOptional, kStateChildren};
constexpr std::string_view kResultAttributes[] = {attribute::kTaskId, attribute::kState,
                                                  attribute::kRevision, attribute::kMediaType};
constexpr ElementShape kResult{kResultAttributes, {}, {}, ElementShape::Content::text};
constexpr std::string_view kManifestAttributes[] = {attribute::kVersion, attribute::kMediaType};
constexpr ChildShape kManifestChildren[] = {{ns::kHashes, element::kHash, true},
                                            {ns::kAgentApi, element::kJson, true}};
constexpr ElementShape kManifest{kManifestAttributes, {}, kManifestChildren};
constexpr std::string_view kEventAttributes[] = {attribute::kTaskId, attribute::kEventId,
                                                 attribute::kRevision, attribute::kType};
constexpr ElementShape kEvent{kEventAttributes, {}, {}, ElementShape::Content::text};

constexpr std::string_view kEndpointFields[] = {"FORM_TYPE",          "version",
                                                "manifest_hash_algo", "manifest_hash_value",
                                                "server_title",       "request_replay_seconds"};

/// XEP-0128's form, and the features beside it.
MaybeAnswer read_endpoint(Element query) {
  EndpointInfo info;
  bool endpoint = false;
  for (const Element child : query.children()) {
    if (child.is(ns::kDiscoInfo, element::kIdentity)) {
      endpoint = endpoint || (child.attribute(attribute::kCategory) == identity::kAutomation &&
                              child.attribute(attribute::kType) == identity::kEndpoint);
    } else if (child.is(ns::kDiscoInfo, element::kFeature)) {
      const auto var = child.attribute(attribute::kVar).value_or("");
      info.tasks = info.tasks || var == feature::kTask;
      info.manifests = info.manifests || var == feature::kManifest;
      info.progress = info.progress || var == feature::kProgress;
      info.cancel = info.cancel || var == feature::kCancel;
      info.input = info.input || var == feature::kInput;
    } else if (child.is(ns::kDataForms, "x")) {
      const auto form = read_form(child, kEndpointFields);
      if (!form || form->value("FORM_TYPE") != form_type::kEndpointInfo) continue;
      if (form->value("manifest_hash_algo") != kSha256Algorithm) return std::nullopt;
      info.pins.version = form->value("version");
      info.pins.hash = form->value("manifest_hash_value");
      info.title = form->value("server_title");
      const std::string_view seconds = form->value("request_replay_seconds");
      std::int64_t replay = 0;
      const auto [end, error] =
          std::from_chars(seconds.data(), seconds.data() + seconds.size(), replay);
      if (error != std::errc() || end != seconds.data() + seconds.size() || replay <= 0) {
        return std::nullopt;
      }
      info.replay = std::chrono::seconds(std::min<std::int64_t>(replay, 366LL * 86'400));
    }
  }
  const auto digest = decode_base64(info.pins.hash);
  if (!endpoint || !is_api_version(info.pins.version) || !digest ||
      digest->size() != Digest().size()) {
    return std::nullopt;
  }
  return info;
}

/// Checklist 36: the text is that of the hash.
MaybeAnswer read_manifest(Element payload) {
  if (!check_shape(payload, kManifest)) return std::nullopt;
  if (payload.attribute(attribute::kMediaType) != media_type::kJson) return std::nullopt;
  const auto hash = read_hash(payload.children().front());
  ManifestText manifest;
  manifest.pins.version = *payload.attribute(attribute::kVersion);
  manifest.text = payload.child(ns::kAgentApi, element::kJson)->text();
  const Digest digest = sha256(manifest.text);
  if (!hash || !hash->equals(digest)) return std::nullopt;
  manifest.pins.hash = encode_base64(digest);
  return manifest;
}

MaybeAnswer read_accepted(Element payload) {
  if (!check_shape(payload, kAccepted)) return std::nullopt;
  Accepted accepted;
  accepted.request = *payload.attribute(attribute::kRequestId);
  accepted.task = *payload.attribute(attribute::kTaskId);
  if (!is_identifier(accepted.task)) return std::nullopt;
  return accepted;
}

MaybeAnswer read_state(Element payload) {
  if (!check_shape(payload, kState)) return std::nullopt;
  const auto state = tasks::state_named(*payload.attribute(attribute::kState));
  const auto revision = read_revision(*payload.attribute(attribute::kRevision));
  if (!state || !revision) return std::nullopt;
  RemoteState read;
  read.task = *payload.attribute(attribute::kTaskId);
  read.state = *state;
  read.revision = *revision;
  const auto available = *payload.attribute(attribute::kResultAvailable);
  read.result_available = available == "true" || available == "1";
  if (const auto pending = payload.child(ns::kAgentTask, element::kPendingInput)) {
    auto text = read_json_text(*pending);
    if (!text) return std::nullopt;
    read.pending = *std::move(text);
  }
  return read;
}

MaybeAnswer read_result(Element payload) {
  if (!check_shape(payload, kResult)) return std::nullopt;
  const auto state = tasks::state_named(*payload.attribute(attribute::kState));
  const auto revision = read_revision(*payload.attribute(attribute::kRevision));
  auto text = read_json_text(payload);
  if (!state || !revision || !text) return std::nullopt;
  RemoteResult read;
  read.task = *payload.attribute(attribute::kTaskId);
  read.state = *state;
  read.revision = *revision;
  read.body = *std::move(text);
  return read;
}

MaybeAnswer read_taken(Element payload) {
  if (!check_shape(payload, kTaken)) return std::nullopt;
  const auto revision = read_revision(*payload.attribute(attribute::kRevision));
  if (!revision) return std::nullopt;
  return Taken{std::string(*payload.attribute(attribute::kTaskId)), *revision};
}

/// In the order of AgentRequest's alternatives.
struct AnswerRow {
  std::string_view ns;
  std::string_view name;
  MaybeAnswer (*read)(Element);
};
constexpr AnswerRow kAnswers[] = {
    {ns::kDiscoInfo, element::kQuery, read_endpoint},
    {ns::kAgentApi, element::kManifest, read_manifest},
    {ns::kAgentTask, element::kAccepted, read_accepted},
    {ns::kAgentTask, element::kTaskState, read_state},
    {ns::kAgentTask, element::kTaskResult, read_result},
    {ns::kAgentTask, element::kInputAccepted, read_taken},
    {ns::kAgentTask, element::kCancelAccepted, read_taken},
};
static_assert(std::size(kAnswers) == std::variant_size_v<AgentRequest>, "one row a request");

}  // namespace

Answered<AgentAnswer> read_answer(const AgentRequest& request, const Stanza& answer) {
  const Element root = answer.root();
  if (root.attribute(attribute::kType) == "error") {
    const auto error = read_error(root);
    return std::unexpected(
        Fault(Fault::Kind::refused, error ? error->condition : "undefined-condition"));
  }
  const AnswerRow& row = kAnswers[request.index()];
  MaybeAnswer read;
  if (answer.complete() && root.children().size() == 1) {
    const Element payload = root.children().front();
    if (payload.is(row.ns, row.name)) read = row.read(payload);
  }
  if (!read) return std::unexpected(Fault(Fault::Kind::unreadable));
  return *std::move(read);
}

bool has_event(Element message) {
  return message.child(ns::kAgentTask, element::kEvent).has_value();
}

std::optional<Event> read_event(const Stanza& message) {
  const Element root = message.root();
  const auto type = root.attribute(attribute::kType).value_or("normal");
  const auto is_event = [](Element child) { return child.is(ns::kAgentTask, element::kEvent); };
  if (!message.complete() || type != "normal" ||
      std::ranges::count_if(root.children(), is_event) != 1) {
    return std::nullopt;
  }
  const Element payload = *root.child(ns::kAgentTask, element::kEvent);
  if (!check_shape(payload, kEvent)) return std::nullopt;
  const auto kind = tasks::entry_type_named(*payload.attribute(attribute::kType));
  const auto revision = read_revision(*payload.attribute(attribute::kRevision));
  Event event;
  event.task = *payload.attribute(attribute::kTaskId);
  event.id = *payload.attribute(attribute::kEventId);
  if (!kind || !tasks::has_revision(*kind) || !revision || *revision == 0 ||
      !is_identifier(event.task) || !is_identifier(event.id)) {
    return std::nullopt;
  }
  event.type = *kind;
  event.revision = *revision;
  event.body = payload.text();
  return event;
}

}  // namespace interline::xmpp
