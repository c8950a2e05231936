"""Callers over MCP: what they ask for by HTTP, and what the answers mean."""
from support.mcp_http import TASKS, Lost, McpHttp

from crash.control import Cut

# What a refusal says of itself, as the HTTP status that other callers are told.
STATUSES = {"unavailable": 503, "resource_constraint": 429, "not_found": 404}
CAN = {"elicitation": {"form": {}}}


class McpCaller:
    """Not for several threads at once. With the Tasks extension, and without."""

    def __init__(self, port, key, timeout=60):
        self.plain = McpHttp(port, key, CAN, timeout=timeout)
        self.tasks = McpHttp(port, key, {**CAN, "extensions": {TASKS: {}}}, timeout=timeout)

    def close(self):
        self.plain.close()
        self.tasks.close()

    def interrupt(self):
        self.plain.interrupt()
        self.tasks.interrupt()

    def call(self, call, **more):
        """(result, None), or (None, what was wrong). Raises Cut."""
        client = self.tasks if call.as_task else self.plain
        meta = {} if call.loose else {"interline/requestId": call.key}
        return self._ask(client, "tools/call", {
            "name": f"{call.endpoint}.{call.tool}", "arguments": call.arguments, **more}, meta)

    def get(self, task):
        return self._ask(self.tasks, "tasks/get", {"taskId": task})

    def update(self, task, responses):
        return self._ask(self.tasks, "tasks/update", {"taskId": task, "inputResponses": responses})

    def cancel(self, task):
        return self._ask(self.tasks, "tasks/cancel", {"taskId": task})

    @staticmethod
    def _ask(client, method, params, meta=None):
        try:
            status, message = client.ask(method, params, meta)
        except Lost as lost:
            raise Cut(str(lost)) from lost
        if "result" in message:
            return message["result"], None
        error = message.get("error", {})
        kind = error.get("data", {}).get("interline", {}).get("kind")
        return None, (STATUSES.get(kind, status), {"error": error})


def answers_to(asked):
    """(request key -> response, the words), made of the keys, so that a repetition is the same."""
    words = {key: f"word-{key[-8:]}" for key in asked}
    return {key: {"action": "accept", "content": {"word": word}} for key, word in words.items()}, words

