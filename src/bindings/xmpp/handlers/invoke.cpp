// Invocation: from `<invoke/>` to `<accepted/>`. Brief sections 4.17 and 6.1.
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/handlers/task_syntax.hpp"
#include "bindings/xmpp/hash_element.hpp"
#include "bindings/xmpp/json_payload.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/routes.hpp"
#include "bindings/xmpp/tool_node.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kRequired[] = {attribute::kRequestId, attribute::kTool,
                                          attribute::kApiVersion};
constexpr ChildShape kChildren[] = {{ns::kAgentTask, element::kManifestHash, true},
                                    {ns::kAgentTask, element::kArguments, true},
                                    {ns::kAgentTask, element::kDeadline, false}};
constexpr ElementShape kShape{kRequired, {}, kChildren};
constexpr std::string_view kMediaTypeOnly[] = {attribute::kMediaType};
constexpr ElementShape kArgumentsShape{kMediaTypeOnly, {}, {}, ElementShape::Content::text};
constexpr ElementShape kTextShape{{}, {}, {}, ElementShape::Content::text};

constexpr std::string_view kLabel = "interline:invoke:1";

/// Where the arguments do not match is said in the caller's own words: names of members. Payloads
/// are not sent back (ProtoXEP "Error Handling"), so the sentence ends before.
Error without_detail(Error error) {
  if (error.kind == ErrorKind::not_acceptable) {
    error.message.resize(std::min(error.message.size(), error.message.find(':')));
  }
  return error;
}

/// Everything that can be said of the stanza without knowing who sent it.
Result<engine::Invocation> read_invoke(const Services& services, const Call& call) {
  const Element payload = call.payload();
  if (auto shape = check_shape(payload, kShape); !shape) return std::unexpected(shape.error());
  engine::Invocation invocation;
  invocation.network = "xmpp";
  invocation.endpoint = call.endpoint();
  invocation.request_key = std::string(*payload.attribute(attribute::kRequestId));
  invocation.tool = std::string(*payload.attribute(attribute::kTool));
  invocation.version = std::string(*payload.attribute(attribute::kApiVersion));
  invocation.replay_label = kLabel;
  invocation.answerable = kAnswerable;
  if (!is_identifier(invocation.request_key)) {
    return fail(ErrorKind::malformed, "request-id is no identifier of 22 to 128 characters");
  }
  if (!is_tool_name(invocation.tool)) return fail(ErrorKind::malformed, "tool is no tool name");
  if (!is_api_version(invocation.version)) {
    return fail(ErrorKind::malformed, "api-version is no API version");
  }
  const auto hash = read_contained_hash(*payload.child(ns::kAgentTask, element::kManifestHash));
  if (!hash) return std::unexpected(hash.error());
  const Element arguments = *payload.child(ns::kAgentTask, element::kArguments);
  if (auto shape = check_shape(arguments, kArgumentsShape); !shape) {
    return std::unexpected(shape.error());
  }
  auto text = read_json_text(arguments);
  if (!text) return std::unexpected(std::move(text.error()));
  invocation.arguments = *std::move(text);

  // Another algorithm cannot be the registered hash: it is kept as one that equals none.
  Digest digest{};
  if (hash->algorithm == kSha256Algorithm && hash->digest.size() == digest.size()) {
    std::ranges::copy(hash->digest, digest.begin());
  }
  invocation.manifest_hash = digest;

  std::string& head = invocation.fingerprint_head;
  head = fingerprint_prefix(services, call, kLabel);
  for (const std::string_view part :
       {std::string_view(invocation.request_key), std::string_view(invocation.tool),
        std::string_view(invocation.version), std::string_view(hash->algorithm),
        std::string_view(hash->digest)}) {
    engine::append_length_prefixed(head, part);
  }
  std::string& tail = invocation.fingerprint_tail;
  tail.push_back('\0');
  if (const auto deadline = payload.child(ns::kAgentTask, element::kDeadline)) {
    if (auto shape = check_shape(*deadline, kTextShape); !shape) {
      return std::unexpected(shape.error());
    }
    auto instant = Instant::parse_xep0082(deadline->text());
    if (!instant) return std::unexpected(std::move(instant.error()));
    tail.back() = '\1';
    engine::append_length_prefixed(tail, instant->canonical());
    invocation.deadline = *std::move(instant);
  }
  tail.append(4, '\0');  // no recognised extensions
  return invocation;
}

}  // namespace

awaitable<Answer> invoke(Services& services, const Call& call) {
  auto invocation = read_invoke(services, call);
  if (!invocation) co_return std::unexpected(std::move(invocation.error()));
  const std::string request_id = invocation->request_key;
  engine::RecordChange route;
  route.record = route_record("", call.request.from.text(), call.who);
  invocation->records.push_back(std::move(route));
  auto admission = co_await services.engine.admit(call.who, *std::move(invocation));
  if (!admission) co_return std::unexpected(without_detail(std::move(admission.error())));
  services.events.set_route(admission->task, call.request.from.text());
  if (admission->replayed) {  // events go to whoever asked last
    std::vector<engine::RecordChange> again(1);
    again.front().record = route_record(admission->task, call.request.from.text(), call.who);
    const auto moved = co_await services.engine.change_records(std::move(again));
    (void)moved;  // a route is a hint: state can always be asked for
  }
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kAccepted, ns::kAgentTask);
  w.attribute(attribute::kRequestId, request_id);
  w.attribute(attribute::kTaskId, admission->task);
  w.attribute(attribute::kRevision, "0");
  w.attribute(attribute::kCreated, Instant(admission->created).to_string(0));
  w.attribute(attribute::kRetainUntil, Instant(admission->retain_until).to_string(0));
  w.end();
  co_return stanza;
}

}  // namespace interline::xmpp
