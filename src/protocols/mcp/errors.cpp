#include "protocols/mcp/errors.hpp"

#include <algorithm>

#include "json/writer.hpp"
#include "protocols/jsonrpc/message.hpp"

namespace interline::protocols::mcp {
namespace {

namespace rpc = jsonrpc::error_code;

struct CodeRow {
  std::int64_t code;
  int status;
  std::string_view name;
};

// The codes that we write, and nothing else of -32768 to -32000.
constexpr CodeRow kCodes[] = {
    {rpc::kParseError, 400, "ParseError"},
    {rpc::kInvalidRequest, 400, "InvalidRequest"},
    {rpc::kMethodNotFound, 404, "MethodNotFound"},
    {rpc::kInvalidParams, kInBand, "InvalidParams"},
    {rpc::kInternalError, kInBand, "InternalError"},
    {error_code::kHeaderMismatch, 400, "HeaderMismatch"},
    {error_code::kMissingRequiredClientCapability, 400, "MissingRequiredClientCapability"},
    {error_code::kUnsupportedProtocolVersion, 400, "UnsupportedProtocolVersion"},
    {error_code::kLegacyResourceNotFound, kInBand, "ResourceNotFound"},
};

const CodeRow* row_of(std::int64_t code) {
  const auto* const row = std::ranges::find(kCodes, code, &CodeRow::code);
  return row == std::end(kCodes) ? nullptr : row;
}

ErrorAnswer with_own_status(std::int64_t code, std::string message, std::string data = {}) {
  return {code, row_of(code)->status, std::move(message), std::move(data)};
}

struct EngineRow {
  ErrorKind kind;
  std::int64_t code;
  bool repairable;  ///< by the model that chose the arguments
};

// By ErrorKind; the reason goes into the data. Hidden and absent are one answer, and the codes say
// no more than "these params" and "this server": the range between them is the specification's.
constexpr EngineRow kEngine[] = {
    {ErrorKind::malformed, rpc::kInvalidParams, true},
    {ErrorKind::not_found, rpc::kInvalidParams, false},
    {ErrorKind::forbidden, rpc::kInvalidParams, false},
    {ErrorKind::not_acceptable, rpc::kInvalidParams, true},
    {ErrorKind::conflict, rpc::kInvalidParams, false},
    {ErrorKind::too_early, rpc::kInvalidParams, false},
    {ErrorKind::resource_constraint, rpc::kInternalError, false},
    {ErrorKind::unavailable, rpc::kInternalError, false},
    {ErrorKind::internal, rpc::kInternalError, false},
};

constexpr bool total() {
  for (std::size_t i = 0; i < std::size(kEngine); ++i) {
    if (static_cast<std::size_t>(kEngine[i].kind) != i) return false;
  }
  return std::size(kEngine) == static_cast<std::size_t>(ErrorKind::internal) + 1;
}
static_assert(total());

const EngineRow& row_of(ErrorKind kind) {
  return kEngine[static_cast<std::size_t>(kind)];
}

std::string data_of(const Error& error) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("interline");
  writer.begin_object();
  writer.member("kind", to_string(error.kind));
  if (error.reason != ErrorReason::none) writer.member("reason", to_string(error.reason));
  if (error.retry_after) {
    writer.member("retryAfterMs", static_cast<std::int64_t>(error.retry_after->count()));
  }
  writer.end_object();
  writer.end_object();
  return text;
}

}  // namespace

std::string_view name_of(std::int64_t code) {
  const CodeRow* row = row_of(code);
  return row == nullptr ? std::string_view() : row->name;
}

std::string error_line(std::string_view id, const ErrorAnswer& answer) {
  return jsonrpc::error(id, answer.code, answer.message, answer.data);
}

ErrorAnswer parse_error(const json::ParseError& error) {
  return with_own_status(rpc::kParseError, "This is not JSON that is read here: " +
                                               std::string(json::describe(error.code)) + ".");
}

ErrorAnswer invalid_request(std::string why, int status) {
  return {rpc::kInvalidRequest, status, std::move(why)};
}

ErrorAnswer method_not_found() {
  return with_own_status(rpc::kMethodNotFound, "This method is not offered here.");
}

ErrorAnswer invalid_params(std::string why) {
  return with_own_status(rpc::kInvalidParams, std::move(why));
}

ErrorAnswer incomplete_meta(std::string why) {
  return {rpc::kInvalidParams, 400, std::move(why)};
}

ErrorAnswer header_mismatch(std::string why) {
  return with_own_status(error_code::kHeaderMismatch, std::move(why));
}

ErrorAnswer missing_capability(ClientCapabilities required) {
  return with_own_status(error_code::kMissingRequiredClientCapability,
                         "The request needs a capability that it does not declare.",
                         R"({"requiredCapabilities":)" + capabilities_text(required) + "}");
}

ErrorAnswer unsupported_version(std::string_view requested, std::span<const Revision> supported) {
  std::string data;
  json::Writer writer(data);
  std::string names;
  writer.begin_object();
  writer.name("supported");
  writer.begin_array();
  for (const Revision revision : supported) {
    writer.value(to_string(revision));
    names.append(names.empty() ? "" : ", ").append(to_string(revision));
  }
  writer.end_array();
  writer.member("requested", requested);
  writer.end_object();
  return with_own_status(error_code::kUnsupportedProtocolVersion,
                         "This revision is not served here; these are: " + names + ".",
                         std::move(data));
}

ErrorAnswer resource_not_found(std::string_view uri, Revision revision) {
  std::string data;
  json::Writer writer(data);
  writer.begin_object();
  writer.member("uri", uri);
  writer.end_object();
  return with_own_status(
      is_modern(revision) ? rpc::kInvalidParams : error_code::kLegacyResourceNotFound,
      "There is no such resource.", std::move(data));
}

ErrorAnswer internal_error() {
  return with_own_status(rpc::kInternalError, "Something is wrong here, not with the request.");
}

ErrorAnswer to_answer(const Error& error) {
  return with_own_status(row_of(error.kind).code, error.message, data_of(error));
}

std::int64_t relayed_code(std::int64_t code, Revision revision) {
  constexpr std::int64_t kFirstReserved = -32099;
  constexpr std::int64_t kLastReserved = -32000;
  if (code == error_code::kLegacyResourceNotFound) {
    return is_modern(revision) ? rpc::kInvalidParams : code;
  }
  return code >= kFirstReserved && code <= kLastReserved ? rpc::kInternalError : code;
}

bool is_repairable(const Error& error) {
  return row_of(error.kind).repairable;
}

}  // namespace interline::protocols::mcp
