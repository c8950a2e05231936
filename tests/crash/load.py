"""The load: threads that call, follow, answer, cancel and repeat, and tell the ledger everything."""
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from crash.control import Control, Cut
from crash.gateway import ENDPOINTS, REPEATING, Gateway
from crash.ledger import TERMINAL, Call, Ledger
from crash.mcp import McpCaller, answers_to
from crash.xmpp import XmppCaller

# How many of a hundred new calls are of which tool.
ASKING = ("ask.later", "ask.now")
MIX = {"quick": 30, "steps": 20, "ask.later": 20, "ask.now": 10, "slow": 20}
SETTLING_AT_ONCE = 64
# HTTP statuses and XMPP conditions.
OK, NOT_FOUND, CONFLICT = (200, 201), (404, "item-not-found"), (409, "conflict")
REFUSED_NOW = (429, 503, "service-unavailable", "resource-constraint")  # to be repeated as it is


@dataclass
class Clients:
    """How one life of the gateway is spoken to."""

    ledger: Ledger
    gateway: Gateway
    socket: Path
    xmpp: XmppCaller
    mcp: tuple  # the port, and the API key


class Worker:
    """One client with one connection of its own, and a share of the XMPP server's."""

    def __init__(self, clients, name, rng, timeout=60, turned_away=None):
        self.ledger, self.gateway, self.xmpp = clients.ledger, clients.gateway, clients.xmpp
        self.control = Control(clients.socket, timeout)
        self.mcp = McpCaller(*clients.mcp, timeout)
        self.name, self.rng, self.made = name, rng, 0
        self.turned_away = turned_away or threading.Event()  # something was refused for now

    def live(self, over):
        """Loads until `over` is set, or until the gateway ends."""
        try:
            while not over.is_set() and not self.turned_away.is_set():
                self.step()
        except Cut as cut:
            if not self.gateway.ending.is_set() and not over.is_set():
                self.ledger.violated(f"cut off by a gateway that was to live: {cut}")
        finally:
            self.close()

    def close(self):
        self.control.close()
        self.mcp.close()

    def interrupt(self):
        self.control.interrupt()
        self.mcp.interrupt()

    def step(self):
        unacknowledged = self.ledger.some_unacknowledged()
        roll = self.rng.random()
        if unacknowledged and roll < 0.3:
            return self.call(self.rng.choice(unacknowledged))
        open_tasks = self.ledger.some_open()
        if open_tasks and roll < 0.5:
            return self.tend(self.rng.choice(open_tasks))
        repeatable = self.ledger.some_repeatable()
        if repeatable and roll < 0.55:
            return self.call(self.rng.choice(repeatable))
        call = self.new_call()
        self.call(call)
        if call.task and self.rng.random() < 0.6:
            self.tend(call.task)

    def new_call(self):
        self.made += 1
        tool = self.rng.choices(list(MIX), MIX.values())[0]
        endpoint = self.rng.choices([name for name, *_ in ENDPOINTS], (5, 2, 2, 3))[0]
        arguments = {"key": f"{self.name}-{self.made:020}"}
        if tool == "steps":
            arguments.update(steps=self.rng.randint(0, 6), pause=self.rng.randint(0, 20))
        if tool == "slow":
            arguments.update(pause=self.rng.randint(0, 150))
        network = self.rng.choices(("xmpp", "mcp", "local"), (3, 4, 3))[0]
        if network == "xmpp" and not self.xmpp.connected():
            network = "local"
        call = Call(arguments["key"], endpoint, tool, arguments, network, endpoint in REPEATING)
        if network == "mcp":
            call.as_task = self.rng.random() < 0.5
            call.loose = tool not in ASKING and self.rng.random() < 0.3
        self.ledger.sent(call)
        return call

    def call(self, call):
        if call.network == "xmpp":
            return self.call_by_xmpp(call)
        if call.network == "mcp":
            return self.call_by_mcp(call)
        status, answer = self.control.request("POST", "/v1/calls", {
            "endpoint": call.endpoint, "tool": call.tool, "arguments": call.arguments,
            "requestKey": call.key})
        if status in OK:
            return self.ledger.acknowledged(call.key, answer["task"])
        self.refused(call.key, "a call", status, answer)

    def call_by_xmpp(self, call):
        if not self.xmpp.connected():
            return
        accepted, condition = self.xmpp.invoke(call)
        if accepted is not None:
            return self.ledger.acknowledged(call.key, accepted.get("task-id"))
        self.refused(call.key, "a call", condition, {})

    def call_by_mcp(self, call):
        """Until it is a task, or has its answer; what is asked meanwhile is answered."""
        more = {}
        while True:
            result, wrong = self.mcp.call(call, **more)
            if wrong:
                return self.refused(call.key, "a call", *wrong)
            if result["resultType"] == "task":
                return self.ledger.acknowledged(call.key, result["taskId"])
            if result["resultType"] == "complete":
                return self.ledger.answered(call.key, result)
            responses, words = answers_to(result["inputRequests"])
            call.words.update(words.values())
            more = {"inputResponses": responses, "requestState": result["requestState"]}

    def tend(self, task, patient=False):
        """Follows a task to its end or to a question, and does something about it. `patient`:
        nothing is cancelled, and every question gets its answer."""
        at_least, request, state = self.ledger.revision(task), "", ""
        for kind, data in self.control.events(task):
            if kind == "refused":
                return self.refused(task, "its events", data["status"], data["body"])
            state = data["state"]
            if kind == "snapshot":
                revision = data["revision"]
                self.ledger.seen(task, state, revision, data.get("outcome"), at_least)
                request = data.get("pending", {}).get("body", {}).get("requestId", "")
            elif "revision" in data:
                self.ledger.entry(task, revision, state, data["revision"], data["eventId"])
                revision = data["revision"]
                request = data["body"].get("requestId", "") if state == "input_required" else ""
                if state in TERMINAL:
                    self.ledger.seen(task, state, revision, data["body"])
            if request or (not patient and self.rng.random() < 0.1):
                break
        if state in TERMINAL:
            return self.show(task)
        if self.ledger.tasks[task].call.network == "xmpp" and not self.xmpp.connected():
            return
        if request and (patient or self.rng.random() < 0.7):
            return self.answer(task, request, revision)
        if not patient and self.rng.random() < 0.5:
            return self.cancel(task)

    def show(self, task):
        at_least = self.ledger.revision(task)
        status, answer = self.control.request("GET", f"/v1/tasks/{task}")
        if status not in OK:
            return self.refused(task, "itself", status, answer)
        self.ledger.seen(task, answer["state"], answer["revision"], answer.get("outcome"), at_least)
        if self.ledger.tasks[task].call.network == "mcp":
            shown, wrong = self.mcp.get(task)
            if wrong:
                return self.refused(task, "itself", *wrong)
            self.ledger.shown(task, shown)

    def answer_by_mcp(self, task):
        asked, wrong = self.mcp.get(task)
        if not wrong:
            responses, words = answers_to(asked.get("inputRequests", {}))
            _, wrong = self.mcp.update(task, responses)
        if wrong:
            return self.refused(task, "an answer", *wrong)
        for key, word in words.items():
            self.ledger.answer_acknowledged(task, key, word, None)

    def answer(self, task, request, revision):
        """The word is made of the request, so that a repetition is the same."""
        known, word = self.ledger.tasks[task], f"word-{request[-8:]}"
        if known.call.network == "mcp":
            return self.answer_by_mcp(task)
        taken = request in known.answers
        taken_at, refusal = self.give(known.call, task, request, revision, {"word": word})
        if taken_at is not None:
            self.ledger.answer_acknowledged(task, request, word, taken_at)
        elif refusal in CONFLICT and taken:
            self.ledger.repeat_refused(task, "answer", refusal)
        elif refusal not in CONFLICT:
            self.refused(task, "an answer", refusal, {})

    def give(self, call, task, request, revision, value):
        """(the revision at which the answer was taken, None) or (None, the refusal)."""
        if call.network == "xmpp":
            return taken_by_xmpp(self.xmpp.provide_input(call.endpoint, task, request, revision, value))
        return taken_by_control(self.control.request("POST", f"/v1/tasks/{task}/answer", {
            "request": request, "value": value}))

    def cancel(self, task):
        known = self.ledger.tasks[task]
        taken = known.cancelled_at >= 0
        expected = known.cancel_expected if taken else known.revision
        if known.call.network == "mcp":
            _, wrong = self.mcp.cancel(task)
            return self.refused(task, "a cancellation", *wrong) if wrong else None
        if known.call.network == "xmpp":
            answer = self.xmpp.cancel(known.call.endpoint, task, expected)
            taken_at, refusal = taken_by_xmpp(answer)
        else:
            answer = self.control.request("POST", f"/v1/tasks/{task}/cancel", {})
            taken_at, refusal = taken_by_control(answer)
        if taken_at is not None:
            self.ledger.cancel_acknowledged(task, taken_at, expected)
        elif refusal in CONFLICT and taken:
            self.ledger.repeat_refused(task, "cancellation", refusal)
        elif refusal not in CONFLICT:
            self.refused(task, "a cancellation", refusal, {})

    def refused(self, what, doing, refusal, answer):
        if refusal in REFUSED_NOW:
            self.ledger.counts["refused"] += 1
            self.turned_away.set()
            if isinstance(refusal, int) and answer and not answer["error"]["message"]:
                self.ledger.violated(f"refused without a word: {what}, {doing}")
        elif refusal in NOT_FOUND and what in self.ledger.tasks:
            self.ledger.missing(what)
        else:
            self.ledger.violated(f"refused: {what}, {doing}: {refusal} {answer}")


