"""What was promised and what was seen, kept outside of the gateway, and what breaks a promise.

Everything that the load learns goes in here; whatever contradicts what is known already is kept as
a violation, one line of text. Nothing is asked of the gateway here, so that the rules can be tested
by themselves.
"""
import json
import threading
from collections import Counter, deque
from dataclasses import dataclass, field

TERMINAL = ("completed", "failed", "cancelled")
EXPECTED_FAILURE = "unavailable"  # of what a crash interrupted: the agents fail nothing themselves


@dataclass
class Call:
    """One request that was sent, acknowledged or not."""

    key: str
    endpoint: str
    tool: str
    arguments: dict
    network: str = "local"
    may_repeat: bool = False  # its endpoint runs interrupted work again, as its operator said
    task: str = ""            # "" until it is acknowledged
    # Over MCP:
    as_task: bool = False     # the caller takes tasks
    loose: bool = False       # it has no key of its own: nobody can repeat it, its caller's end is its own
    answer: tuple = ()        # (text, is an error), where its end was told without a task
    words: set = field(default_factory=set)  # that its questions were answered with

    @property
    def settled(self):
        """Its caller knows its task, or its end."""
        return bool(self.task or self.answer)


@dataclass
class Known:
    """What is known of one task."""

    call: Call
    revision: int = -1
    states: dict = field(default_factory=dict)    # revision -> state
    events: dict = field(default_factory=dict)    # revision -> event id
    end: tuple = ()                               # (state, revision, outcome) once it is terminal
    answers: dict = field(default_factory=dict)   # request id -> (word, acknowledged revision)
    cancelled_at: int = -1                        # acknowledged revision of the cancellation
    cancel_expected: int = -1                     # the revision that it was said to expect

    @property
    def state(self):
        return self.states.get(self.revision, "")


def code_of(outcome):
    return ((outcome or {}).get("error") or {}).get("code")


def result_of(outcome):
    """What the agent under test wrote as its result; {} if it is none of its."""
    try:
        return json.loads(outcome["result"]["content"][0]["text"])
    except (KeyError, IndexError, TypeError, ValueError):
        return {}


def as_everywhere(outcome):
    """Without what MCP alone carries: the type of a modern server's result."""
    if not isinstance((outcome or {}).get("result"), dict):
        return outcome
    result = {name: value for name, value in outcome["result"].items() if name != "resultType"}
    return {**outcome, "result": result}


def answer_of(result):
    """What the result of tools/call says."""
    return (result.get("content") or [{}])[0].get("text", ""), bool(result.get("isError"))


