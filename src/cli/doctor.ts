/** `jury doctor`: what this machine has for a panel, and what stands in the way. */
import { z } from 'zod';
import { makeVisible } from '../core/safety/visible-text.ts';
import { createJury, type Machine } from '../index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';

export const doctor = defineCommand({
  summary: 'Tell what this machine has for a panel, and what stands in the way',
  flags: z.strictObject({ json: z.boolean().default(false).describe('Print it as JSON') }),
  async run({ json }, terminal) {
    const machine = await createJury(callOf(terminal)).inspect();
    terminal.write(json ? JSON.stringify(machine, null, 2) : renderMachine(machine));
    return 0;
  },
});

function renderMachine({
  jury,
  node,
  git,
  gitProblem,
  configuration,
  configurationProblem,
  clients,
  apiKeys,
  isolation,
  seats,
  sweepsProcesses,
}: Machine): string {
  return [
    `jury ${jury} on Node ${node}`,
    git === null ? `✗ git: ${gitProblem ?? ''}` : `✓ git: ${git}`,
    configuration === null
      ? '  configuration: none; the panel is the built-in one ("jury init" writes one)'
      : configurationProblem === null
        ? `✓ configuration: ${configuration}`
        : `✗ configuration: ${configuration}: ${configurationProblem}`,
    '✓ built-in reviewers: secrets, javascript, patterns, diff',
    ...clients.map(renderClient),
    apiKeys.length === 0
      ? '  model APIs: no key in the environment'
      : `✓ model APIs: keys in ${apiKeys.join(', ')}`,
    isolation.reason === null
      ? `✓ isolation of reviewer processes: ${isolation.level} by ${isolation.by ?? ''} (${isolation.reach})`
      : `! isolation of reviewer processes: ${isolation.level} (${isolation.reach}); no better one: ${isolation.reason}`,
    `  processes that can outlive a reviewer: ${isolation.survivors}`,
    ...seats.map(renderSeat),
    sweepsProcesses
      ? '✓ processes that leave their group are found and ended'
      : '! no /proc: a process that leaves its group is not found',
  ].join('\n');
}

function renderSeat({ id, runner, isolation, refused }: Machine['seats'][number]): string {
  const who = `reviewer ${makeVisible(id)} (${runner})`;
  if (isolation === null) return `✗ ${who}: not asked. ${refused ?? ''}`;
  if (isolation.level === 'L3') return `✓ ${who}: L3, no process of its own`;
  const network = isolation.network ? 'with the network' : 'without network';
  return isolation.reason === null
    ? `✓ ${who}: ${isolation.level}, ${network}`
    : `! ${who}: ${isolation.level}, ${network}: ${isolation.reason}`;
}

function renderClient({ name, path, version, key, problem }: Machine['clients'][number]): string {
  if (path === null) return `  ${name}: not installed`;
  const parts = [version, path, key === null ? null : `key in ${key}`, problem].filter(
    part => part !== null,
  );
  return `${problem === null ? '✓' : '!'} ${name}: ${parts.join(' · ')}`;
}
