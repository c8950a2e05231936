#!/usr/bin/env python3
"""slow.count: counts aloud. A thread a call, so that calls run side by side and can be cancelled."""
import json
import sys
import threading

TOOL = {
    "name": "slow.count",
    "title": "Count slowly",
    "description": "Counts from 1, with a pause between numbers and progress at each.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "to": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 5},
            "seconds": {"type": "number", "minimum": 0, "maximum": 60, "default": 1,
                        "description": "the pause after each number"},
        },
        "additionalProperties": False,
    },
}

cancelled = {}  # task -> Event, of the calls in work
lock = threading.Lock()


def send(message):
    with lock:
        print(json.dumps(message), flush=True)


def count(task, arguments, stop):
    to = int(arguments.get("to", 5))
    for number in range(1, to + 1):
        send({"type": "progress", "task": task, "percent": 100 * number / to,
              "stage": "counting", "message": f"{number} of {to}"})
        if stop.wait(arguments.get("seconds", 1)):
            send({"type": "cancelled", "task": task})
            break
    else:
        send({"type": "result", "task": task, "text": f"I counted to {to}."})
    cancelled.pop(task, None)


for line in sys.stdin:
    message = json.loads(line)
    task = message.get("task")
    if message["type"] == "list":
        send({"type": "tools", "tools": [TOOL]})
    elif message["type"] == "call":
        cancelled[task] = threading.Event()
        threading.Thread(target=count, args=(task, message["arguments"], cancelled[task]),
                         daemon=True).start()
    elif message["type"] == "cancel" and task in cancelled:
        cancelled[task].set()
