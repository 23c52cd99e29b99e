/** Asks Gemini CLI: a settings file of our own in a fresh home, no tools, and standard output into a file. */
import { join } from 'node:path';
import { mostRounds, withoutVersion, type Brief, type Client, type Launch } from './client.ts';
import { readGeminiOutput } from './gemini-output.ts';
import type { ToolLaunch } from './tool-service.ts';

export const gemini: Client = {
  name: 'gemini',
  natives: [],
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  defaultModel: 'gemini-2.5-pro',
  promptLimit: { unit: 'bytes', most: 3_000_000 },
  maxRequests: null,
  launch,
  read: readGeminiOutput,
};

/** What never changes. */
const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  context: { includeDirectoryTree: false },
  skills: { enabled: false },
  hooksConfig: { enabled: false },
  advanced: { ignoreLocalEnv: true },
};

function configure(tools: ToolLaunch | null) {
  return {
    ...settings,
    // Without tools, a name that none has: an empty list would mean all of them. The names of a server's tools belong here too.
    tools: { core: tools === null ? ['none'] : tools.names.map(name => `mcp_jury_${name}`) },
    // The loop detector ends an answer half way and calls it a success.
    model: { maxSessionTurns: tools === null ? 2 : mostRounds, disableLoopDetection: true },
    ...(tools === null
      ? {}
      : {
          mcpServers: {
            jury: {
              command: tools.command,
              args: tools.args,
              env: tools.environment,
              includeTools: tools.names,
              trust: true,
              timeout: 10_000,
            },
          },
        }),
  };
}

function launch({
  model,
  instructions,
  credential,
  promptBytes,
  root,
  home,
  seat,
  tools,
}: Brief): Launch {
  const systemFile = join(root, 'system.md');
  return {
    args: [
      '-m',
      model,
      '-o',
      'stream-json',
      '--approval-mode',
      'default',
      '-e',
      'none',
      '--skip-trust',
      ...(tools === null ? [] : ['--allowed-mcp-server-names', 'jury']),
    ],
    environment: {
      GEMINI_CLI_HOME: home,
      GEMINI_API_KEY: credential.value,
      ...(seat.baseUrl === undefined
        ? {}
        : { GOOGLE_GEMINI_BASE_URL: withoutVersion(seat.baseUrl, 'v1beta') }),
      GEMINI_SYSTEM_MD: systemFile,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    files: [
      { path: join(home, '.gemini', 'settings.json'), text: JSON.stringify(configure(tools)) },
      { path: systemFile, text: instructions },
    ],
    stdoutFile: join(root, 'out.jsonl'),
    // The prompt is echoed, escaped.
    maxStdoutBytes: 4_194_304 + 2 * promptBytes,
  };
}
