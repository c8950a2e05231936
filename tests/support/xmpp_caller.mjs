// xmpp_caller on another library that is not ours, xmpp.js: the same options and the same lines of
// JSON. It runs in a folder where @xmpp/client is installed, with NODE_EXTRA_CA_CERTS naming the
// server's certificate.
import { webcrypto } from "node:crypto";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

globalThis.crypto ??= webcrypto; // COMPAT(node 18): the library looks for it there
const installed = createRequire(`${process.cwd()}/`);
const take = (name) => import(pathToFileURL(installed.resolve(name)));
const { client, jid: parseJid } = await take("@xmpp/client");
const { default: parse } = await take("@xmpp/xml/lib/parse.js");

const { values: options } = parseArgs({
  options: {
    jid: { type: "string" },
    password: { type: "string" },
    server: { type: "string" },
    certificate: { type: "string" },
  },
});

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const account = parseJid(options.jid);
const xmpp = client({
  service: `xmpp://${options.server}`,
  domain: account.domain,
  resource: account.resource,
  username: account.local,
  password: options.password,
  timeout: 30_000, // for each step of logging in; a busy machine needs more than its 2 seconds
});
xmpp.reconnect.stop(); // the script decides

const asked = new Set();
xmpp.on("stanza", (stanza) => {
  stanza.attrs.xmlns = "jabber:client"; // which it had from its stream
  if (!stanza.is("iq")) say({ stanza: stanza.toString() });
  else if (asked.delete(stanza.attrs.id)) say({ answer: stanza.attrs.id, stanza: stanza.toString() });
});
xmpp.on("error", (error) => say({ failed: String(error) }));
xmpp.on("offline", () => process.exit(0));

function obey(line) {
  const command = JSON.parse(line);
  if (command.send) return xmpp.send(parse(command.send));
  const iq = parse("<iq/>");
  Object.assign(iq.attrs, { id: command.iq, to: command.to, type: command.type });
  iq.append(parse(command.payload));
  asked.add(command.iq);
  return xmpp.send(iq);
}

xmpp.on("online", (address) => {
  say({ online: address.toString() });
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => obey(line).catch((error) => say({ failed: String(error) })));
  lines.on("close", () => xmpp.stop());
});
xmpp.start().catch((error) => {
  say({ failed: String(error) });
  process.exit(1);
});
