// The TypeScript SDK's server with one tool, echo, over Streamable HTTP: node peer.mjs PORT
import { createServer } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';

const input = fromJsonSchema({
  type: 'object', properties: { text: { type: 'string' } }, required: ['text'],
});

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: input },
    async ({ text }) => ({ content: [{ type: 'text', text }] }));
  return server;
});

createServer(toNodeHandler(handler)).listen(Number(process.argv[2]), '127.0.0.1',
  () => console.log('ready'));
