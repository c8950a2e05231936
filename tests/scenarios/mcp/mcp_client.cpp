#include "mcp_client.hpp"

#include <algorithm>
#include <charconv>

#include "../gateway/http_exchange.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace interline::testing {

std::string body_of(const McpRequest& request) {
  std::string meta = R"("io.modelcontextprotocol/protocolVersion":")" + request.version + '"';
  if (!request.capabilities.empty()) {
    meta += R"(,"io.modelcontextprotocol/clientCapabilities":)" + request.capabilities;
  }
  if (!request.meta.empty()) meta += "," + request.meta;
  std::string params = request.params;
  if (!params.empty()) params += ",";
  return R"({"jsonrpc":"2.0","id":)" + request.id + R"(,"method":")" + request.method +
         R"(","params":{)" + params + R"("_meta":{)" + meta + "}}}";
}

namespace {

std::string text_of(const McpRequest& request) {
  std::vector<std::pair<std::string, std::string>> fields = {
      {"Host", "127.0.0.1"},
      {"Connection", "close"},
      {"Content-Type", "application/json"},
      {"Accept", "application/json, text/event-stream"},
      {"MCP-Protocol-Version", request.version},
      {"Mcp-Method", request.method}};
  if (!request.name.empty()) fields.emplace_back("Mcp-Name", request.name);
  if (!request.key.empty()) fields.emplace_back("Authorization", "Bearer " + request.key);
  for (const auto& [name, value] : request.fields) {
    const auto same = [&name](const auto& field) { return field.first == name; };
    const auto found = std::ranges::find_if(fields, same);
    if (found == fields.end()) {
      fields.emplace_back(name, value);
    } else {
      found->second = value;
    }
  }
  const std::string body = body_of(request);
  std::string text = "POST " + request.path + " HTTP/1.1\r\n";
  for (const auto& [name, value] : fields) {
    if (!value.empty()) text += name + ": " + value + "\r\n";
  }
  return text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string without_chunks(std::string_view body) {
  std::string whole;
  for (;;) {
    const auto line = body.find("\r\n");
    if (line == std::string_view::npos) return whole;
    std::size_t size = 0;
    std::from_chars(body.data(), body.data() + line, size, 16);
    whole += body.substr(line + 2, size);
    if (size == 0 || body.size() < line + 2 + size + 2) return whole;
    body.remove_prefix(line + 2 + size + 2);
  }
}

/// Data and ids of events, where they have them.
void read_events(std::string_view text, McpReply& reply) {
  for (auto end = text.find("\n\n"); end != std::string_view::npos; end = text.find("\n\n")) {
    std::string_view event = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (event.starts_with("id: ")) reply.ids.emplace_back(event.substr(4, event.find('\n') - 4));
    const auto data = event.find("data: ");
    if (data != std::string_view::npos && event.size() > data + 6) {
      event.remove_prefix(data + 6);
      reply.messages.emplace_back(event.substr(0, event.find('\n')));
    }
  }
}

McpReply read_reply(const std::string& all) {
  McpReply reply;
  const auto end = all.find("\r\n\r\n");
  if (end == std::string::npos) return reply;
  reply.head = all.substr(0, end);
  std::from_chars(&reply.head[9], &reply.head[12], reply.status);
  std::string body = all.substr(end + 4);
  if (reply.head.find("Transfer-Encoding: chunked") != std::string::npos) {
    body = without_chunks(body);
  }
  reply.stream = reply.head.find("text/event-stream") != std::string::npos;
  if (reply.stream) {
    read_events(body, reply);
  } else if (!body.empty()) {
    reply.messages.push_back(body);
  }
  return reply;
}

}  // namespace

std::string at(const std::string& json, std::string_view pointer) {
  const auto parsed = json::parse(std::string_view(json));
  if (!parsed) return "no JSON: " + json;
  const json::Value* value = json::resolve(parsed->root(), pointer);
  return value == nullptr ? std::string() : std::string(value->source());
}

std::string McpReply::at(std::string_view pointer) const {
  return messages.empty() ? std::string() : testing::at(messages.back(), pointer);
}

std::string unquoted(const std::string& json) {
  return json.size() < 2 ? json : json.substr(1, json.size() - 2);
}

void McpTest::serve(const std::string& more) {
  configure(
      "[tasks]\ndrain = \"200ms\"\n"
      "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"demo\"]\nvisible = true\n"
      "invoke = [\"*\"]\n"
      "[[grant]]\nprincipals = [\"key:*\"]\nendpoints = [\"*\"]\nvisible = true\n"
      "invoke = [\"*\"]\n"
      "[[endpoint]]\nname = \"demo\"\nruntime = { kind = \"builtin\" }\nconcurrency = 32\n"
      "[[endpoint]]\nname = \"second\"\nruntime = { kind = \"builtin\" }\nconcurrency = 32\n" +
      more);
  start();
  until("an endpoint is served");
  until("an endpoint is served");
}

std::string McpTest::make_key(const std::string& name) const {
  const Reply reply = local("POST", "/v1/keys", R"({"name":")" + name + R"("})");
  return unquoted(testing::at(reply.body, "/key"));
}

McpReply McpTest::raw(const std::string& request) const {
  std::string everything;
  exchange(address(), request, [&everything](const std::string& all) {
    everything = all;
    return true;
  });
  return read_reply(everything);
}

McpReply McpTest::send(const McpRequest& request) const {
  return raw(text_of(request));
}

McpReply McpTest::read_raw(const std::string& request,
                           const std::function<bool(const McpReply&)>& enough) const {
  McpReply reply;
  exchange(address(), request, [&](const std::string& all) {
    reply = read_reply(all);
    return !enough(reply);
  });
  return reply;
}

McpReply McpTest::read_until(const McpRequest& request,
                             const std::function<bool(const McpReply&)>& enough) const {
  return read_raw(text_of(request), enough);
}

McpReply McpTest::post(const std::string& path, const std::string& fields,
                       const std::string& body) const {
  return raw("POST " + path +
             " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
             "Content-Type: application/json\r\n"
             "Accept: application/json, text/event-stream\r\n" +
             fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

McpRequest call_of(const std::string& tool, const std::string& arguments) {
  McpRequest request;
  request.method = "tools/call";
  request.name = tool;
  request.params = R"("name":")" + tool + R"(","arguments":)" + arguments;
  return request;
}

McpRequest about_task(const std::string& method, const std::string& task, const std::string& more) {
  McpRequest request;
  request.method = method;
  request.name = task;
  request.params = R"("taskId":")" + task + '"' + more;
  request.capabilities = kTasks;
  return request;
}

}  // namespace interline::testing
