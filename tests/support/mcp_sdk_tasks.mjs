// The Tasks extension through a client of the TypeScript SDK 2.x: node mcp_sdk_tasks.mjs PACKAGES (URL |
// PROGRAM ARGUMENT...). What it sees comes out as one JSON object.
//
// The SDK's client declares the extension and makes the calls, its transports carry everything; it knows no
// answer that is a task (2.4). So, as a host would, what stands between the two follows the task: it asks
// for it, has the client's own handler answer its questions, and hands the client the result.
import { pathToFileURL } from 'node:url';

const [packages, ...target] = process.argv.slice(2);
const from = (path) => import(pathToFileURL(`${packages}/node_modules/@modelcontextprotocol/client/dist/${path}`));
const { Client, StreamableHTTPClientTransport } = await from('index.mjs');
const { StdioClientTransport } = await from('stdio.mjs');

const TASKS = 'io.modelcontextprotocol/tasks';
const ended = (status) => ['completed', 'failed', 'cancelled'].includes(status);

class TaskFollower {
  constructor(inner, elicit, saw) {
    Object.assign(this, { inner, elicit, saw, calls: new Map(), waiting: new Map(), last: 0 });
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.take(message, extra);
  }
  start() { return this.inner.start(); }
  close() { return this.inner.close(); }
  get sessionId() { return this.inner.sessionId; }
  setProtocolVersion(version) { this.inner.setProtocolVersion?.(version); }
  get hasPerRequestStream() { return this.inner.hasPerRequestStream; }

  send(message, options) {
    if (message.method === 'tools/call') this.calls.set(message.id, message.params._meta);
    return this.inner.send(message, options);
  }

  take(message, extra) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      return message.error ? waiting.reject(new Error(JSON.stringify(message.error))) : waiting.resolve(message.result);
    }
    const meta = this.calls.get(message.id);
    if (meta && message.result?.resultType === 'task') {
      this.follow(message.result, meta).then(
        (task) => this.onmessage({ jsonrpc: '2.0', id: message.id, ...outcome(task) }, extra),
        (error) => this.onerror?.(error));
      return;
    }
    this.onmessage?.(message, extra);
  }

  ask(method, params, meta) {
    const id = `task-${++this.last}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.inner.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }).catch(reject);
    });
  }

  async follow(task, { progressToken, ...meta }) {
    const { taskId } = task;
    this.saw(task);
    const answered = new Set();
    while (!ended(task.status)) {
      for (const [key, request] of Object.entries(task.inputRequests ?? {})) {
        if (answered.has(key)) continue;
        answered.add(key);
        const answer = await this.elicit(request);
        await this.ask('tasks/update', { taskId, inputResponses: { [key]: answer } }, meta);
      }
      if (this.giveUp) await this.ask('tasks/cancel', { taskId }, meta);
      await new Promise((resolve) => setTimeout(resolve, Math.min(task.pollIntervalMs ?? 100, 100)));
      task = await this.ask('tasks/get', { taskId }, meta);
      this.saw(task);
    }
    return task;
  }
}

function outcome(task) {
  if (task.status === 'completed') return { result: { resultType: 'complete', ...task.result } };
  return { error: task.error ?? { code: -32000, message: task.status } };
}

const seen = { statuses: [] };
const note = (task) => { if (seen.statuses.at(-1) !== task.status) seen.statuses.push(task.status); };
const elicit = async () => ({ action: 'accept', content: { value: 'Ann' } });
const transport = new TaskFollower(
  target[0].startsWith('http') ? new StreamableHTTPClientTransport(new URL(target[0]))
    : new StdioClientTransport({ command: target[0], args: target.slice(1), stderr: 'inherit' }),
  elicit, note);
const client = new Client({ name: 'test', version: '1' }, {
  capabilities: { elicitation: {}, extensions: { [TASKS]: {} } }, versionNegotiation: { mode: 'auto' } });
client.setRequestHandler('elicitation/create', elicit);

async function call(name, args) {
  seen.statuses = [];
  const result = await client.callTool({ name, arguments: args });
  return { said: result.structuredContent, statuses: seen.statuses };
}

await client.connect(transport);
const report = { version: client.getNegotiatedProtocolVersion?.(),
                 offered: TASKS in (client.getServerCapabilities()?.extensions ?? {}) };
report.quick = await call('demo.echo', { text: 'at once' });
report.slow = await call('demo.sleep', { milliseconds: 700, steps: 3 });
report.asked = await call('demo.ask', {});
transport.giveUp = true;
try {
  report.cancelled = await call('demo.sleep', { milliseconds: 600000 });
} catch (error) {
  report.cancelled = { error: error.message, statuses: seen.statuses };
}
await client.close();
console.log(JSON.stringify(report));
