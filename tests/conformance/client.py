"""The client that the conformance tool tests: a gateway with the tool's server as its one agent.

    python3 -m conformance.client URL

The gateway is called over its own MCP endpoint: every tool that it shows is called (or those that the
tool names in MCP_CONFORMANCE_CONTEXT), every prompt is got and every resource is read. Whatever the
tool's server thinks of that is its verdict; what goes wrong here is printed.
"""
import json
import os
import sys
import tempfile
from pathlib import Path

from conformance import gateway
from conformance.driver import Caller, RpcError, example

CONFIGURATION = """
[gateway]
data_dir = "var"
log_level = "debug"

[http]
listen = "127.0.0.1:%(port)d"

[egress]
allow_private = true

[[grant]]
principals = ["anonymous"]
endpoints = ["*"]
visible = true
invoke = ["*"]

[[endpoint]]
name = "upstream"
concurrency = 8
runtime = { kind = "mcp", url = "%(url)s" }
"""


def use(caller, context):
    """Calls what there is, and goes on where something fails."""
    tools = attempt(caller.tools) or []
    print("tools:", [tool["name"] for tool in tools])
    calls = context.get("toolCalls")
    if calls is None:
        calls = [{"name": tool["name"], "arguments": arguments_of(tool, tools)} for tool in tools]
    for call in calls:
        print(call["name"], attempt(caller.call, call["name"], call.get("arguments", {})))
    for prompt in (attempt(caller.request, "prompts/list", {}) or {}).get("prompts", []):
        arguments = {argument["name"]: "text" for argument in prompt.get("arguments", [])}
        attempt(caller.ask, "prompts/get", {"name": prompt["name"], "arguments": arguments})
    for resource in (attempt(caller.request, "resources/list", {}) or {}).get("resources", []):
        attempt(caller.ask, "resources/read", {"uri": resource["uri"]})


def arguments_of(tool, tools):
    """An echo of a schema gets the one of its neighbour."""
    properties = tool["inputSchema"].get("properties", {})
    if list(properties) == ["schema"]:
        others = [other for other in tools if other["name"] != tool["name"]]
        return {"schema": others[0]["inputSchema"] if others else {}}
    return example(tool["inputSchema"])


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except (RpcError, OSError, ValueError) as error:
        print("failed:", function.__name__, error)
        return None


def main():
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    with tempfile.TemporaryDirectory(prefix="interline-conformance-") as folder:
        port = gateway.free_port()
        configuration = Path(folder) / "interline.toml"
        configuration.write_text(CONFIGURATION % {"port": port, "url": sys.argv[1]})
        with gateway.running(configuration, port, Path(folder)):
            use(Caller(f"http://127.0.0.1:{port}/mcp/upstream"), context)
    return 0


if __name__ == "__main__":
    sys.exit(main())
