// A POST's body and headers as an exchange.
#pragma once

#include <expected>
#include <list>
#include <memory>
#include <string>

#include "bindings/mcp/services.hpp"
#include "json/parse.hpp"
#include "net/http/message.hpp"
#include "protocols/mcp/exchange.hpp"

namespace interline::mcp {

/// What the decision's views are of. The request outlives it.
class PostedMessage {
 public:
  /// -32700 where the body is no JSON.
  [[nodiscard]] static std::expected<std::unique_ptr<PostedMessage>, rules::ErrorAnswer> read(
      const net::http::Request& request);

  [[nodiscard]] const json::Value& root() const { return document_.root(); }
  [[nodiscard]] const rules::RequestHeaders& headers() const { return headers_; }
  /// A header as received; a repeated one equals nothing.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name);

 private:
  PostedMessage(const net::http::Request& request, json::Document document);

  const net::http::Request& request_;
  const json::Document document_;
  std::list<std::string> joined_;
  rules::RequestHeaders headers_;
};

}  // namespace interline::mcp
