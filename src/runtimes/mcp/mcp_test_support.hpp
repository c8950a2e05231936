// What the tests of MCP servers share: scripts as servers, of either era, and the runtime before
// them.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtimes/mcp/mcp_runtime.hpp"
#include "runtimes/test_support.hpp"

namespace interline::runtimes::mcp::testing {

using runtimes::testing::FakeJob;
using runtimes::testing::Fixture;
using Lines = std::vector<std::string>;

// Helpers of the scripts: rpc(**members) writes a message, serve(call) answers initialize, ping and
// tools/list, notes what came, and gives tools/call to `call`.
inline constexpr const char* kServer = R"(
VERSION = "2025-11-25"
TOOLS = [{"name": "echo", "inputSchema": {"type": "object"}}]
def rpc(**members):
    with mutex:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **members}) + "\n")
        sys.stdout.flush()
def progress(token, **members): rpc(method="notifications/progress", params={"progressToken": token, **members})
def text(t): return {"content": [{"type": "text", "text": t}]}
def initialize(m): rpc(id=m["id"], result={"protocolVersion": VERSION, "capabilities": {"tools": {}},
                       "serverInfo": {"name": "scripted", "version": "1.0"}})
def list_tools(m): rpc(id=m["id"], result={"tools": TOOLS})
def refuse(m): rpc(id=m["id"], error={"code": -32601, "message": "Method not found"})
def serve(call, others=lambda m: None, initialize=initialize, list_tools=list_tools, discover=refuse):
    for m in lines():
        method = m.get("method")
        if method == "server/discover": discover(m)
        elif method == "initialize": initialize(m)
        elif method == "tools/list": list_tools(m)
        elif method == "tools/call": call(m)
        elif method == "ping": rpc(id=m["id"], result={})
        else: others(m)
)";

// The same of a modern server: serve(call, **others) takes a handler a method, by its last word.
inline constexpr const char* kModernServer = R"(
CAPABILITIES = {"tools": {}}
TOOLS = [{"name": "echo", "inputSchema": {"type": "object"}}]
def rpc(**members):
    with mutex:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **members}) + "\n")
        sys.stdout.flush()
def result(m, **members): rpc(id=m["id"], result={"resultType": "complete", **members})
def error(m, code, text="no", **data): rpc(id=m["id"], error={"code": code, "message": text, **({"data": data} if data else {})})
def progress(token, **members): rpc(method="notifications/progress", params={"progressToken": token, **members})
def text(t): return {"content": [{"type": "text", "text": t}]}
def asks(m, state=None, **requests):
    rpc(id=m["id"], result={"resultType": "input_required", **({"inputRequests": requests} if requests else {}),
                            **({} if state is None else {"requestState": state})})
def form(message, schema={"type": "object", "properties": {}}):
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}
def task(status, id="t-1", **members):
    return {"taskId": id, "status": status, "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
            "ttlMs": None, "pollIntervalMs": 1, **members}
def discover(m):
    result(m, supportedVersions=["2026-07-28"], capabilities=CAPABILITIES, ttlMs=0, cacheScope="private",
           _meta={"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "2.0"}})
def serve(call=None, **others):
    handlers = {"server/discover": discover, "tools/call": call,
                "tools/list": lambda m: result(m, tools=TOOLS, ttlMs=0, cacheScope="private"),
                **{name.replace("_", "/", 1): act for name, act in others.items()}}
    for m in lines():
        act = handlers.get(m.get("method"))
        if act: act(m)
        elif "id" in m and "method" in m: error(m, -32601)
)";

class McpRuntimeTest : public ::testing::Test {
 protected:
  McpConfiguration with(const std::string& script, std::size_t concurrency = 1,
                        const char* server = kServer) {
    McpConfiguration configuration;
    configuration.process.program.command = fixture.python(server + script);
    configuration.process.concurrency = concurrency;
    configuration.process.backoff_min = std::chrono::milliseconds(1);
    configuration.process.kill_grace = std::chrono::milliseconds(100);
    return configuration;
  }
  void open(McpConfiguration configuration) {
    runtime =
        std::make_unique<McpRuntime>(fixture.executor(), std::move(configuration), fixture.log());
  }
  std::shared_ptr<FakeJob> start(std::string handle, std::string tool = "echo",
                                 std::string arguments = "{}") {
    auto job = fixture.job(std::move(handle), std::move(tool), std::move(arguments));
    runtime->start(job);
    return job;
  }
  /// A job whose caller can answer everything.
  std::shared_ptr<FakeJob> start_asking(std::string handle, std::string tool = "echo") {
    engine::JobInput input;
    input.handle = std::move(handle);
    input.tool = std::move(tool);
    input.arguments = "{}";
    input.answerable = 0x1F;
    return start(std::move(input));
  }
  std::shared_ptr<FakeJob> start(engine::JobInput input) {
    auto job = fixture.job(std::move(input));
    runtime->start(job);
    return job;
  }
  Result<engine::ImportedTools> list() { return fixture.run(runtime->list_tools()); }
  bool drain() {
    auto work = [](McpRuntime& of) -> engine::awaitable<bool> {
      co_await of.drain(std::chrono::hours(1));
      co_return true;
    };
    return fixture.run(work(*runtime));
  }

  Fixture fixture;
  std::unique_ptr<McpRuntime> runtime;
};

}  // namespace interline::runtimes::mcp::testing
