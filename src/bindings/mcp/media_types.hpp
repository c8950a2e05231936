// Content-Type and Accept of MCP's two media types.
#pragma once

#include "net/http/fields.hpp"

namespace interline::mcp {

/// Content-Type is application/json, with whatever parameters.
[[nodiscard]] bool is_json(const net::http::Fields& fields);

struct Accepted {
  bool json = true;
  bool events = true;
};
/// By Accept, with ranges and weights; both where there is none.
[[nodiscard]] Accepted accepted_types(const net::http::Fields& fields);

}  // namespace interline::mcp
