// What is looked at before a byte of the body is read, in the order in which it is checked: Host
// and Origin (403), the method (405), who asks (401), media types (415, 406).
#pragma once

#include <memory>
#include <string_view>

#include "bindings/mcp/services.hpp"
#include "net/http/router.hpp"

namespace interline::mcp {

/// What the guard found out for the handler, in Request::context.
struct Arrived {
  policy::Principal who;
  bool takes_json = true;
  bool takes_events = true;
};

[[nodiscard]] net::http::Guard front_guard(std::shared_ptr<Services> services);

/// Fields that let the page that asked read the answer; none where no page asked.
void allow_origin(const Services& services, const net::http::Request& request,
                  net::http::Fields& fields);

}  // namespace interline::mcp
