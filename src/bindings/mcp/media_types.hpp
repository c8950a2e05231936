// Content-Type and Accept of MCP's two media types.
#pragma once

#include <string_view>

#include "net/http/fields.hpp"

namespace interline::mcp {

/// Why a body is not JSON as we read it, in UTF-8 and as it is; "" if it is. Whatever other
/// parameters the type has do not matter.
[[nodiscard]] std::string_view why_not_json(const net::http::Fields& fields);

struct Accepted {
  bool json = true;
  bool events = true;
};
/// By Accept, with ranges and weights; both where there is none.
[[nodiscard]] Accepted accepted_types(const net::http::Fields& fields);

}  // namespace interline::mcp
