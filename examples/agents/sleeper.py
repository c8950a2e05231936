#!/usr/bin/env python3
"""never.ends: takes any number of calls and ends none, until it is told to cancel one."""
import json
import sys

TOOL = {
    "name": "never.ends",
    "title": "Sleep for ever",
    "description": "Never answers. Cancel it.",
    "inputSchema": {"type": "object", "additionalProperties": False},
}


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "list":
        send({"type": "tools", "tools": [TOOL]})
    elif message["type"] == "call":
        send({"type": "progress", "task": message["task"], "message": "sleeping"})
    elif message["type"] == "cancel":
        send({"type": "cancelled", "task": message["task"]})
