"""The agent under test: an exec agent that writes down each piece of work before it does it.

The journal is a file opened with O_APPEND, one line a piece of work: `KEY PHASE PID`. KEY is the
`key` of the arguments, PHASE is `start`, or `again` where a call comes back with its state and its
answers. It is written before anything else happens, so what ran twice stands there twice, whatever
was killed meanwhile.

Run as: agent.py JOURNAL [DIE_FROM_MS DIE_TO_MS]. With the two numbers the process kills itself at
a random moment of that range after its start: a crashing agent. While it lives it holds a shared
lock on the journal, so that who takes the exclusive one knows that no agent is left.
"""
import fcntl
import json
import os
import random
import signal
import sys
import threading

# Bytes of a line: no line lies in two pages of memory, between which a kill can cut a write in two.
LINE = 128
KEY = {"type": "string", "minLength": 1, "maxLength": 100}
ANSWER = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}


def tool(name, description, **properties):
    return {"name": name, "description": description,
            "inputSchema": {"type": "object", "properties": {"key": KEY, **properties},
                            "required": ["key"], "additionalProperties": False}}


COUNT = {"type": "integer", "minimum": 0, "maximum": 1000}
TOOLS = [
    tool("quick", "Answers at once."),
    tool("steps", "Reports progress and output, step by step.", steps=COUNT, pause=COUNT),
    tool("ask.later", "Asks, and comes again with the answer, in any process."),
    tool("ask.now", "Asks, and waits for the answer."),
    tool("slow", "Works for `pause` milliseconds unless it is cancelled.", pause=COUNT),
]


class Call:
    """One call in work: what wakes it up, and what it was answered."""

    def __init__(self, message):
        self.task, self.tool = message["task"], message["tool"]
        self.arguments = message["arguments"]
        self.answers = message.get("answers")  # of a call that comes again
        self.woken = threading.Event()
        self.cancelled = False
        self.word = None

    def wait(self, milliseconds):
        self.woken.wait(milliseconds / 1000)
        return not self.cancelled


class Agent:
    def __init__(self, journal):
        self.journal = os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        fcntl.flock(self.journal, fcntl.LOCK_SH)
        self.lock = threading.Lock()
        self.calls = {}  # task -> Call

    def send(self, **message):
        with self.lock:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    def record(self, call):
        phase = "start" if call.answers is None else "again"
        line = f"{call.arguments['key']} {phase} {os.getpid()}"
        os.write(self.journal, line.ljust(LINE - 1).encode() + b"\n")

    def result(self, call, **more):
        text = json.dumps({"key": call.arguments["key"], **more})
        self.send(type="result", task=call.task, text=text)

    def quick(self, call):
        self.result(call)

    def steps(self, call):
        steps = call.arguments.get("steps", 3)
        for step in range(steps):
            self.send(type="progress", task=call.task, percent=100 * step / steps,
                      message=f"step {step}")
            self.send(type="output", task=call.task, artifact="steps", append=step > 0,
                      parts=[{"kind": "text", "text": f"{step} "}])
            if not call.wait(call.arguments.get("pause", 5)):
                return self.send(type="cancelled", task=call.task)
        return self.result(call)

    def ask_later(self, call):
        if call.answers is None:
            return self.send(type="ask", task=call.task, id="word", question="Which word?",
                             schema=ANSWER, state={"key": call.arguments["key"]})
        return self.result(call, word=call.answers[0].get("value", {}).get("word"))

    def ask_now(self, call):
        self.send(type="ask", task=call.task, id="word", question="Which word?", schema=ANSWER)
        call.woken.wait()
        if call.cancelled:
            return self.send(type="cancelled", task=call.task)
        return self.result(call, word=call.word)

    def slow(self, call):
        if not call.wait(call.arguments.get("pause", 100)):
            return self.send(type="cancelled", task=call.task)
        return self.result(call)

    def work(self, call):
        getattr(self, call.tool.replace(".", "_"))(call)
        self.calls.pop(call.task, None)

    def take(self, message):
        if message["type"] == "list":
            self.send(type="tools", tools=TOOLS)
        elif message["type"] == "call":
            call = Call(message)
            self.record(call)
            self.calls[call.task] = call
            threading.Thread(target=self.work, args=(call,), daemon=True).start()
        elif message["task"] in self.calls:
            call = self.calls[message["task"]]
            if message["type"] == "cancel":
                call.cancelled = True
            else:
                call.word = message.get("value", {}).get("word")
            call.woken.set()


def die_later(from_ms, to_ms):
    """Ends this process as `kill -9` would, at a random moment of the range."""
    moment = random.uniform(float(from_ms), float(to_ms)) / 1000
    timer = threading.Timer(moment, os.kill, (os.getpid(), signal.SIGKILL))
    timer.daemon = True
    timer.start()


def main(journal, *death):
    agent = Agent(journal)
    if death:
        die_later(*death)
    for line in sys.stdin:
        agent.take(json.loads(line))


if __name__ == "__main__":
    main(*sys.argv[1:])
