// A client of MCP over HTTP that writes what a test wants written: raw JSON on a blocking socket.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../gateway/gateway_process.hpp"

namespace interline::testing {

/// One request of revision 2026-07-28 as it should be; a test changes what it is about.
struct McpRequest {
  std::string method;
  std::string params;               ///< members beside `_meta`, without braces
  std::string name = {};            ///< for Mcp-Name; "": none
  std::string capabilities = "{}";  ///< "": not declared
  std::string meta = {};            ///< further members of `_meta`
  std::string id = "1";             ///< JSON text
  std::string path = "/mcp";
  std::string key = {};  ///< API key; "": a stranger
  std::string version = "2026-07-28";
  /// Fields in place of (or beside) those that belong there; an empty value leaves one out.
  std::vector<std::pair<std::string, std::string>> fields = {};
};

/// The request's JSON text, without anything of HTTP.
[[nodiscard]] std::string body_of(const McpRequest& request);

struct McpReply {
  int status = 0;
  std::string head;
  std::vector<std::string> messages;  ///< of a stream, or the one
  bool stream = false;
  std::vector<std::string> ids;  ///< of the stream's events

  /// The answer; "" if there is none.
  [[nodiscard]] std::string last() const { return messages.empty() ? "" : messages.back(); }
  /// The JSON text at a JSON Pointer into the answer; "" if there is no such thing.
  [[nodiscard]] std::string at(std::string_view pointer) const;
};
[[nodiscard]] std::string at(const std::string& json, std::string_view pointer);

inline constexpr std::string_view kTasks =
    R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";

class McpTest : public GatewayTest {
 protected:
  /// The builtin agent as `demo`, open to strangers, and as `second`, for who has a key.
  void serve(const std::string& more = "");
  /// A new API key.
  [[nodiscard]] std::string make_key(const std::string& name) const;

  [[nodiscard]] McpReply send(const McpRequest& request) const;
  /// Goes on reading until `enough` says so, then closes the connection.
  McpReply read_until(const McpRequest& request,
                      const std::function<bool(const McpReply&)>& enough) const;
  /// Any bytes as a body.
  [[nodiscard]] McpReply post(const std::string& path, const std::string& fields,
                              const std::string& body) const;
  /// Any request.
  [[nodiscard]] McpReply raw(const std::string& request) const;
  McpReply read_raw(const std::string& request,
                    const std::function<bool(const McpReply&)>& enough) const;
};

/// tools/call of one tool.
[[nodiscard]] McpRequest call_of(const std::string& tool, const std::string& arguments = "{}");
/// tasks/get and its like.
[[nodiscard]] McpRequest about_task(const std::string& method, const std::string& task,
                                    const std::string& more = "");
/// A JSON string's text without its quotes.
[[nodiscard]] std::string unquoted(const std::string& json);

}  // namespace interline::testing
