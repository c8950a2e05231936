#include "protocols/mcp/exchange.hpp"

#include <array>

#include "protocols/mcp/header_value.hpp"

namespace interline::protocols::mcp {
namespace {

using jsonrpc::Kind;

/// What is decided upon, and where the answer goes.
struct Arrival {
  const RequestHeaders& headers;
  const LegacyState& state;
  const Served& served;
  Transport transport;
  jsonrpc::Message message;

  [[nodiscard]] bool over_http() const { return transport == Transport::http; }
  [[nodiscard]] Refusal refuse(ErrorAnswer answer) const {
    const bool request = message.kind == Kind::request;
    return {request ? message.id : std::string_view(), std::move(answer), !request};
  }
};

std::optional<Revision> named_by(const std::optional<std::string_view>& header) {
  return header ? revision_named(trim_header_value(*header)) : std::nullopt;
}

bool names_modern(const std::optional<std::string_view>& header) {
  const auto revision = named_by(header);
  return revision && is_modern(*revision);
}

/// As far as it can be read, so that a refusal of something malformed still names it.
std::string_view id_of(const json::Value& root) {
  const json::Value* id = root.find("id");
  if (id == nullptr) return {};
  const bool integer =
      id->is_number() && id->source().find_first_of(".eE") == std::string_view::npos;
  return id->is_string() || integer ? id->source() : std::string_view();
}

// --- modern ------------------------------------------------------------------------------------

std::optional<ErrorAnswer> check_version(const Arrival& arrival, const RequestMeta& meta) {
  if (arrival.over_http()) {
    const auto& header = arrival.headers.protocol_version;
    if (!header) return header_mismatch("MCP-Protocol-Version is missing.");
    if (trim_header_value(*header) != meta.version) {
      return header_mismatch("MCP-Protocol-Version differs from params._meta.");
    }
  }
  const auto revision = revision_named(meta.version);
  if (!revision || !is_modern(*revision))
    return unsupported_version(meta.version, kModernRevisions);
  return std::nullopt;
}

/// The body's value that Mcp-Name mirrors; nullptr where the params lack it, which is found later.
const json::Value* mirrored_name(const jsonrpc::Message& message) {
  const Method* method = find_method(message.method);
  if (method == nullptr || method->name_member.empty()) return nullptr;
  const json::Value* name = message.params.find(method->name_member);
  return name != nullptr && name->is_string() ? name : nullptr;
}

std::optional<ErrorAnswer> check_method_headers(const Arrival& arrival) {
  const auto& headers = arrival.headers;
  if (!headers.method) return header_mismatch("Mcp-Method is missing.");
  if (trim_header_value(*headers.method) != arrival.message.method) {
    return header_mismatch("Mcp-Method differs from the body.");
  }
  const json::Value* name = mirrored_name(arrival.message);
  if (name == nullptr) return std::nullopt;
  if (!headers.name) return header_mismatch("Mcp-Name is missing.");
  const auto said = decode_header_value(*headers.name);
  if (!said) return header_mismatch("Mcp-Name is not well-formed.");
  if (*said != name->as_string()) return header_mismatch("Mcp-Name differs from the body.");
  return std::nullopt;
}

bool asks_for_tasks(const jsonrpc::Message& message, const Method& method) {
  if (method.is_extension()) return true;
  if (method.name != "subscriptions/listen") return false;
  const json::Value* filter = message.params.find("notifications");
  return filter != nullptr && filter->find("taskIds") != nullptr;
}

Decision modern_request(const Arrival& arrival) {
  auto meta = read_modern_meta(arrival.message.params);
  if (!meta) return arrival.refuse(incomplete_meta(meta.error().message));
  if (auto wrong = check_version(arrival, *meta)) return arrival.refuse(*wrong);
  if (arrival.over_http()) {
    if (auto wrong = check_method_headers(arrival)) return arrival.refuse(*wrong);
  }
  ModernExchange exchange;
  exchange.revision = revision_named(meta->version).value_or(kFirstModern);
  exchange.method = find_method(arrival.message.method, exchange.revision);
  if (exchange.method == nullptr || exchange.method->kind != MethodKind::request ||
      !offers(arrival.served.features, exchange.method->capability)) {
    return arrival.refuse(method_not_found());
  }
  if (asks_for_tasks(arrival.message, *exchange.method) &&
      !meta->capabilities.has(ClientCapability::tasks)) {
    ClientCapabilities needed;
    needed.add(ClientCapability::tasks);
    return arrival.refuse(missing_capability(needed));
  }
  exchange.message = arrival.message;
  exchange.meta = *meta;
  return exchange;
}

/// No rule says what a notification carries: what is there has to fit, nothing has to be there.
Decision modern_notification(const Arrival& arrival) {
  ModernExchange exchange;
  const json::Value* meta = meta_of(arrival.message.params);
  const json::Value* version = meta == nullptr ? nullptr : meta->find(meta_key::kProtocolVersion);
  const auto& header = arrival.headers.protocol_version;
  if (arrival.over_http() && version != nullptr && header &&
      (!version->is_string() || version->as_string() != trim_header_value(*header))) {
    return arrival.refuse(header_mismatch("MCP-Protocol-Version differs from params._meta."));
  }
  if (arrival.over_http() && arrival.headers.method &&
      trim_header_value(*arrival.headers.method) != arrival.message.method) {
    return arrival.refuse(header_mismatch("Mcp-Method differs from the body."));
  }
  exchange.message = arrival.message;
  exchange.method = find_method(arrival.message.method, exchange.revision);
  if (meta != nullptr) exchange.meta.whole = *meta;
  return exchange;
}

Decision modern(const Arrival& arrival) {
  switch (arrival.message.kind) {
    case Kind::request:
      return modern_request(arrival);
    case Kind::notification:
      return modern_notification(arrival);
    case Kind::result:
    case Kind::error:
      break;
  }
  return arrival.refuse(invalid_request("A client sends no responses in this revision."));
}

// --- legacy ------------------------------------------------------------------------------------

std::string_view requested_version(const jsonrpc::Message& message) {
  const json::Value* version = message.params.find("protocolVersion");
  return version != nullptr && version->is_string() ? version->as_string() : std::string_view();
}

/// What the messages of this session, process or lone request speak.
struct Spoken {
  std::optional<Revision> revision;
  std::optional<ErrorAnswer> refused;
};

Spoken spoken_over_http(const Arrival& arrival) {
  const auto& header = arrival.headers.protocol_version;
  const auto named = named_by(header);
  if (header && (!named || *named < Served::oldest(Transport::http))) {
    return {{}, invalid_request("MCP-Protocol-Version names a revision that is not served here.")};
  }
  using Sessions = Served::Sessions;
  const Sessions sessions = arrival.served.sessions;
  if (arrival.state.session_named && sessions != Sessions::none) {
    if (arrival.state.negotiated) return {arrival.state.negotiated, {}};
    return {{}, invalid_request("There is no such session.", 404)};
  }
  if (sessions == Sessions::required) {
    return {{}, invalid_request("A session is needed: it is opened by initialize.")};
  }
  return {named.value_or(kUnnamedOverHttp), {}};
}

Spoken spoken_over_stdio(const Arrival& arrival) {
  if (arrival.state.negotiated) return {arrival.state.negotiated, {}};
  // A `ping` may come before `initialize`, in every revision that has either.
  if (arrival.message.kind == Kind::request && arrival.message.method == "ping") {
    return {kNewestLegacy, {}};
  }
  return {{},
          incomplete_meta("A request names its revision in params._meta, or comes after "
                          "initialize.")};
}

Decision opening(const Arrival& arrival) {
  LegacyExchange exchange;
  exchange.message = arrival.message;
  exchange.revision = negotiate(requested_version(arrival.message), arrival.transport);
  exchange.method = find_method(arrival.message.method);
  exchange.meta = read_legacy_meta(arrival.message.params);
  return exchange;
}

Decision legacy_message(const Arrival& arrival, Revision revision) {
  LegacyExchange exchange;
  exchange.revision = revision;
  exchange.message = arrival.message;
  if (arrival.message.kind == Kind::result || arrival.message.kind == Kind::error) return exchange;
  const bool request = arrival.message.kind == Kind::request;
  exchange.method = find_method(arrival.message.method, revision);
  exchange.meta = read_legacy_meta(arrival.message.params);
  const MethodKind kind = request ? MethodKind::request : MethodKind::notification;
  const bool known = exchange.method != nullptr && exchange.method->kind == kind &&
                     offers(arrival.served.features, exchange.method->capability);
  if (known) return exchange;
  if (request) {
    // Nothing but the modern binding gives a missing method a status of its own.
    ErrorAnswer answer = method_not_found();
    answer.status = kInBand;
    return arrival.refuse(std::move(answer));
  }
  exchange.method = nullptr;
  return exchange;
}

Decision legacy(const Arrival& arrival) {
  const bool opens =
      arrival.message.kind == Kind::request && arrival.message.method == "initialize";
  if (!arrival.served.legacy) {
    // Older clients can show their user nothing but this error: it names what is served.
    if (opens) {
      return arrival.refuse(
          unsupported_version(requested_version(arrival.message), kModernRevisions));
    }
    return modern(arrival);
  }
  if (opens) return opening(arrival);
  Spoken spoken = arrival.over_http() ? spoken_over_http(arrival) : spoken_over_stdio(arrival);
  // What is cancelled is named by its id, whatever it spoke.
  const bool modern_word = !arrival.over_http() && arrival.message.kind == Kind::notification;
  if (spoken.refused && modern_word) return modern_notification(arrival);
  if (spoken.refused) return arrival.refuse(*std::move(spoken.refused));
  return legacy_message(arrival, *spoken.revision);
}

// --- what comes in -----------------------------------------------------------------------------

Decision batch(const json::Value& root, Transport transport, const RequestHeaders& headers,
               const LegacyState& state, const Served& served) {
  std::optional<Revision> revision = state.negotiated;
  using Sessions = Served::Sessions;
  const bool alone = transport == Transport::http && served.sessions != Sessions::required &&
                     (!state.session_named || served.sessions == Sessions::none);
  if (alone) revision = named_by(headers.protocol_version);
  const bool spoken = revision && to_string(*revision) == kBatchVersion;
  if (!served.legacy || !spoken) {
    return Refusal{"", invalid_request("One message at a time: there are no batches.")};
  }
  if (root.size() == 0) return Refusal{"", invalid_request("A batch is not empty.")};
  return LegacyBatch{*revision, root};
}

}  // namespace

Revision Served::oldest(Transport transport) {
  static constexpr std::array<Revision, 2> kOldest = {Revision::v2025_03_26, Revision::v2024_10_07};
  return kOldest.at(static_cast<std::size_t>(transport));
}

Revision negotiate(std::string_view requested, Transport transport) {
  const auto revision = revision_named(requested);
  const bool agreed = revision && !is_modern(*revision) && *revision >= Served::oldest(transport);
  return agreed ? *revision : kNewestLegacy;
}

Decision decide(const json::Value& root, Transport transport, const RequestHeaders& headers,
                const LegacyState& state, const Served& served) {
  if (root.is_array()) return batch(root, transport, headers, state, served);
  auto message = jsonrpc::read_message(root);
  if (!message) return Refusal{id_of(root), invalid_request(message.error().message)};
  const Arrival arrival{headers, state, served, transport, *message};
  if (is_stamped(message->params)) return modern(arrival);
  const bool modern_header = transport == Transport::http && names_modern(headers.protocol_version);
  if (!modern_header) return legacy(arrival);
  if (served.legacy && message->kind == Kind::request && message->method == "initialize") {
    return arrival.refuse(
        header_mismatch("initialize belongs to revisions before the one that "
                        "MCP-Protocol-Version names."));
  }
  return modern(arrival);
}

Decision decide_in_batch(const json::Value& element, Revision revision, const Served& served) {
  auto message = jsonrpc::read_message(element);
  if (!message) return Refusal{id_of(element), invalid_request(message.error().message)};
  const RequestHeaders headers;
  const LegacyState state;
  const Arrival arrival{headers, state, served, Transport::http, *message};
  if (is_stamped(message->params) || message->method == "initialize") {
    return arrival.refuse(invalid_request("This does not belong into a batch."));
  }
  return legacy_message(arrival, revision);
}

}  // namespace interline::protocols::mcp
