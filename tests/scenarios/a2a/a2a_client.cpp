#include "a2a_client.hpp"

namespace interline::testing {

void A2aTest::serve_a2a(const std::string& section) {
  serve("[a2a]\n" + section);
}

McpReply A2aTest::rpc(const std::string& method, const std::string& params, const std::string& path,
                      const std::string& fields) const {
  return post(path, fields,
              R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}");
}

McpReply A2aTest::rest(const std::string& method, const std::string& target,
                       const std::string& body, const std::string& fields) const {
  std::string request =
      method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + fields;
  if (!body.empty()) {
    request +=
        "Content-Type: application/a2a+json\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n";
  }
  return raw(request + "\r\n" + body);
}

std::string message_of(const std::string& id, const std::string& part, const std::string& more,
                       const std::string& configuration) {
  std::string text = R"({"message":{"messageId":")" + id + R"(","role":"ROLE_USER","parts":[)" +
                     part + "]" + more + "}";
  if (!configuration.empty()) text += R"(,"configuration":)" + configuration;
  return text + "}";
}

}  // namespace interline::testing
