"""The walk-through: what ./start prints, and what ./start --try runs, are the same commands."""
import os
import re
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field


@dataclass
class Step:
    title: str
    commands: str
    expect: list = field(default_factory=list)  # patterns that the output has, in any order


def steps(folder, program):
    config = os.path.join(folder, "interline.toml")
    call = f"/usr/bin/python3 examples/xmpp/call.py --account {folder}"
    return [
        Step("Once in a shell, in this folder",
             f'export PATH="{absolute(os.path.dirname(program))}:$PATH" INTERLINE_CONFIG={absolute(config)}'),
        Step("See what is served", "interline endpoints list",
             ["weather", "counter", "concierge", "sleeper"]),
        Step("A first call, through the gateway's own socket",
             """interline call weather forecast.get '{"city": "Oslo"}'""", ["Oslo"]),
        Step("The same agent over XMPP: alice asks who is there, and calls",
             f"""{call}/alice.json --list agents.example.test
{call}/alice.json weather@agents.example.test forecast.get '{{"city": "Oslo"}}'""",
             ["weather@agents.example.test", "accepted as", "completed"]),
        Step("Live progress", """interline call counter slow.count '{"to": 3, "seconds": 0.3}'""",
             ["I counted to 3"]),
        Step("A question, which bob answers",
             f"""echo '{{"name": "Bob"}}' | {call}/bob.json concierge@agents.example.test ask.name""",
             ["input_required", "Welcome, Bob"]),
        Step("A call that only ends when it is cancelled",
             """task=$(interline call --detach sleeper never.ends)
interline tasks cancel "$task"
interline tasks watch "$task" || true""", ["cancelled"]),
        Step("The proof: kill the gateway in the middle of two calls, start it again, and go on",
             f"""asked=$(interline call --detach concierge ask.name)
counting=$(interline call --detach counter slow.count '{{"to": 500}}')
kill -9 "$(cat {folder}/data/interline.pid)"
interline serve -c {config} >>{folder}/interline.log 2>&1 &
until interline tasks show "$asked" 2>/dev/null; do sleep 0.2; done
interline tasks show "$counting"
interline tasks answer "$asked" '{{"name": "Ada"}}'
interline tasks watch "$asked\"""", ["input_required", "unavailable", "Welcome, Ada"]),
    ]


def absolute(path):
    return path if os.path.isabs(path) else "$PWD/" + path


def text(folder, program):
    parts = []
    for number, step in enumerate(steps(folder, program)):
        parts.append(f"{number}. {step.title}\n\n" + "".join(
            f"    {line}\n" for line in step.commands.splitlines()))
    return "\n".join(parts)


STEP_SECONDS = 300  # a step that takes longer hangs


class Shell:
    """One bash for all steps, as a reader has it."""

    DONE = "walk-through-step-done"

    def __init__(self, folder):
        self.script = tempfile.NamedTemporaryFile("w", prefix="interline-walk-through-")
        self.child = subprocess.Popen(["bash", "--norc"], cwd=folder, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      errors="replace", start_new_session=True)

    def run(self, commands):
        """What they print. They read nothing: the shell's own input is the next step."""
        self.script.seek(0)
        self.script.truncate()
        self.script.write(commands + "\n")
        self.script.flush()
        self.child.stdin.write(f"source {self.script.name} </dev/null; echo; echo {self.DONE}\n")
        self.child.stdin.flush()
        output = []
        limit = threading.Timer(STEP_SECONDS, self.end)
        limit.start()
        try:
            for line in self.child.stdout:
                if line.startswith(self.DONE):
                    return "".join(output)
                output.append(line)
        finally:
            limit.cancel()
        self.child.wait()
        return "".join(output) + "\nthe shell ended\n"

    def end(self):
        """With whatever it has started."""
        os.killpg(self.child.pid, signal.SIGKILL)

    def close(self):
        try:
            self.child.stdin.close()
        except BrokenPipeError:
            pass  # it was ended
        self.child.wait()
        self.script.close()


def try_all(root, folder, program):
    """Runs every step; gives the number that did not do what it says."""
    shell = Shell(root)
    failed = 0
    for number, step in enumerate(steps(folder, program)):
        output = shell.run(step.commands)
        missing = [pattern for pattern in step.expect if not re.search(pattern, output)]
        print(f"{'FAILED' if missing else 'ok':6} {number}. {step.title}", flush=True)
        if missing:
            failed += 1
            print(f"       expected {missing} in the output of\n{indented(step.commands)}\n"
                  f"       which was\n{indented(output)}", flush=True)
        if shell.child.poll() is not None:
            break
    shell.close()
    return failed


def indented(lines):
    return "\n".join("       | " + line for line in lines.strip().splitlines())
