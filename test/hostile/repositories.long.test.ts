/**
 * Hostile repositories against every command: nothing of them is executed, nothing is written but state and copies, nothing is
 * passed. Each pair of one repository with one form by default; with `JURY_HOSTILE=all` every form in every repository.
 */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { afterAll, describe, expect, it } from 'vitest';
import { plantFixture, springs, zoo } from '../adapters/git/hostile-zoo.ts';
import { attack, searchPath, type Deed } from './attack.ts';
import { forms } from './forms.ts';
import { stateTraps } from './state-traps.ts';
import { createTarget } from './target.ts';
import { toolTraps } from './tool-traps.ts';
import type { Trap } from './trap.ts';
import { treeTraps } from './tree-traps.ts';

/** `all`, or a number: of the forms each of so many in every repository, other ones in the next. */
const share = process.env.JURY_HOSTILE ?? '';
const isWhole = share !== '';
const stride = share === 'all' ? 1 : Number(share);
/** Only those whose name holds this, for whoever looks for the reason of a failure. */
const wanted = process.env.JURY_TRAP ?? '';

const traps: readonly Trap[] = [
  ...stateTraps,
  ...toolTraps,
  ...treeTraps,
  ...zoo.flatMap(({ control, ...trap }) => (control === undefined ? [] : [{ ...trap, control }])),
].filter(({ name }) => name.includes(wanted));

const base = createTarget();
const limit = pLimit(isWhole ? availableParallelism() : 2);

describe.skipIf(process.platform === 'win32')('hostile repositories, not on Windows', () => {
  const deeds: Deed[] = [];
  const dead: string[] = [];
  let [runs, slowestMs, mostMegabytes] = [0, 0, 0];

  afterAll(() => {
    const count = (deed: Deed['deed']) => deeds.filter(one => one.deed === deed).length;
    console.log(
      `${traps.length - dead.length} live repositories × ${forms.length} forms of commands, ${runs} ` +
        `runs: ${count('executed')} executed, ${count('written outside')} written outside, ` +
        `${count('false pass')} false passes, ${deeds.length} deeds in all; slowest ` +
        `${Math.round(slowestMs)} ms, most memory of a process ${Math.round(mostMegabytes)} MB; traps ` +
        `that do not spring here: ${dead.join(', ') || 'none'}`,
    );
  });

  /** Under plain tools, so that a trap that is none is not counted. */
  const isLive = (trap: Trap) => {
    const planted = plantFixture(base, trap);
    const live = springs(planted, trap.control, {
      PATH: searchPath(planted.sample.root, trap.before),
    });
    if (!live) dead.push(trap.name);
    return live;
  };

  const pairs = isWhole
    ? traps.map((trap, at) => ({
        trap,
        some: forms.filter((_, index) => (index + at) % stride === 0),
      }))
    : forms.map((form, index) => ({ trap: traps[(index * 7) % traps.length], some: [form] }));

  it('are not obeyed, not written to and not passed', { timeout: 7_200_000 }, async () => {
    await Promise.all(
      pairs.map(({ trap, some }) =>
        limit(async () => {
          if (trap === undefined || !isLive(trap)) return;
          const done = await attack(base, trap, some);
          runs += done.runs;
          slowestMs = Math.max(slowestMs, done.slowestMs);
          mostMegabytes = Math.max(mostMegabytes, done.mostMegabytes);
          deeds.push(...done.deeds);
        }),
      ),
    );
    expect(deeds.map(one => Object.values(one).join(' | '))).toEqual([]);
    if (wanted === '') expect(traps.length - dead.length).toBeGreaterThanOrEqual(40);
  });
});
