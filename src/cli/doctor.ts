/** `jury doctor`: what this machine has for a panel, and what stands in the way. */
import { z } from 'zod';
import { createJury, type Machine } from '../index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import { printJson } from '../render/json.ts';

export const doctor = defineCommand({
  summary: 'Tell what this machine has for a panel, and what stands in the way',
  flags: z.strictObject({ json: z.boolean().default(false).describe('Print it as JSON') }),
  async run({ json }, terminal) {
    const machine = await createJury(callOf(terminal)).inspect();
    terminal.write(json ? printJson(machine) : renderMachine(machine));
    return 0;
  },
});

function renderMachine({
  jury,
  node,
  git,
  gitProblem,
  configuration,
  clients,
  apiKeys,
  isolation,
  sweepsProcesses,
}: Machine): string {
  return [
    `jury ${jury} on Node ${node}`,
    git === null ? `✗ git: ${gitProblem ?? ''}` : `✓ git: ${git}`,
    configuration === null
      ? '  configuration: none; the panel is the built-in one ("jury init" writes one)'
      : `✓ configuration: ${configuration}`,
    '✓ built-in reviewers: secrets, javascript, patterns, diff',
    ...clients.map(renderClient),
    apiKeys.length === 0
      ? '  model APIs: no key in the environment'
      : `✓ model APIs: keys in ${apiKeys.join(', ')}`,
    `  isolation of reviewer processes: ${isolation.level} (${isolation.reach})`,
    sweepsProcesses
      ? '✓ processes that leave their group are found and ended'
      : '! no /proc: a process that leaves its group is not found',
  ].join('\n');
}

function renderClient({ name, path, version, key, problem }: Machine['clients'][number]): string {
  if (path === null) return `  ${name}: not installed`;
  const parts = [version, path, key === null ? null : `key in ${key}`, problem].filter(
    part => part !== null,
  );
  return `${problem === null ? '✓' : '!'} ${name}: ${parts.join(' · ')}`;
}