def taken_by_control(answer):
    status, body = answer
    return (body["revision"], None) if status in OK else (None, status)


def taken_by_xmpp(answer):
    element, condition = answer
    return (int(element.get("revision")), None) if element is not None else (None, condition)


class Load:
    """Several workers against one life of the gateway."""

    def __init__(self, clients, name, workers):
        self.over, self.turned_away = threading.Event(), threading.Event()
        self.workers = [Worker(clients, f"{name}-{number}", random.Random(f"{name}-{number}"),
                               turned_away=self.turned_away)
                        for number in range(workers)]
        self.threads = [threading.Thread(target=worker.live, args=(self.over,))
                        for worker in self.workers]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.over.set()
        for worker in self.workers:
            worker.interrupt()  # it may follow what does not end
        for thread in self.threads:
            thread.join()


def settle(clients, calls, within):
    """Repeats of the calls those that were never acknowledged, answers what is asked, and waits for
    every end; what is open after `within` seconds stays so."""
    until, pause = time.monotonic() + within, threading.Event()
    ledger = clients.ledger
    if not clients.xmpp.wait_connected(within):
        ledger.violated("the component does not connect")

    def finish(call):
        worker = Worker(clients, "settle", random.Random(0), timeout=within)
        try:
            while not call.settled and time.monotonic() < until:
                worker.call(call)
                if worker.turned_away.is_set():
                    pause.wait(0.2)  # as a client would, before it repeats the request
            while call.task in ledger.open and time.monotonic() < until:
                worker.tend(call.task, patient=True)
        finally:
            worker.close()

    # Those that ask hold places that others wait for; the others wait in the order of their ids.
    def order(call):
        known = ledger.tasks.get(call.task)
        return not known, known and known.state != "input_required", call.task

    with ThreadPoolExecutor(SETTLING_AT_ONCE) as pool:
        for ended in [pool.submit(finish, call) for call in sorted(calls, key=order)]:
            problem = ended.exception()
            if isinstance(problem, Cut) and clients.gateway.alive():
                continue  # nothing came any more: it is still open, and said to be stuck
            if problem:
                raise problem


def listed(socket):
    """The ids of all tasks, as the gateway lists them."""
    control, found, after = Control(socket), [], ""
    try:
        while after is not None:
            status, page = control.request("GET", f"/v1/tasks?limit=100{after}")
            if status not in OK:
                raise Cut(f"the list of tasks: {status} {page}")
            found += [task["id"] for task in page["tasks"]]
            after = f"&after={page['next']}" if "next" in page else None
    finally:
        control.close()
    return found
