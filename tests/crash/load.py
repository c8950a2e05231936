"""The load: threads that call, follow, answer, cancel and repeat, and tell the ledger everything."""
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from crash.control import Control, Cut
from crash.gateway import ENDPOINTS, REPEATING
from crash.ledger import TERMINAL, Call

# How many of a hundred new calls are of which tool.
MIX = {"quick": 30, "steps": 20, "ask.later": 20, "ask.now": 10, "slow": 20}
SETTLING_AT_ONCE = 64
OK, NOT_FOUND, CONFLICT = (200, 201), 404, 409
REFUSED_NOW = (429, 503, 507)  # to be repeated as it is


class Worker:
    """One client with one connection."""

    def __init__(self, ledger, gateway, socket, name, rng):
        self.ledger, self.gateway, self.name, self.rng = ledger, gateway, name, rng
        self.control = Control(socket)
        self.made = 0
        self.turned_away = threading.Event()  # something was refused for now

    def live(self, over):
        """Loads until `over` is set, or until the gateway ends."""
        try:
            while not over.is_set() and not self.turned_away.is_set():
                self.step()
        except Cut as cut:
            if not self.gateway.ending.is_set():
                self.ledger.violated(f"cut off by a gateway that was to live: {cut}")
        finally:
            self.control.close()

    def step(self):
        unacknowledged = self.ledger.some_unacknowledged()
        roll = self.rng.random()
        if unacknowledged and roll < 0.3:
            return self.call(self.rng.choice(unacknowledged))
        open_tasks = self.ledger.some_open()
        if open_tasks and roll < 0.5:
            return self.tend(self.rng.choice(open_tasks))
        if open_tasks and roll < 0.55:
            return self.call(self.ledger.tasks[self.rng.choice(open_tasks)].call)  # a repetition
        call = self.new_call()
        self.call(call)
        if call.task and self.rng.random() < 0.6:
            self.tend(call.task)

    def new_call(self):
        self.made += 1
        tool = self.rng.choices(list(MIX), MIX.values())[0]
        endpoint = self.rng.choices([name for name, *_ in ENDPOINTS], (6, 2, 2))[0]
        arguments = {"key": f"{self.name}-{self.made}"}
        if tool == "steps":
            arguments.update(steps=self.rng.randint(0, 6), pause=self.rng.randint(0, 20))
        if tool == "slow":
            arguments.update(pause=self.rng.randint(0, 150))
        call = Call(arguments["key"], endpoint, tool, arguments, endpoint in REPEATING)
        self.ledger.sent(call)
        return call

    def call(self, call):
        status, answer = self.control.request("POST", "/v1/calls", {
            "endpoint": call.endpoint, "tool": call.tool, "arguments": call.arguments,
            "requestKey": call.key})
        if status in OK:
            self.ledger.acknowledged(call.key, answer["task"])
        elif status in REFUSED_NOW and answer["error"]["message"]:
            self.ledger.counts["refused"] += 1
            self.turned_away.set()
        else:
            self.ledger.violated(f"refused: {call.key} with {status} {answer}")

    def tend(self, task, patient=False):
        """Follows a task to its end or to a question, and does something about it. `patient`:
        nothing is cancelled, and every question gets its answer."""
        at_least, request, state = self.ledger.revision(task), "", ""
        for kind, data in self.control.events(task):
            if kind == "refused":
                return self.refused(task, "its events", data)
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
        if request and (patient or self.rng.random() < 0.7):
            return self.answer(task, request)
        if not patient and self.rng.random() < 0.5:
            return self.cancel(task)
        return None

    def show(self, task):
        at_least = self.ledger.revision(task)
        status, answer = self.control.request("GET", f"/v1/tasks/{task}")
        if status not in OK:
            return self.refused(task, "itself", {"status": status, "body": answer})
        return self.ledger.seen(task, answer["state"], answer["revision"], answer.get("outcome"),
                                at_least)

    def answer(self, task, request):
        """The word is made of the request, so that a repetition is the same."""
        word, taken = f"word-{request[-8:]}", self.ledger.tasks[task].answers.get(request)
        status, answer = self.control.request("POST", f"/v1/tasks/{task}/answer", {
            "request": request, "value": {"word": word}})
        if status in OK:
            self.ledger.answer_acknowledged(task, request, word, answer["revision"])
        elif status == CONFLICT and taken:
            self.ledger.repeat_refused(task, "answer", answer)
        elif status != CONFLICT:
            self.refused(task, "an answer", {"status": status, "body": answer})

    def cancel(self, task):
        taken = self.ledger.tasks[task].cancelled_at
        status, answer = self.control.request("POST", f"/v1/tasks/{task}/cancel", {})
        if status in OK:
            self.ledger.cancel_acknowledged(task, answer["revision"])
        elif status == CONFLICT and taken >= 0:
            self.ledger.repeat_refused(task, "cancellation", answer)
        elif status != CONFLICT:
            self.refused(task, "a cancellation", {"status": status, "body": answer})

    def refused(self, task, what, data):
        if data["status"] == NOT_FOUND:
            self.ledger.missing(task)
        elif data["status"] in REFUSED_NOW:
            self.turned_away.set()
        else:
            self.ledger.violated(f"refused: {task}, {what}: {data}")


class Load:
    """Several workers against one life of the gateway."""

    def __init__(self, ledger, gateway, socket, name, workers):
        self.over = threading.Event()
        self.workers = [Worker(ledger, gateway, socket, f"{name}-{number}",
                               random.Random(f"{name}-{number}")) for number in range(workers)]
        self.threads = [threading.Thread(target=worker.live, args=(self.over,))
                        for worker in self.workers]
        for thread in self.threads:
            thread.start()

    def wait_turned_away(self, within):
        """Whether every worker was refused something within so many seconds."""
        until = time.monotonic() + within
        return all(worker.turned_away.wait(until - time.monotonic()) for worker in self.workers)

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()


def settle(ledger, gateway, socket, calls, within):
    """Repeats of the calls those that were never acknowledged, answers what is asked, and waits for
    every end; what is open after `within` seconds stays so."""
    until, pause = time.monotonic() + within, threading.Event()

    def finish(call):
        worker = Worker(ledger, gateway, socket, "settle", random.Random(0))
        worker.control.connection.timeout = within
        try:
            while not call.task and time.monotonic() < until:
                worker.call(call)
                if worker.turned_away.is_set():
                    pause.wait(0.2)  # as a client would, before it repeats the request
            while call.task in ledger.open and time.monotonic() < until:
                worker.tend(call.task, patient=True)
        finally:
            worker.control.close()

    # Those that ask hold places that others wait for; the others wait in the order of their ids.
    def order(call):
        known = ledger.tasks.get(call.task)
        return not known, known and known.state != "input_required", call.task

    with ThreadPoolExecutor(SETTLING_AT_ONCE) as pool:
        for ended in [pool.submit(finish, call) for call in sorted(calls, key=order)]:
            problem = ended.exception()
            if isinstance(problem, Cut) and gateway.alive():
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
