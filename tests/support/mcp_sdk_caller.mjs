// A client of the TypeScript SDK, run once against a server: what it sees comes out as one JSON
// object. node mcp_sdk_caller.mjs PACKAGES ('1' | '2') (URL | PROGRAM ARGUMENT...)
//
// SDK 1.x speaks 2025-11-25. SDK 2.x negotiates: 2026-07-28 where the server has it.
import { pathToFileURL } from 'node:url';

const [packages, edition, ...target] = process.argv.slice(2);
const from = (path) => import(pathToFileURL(`${packages}/node_modules/@modelcontextprotocol/${path}`));

async function load() {
  if (edition === '2') {
    const all = await from('client/dist/index.mjs');
    const stdio = await from('client/dist/stdio.mjs');
    return { Client: all.Client, Http: all.StreamableHTTPClientTransport,
             Stdio: stdio.StdioClientTransport, elicitation: 'elicitation/create' };
  }
  const client = await from('sdk/dist/esm/client/index.js');
  const http = await from('sdk/dist/esm/client/streamableHttp.js');
  const stdio = await from('sdk/dist/esm/client/stdio.js');
  const types = await from('sdk/dist/esm/types.js');
  return { Client: client.Client, Http: http.StreamableHTTPClientTransport,
           Stdio: stdio.StdioClientTransport, elicitation: types.ElicitRequestSchema };
}

const sdk = await load();
const options = { capabilities: { elicitation: {} } };
if (edition === '2') options.versionNegotiation = { mode: 'auto' };
const client = new sdk.Client({ name: 'test', version: '1' }, options);
client.setRequestHandler(sdk.elicitation, async () => ({ action: 'accept', content: { value: 'Ann' } }));

const call = (name, args, how = {}) => edition === '2'
  ? client.callTool({ name, arguments: args }, how)
  : client.callTool({ name, arguments: args }, undefined, how);

const seen = {};
const transport = target[0].startsWith('http')
  ? new sdk.Http(new URL(target[0]))
  : new sdk.Stdio({ command: target[0], args: target.slice(1), stderr: 'inherit' });
await client.connect(transport);
seen.server = client.getServerVersion()?.name;
seen.version = client.getNegotiatedProtocolVersion?.();
seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
seen.echo = (await call('demo.echo', { text: '\u{1F916}\n' })).structuredContent;
seen.script = (await call('exec.shout', { text: 'quiet' })).content[0].text;
seen.prompts = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
seen.resource = (await client.readResource({ uri: 'interline:conf/test://static-text' })).contents[0].text;
seen.progress = [];
await call('demo.sleep', { milliseconds: 200, steps: 4 },
           { onprogress: (progress) => seen.progress.push(progress.progress) });
seen.asked = (await call('demo.ask', {})).structuredContent;
seen.wrong = (await call('demo.sleep', { milliseconds: 'soon' })).isError;
if (edition === '1') {
  seen.streamed = [];
  const stream = client.experimental.tasks.callToolStream({ name: 'demo.echo', arguments: { text: 'x' } });
  for await (const message of stream) seen.streamed.push(message.type);
}
const patience = new AbortController();
try {
  await call('demo.sleep', { milliseconds: 600000, steps: 1000 },
             { signal: patience.signal, onprogress: () => patience.abort('enough') });
  seen.cancelled = false;
} catch (error) {
  seen.cancelled = true;
}
seen.after = (await call('demo.echo', { still: true })).structuredContent;
await client.close();
console.log(JSON.stringify(seen));
