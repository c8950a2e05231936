#include "bindings/control/errors.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "bindings/control/control.hpp"
#include "json/writer.hpp"

namespace interline::control {
namespace {

struct StatusRow {
  ErrorKind kind;
  ErrorReason reason;  // none: every reason that has no row of its own
  unsigned status;
};

constexpr StatusRow kStatuses[] = {
    {ErrorKind::malformed, ErrorReason::none, 400},
    {ErrorKind::not_found, ErrorReason::none, 404},
    {ErrorKind::forbidden, ErrorReason::none, 403},
    {ErrorKind::not_acceptable, ErrorReason::none, 422},
    {ErrorKind::conflict, ErrorReason::none, 409},
    {ErrorKind::too_early, ErrorReason::none, 425},
    {ErrorKind::resource_constraint, ErrorReason::too_large, 413},
    {ErrorKind::resource_constraint, ErrorReason::none, 429},
    {ErrorKind::unavailable, ErrorReason::none, 503},
    {ErrorKind::internal, ErrorReason::none, 500},
};

/// The server's own refusals, of what never reached a handler.
struct RefusalRow {
  unsigned status;
  ErrorKind kind;
  ErrorReason reason;
  std::string_view message;
};
constexpr RefusalRow kRefusals[] = {
    {404, ErrorKind::not_found, ErrorReason::none, "There is nothing here."},
    {405, ErrorKind::malformed, ErrorReason::none, "This path has other methods."},
    {408, ErrorKind::unavailable, ErrorReason::expired, "The request took too long."},
    {413, ErrorKind::resource_constraint, ErrorReason::too_large,
     "The body is too large; [limits] arguments_bytes, input_bytes and manifest_bytes bound what "
     "may be in it."},
    {501, ErrorKind::malformed, ErrorReason::none, "This method is not known here."},
    {503, ErrorKind::unavailable, ErrorReason::none, "Too much is going on; try again soon."},
};

std::string error_body(const Error& error) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.name("error");
  writer.begin_object();
  writer.member("code", to_string(error.kind));
  if (error.reason != ErrorReason::none) writer.member("reason", to_string(error.reason));
  writer.member("message", std::string_view(error.message));
  if (error.retry_after) {
    writer.member("retryAfter", static_cast<double>(error.retry_after->count()) / 1'000.0);
  }
  writer.end_object();
  writer.end_object();
  return body;
}

}  // namespace

unsigned status_of(const Error& error) {
  const auto row = std::ranges::find_if(kStatuses, [&error](const StatusRow& candidate) {
    return candidate.kind == error.kind &&
           (candidate.reason == error.reason || candidate.reason == ErrorReason::none);
  });
  return row == std::end(kStatuses) ? 500 : row->status;
}

net::http::Response json_response(unsigned status, std::string body) {
  body.push_back('\n');
  net::http::Response response(status, "application/json", std::move(body));
  response.fields.add("Cache-Control", "no-store");
  return response;
}

net::http::Response error_response(const Error& error) {
  net::http::Response response = json_response(status_of(error), error_body(error));
  if (error.retry_after) {  // whole seconds, never too few (RFC 9110 section 10.2.3)
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*error.retry_after);
    response.fields.add("Retry-After", std::to_string(seconds.count()));
  }
  return response;
}

net::http::Response refusal(unsigned status, const net::http::Request* /*request*/) {
  const auto row = std::ranges::find(kRefusals, status, &RefusalRow::status);
  const Error error =
      row == std::end(kRefusals)
          ? Error(ErrorKind::malformed, std::string(net::http::reason_phrase(status)))
          : Error(row->kind, row->reason, std::string(row->message));
  net::http::Response response = error_response(error);
  response.status = status;
  return response;
}

}  // namespace interline::control
