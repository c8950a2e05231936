#!/usr/bin/python3 -B
"""The load of bench/xmpp/compare: accounts on a server, each with so many requests under way. No XML
is read: an answer is known by its start tag, so that this program is not what is measured.

    in   {"ask": XML, "until": TAG}                 one IQ; all that comes until then is
    out  {"answer": XML}
    in   {"run": {"to": JID, "payload": XML, "outstanding": N, "seconds": S}}
    out  {"answers": N, "seconds": S, "p50": MS, "p99": MS, "refused": N, "first_refusal": XML, "cpu": S}

In a payload @ stands for an identifier that is fresh in every request.
"""
import argparse
import base64
import json
import re
import select
import socket
import sys
import time

START_TAG = re.compile(rb"<iq\b[^>]*>")
ID = re.compile(rb"""\bid=['"]q(\d+)['"]""")
ERROR = re.compile(rb"""\btype=['"]error['"]""")
STREAM = ("<?xml version='1.0'?><stream:stream xmlns='jabber:client' version='1.0' to='{}' "
          "xmlns:stream='http://etherx.jabber.org/streams'>")
PATIENCE = 60  # seconds for one answer
DRAIN_SECONDS = 60


class Session:
    def __init__(self, address, host, name, password):
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(PATIENCE)
        self.rest = b""
        self.exchange(STREAM.format(host), b"</stream:features>")
        secret = base64.b64encode(f"\0{name}\0{password}".encode()).decode()
        self.exchange("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
                      f"{secret}</auth>", b"<success")
        self.exchange(STREAM.format(host), b"</stream:features>")
        self.ask("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")

    def exchange(self, text, until):
        self.socket.sendall(text.encode())
        got = b""
        while until not in got:
            piece = self.socket.recv(65536)
            if not piece or b"<failure" in got or b"<stream:error" in got:
                sys.exit(f"the server says {got.decode()}")
            got += piece
        return got

    def ask(self, stanza, until="</iq>"):
        return self.exchange(stanza, until.encode()).decode()

    def answers(self):
        """The start tags of the answers that have come."""
        try:
            data = self.rest + self.socket.recv(262144, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        last = data.rfind(b"<")
        whole = data.find(b">", last) >= 0
        self.rest = b"" if whole else data[last:]
        return START_TAG.findall(data if whole else data[:last])


class Run:
    def __init__(self, sessions, wanted):
        self.sessions = sessions
        before, after = wanted["payload"].split("@")
        self.head = f"<iq type='set' to='{wanted['to']}' id='q"
        self.before, self.after = f"'>{before}", f"{after}</iq>"
        self.each = max(1, wanted["outstanding"] // len(sessions))
        self.used = sessions[:wanted["outstanding"]]
        self.seconds = wanted["seconds"]
        self.sent, self.took = {}, []
        self.refused, self.first_refusal = 0, ""

    def send(self, session, many):
        stanzas = []
        for _ in range(many):
            Run.number += 1
            stanzas.append(f"{self.head}{Run.number}{self.before}request-{Run.number:020}{self.after}")
            self.sent[Run.number] = time.monotonic()
        session.socket.sendall("".join(stanzas).encode())

    number = 0

    def take(self, session, now, answers):
        for tag in answers:
            found = ID.search(tag)
            began = self.sent.pop(int(found[1]), None) if found else None
            if began is None:
                continue
            self.took.append(now - began)
            if ERROR.search(tag):
                self.refused += 1
                self.first_refusal = self.first_refusal or tag.decode()

    def work(self):
        poll = select.poll()
        by_number = {session.socket.fileno(): session for session in self.used}
        for number in by_number:
            poll.register(number, select.POLLIN)
        cpu, begin = time.process_time(), time.monotonic()
        end = begin + self.seconds
        for session in self.used:
            self.send(session, self.each)
        now, measured = begin, None
        while self.sent:
            for number, _ in poll.poll(1000):
                session = by_number[number]
                answers = session.answers()
                now = time.monotonic()
                self.take(session, now, answers)
                if answers and now < end:
                    self.send(session, len(answers))
            if now >= end and measured is None:
                measured = (len(self.took), now - begin, time.process_time() - cpu)
            if time.monotonic() > end + DRAIN_SECONDS:
                sys.exit(f"{len(self.sent)} requests have no answer")
        return self.report(*(measured or (len(self.took), now - begin, time.process_time() - cpu)))

    def report(self, answers, seconds, cpu):
        self.took.sort()
        part = lambda share: 1000 * self.took[int(share * (len(self.took) - 1))]
        return {"answers": answers, "seconds": seconds, "p50": part(0.5), "p99": part(0.99), "cpu": cpu,
                "refused": self.refused, "first_refusal": self.first_refusal}


def main():
    parser = argparse.ArgumentParser(prog="load", description=__doc__)
    parser.add_argument("--server", required=True, metavar="ADDRESS:PORT")
    parser.add_argument("--host", required=True)
    parser.add_argument("--user", action="append", required=True, metavar="NAME:PASSWORD")
    options = parser.parse_args()
    address, port = options.server.rsplit(":", 1)
    sessions = [Session((address, int(port)), options.host, *user.split(":"))
                for user in options.user]
    print(json.dumps({"online": len(sessions)}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        if "ask" in command:
            said = {"answer": sessions[0].ask(command["ask"], command["until"])}
        else:
            said = Run(sessions, command["run"]).work()
        print(json.dumps(said), flush=True)


main()
