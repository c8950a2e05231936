// A POST's body, and its headers as the rules want them.
#pragma once

#include <expected>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bindings/mcp/services.hpp"
#include "json/parse.hpp"
#include "net/http/message.hpp"
#include "protocols/mcp/exchange.hpp"

namespace interline::mcp {

/// Shared, since a legacy request outlives the connection that it came by.
using Body = std::shared_ptr<const json::Document>;

/// Takes the request's body. -32700 where it is no JSON.
[[nodiscard]] std::expected<Body, rules::ErrorAnswer> read_body(net::http::Request& request);

/// Of a request that outlives it.
class Headers {
 public:
  explicit Headers(const net::http::Request& request);
  [[nodiscard]] const rules::RequestHeaders& of_rules() const { return headers_; }
  /// As received; a repeated one equals nothing.
  [[nodiscard]] std::optional<std::string_view> get(std::string_view name);

 private:
  const net::http::Request& request_;
  std::list<std::string> joined_;
  rules::RequestHeaders headers_;
};

}  // namespace interline::mcp
