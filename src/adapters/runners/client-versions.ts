/** Which versions of the clients Jury knows: flags and output formats are the client's own and change without notice. */

export const clientNames = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type ClientName = (typeof clientNames)[number];

/** Versions that pass `npm run test:clients`. */
export const verifiedVersions = {
  claude: ['2.1.330'],
  codex: ['0.169.0'],
  gemini: ['0.61.0'],
  opencode: ['1.18.33'],
} as const satisfies Record<ClientName, readonly [string, ...string[]]>;

/**
 * Older ones are refused, because they run code that a repository brings along: claude below 1.0.111 (CVE-2025-59536),
 * codex below 0.23.0 (CVE-2025-61260), opencode below 1.0.216 (CVE-2026-22812). None is known for gemini.
 */
export const oldestVersions = {
  claude: '1.0.111',
  codex: '0.23.0',
  gemini: null,
  opencode: '1.0.216',
} as const satisfies Record<ClientName, string | null>;

/** The version in what `--version` printed: `2.1.330 (Claude Code)`, `codex-cli 0.169.0`, `0.61.0`. Null when there is none. */
export function parseVersion(output: string) {
  return (
    /^(?:[a-z-]{1,40} )?v?(\d{1,9}\.\d{1,9}\.\d{1,9})(?=[\s+-]|$)/i.exec(output.trimStart())?.[1] ??
    null
  );
}

export function isTooOld(client: ClientName, version: string | null) {
  const oldest = oldestVersions[client];
  return version !== null && oldest !== null && compareVersions(version, oldest) < 0;
}

/** One sentence for people, or null when this version is a verified one. */
export function versionWarning(client: ClientName, version: string | null) {
  const verified: readonly string[] = verifiedVersions[client];
  if (version === null)
    return `${client} does not tell its version; verified: ${verified.join(', ')}.`;
  if (verified.includes(version)) return null;
  return `${client} ${version} is not a verified version; verified: ${verified.join(', ')}.`;
}

function compareVersions(one: string, other: string) {
  const [left, right] = [one.split('.').map(Number), other.split('.').map(Number)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
