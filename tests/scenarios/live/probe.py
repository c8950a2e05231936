#!/usr/bin/python3
"""An agent for the scenarios: it writes what it does into `journal` in its folder, waits at gates that
a test opens, and makes results of any size. A thread a call."""
import json
import os
import sys
import threading

SIZE = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}
lock = threading.Lock()


def send(message):
    with lock:
        sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()


def note(line):
    with open("journal", "a") as journal:  # one write each: appends of several calls do not mix
        journal.write(line + "\n")


def do_note(call):
    note(call["arguments"]["text"])
    return {"text": "noted"}


def do_gate(call):
    """Goes on once somebody opens and closes the FIFO for writing."""
    name = call["arguments"]["name"]
    note(f"at {name}")
    with open(name, "rb") as fifo:
        fifo.read()
    note(f"through {name}")
    return {"text": f"through {name}"}


def do_length(call):
    text = call["arguments"]["text"]
    return {"result": {"content": [], "structuredContent": {"characters": len(text)}}}


def do_big(call):
    text = call["arguments"].get("of", "x") * call["arguments"]["times"]
    return {"result": {"content": [{"type": "text", "text": text}]}}


def do_chatter(call):
    for number in range(call["arguments"]["times"]):
        send({"type": "progress", "task": call["task"], "percent": min(number, 100),
              "message": str(number) + "." * call["arguments"].get("bytes", 0)})
    return {"text": "said all"}


def do_die(call):
    os._exit(3)


def do_raise(call):
    """As a program ends that nobody catches: a trace on standard error, with what was in it."""
    print("Traceback (most recent call last):", call["arguments"]["secret"], file=sys.stderr, flush=True)
    os._exit(1)


def do_characters(call):
    return {"text": "".join(map(chr, call["arguments"]["points"]))}


TOOLS = {"note": (do_note, {"text": TEXT}), "gate": (do_gate, {"name": TEXT}),
         "length": (do_length, {"text": TEXT}), "big": (do_big, {"times": SIZE, "of": TEXT}),
         "chatter": (do_chatter, {"times": SIZE, "bytes": SIZE}), "die": (do_die, {}), "raise": (do_raise, {"secret": TEXT}),
         "characters": (do_characters, {"points": {"type": "array", "items": SIZE}})}


def work(call):
    answer = TOOLS[call["tool"]][0](call)
    send({"type": "result", "task": call["task"], **answer})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "list":
        send({"type": "tools", "tools": [
            {"name": name, "inputSchema": {"type": "object", "properties": properties}}
            for name, (_, properties) in TOOLS.items()]})
    elif message["type"] == "call":
        threading.Thread(target=work, args=(message,), daemon=True).start()
