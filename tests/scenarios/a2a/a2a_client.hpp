// A client of A2A over HTTP that writes what a test wants written: both bindings, raw.
#pragma once

#include <string>
#include <vector>

#include "../mcp/mcp_client.hpp"

namespace interline::testing {

class A2aTest : public McpTest {
 protected:
  /// The builtin agent as `demo`, open to strangers, and as `second`, for who has a key.
  void serve_a2a(const std::string& section = "default = \"demo\"\n");

  /// A JSON-RPC request; `path` of the interface.
  [[nodiscard]] McpReply rpc(const std::string& method, const std::string& params,
                             const std::string& path = "/a2a/demo/echo",
                             const std::string& fields = kVersionField) const;
  /// HTTP+JSON.
  [[nodiscard]] McpReply rest(const std::string& method, const std::string& target,
                              const std::string& body = "",
                              const std::string& fields = kVersionField) const;

  static constexpr const char* kVersionField = "A2A-Version: 1.0\r\n";
};

/// SendMessageRequest: a user's message with that one part.
[[nodiscard]] std::string message_of(const std::string& id, const std::string& part,
                                     const std::string& more = "",
                                     const std::string& configuration = "");

}  // namespace interline::testing
