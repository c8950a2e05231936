#!/usr/bin/env python3
"""ask.name: asks the caller who they are, and greets them. It waits for the answer without holding
anything: the ask carries a state, with which the call comes again, to whatever process then runs."""
import json
import sys

TOOL = {
    "name": "ask.name",
    "title": "Ask for a name",
    "description": "Asks for your name and greets you.",
    "inputSchema": {
        "type": "object",
        "properties": {"greeting": {"type": "string", "default": "Welcome", "maxLength": 100}},
        "additionalProperties": False,
    },
}

NAME = {
    "type": "object",
    "properties": {"name": {"type": "string", "title": "Your name", "minLength": 1, "maxLength": 200}},
    "required": ["name"],
}


def send(message):
    print(json.dumps(message), flush=True)


def serve(message):
    task, greeting = message["task"], message["arguments"].get("greeting", "Welcome")
    if "state" not in message:
        return {"type": "ask", "task": task, "id": "name", "question": "What is your name?",
                "schema": NAME, "state": {"asked": True}}
    answer = message["answers"][0]
    if answer.get("action", "accept") != "accept":
        return {"type": "result", "task": task, "text": f"{greeting}, whoever you are."}
    return {"type": "result", "task": task, "text": f"{greeting}, {answer['value']['name']}."}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "list":
        send({"type": "tools", "tools": [TOOL]})
    elif message["type"] == "call":
        send(serve(message))
