/** Asks Codex: an ephemeral run without shell, plugins, sub-agents or project files, behind a provider of our own naming. */
import { join } from 'node:path';
import { withVersion, type Brief, type Client, type Launch } from './client.ts';
import { readCodexOutput } from './codex-output.ts';
import type { ToolLaunch } from './tool-service.ts';

const triples: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};
const platform = `${process.platform}-${process.arch}`;

export const codex: Client = {
  name: 'codex',
  // The shim survives a SIGKILL of the program behind it, and the other way round.
  natives: [
    `@openai/codex-${platform}/vendor/${triples[platform] ?? 'unknown'}/bin/codex${process.platform === 'win32' ? '.exe' : ''}`,
  ],
  keyVariables: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  defaultModel: 'gpt-5.5',
  promptLimit: { unit: 'characters', most: 1_000_000 },
  maxRequests: 8,
  takesSchema: true,
  launch,
  read: readCodexOutput,
};

/** `multi_agent` and `unbounded_connection_retries` cost requests that nobody counts, `shell_snapshot` writes the key to disk. */
const disabled = [
  'plugins',
  'unbounded_connection_retries',
  'shell_tool',
  'shell_snapshot',
  'multi_agent',
  'goals',
  'hooks',
  'apps',
  'view_image',
];

function launch({
  model,
  instructions,
  credential,
  root,
  home,
  cwd,
  seat,
  tools,
  schema,
}: Brief): Launch {
  const systemFile = join(root, 'system.md');
  const schemaFile = join(root, 'schema.json');
  const baseUrl = withVersion(seat.baseUrl ?? 'https://api.openai.com', 'v1');
  const settings = [
    'analytics.enabled=false',
    'project_doc_max_bytes=0',
    'web_search="disabled"',
    'skills.include_instructions=false',
    'include_environment_context=false',
    `model_instructions_file=${toml(systemFile)}`,
    'model_provider="jury"',
    `model_providers.jury={name="jury",base_url=${toml(baseUrl)},env_key="JURY_KEY",wire_api="responses",` +
      'request_max_retries=2,stream_max_retries=1,stream_idle_timeout_ms=60000}',
    ...(tools === null ? [] : [`mcp_servers.jury=${describeServer(tools)}`]),
  ];
  return {
    args: [
      'exec',
      '--json',
      '--ephemeral',
      '--strict-config',
      '--ignore-user-config',
      '--ignore-rules',
      '--skip-git-repo-check',
      '-s',
      'read-only',
      '-C',
      cwd,
      '-m',
      model,
      ...disabled.flatMap(name => ['--disable', name]),
      ...settings.flatMap(setting => ['-c', setting]),
      ...(schema ? ['--output-schema', schemaFile] : []),
      '-',
    ],
    environment: { CODEX_HOME: home, JURY_KEY: credential.value, ...tools?.environment },
    files: [
      { path: systemFile, text: instructions },
      ...(schema ? [{ path: schemaFile, text: JSON.stringify(schema) }] : []),
    ],
  };
}

/**
 * Required: without the word a review goes on without its tools. The variables are named and not written down: other users can
 * read a command line.
 */
function describeServer({ command, args, environment, names }: ToolLaunch): string {
  const list = (words: readonly string[]): string => `[${words.map(toml).join(',')}]`;
  return `{command=${toml(command)},args=${list(args)},env_vars=${list(Object.keys(environment))},required=true,enabled_tools=${list(names)},startup_timeout_sec=10,tool_timeout_sec=30}`;
}

/** A TOML basic string: what JSON escapes, TOML reads. */
function toml(text: string): string {
  return JSON.stringify(text);
}
