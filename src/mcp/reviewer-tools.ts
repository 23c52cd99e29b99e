/**
 * The program that a coding-agent client starts to have Jury's tools: MCP on standard input and output, and one socket to
 * the engine, which does everything. It starts nothing, reads no file, and ends with its standard input.
 */
import { programExits } from '../core/verdict/outcome.ts';
import { Server, type CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toolOffers } from '../core/tools/offers.ts';
import { connectToEngine, type Engine } from './engine-link.ts';

const { JURY_TOOLS_SOCKET: socketPath, JURY_TOOLS_TOKEN: token } = process.env;
// Clients hand on what they were started with, keys included.
for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));

if (socketPath === undefined || token === undefined)
  refuseToStart('This program is started by jury, for its reviewers; it does nothing on its own.');
const engine = await connectToEngine(socketPath, token).catch(error =>
  refuseToStart(`The engine cannot be reached: ${String(error)}.`),
);
process.stdin.once('end', () => process.exit(0));
serveStdio(() => createToolServer(engine));

function createToolServer(link: Engine): Server {
  // No underscore in the name: Gemini splits the names of tools at the first one.
  const server = new Server({ name: 'jury', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => {
    link.tellReady();
    return {
      tools: toolOffers.map(({ inputSchema, ...offer }) => ({
        ...offer,
        inputSchema: { ...inputSchema, type: 'object' as const },
      })),
    };
  });
  server.setRequestHandler(
    'tools/call',
    async (
      { params: { name, arguments: input = {} } },
      { mcpReq: { signal } },
    ): Promise<CallToolResult> => {
      const { text, isError } = await link.call(name, input, signal);
      return { content: [{ type: 'text', text }], isError };
    },
  );
  return server;
}

function refuseToStart(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(programExits.fault);
}
