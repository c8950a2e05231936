// One HTTP exchange: what came, from whom, and where the answer goes. Its parts outlive it.
#pragma once

#include <string>
#include <string_view>

#include "bindings/mcp/front_guard.hpp"
#include "bindings/mcp/request_reader.hpp"
#include "net/http/responder.hpp"

namespace interline::mcp {

struct Place {
  Services& services;
  net::http::Request& request;
  net::http::Responder& responder;
  const Arrived& arrived;

  /// The endpoint of the path; "": all.
  [[nodiscard]] std::string endpoint() const { return std::string(request.parameter("name")); }
};

/// With what lets an allowed page read it.
[[nodiscard]] awaitable<void> send(const Place& place, net::http::Response response);
[[nodiscard]] net::http::Response json_response(int status, std::string line);
[[nodiscard]] net::http::Response refusal_response(const rules::Refusal& refusal);

}  // namespace interline::mcp
