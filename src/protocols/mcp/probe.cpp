#include "protocols/mcp/probe.hpp"

#include <algorithm>

namespace interline::protocols::mcp {
namespace {

using Kind = ProbeAnswer::Kind;

struct OutcomeRow {
  Transport transport;
  Kind kind;
  ProbeStep step;
};

// What is no answer. A silent child is an old one, a silent URL may be anything.
constexpr OutcomeRow kNoAnswer[] = {
    {Transport::http, Kind::failed, ProbeStep::not_evidence},
    {Transport::http, Kind::timeout, ProbeStep::not_evidence},
    {Transport::http, Kind::exited, ProbeStep::not_evidence},
    {Transport::stdio, Kind::failed, ProbeStep::restart},
    {Transport::stdio, Kind::timeout, ProbeStep::initialize},
    {Transport::stdio, Kind::exited, ProbeStep::restart},
};

struct StatusRow {
  int first;
  int last;
  ProbeStep step;
};

// HTTP statuses that decide whatever the body says; all others leave it to the body.
constexpr StatusRow kStatuses[] = {
    {401, 401, ProbeStep::authorize},
    {403, 403, ProbeStep::authorize},
    {500, 599, ProbeStep::not_evidence},
};

/// The best of ours that an array of theirs names.
struct Listed {
  std::optional<Revision> common;
  bool legacy_only = false;  ///< names revisions, all of them legacy
};

Listed compare(const json::Value* versions, std::span<const Revision> spoken) {
  Listed listed;
  if (versions == nullptr || !versions->is_array()) return listed;
  const auto names = [versions](Revision revision) {
    return std::ranges::any_of(versions->items(), [revision](const json::Value& name) {
      return name.is_string() && name.as_string() == to_string(revision);
    });
  };
  for (const Revision revision : spoken) {
    if (is_modern(revision) && names(revision)) {
      listed.common = revision;
      return listed;
    }
  }
  listed.legacy_only =
      versions->size() > 0 && std::ranges::all_of(versions->items(), [](const json::Value& name) {
        return name.is_string() && is_initialized_version(name.as_string());
      });
  return listed;
}

ProbeConclusion from_result(const json::Value& result, std::span<const Revision> spoken) {
  const json::Value* versions = result.find("supportedVersions");
  // A result, but no DiscoverResult: an old server that answers whatever it is asked.
  if (versions == nullptr || !versions->is_array()) return {ProbeStep::initialize, {}};
  const Listed listed = compare(versions, spoken);
  if (listed.common) return {ProbeStep::modern, listed.common};
  return {listed.legacy_only ? ProbeStep::initialize : ProbeStep::no_common, {}};
}

ProbeConclusion from_error(const jsonrpc::Message& message, std::span<const Revision> spoken,
                           bool retried) {
  switch (message.code) {
    case error_code::kHeaderMismatch:
    case error_code::kMissingRequiredClientCapability:
      return {ProbeStep::report, {}};
    case error_code::kUnsupportedProtocolVersion:
      break;
    default:
      // Whatever the code: old servers have all of them for a method they do not know.
      return {ProbeStep::initialize, {}};
  }
  const json::Value* supported = message.data.find("supported");
  // Without the list it is no error of this revision.
  if (supported == nullptr || !supported->is_array()) return {ProbeStep::initialize, {}};
  const Listed listed = compare(supported, spoken);
  if (listed.common && !retried) return {ProbeStep::retry, listed.common};
  return {listed.legacy_only ? ProbeStep::initialize : ProbeStep::no_common, {}};
}

}  // namespace

ProbeConclusion conclude_probe(const ProbeAnswer& answer, std::span<const Revision> spoken,
                               bool retried) {
  for (const OutcomeRow& row : kNoAnswer) {
    if (row.transport == answer.transport && row.kind == answer.kind) return {row.step, {}};
  }
  if (answer.transport == Transport::http) {
    for (const StatusRow& row : kStatuses) {
      if (answer.status >= row.first && answer.status <= row.last) return {row.step, {}};
    }
  }
  if (answer.message != nullptr && answer.message->kind == jsonrpc::Kind::result) {
    return from_result(answer.message->result, spoken);
  }
  if (answer.message != nullptr && answer.message->kind == jsonrpc::Kind::error) {
    return from_error(*answer.message, spoken, retried);
  }
  return {ProbeStep::initialize, {}};
}

bool may_be_http_sse(int status) {
  return status == 400 || status == 404 || status == 405;
}

}  // namespace interline::protocols::mcp
