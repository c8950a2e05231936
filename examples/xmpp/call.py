#!/usr/bin/python3
"""Calls a tool of an agent over XMPP, as an ordinary account: events and questions on standard error,
the result on standard output. Exit code 0 when the task completed without an error, 1 otherwise.

    call.py --account alice.json --list agents.example.test
    call.py --account alice.json weather@agents.example.test forecast.get '{"city": "Oslo"}'
"""
import argparse
import asyncio
import json
import secrets
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import slixmpp
from slixmpp.exceptions import IqError, IqTimeout
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath

API, TASK = "urn:xmpp:agent-api:0", "urn:xmpp:agent-task:0"
HASHES = "urn:xmpp:hashes:2"
TERMINAL = ("completed", "failed", "cancelled")


def say(*words):
    print(*words, file=sys.stderr, flush=True)


class Caller(slixmpp.ClientXMPP):
    def __init__(self, account, work):
        super().__init__(account["jid"], account["password"])
        self.ca_certs = Path(account["certificate"])
        self.events = asyncio.Queue()
        self.done = asyncio.get_event_loop().create_future()
        self.register_handler(Callback(
            "task event", MatchXPath(f"{{jabber:client}}message/{{{TASK}}}event"), self.on_event))
        self.add_event_handler("session_start", lambda _: asyncio.ensure_future(self.run(work)))
        self.add_event_handler("failed_auth", lambda _: self.finish("the server refused the password"))
        self.add_event_handler("connection_failed", lambda why: self.finish(f"no connection: {why}"))

    async def run(self, work):
        try:
            self.finish(await work(self))
        except IqError as error:
            self.finish(f"refused: {error.iq['error']['condition']} {error.iq['error']['text']}".rstrip())
        except IqTimeout:
            self.finish("no answer in time")

    def finish(self, outcome):
        if not self.done.done():
            self.done.set_result(outcome)

    def on_event(self, message):
        event = message.xml.find(f"{{{TASK}}}event")
        self.events.put_nowait((message["from"].bare, dict(event.attrib), json.loads(event.text)))

    async def ask(self, to, payload, kind="get"):
        """Sends an IQ and gives the answer's payload."""
        iq = self.make_iq(ito=to, itype=kind)
        iq.append(payload)
        answer = await iq.send(timeout=30)
        return answer.xml[0] if len(answer.xml) else None


async def list_agents(client, gateway):
    query = ET.Element("{http://jabber.org/protocol/disco#items}query")
    for item in await client.ask(gateway, query):
        if item.tag.endswith("item"):
            print(item.get("jid"), item.get("name") or "")
    return 0


def read_json(element):
    return json.loads("".join(element.itertext()))


async def call(client, agent, tool, arguments):
    # The call pins one exact manifest, by version and hash.
    manifest = await client.ask(agent, ET.Element(f"{{{API}}}manifest-request"))
    digest = manifest.find(f"{{{HASHES}}}hash")

    invoke = ET.Element(f"{{{TASK}}}invoke", {"request-id": secrets.token_urlsafe(24), "tool": tool,
                                              "api-version": manifest.get("version")})
    ET.SubElement(invoke, f"{{{TASK}}}manifest-hash").append(digest)
    payload = ET.SubElement(invoke, f"{{{TASK}}}arguments", {"media-type": "application/json"})
    payload.text = json.dumps(arguments)
    accepted = await client.ask(agent, invoke, "set")
    task = accepted.get("task-id")
    say("accepted as", task)

    revision = 0
    while True:
        sender, attributes, body = await client.events.get()
        if sender != agent or attributes["task-id"] != task or int(attributes["revision"]) <= revision:
            continue
        revision = int(attributes["revision"])
        say(f"{revision:>3} {attributes['type']}", json.dumps(body, ensure_ascii=False))
        if attributes["type"] == "input_required":
            await answer(client, agent, task, revision, body)
        elif attributes["type"] in TERMINAL:
            print(json.dumps(body, ensure_ascii=False))
            return 0 if attributes["type"] == "completed" and not body["result"].get("isError") else 1


async def answer(client, agent, task, revision, request):
    say(f"{request['question']} (one line of JSON that fits {json.dumps(request['inputSchema'])})")
    line = await asyncio.get_event_loop().run_in_executor(None, sys.stdin.readline)
    given = ET.Element(f"{{{TASK}}}provide-input", {
        "task-id": task, "request-id": request["requestId"], "expected-revision": str(revision)})
    ET.SubElement(given, f"{{{TASK}}}input", {"media-type": "application/json"}).text = line.strip()
    await client.ask(agent, given, "set")


async def end_all():
    """The library leaves tasks behind; whatever is pending when the loop ends is warned about."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


async def main():
    parser = argparse.ArgumentParser(prog="call.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--account", required=True, help="a JSON file: jid, password, host, port, certificate")
    parser.add_argument("--list", action="store_true", help="list the agents of a gateway")
    parser.add_argument("address", help="an agent's address; with --list a gateway's")
    parser.add_argument("tool", nargs="?")
    parser.add_argument("arguments", nargs="?", default="{}", type=json.loads, help="JSON")
    options = parser.parse_args()
    if not options.list and not options.tool:
        parser.error("a tool's name is missing")
    account = json.loads(Path(options.account).read_text())

    async def work(client):
        if options.list:
            return await list_agents(client, options.address)
        return await call(client, options.address, options.tool, options.arguments)

    client = Caller(account, work)
    client.connect((account["host"], account["port"]))
    outcome = await client.done
    await client.disconnect()
    await end_all()
    if isinstance(outcome, str):
        say(outcome)
        return 1
    return outcome


if __name__ == "__main__":
    sys.exit(asyncio.get_event_loop().run_until_complete(main()))
