"""The two namespaces on the wire: payloads as callers write them, answers as they read them."""
import hashlib
import json
import secrets
from base64 import b64encode, urlsafe_b64encode
from xml.etree import ElementTree as ET

CLIENT = "jabber:client"
INFO = "http://jabber.org/protocol/disco#info"
ITEMS = "http://jabber.org/protocol/disco#items"
RSM = "http://jabber.org/protocol/rsm"
SEARCH = "jabber:iq:search"
FORM = "jabber:x:data"
HASHES = "urn:xmpp:hashes:2"
PING = "urn:xmpp:ping"
VCARD = "vcard-temp"
API = "urn:xmpp:agent-api:0"
TASK = "urn:xmpp:agent-task:0"
DIRECTORY = "urn:xmpp:agent-directory:0"
CONDITIONS = "urn:ietf:params:xml:ns:xmpp-stanzas"

NOT_FOUND = "item-not-found/cancel"
CONFLICT = "conflict/cancel"
BAD = "bad-request/modify"
UNACCEPTABLE = "not-acceptable/modify"
FORBIDDEN = "forbidden/auth"
TOO_EARLY = "unexpected-request/wait"
TOO_MUCH = "resource-constraint/wait"
NOT_SERVED = "service-unavailable/cancel"

TERMINAL = ("completed", "failed", "cancelled")


def element(space, name, attributes=None, *children):
    """Children are elements, or text. Attributes that are None are left out."""
    made = ET.Element(f"{{{space}}}{name}",
                      {key: value for key, value in (attributes or {}).items() if value is not None})
    for child in children:
        if isinstance(child, str):
            made.text = (made.text or "") + child
        elif child is not None:
            made.append(child)
    return made


def child(parent, space, name):
    return parent.find(f"{{{space}}}{name}")


def children(parent, space, name):
    return parent.findall(f"{{{space}}}{name}")


def condition(answer):
    """"item-not-found/cancel" of an error, "" of a result."""
    if answer.get("type") != "error":
        return ""
    error = child(answer, CLIENT, "error")
    names = [part.tag.rpartition("}")[2] for part in error if part.tag.startswith(f"{{{CONDITIONS}}}")]
    return f"{names[0]}/{error.get('type')}"


def bare_error(answer):
    """The bytes of an error without what any two answers differ in."""
    return ET.tostring(child(answer, CLIENT, "error"))


def features(info):
    return {feature.get("var") for feature in children(info, INFO, "feature")}


def form_fields(parent):
    form = child(parent, FORM, "x")
    return {field.get("var"): [value.text or "" for value in children(field, FORM, "value")]
            for field in children(form, FORM, "field")}


def sha256(text):
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def hash_element(value, algorithm="sha-256"):
    return element(HASHES, "hash", {"algo": algorithm}, value)


def hash_in(parent):
    return child(parent, HASHES, "hash").text


def tools_node(version):
    return f"urn:xmpp:agent-tools:0#{version}"


def tool_node(version, tool):
    name = urlsafe_b64encode(tool.encode()).decode().rstrip("=")
    return f"urn:xmpp:agent-tool:0#{version}#{name}"


def disco(space, node=None, *inside):
    return element(space, "query", {"node": node}, *inside)


def page(**wanted):
    """A result set request (XEP-0059): page(max=2, after="...")."""
    return element(RSM, "set", {}, *(element(RSM, name, {}, str(value))
                                     for name, value in wanted.items()))


def ping():
    return element(PING, "ping")


def new_id():
    return secrets.token_urlsafe(24)


def arguments_element(name, value):
    text = value if isinstance(value, str) else json.dumps(value)
    return element(TASK, name, {"media-type": "application/json"}, text)


def invoke(pins, tool, arguments, request=None, deadline=None):
    """`pins`: (version, hash); `arguments`: a value, or JSON text as it is."""
    version, digest = pins
    return element(TASK, "invoke",
                   {"request-id": request or new_id(), "tool": tool, "api-version": version},
                   element(TASK, "manifest-hash", {}, hash_element(digest)),
                   arguments_element("arguments", arguments),
                   None if deadline is None else element(TASK, "deadline", {}, deadline))


def task_state(task):
    return element(TASK, "task-state-request", {"task-id": task})


def task_result(task):
    return element(TASK, "task-result-request", {"task-id": task})


def provide_input(task, request, revision, value):
    return element(TASK, "provide-input",
                   {"task-id": task, "request-id": request, "expected-revision": str(revision)},
                   arguments_element("input", value))


def cancel(task, revision, reason=None):
    return element(TASK, "cancel", {"task-id": task, "expected-revision": str(revision)},
                   None if reason is None else element(TASK, "reason", {}, reason))


class Event:
    """A lifecycle message: exactly one direct child, its attributes and its JSON."""

    def __init__(self, message):
        self.message = message
        self.sender, self.to, self.id = message.get("from"), message.get("to"), message.get("id")
        self.element = child(message, TASK, "event")
        self.task = self.element.get("task-id")
        self.revision = int(self.element.get("revision"))
        self.type = self.element.get("type")
        self.text = self.element.text
        self.body = json.loads(self.text)

    @property
    def terminal(self):
        return self.type in TERMINAL
