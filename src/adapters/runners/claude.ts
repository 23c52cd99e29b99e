/** Asks Claude Code: no tools, no settings, nothing of a login, one turn. */
import { join } from 'node:path';
import { readClaudeOutput } from './claude-output.ts';
import {
  mostRounds,
  withoutVersion,
  type Brief,
  type Client,
  type Credential,
  type Launch,
} from './client.ts';
import type { ToolLaunch } from './tool-service.ts';

const loginVariable = 'CLAUDE_CODE_OAUTH_TOKEN';

export const claude: Client = {
  name: 'claude',
  natives: [
    `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude${process.platform === 'win32' ? '.exe' : ''}`,
  ],
  keyVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', loginVariable],
  defaultModel: 'claude-sonnet-4-5',
  promptLimit: { unit: 'bytes', most: 9_000_000 },
  maxRequests: null,
  takesSchema: true,
  launch,
  read: readClaudeOutput,
};

function launch({
  model,
  instructions,
  credential,
  root,
  home,
  seat,
  tools,
  schema,
}: Brief): Launch {
  const configuration = join(root, 'mcp.json');
  // Bare mode reads no login at all; the other switches keep a login run just as empty.
  const bare = credential.variable === loginVariable ? [] : ['--bare'];
  return {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--model',
      model,
      ...bare,
      '--tools',
      '',
      '--strict-mcp-config',
      '--setting-sources',
      '',
      '--disable-slash-commands',
      '--no-session-persistence',
      '--max-turns',
      String(tools === null ? 1 : mostRounds),
      '--system-prompt',
      instructions,
      ...(schema ? ['--json-schema', JSON.stringify(schema)] : []),
      ...(tools === null
        ? []
        : [
            '--mcp-config',
            configuration,
            '--allowed-tools',
            tools.names.map(name => `mcp__jury__${name}`).join(','),
            '--permission-mode',
            'dontAsk',
          ]),
    ],
    environment: {
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      [keyVariable(credential.variable)]: credential.value,
      ...(seat.baseUrl === undefined
        ? {}
        : { ANTHROPIC_BASE_URL: withoutVersion(seat.baseUrl, 'v1') }),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_MAX_RETRIES: '2',
      API_TIMEOUT_MS: '120000',
      CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '60000',
      ...(tools === null ? {} : { MCP_TIMEOUT: '10000' }),
    },
    files:
      tools === null
        ? []
        : [
            {
              path: configuration,
              text: JSON.stringify({ mcpServers: { jury: describeServer(tools, credential) } }),
            },
          ],
    // Partial messages come in pieces of 16 characters: 22 bytes of records for one of text.
    maxStdoutBytes: 16_777_216,
  };
}

/** The client hands its whole environment on to the server, the key included, unless told otherwise. */
function describeServer({ command, args, environment }: ToolLaunch, { variable }: Credential) {
  const keys = Object.fromEntries([...claude.keyVariables, variable].map(name => [name, '']));
  return { type: 'stdio', command, args, env: { ...keys, ...environment } };
}

/** A variable of the operator's own naming holds an API key. */
function keyVariable(variable: string): string {
  return claude.keyVariables.includes(variable) ? variable : 'ANTHROPIC_API_KEY';
}
