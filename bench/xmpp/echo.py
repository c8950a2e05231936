#!/usr/bin/python3 -B
"""The component that the gateway is compared with: answers every IQ with the same bytes, at once, and
reads nothing but start tags.

    echo.py ADDRESS:PORT DOMAIN SECRET, then on standard input {"answer": XML, "message": XML}
"""
import hashlib
import json
import re
import socket
import sys

START_TAG = re.compile(rb"<iq\b[^>]*>")
ATTRIBUTES = {name: re.compile(rb"\b" + name + rb"""=['"]([^'"]*)['"]""")
              for name in (b"from", b"to", b"id")}


def read_until(link, end):
    got = b""
    while end not in got:
        piece = link.recv(4096)
        if not piece:
            sys.exit(f"the server says {got.decode()}")
        got += piece
    return got


def reply(tag, answer, message):
    sender, to, name = (ATTRIBUTES[key].search(tag)[1] for key in (b"from", b"to", b"id"))
    ends = b" from='" + to + b"' to='" + sender + b"' id='" + name
    said = b"<iq type='result'" + ends + b"'>" + answer + b"</iq>"
    return said + b"<message" + ends + b"'>" + message + b"</message>" if message else said


def main():
    server, domain, secret = sys.argv[1:]
    address, port = server.rsplit(":", 1)
    link = socket.create_connection((address, int(port)))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link.sendall(f"<stream:stream xmlns='jabber:component:accept' to='{domain}' "
                 "xmlns:stream='http://etherx.jabber.org/streams'>".encode())
    stream = re.search(rb"""\bid=['"]([^'"]+)""", read_until(link, b"id="))
    digest = hashlib.sha1(stream[1] + secret.encode()).hexdigest()
    link.sendall(f"<handshake>{digest}</handshake>".encode())
    read_until(link, b"<handshake")
    print("{}", flush=True)
    said = json.loads(sys.stdin.readline())
    answer, message = said["answer"].encode(), said["message"].encode()
    rest = b""
    while piece := link.recv(262144):
        data = rest + piece
        last = data.rfind(b"<")
        whole = data.find(b">", last) >= 0
        rest = b"" if whole else data[last:]
        tags = START_TAG.findall(data if whole else data[:last])
        if tags:
            link.sendall(b"".join(reply(tag, answer, message) for tag in tags))


main()