class Ledger:
    """Calls and tasks, from any thread."""

    def __init__(self):
        self.lock = threading.RLock()
        self.calls = {}  # key -> Call
        self.tasks = {}  # task id -> Known
        self.unacknowledged = {}  # key -> Call
        self.open = {}            # task id -> Known, until its end was seen
        self.early = {}           # task id -> what was heard of it before its acknowledgement
        self.last_answered = deque(maxlen=50)
        self.unbound = set()      # tasks of calls over MCP whose callers were told no id
        self.violations = []
        self.counts = Counter()

    def violated(self, text):
        with self.lock:
            self.violations.append(text)

    # What was sent and acknowledged.

    def sent(self, call):
        with self.lock:
            self.calls[call.key] = call
            if not call.loose:
                self.unacknowledged[call.key] = call

    def acknowledged(self, key, task):
        """The gateway said that the call of the key is this task."""
        with self.lock:
            call = self.calls[key]
            if call.task and call.task != task:
                self.violated(f"doubled: the request {key} was {call.task}, and again is {task}")
                return
            known = self.tasks.get(task)
            if known and known.call is not call:
                self.violated(f"mixed up: {key} and {known.call.key} are both the task {task}")
                return
            if not call.task:
                call.task = task
                self.tasks[task] = self.open[task] = Known(call)
                self.unacknowledged.pop(key, None)
                for event in self.early.pop(task, ()):
                    self.notified(task, *event)
                self.counts["tasks"] += 1

    def answered(self, key, result):
        """The end of a call over MCP, told as the answer to it."""
        with self.lock:
            call, answer = self.calls[key], answer_of(result)
            if call.answer and call.answer != answer:
                self.violated(f"terminal changed: {key} was answered {call.answer}, now {answer}")
            if not call.answer:
                self.counts["answers over MCP"] += 1
                self.last_answered.append(call)
            call.answer = answer
            self.unacknowledged.pop(key, None)
            if call.task:
                self.shown(call.task, {"status": "completed", "result": result})
            else:
                self._check_answer(call, answer)

    def _check_answer(self, call, answer):
        text, is_error = answer
        if is_error:
            if f"({EXPECTED_FAILURE})" not in text:
                self.violated(f"failed: {call.key} with {text}")
            return
        try:
            result = json.loads(text)
        except ValueError:
            result = {}
        if result.get("key") != call.key:
            self.violated(f"mixed up: {call.key} was answered {text}")
        if call.words and result.get("word") not in call.words:
            self.violated(f"answer lost: {call.key} was answered {call.words}, completed with {text}")

    def answer_acknowledged(self, task, request, word, revision):
        with self.lock:
            known = self.tasks[task]
            before = known.answers.setdefault(request, (word, revision))
            if before != (word, revision):
                self.violated(f"answer: {task} took {request} at {before}, now {(word, revision)}")

    def cancel_acknowledged(self, task, revision, expected=-1):
        with self.lock:
            known = self.tasks[task]
            known.cancel_expected = expected
            if known.cancelled_at not in (-1, revision):
                self.violated(f"cancel: {task} took it at {known.cancelled_at}, now {revision}")
            known.cancelled_at = revision

    def repeat_refused(self, task, what, answer):
        """What was acknowledged before is no longer known as such."""
        self.violated(f"forgotten: the {what} that {task} had taken is refused: {answer}")

    # What was seen.

    def revision(self, task):
        """To be asked before a request; what it then shows is not older than this."""
        with self.lock:
            return self.tasks[task].revision

    def missing(self, task):
        self.violated(f"lost: the acknowledged task {task} is not there"
                      f" ({self.tasks[task].call.key})")

    def seen(self, task, state, revision, outcome=None, at_least=-1):
        """A snapshot; `at_least` is what was known before it was asked for."""
        with self.lock:
            known = self.tasks[task]
            if revision < at_least:
                self.violated(f"went back: {task} was at revision {at_least}, now is {revision}")
            self._state(task, known, state, revision)
            if state in TERMINAL:
                self._end(task, known, state, revision, outcome)

    def shown(self, task, shown):
        """What tasks/get says of a task whose end is known already: the same, in MCP's words."""
        with self.lock:
            known = self.tasks[task]
            if not known.end:
                return
            state, _, outcome = known.end
            said = (shown["status"], *answer_of(shown.get("result", {})))
            if state == "cancelled":
                same = said[0] == "cancelled" or said[2]
            elif state == "failed":
                same = said[0] == "completed" and said[2]
            else:
                same = said == ("completed", outcome["result"]["content"][0]["text"], False)
            if not same:
                self.violated(f"terminal changed: {task} was {known.end}, over MCP it is {said}")
            self.counts["shown over MCP"] += 1

    def entry(self, task, previous, state, revision, event_id):
        """An event that a stream gave after the revision `previous`."""
        with self.lock:
            known = self.tasks[task]
            if revision != previous + 1:
                self.violated(f"gap: {task} went from revision {previous} to {revision}")
            self._event(task, known, revision, event_id)
            self._state(task, known, state, revision)
            self.counts["events"] += 1

    def notified(self, task, revision, event_id, state, body):
        """An event that came by itself; `state` is None where it says nothing about it. Whoever
        sent a request and never heard its answer may hear of a task that it cannot know."""
        with self.lock:
            known = self.tasks.get(task)
            if known is None:
                self.early.setdefault(task, []).append((revision, event_id, state, body))
                return
            self.counts["notifications"] += 1
            self._event(task, known, revision, event_id)
            if state:
                self._state(task, known, state, revision)
            if state in TERMINAL:
                self._end(task, known, state, revision, body)

    def _event(self, task, known, revision, event_id):
        before = known.events.setdefault(revision, event_id)
        if before != event_id:
            self.violated(f"event: {task} had {before} at {revision}, now {event_id}")

    def _state(self, task, known, state, revision):
        before = known.states.setdefault(revision, state)
        if before != state:
            self.violated(f"changed: {task} was {before} at revision {revision}, now {state}")
        if known.end and revision > known.end[1]:
            self.violated(f"after the end: {task} was {known.end[0]}, now is {state}")
        if revision > known.revision:
            known.revision = revision

    def _end(self, task, known, state, revision, outcome):
        end = (state, revision, as_everywhere(outcome))
        if known.end and known.end != end:
            self.violated(f"terminal changed: {task} was {known.end}, now {end}")
        if not known.end:
            known.end = end
            if state == "failed" and code_of(outcome) != EXPECTED_FAILURE:
                self.violated(f"failed: {task} ({known.call.key}) with {outcome}")
            self.open.pop(task, None)
            self.counts[state] += 1

    # What must hold in the end, with nothing at work.

    def some_open(self):
        with self.lock:
            return list(self.open)

    def some_repeatable(self):
        """Calls that were acknowledged, or answered, and whose repetition is the same call."""
        with self.lock:
            known = [known.call for known in self.open.values()] + list(self.last_answered)
            return [call for call in known if not call.loose]

    def unsettled(self):
        """The calls whose end is not known, or whose task is not."""
        with self.lock:
            return [known.call for known in self.open.values()] + list(self.unacknowledged.values())

    def some_unacknowledged(self):
        with self.lock:
            return list(self.unacknowledged.values())

    def check_settled(self):
        """After everything was answered and waited for."""
        with self.lock:
            for task in self.open:
                self.violated(f"stuck: {task} is {self.tasks[task].state or 'unseen'} for ever"
                              f" ({self.tasks[task].call.key})")
            for call in self.unacknowledged.values():
                self.violated(f"stuck: the request {call.key} gets no answer")

    def bind(self, stored):
        """`stored`: (task, key, whether it has ended) of everything. Who was told no id of a call over
        MCP, since it was answered at once or had nobody to be told, learns it here."""
        with self.lock:
            bound = {}
            for task, key, ended in stored:
                call = self.calls.get(key)
                if call is None or call.task or not (call.answer or call.loose):
                    continue
                if key in bound:
                    self.violated(f"doubled: {bound[key]} and {task} are both stored for {key}")
                bound[key] = task
                if not ended and (call.answer or task in self.unbound):
                    self.violated(f"stuck: {task} ({key}), whose caller is gone or was answered")
                self.unbound.add(task)
            for key, call in self.calls.items():
                if call.answer and not call.task and key not in bound:
                    self.violated(f"lost: {key} was answered, and is not stored")

    def check_listed(self, listed):
        """`listed`: the ids of every task that the gateway lists."""
        with self.lock:
            for task, times in Counter(listed).items():
                if times > 1:
                    self.violated(f"listed twice: {task}")
                if task not in self.tasks and task not in self.unbound:
                    self.violated(f"doubled: {task} is listed, and was acknowledged to nobody")
            for task in self.tasks.keys() - set(listed):
                self.violated(f"lost: the acknowledged task {task} is not listed")

    def check_executions(self, lines):
        """`lines`: the agents' journal, read when none of them is left."""
        done = Counter(tuple(line.split()[:2]) for line in lines)
        with self.lock:
            for (key, phase), times in done.items():
                call = self.calls.get(key)
                if call is None:
                    self.violated(f"executed: {key}, which nobody had asked for")
                elif times > 1 and not call.may_repeat:
                    self.violated(f"executed {times} times: {key} {phase}")
                if phase == "again" and (key, "start") not in done:
                    self.violated(f"executed: {key} was resumed and never started")
            for known in self.tasks.values():
                self._check_result(known, done)
            for call in self.calls.values():
                if call.answer and not call.answer[1] and not done[(call.key, "start")]:
                    self.violated(f"invented: {call.key} was answered and never executed")
            self.counts["executions"] = sum(done.values())

    def _check_result(self, known, done):
        call, end = known.call, known.end
        if not end or end[0] != "completed":
            return
        if not done[(call.key, "start")]:
            self.violated(f"invented: {call.key} was completed and never executed")
        result = result_of(end[2])
        if result.get("key") != call.key:
            self.violated(f"mixed up: {call.key} was completed with {result}")
        words = [word for word, _ in known.answers.values()]
        if words and result.get("word") not in words:
            self.violated(f"answer lost: {call.key} was answered {words}, completed with {result}")
