"""The agent under test as an MCP server of revision 2026-07-28 over standard input and output: the tools
of agent.py, and its journal. What is asked is asked in a result, with a state.

Run as: mcp_agent.py JOURNAL
"""
import json
import sys
import threading

sys.path.insert(0, sys.argv[0].rpartition("/")[0])

from agent import ANSWER, TOOLS, Agent  # noqa: E402

CACHED = {"ttlMs": 0, "cacheScope": "private"}


class Call:
    """One tools/call in work."""

    def __init__(self, message):
        params = message["params"]
        self.task = message["id"]
        self.tool, self.arguments = params["name"], params.get("arguments", {})
        self.answers = params.get("inputResponses")  # of a call that comes again
        self.token = params["_meta"].get("progressToken")
        self.woken = threading.Event()

    def wait(self, milliseconds):
        return not self.woken.wait(milliseconds / 1000)


class McpAgent(Agent):
    def answer(self, number, **result):
        self.send(jsonrpc="2.0", id=number, result={"resultType": "complete", **result})

    def result(self, call, **more):
        text = json.dumps({"key": call.arguments["key"], **more})
        self.answer(call.task, content=[{"type": "text", "text": text}])

    def steps(self, call):
        steps = call.arguments.get("steps", 3)
        for step in range(steps):
            if call.token is not None:
                self.send(jsonrpc="2.0", method="notifications/progress", params={
                    "progressToken": call.token, "progress": step, "total": steps,
                    "message": f"step {step}"})
            if not call.wait(call.arguments.get("pause", 5)):
                return
        self.result(call)

    def slow(self, call):
        if call.wait(call.arguments.get("pause", 100)):
            self.result(call)

    def ask_later(self, call):
        if call.answers is None:
            return self.send(jsonrpc="2.0", id=call.task, result={
                "resultType": "input_required", "requestState": call.arguments["key"],
                "inputRequests": {"word": {"method": "elicitation/create", "params": {
                    "mode": "form", "message": "Which word?", "requestedSchema": ANSWER}}}})
        content = call.answers["word"].get("content") or {}
        return self.result(call, word=content.get("word"))

    ask_now = ask_later

    def take(self, message):
        method, number = message.get("method"), message.get("id")
        if method == "server/discover":
            self.answer(number, supportedVersions=["2026-07-28"], capabilities={"tools": {}}, **CACHED)
        elif method == "tools/list":
            self.answer(number, tools=TOOLS, **CACHED)
        elif method == "tools/call":
            call = Call(message)
            self.record(call)
            self.calls[call.task] = call
            threading.Thread(target=self.work, args=(call,), daemon=True).start()
        elif method == "notifications/cancelled":
            call = self.calls.get(message["params"]["requestId"])
            if call:
                call.woken.set()
        elif number is not None:
            self.send(jsonrpc="2.0", id=number, error={"code": -32601, "message": "no such method"})


def main(journal):
    agent = McpAgent(journal)
    for line in sys.stdin:
        agent.take(json.loads(line))


if __name__ == "__main__":
    main(*sys.argv[1:])
