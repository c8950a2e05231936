// What is looked at before a byte of the body is read, in this order: Host and Origin (403), who
// asks (401), the media type (415). Every refusal is an error of the binding that was asked.
#pragma once

#include <memory>

#include "bindings/a2a/services.hpp"

namespace interline::a2a {

enum class Door : std::uint8_t { json_rpc, http_json, card };

/// Found out by the guard, for the handler, in Request::context.
struct Arrived {
  policy::Principal who;
};

[[nodiscard]] net::http::Guard front_guard(std::shared_ptr<Services> services, Door door);

/// Fields that let the page that asked read the answer; none where no page asked.
void allow_origin(const Services& services, const net::http::Request& request,
                  net::http::Fields& fields);

/// The answer that an error is there, with its status.
[[nodiscard]] net::http::Response error_response(const Services& services, Door door,
                                                 const net::http::Request& request,
                                                 const rules::ErrorAnswer& answer,
                                                 std::string_view id = {});
/// Of HTTP+JSON: what the request asked for.
[[nodiscard]] std::string_view answer_type(const Services& services,
                                           const net::http::Request& request);

}  // namespace interline::a2a
