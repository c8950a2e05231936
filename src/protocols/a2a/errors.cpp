#include "protocols/a2a/errors.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "json/writer.hpp"
#include "protocols/jsonrpc/message.hpp"

namespace interline::protocols::a2a {
namespace {

namespace rpc = jsonrpc::error_code;

constexpr std::string_view kDomain = "a2a-protocol.org";
constexpr std::string_view kErrorInfo = "type.googleapis.com/google.rpc.ErrorInfo";
constexpr std::string_view kBadRequest = "type.googleapis.com/google.rpc.BadRequest";
constexpr std::size_t kMostViolations = 20;

constexpr std::string_view kInvalidArgument = "INVALID_ARGUMENT";
constexpr std::string_view kFailedPrecondition = "FAILED_PRECONDITION";
constexpr std::string_view kUnimplemented = "UNIMPLEMENTED";

struct OfEdition {
  unsigned status;
  std::string_view word;
};

struct FaultRow {
  Fault fault;
  std::string_view reason;
  std::int64_t code;
  std::array<OfEdition, 2> editions;  ///< by Edition
};

constexpr FaultRow kFaults[] = {
    {Fault::task_not_found, "TASK_NOT_FOUND", -32001, {{{404, "NOT_FOUND"}, {404, "NOT_FOUND"}}}},
    {Fault::task_not_cancelable,
     "TASK_NOT_CANCELABLE",
     -32002,
     {{{409, kFailedPrecondition}, {400, kFailedPrecondition}}}},
    {Fault::push_notification_not_supported,
     "PUSH_NOTIFICATION_NOT_SUPPORTED",
     -32003,
     {{{400, kUnimplemented}, {400, kFailedPrecondition}}}},
    {Fault::unsupported_operation,
     "UNSUPPORTED_OPERATION",
     -32004,
     {{{400, kUnimplemented}, {400, kFailedPrecondition}}}},
    {Fault::content_type_not_supported,
     "CONTENT_TYPE_NOT_SUPPORTED",
     -32005,
     {{{415, kInvalidArgument}, {400, kInvalidArgument}}}},
    {Fault::invalid_agent_response,
     "INVALID_AGENT_RESPONSE",
     -32006,
     {{{502, "INTERNAL"}, {500, "INTERNAL"}}}},
    {Fault::extended_agent_card_not_configured,
     "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
     -32007,
     {{{400, kFailedPrecondition}, {400, kFailedPrecondition}}}},
    {Fault::extension_support_required,
     "EXTENSION_SUPPORT_REQUIRED",
     -32008,
     {{{400, kFailedPrecondition}, {400, kFailedPrecondition}}}},
    {Fault::version_not_supported,
     "VERSION_NOT_SUPPORTED",
     -32009,
     {{{400, kUnimplemented}, {400, kFailedPrecondition}}}},
};

struct RefusalRow {
  Refusal refusal;
  std::int64_t code;
  unsigned status;
  bool of_http;
  std::string_view word;
};

constexpr std::int64_t kOfHttp = -32000;

constexpr RefusalRow kRefusals[] = {
    {Refusal::not_json, rpc::kParseError, 400, false, kInvalidArgument},
    {Refusal::invalid_request, rpc::kInvalidRequest, 400, false, kInvalidArgument},
    {Refusal::unknown_method, rpc::kMethodNotFound, 404, false, "NOT_FOUND"},
    {Refusal::invalid_params, rpc::kInvalidParams, 400, false, kInvalidArgument},
    {Refusal::internal, rpc::kInternalError, 500, false, "INTERNAL"},
    {Refusal::unauthenticated, kOfHttp, 401, true, "UNAUTHENTICATED"},
    {Refusal::forbidden, kOfHttp, 403, true, "PERMISSION_DENIED"},
    {Refusal::not_allowed_here, kOfHttp, 405, true, kUnimplemented},
    {Refusal::too_large, kOfHttp, 413, true, kInvalidArgument},
    {Refusal::wrong_media_type, -32005, 415, true, kInvalidArgument},
    {Refusal::rate, kOfHttp, 429, true, "RESOURCE_EXHAUSTED"},
    {Refusal::unavailable, rpc::kInternalError, 503, true, "UNAVAILABLE"},
};

template <class Row, std::size_t Size, class Key>
constexpr bool in_order(const Row (&rows)[Size], Key Row::*key) {
  for (std::size_t i = 0; i < Size; ++i) {
    if (static_cast<std::size_t>(rows[i].*key) != i) return false;
  }
  return true;
}
static_assert(in_order(kFaults, &FaultRow::fault));
static_assert(in_order(kRefusals, &RefusalRow::refusal));

/// By ErrorKind. The engine's reasons that have an answer of A2A's own are found by operations.
constexpr Refusal kOfEngine[] = {
    Refusal::invalid_params,  // malformed
    Refusal::invalid_params,  // not_found: an endpoint or tool, which the address names
    Refusal::invalid_params,  // forbidden
    Refusal::invalid_params,  // not_acceptable
    Refusal::invalid_params,  // conflict
    Refusal::invalid_params,  // too_early
    Refusal::rate,            // resource_constraint
    Refusal::unavailable,     // unavailable
    Refusal::internal,        // internal
};
static_assert(std::size(kOfEngine) == static_cast<std::size_t>(ErrorKind::internal) + 1);

const FaultRow& row_of(Fault which) {
  return kFaults[static_cast<std::size_t>(which)];
}

std::string info(const FaultRow& row, const InfoMetadata& metadata) {
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  writer.begin_object();
  writer.member("@type", kErrorInfo);
  writer.member("reason", row.reason);
  writer.member("domain", kDomain);
  if (!metadata.empty()) {
    writer.name("metadata");
    writer.begin_object();
    for (const auto& [name, value] : metadata) writer.member(name, value);
    writer.end_object();
  }
  writer.end_object();
  writer.end_array();
  return text;
}

std::string bad_request(const std::vector<FieldViolation>& violations) {
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  writer.begin_object();
  writer.member("@type", kBadRequest);
  writer.name("fieldViolations");
  writer.begin_array();
  for (std::size_t i = 0; i < std::min(violations.size(), kMostViolations); ++i) {
    writer.begin_object();
    writer.member("field", violations[i].field);
    writer.member("description", violations[i].description);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  writer.end_array();
  return text;
}

std::string sentence_of(const std::vector<FieldViolation>& violations) {
  if (violations.empty()) return "The parameters are not valid.";
  const FieldViolation& first = violations.front();
  return (first.field.empty() ? "The parameters" : first.field) + ": " + first.description + ".";
}

}  // namespace

ErrorAnswer fault(Edition edition, Fault which, std::string message, const InfoMetadata& metadata) {
  const FaultRow& row = row_of(which);
  const OfEdition& of_edition = row.editions[static_cast<std::size_t>(edition)];
  ErrorAnswer answer;
  answer.code = row.code;
  answer.status = of_edition.status;
  answer.word = of_edition.word;
  answer.message = std::move(message);
  answer.details = info(row, metadata);
  return answer;
}

ErrorAnswer refusal(Refusal which, std::string message) {
  const RefusalRow& row = kRefusals[static_cast<std::size_t>(which)];
  ErrorAnswer answer;
  answer.code = row.code;
  answer.status = row.status;
  answer.of_http = row.of_http;
  answer.word = row.word;
  answer.message = std::move(message);
  return answer;
}

ErrorAnswer not_json(const json::ParseError& error) {
  return refusal(Refusal::not_json,
                 "This is not JSON that is read here: " + json::to_string(error) + ".");
}

ErrorAnswer invalid_params(const std::vector<FieldViolation>& violations) {
  ErrorAnswer answer = refusal(Refusal::invalid_params, sentence_of(violations));
  answer.details = bad_request(violations);
  return answer;
}

ErrorAnswer task_not_found(Edition edition) {
  return fault(edition, Fault::task_not_found, "There is no such task.");
}

ErrorAnswer to_answer(Edition edition, const Error& error) {
  if (error.kind == ErrorKind::conflict && error.reason == ErrorReason::terminal) {
    return fault(edition, Fault::unsupported_operation, error.message);
  }
  Refusal which = kOfEngine[static_cast<std::size_t>(error.kind)];
  if (error.reason == ErrorReason::too_large) which = Refusal::too_large;
  ErrorAnswer answer = refusal(which, error.message);
  answer.retry_after = error.retry_after;
  return answer;
}

std::string_view reason_of(Fault which) {
  return row_of(which).reason;
}

std::optional<Fault> fault_of_reason(std::string_view reason) {
  const auto* const row = std::ranges::find(kFaults, reason, &FaultRow::reason);
  return row == std::end(kFaults) ? std::nullopt : std::optional(row->fault);
}

std::optional<Fault> fault_of_code(std::int64_t code) {
  const auto* const row = std::ranges::find(kFaults, code, &FaultRow::code);
  return row == std::end(kFaults) ? std::nullopt : std::optional(row->fault);
}

std::string json_rpc_error(std::string_view id, const ErrorAnswer& answer) {
  return jsonrpc::error(id.empty() ? "null" : id, answer.code, answer.message, answer.details);
}

std::string http_error(const ErrorAnswer& answer) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("error");
  writer.begin_object();
  writer.member("code", static_cast<std::int64_t>(answer.status));
  writer.member("status", answer.word);
  writer.member("message", answer.message);
  if (!answer.details.empty()) writer.raw_member("details", answer.details);
  writer.end_object();
  writer.end_object();
  return text;
}

}  // namespace interline::protocols::a2a
