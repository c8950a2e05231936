"""Stand-ins for what an MCP server behind OAuth 2.1 consists of: the server as a protected resource (RFC
9728), and its authorization server (RFC 8414, 7591, 7636, 8707, 9207; OAuth 2.1), both of which hold every
request against the documented form, and keep what is wrong with it.
"""
import base64
import hashlib
import http.server
import json
import secrets
import threading
from urllib.parse import parse_qs, urlencode, urlsplit

LIFE = 3600  # seconds of a token, as it is said


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=None, **fields):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()

    def do_GET(self):
        self.server.owner.get(self, urlsplit(self.path))

    def do_POST(self):
        self.server.owner.post(self, urlsplit(self.path))

    def do_DELETE(self):
        self.reply(405)


class Served:
    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.owner = self
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class Grantor(Served):
    """The authorization server. `resource`: the only one that tokens are made for."""

    def __init__(self):
        super().__init__()
        self.resource = ""
        self.faults = []          # what was not as documented
        self.clients = {}         # client id -> its metadata
        self.codes = {}           # code -> what was asked for
        self.tokens = set()       # access tokens that are good
        self.refreshes = {}       # refresh token -> client id
        self.refreshed = 0
        self.answer = {}          # members of the next answer to the browser, in place of the true ones

    def get(self, request, url):
        if url.path == "/.well-known/oauth-authorization-server":
            return request.reply(200, {
                "issuer": self.url, "authorization_endpoint": self.url + "/authorize",
                "token_endpoint": self.url + "/token", "registration_endpoint": self.url + "/register",
                "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "token_endpoint_auth_methods_supported": ["none"],
                "authorization_response_iss_parameter_supported": True})
        if url.path == "/authorize":
            return self.authorize(request, url)
        return request.reply(404)

    def post(self, request, url):
        act = {"/register": self.register, "/token": self.token}.get(url.path)
        return act(request) if act else request.reply(404)

    def wrong(self, request, code, why):
        self.faults.append(why)
        request.reply(400, {"error": code, "error_description": why})

    def register(self, request):
        try:
            said = json.loads(request.body())
        except ValueError:
            return self.wrong(request, "invalid_client_metadata", "registration is no JSON")
        loopback = [uri for uri in said.get("redirect_uris", []) if urlsplit(uri).hostname == "127.0.0.1"]
        if not loopback or said.get("application_type") != "native":
            return self.wrong(request, "invalid_redirect_uri", f"registered as {said}")
        if not {"authorization_code", "refresh_token"} <= set(said.get("grant_types", [])):
            return self.wrong(request, "invalid_client_metadata", f"grant types of {said}")
        if said.get("token_endpoint_auth_method") != "none":
            return self.wrong(request, "invalid_client_metadata", f"no public client: {said}")
        client = "client-" + secrets.token_urlsafe(8)
        self.clients[client] = said
        return request.reply(201, {**said, "client_id": client})

    def authorize(self, request, url):
        """Whoever opens this consents."""
        asked = single(url.query)
        known = self.clients.get(asked.get("client_id"), {})
        back = urlsplit(asked.get("redirect_uri", ""))
        registered = [urlsplit(uri) for uri in known.get("redirect_uris", [])]
        if not any((one.hostname, one.path) == (back.hostname, back.path) for one in registered):
            return self.wrong(request, "invalid_request", f"redirect_uri of {asked}")
        for name, value in (("response_type", "code"), ("code_challenge_method", "S256"),
                            ("resource", self.resource)):
            if asked.get(name) != value:
                return self.wrong(request, "invalid_request", f"{name} of {asked}")
        if len(asked.get("code_challenge", "")) != 43 or len(asked.get("state", "")) < 22:
            return self.wrong(request, "invalid_request", f"code_challenge or state of {asked}")
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        answer = {"code": code, "state": asked["state"], "iss": self.url, **self.answer}
        self.answer = {}
        query = urlencode({name: value for name, value in answer.items() if value is not None})
        return request.reply(302, Location=f"{asked['redirect_uri']}?{query}")

    def token(self, request):
        if request.headers.get_content_type() != "application/x-www-form-urlencoded":
            return self.wrong(request, "invalid_request", "a token request that is no form")
        asked = single(request.body())
        if asked.get("resource") != self.resource:
            return self.wrong(request, "invalid_target", f"resource of {asked}")
        if asked.get("grant_type") == "refresh_token":
            return self.refresh(request, asked)
        return self.exchange(request, asked)

    def exchange(self, request, asked):
        granted = self.codes.pop(asked.get("code"), None)
        if asked.get("grant_type") != "authorization_code" or granted is None:
            return self.wrong(request, "invalid_grant", f"code of {asked}")
        digest = hashlib.sha256(asked.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge != granted["code_challenge"] or not 43 <= len(asked["code_verifier"]) <= 128:
            return self.wrong(request, "invalid_grant", "code_verifier")
        for name in ("client_id", "redirect_uri"):
            if asked.get(name) != granted[name]:
                return self.wrong(request, "invalid_grant", f"{name} of {asked}")
        return self.grant(request, asked["client_id"])

    def refresh(self, request, asked):
        client = self.refreshes.pop(asked.get("refresh_token"), None)
        if client is None or client != asked.get("client_id"):
            return request.reply(400, {"error": "invalid_grant"})  # it was withdrawn: no fault
        self.refreshed += 1
        return self.grant(request, client)

    def grant(self, request, client):
        access, refresh = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self.tokens.add(access)
        self.refreshes[refresh] = client
        request.reply(200, {"access_token": access, "token_type": "Bearer", "expires_in": LIFE,
                            "refresh_token": refresh}, Cache_Control="no-store")


class Resource(Served):
    """The MCP server, which takes what the grantor gave and answers with `answer(message)`."""

    def __init__(self, grantor, answer):
        super().__init__()
        self.grantor, self.answer = grantor, answer
        self.resource = grantor.resource = self.url + "/mcp"

    def get(self, request, url):
        if url.path == "/.well-known/oauth-protected-resource/mcp":
            return request.reply(200, {"resource": self.resource, "scopes_supported": ["mcp"],
                                       "authorization_servers": [self.grantor.url]})
        return request.reply(404 if url.path != "/mcp" else 405)

    def post(self, request, url):
        message = json.loads(request.body())
        shown = request.headers.get("Authorization", "")
        if shown.removeprefix("Bearer ") not in self.grantor.tokens:
            metadata = self.url + "/.well-known/oauth-protected-resource/mcp"
            error = 'error="invalid_token", ' if shown else ""
            return request.reply(401, WWW_Authenticate=f'Bearer {error}resource_metadata="{metadata}"')
        answer = self.answer(message)
        return request.reply(202) if answer is None else request.reply(200, answer)


def single(query):
    """The parameters, none of which may come twice (OAuth 2.1, 3.1)."""
    found = parse_qs(query, keep_blank_values=True)
    if any(len(values) != 1 for values in found.values()):
        return {}
    return {name: values[0] for name, values in found.items()}
