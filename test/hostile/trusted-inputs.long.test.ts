/**
 * Whatever a change does to a file that decides about its review, the plan is byte for byte that of a change that leaves it alone.
 * A sample of all of it by default; with `JURY_HOSTILE=all` everything, each as a commit, staged and in the working tree.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Seat } from '../../src/core/words/config.ts';
import { UserError } from '../../src/core/errors.ts';
import { prepare, type Prepared } from '../../src/library/prepare.ts';
import { fillCall, withRepository } from '../../src/library/call.ts';
import {
  createFolder,
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { type Layout, layouts, mutations } from './trusted-inputs.ts';

type Delivery = 'commit' | 'staged' | 'worktree';
const deliveries: readonly Delivery[] = ['commit', 'staged', 'worktree'];

interface Attempt {
  readonly input: string;
  readonly mutation: (typeof mutations)[number];
  readonly delivery: Delivery;
}

const isWhole = process.env.JURY_HOSTILE === 'all';
/** A prime, so that every input, mutation and delivery has its turn. */
const stride = isWhole ? 1 : 23;

let tried = 0;
let missed = 0;
afterAll(() => {
  console.log(`${tried} mutated inputs, ${missed} with another plan`);
});

describe.each(layouts)('what decides, $name', layout => {
  it('is not what a change makes of it', { timeout: 3_600_000 }, async () => {
    const sample = createSampleRepository();
    layout.write(sample);
    const base = sample.commit('base');
    const control = await decide(sample, layout, 'commit', () => {});
    expect(control).toContain('"seats"');
    const wrong: unknown[] = [];
    for (const [index, attempt] of attemptsOn(layout).entries()) {
      if (index % stride !== 0) continue;
      sample.git('reset', '-q', '--hard', base);
      sample.git('clean', '-qfdx');
      let isDone = true;
      const decided = await decide(sample, layout, attempt.delivery, () => {
        isDone = attempt.mutation.apply(sample, attempt.input) && canStandIn(sample, layout);
        return isDone;
      });
      if (!isDone) continue;
      tried += 1;
      if (decided === control) continue;
      missed += 1;
      wrong.push([
        attempt.input,
        attempt.mutation.name,
        attempt.delivery,
        difference(control, decided),
      ]);
    }
    expect(wrong).toEqual([]);
  });
});

function attemptsOn({ inputs }: Layout): Attempt[] {
  return inputs.flatMap(input =>
    mutations.flatMap(mutation => deliveries.map(delivery => ({ input, mutation, delivery }))),
  );
}

/** Makes the change and plans a review of it, as text. */
async function decide(
  sample: SampleRepository,
  { cwd, config }: Layout,
  delivery: Delivery,
  change: () => boolean | void,
): Promise<string> {
  writeFileSync(path.join(sample.root, 'src/more.js'), 'export const more = 1;\n');
  if (change() === false) return '';
  if (delivery !== 'worktree') sample.git('add', '-A');
  if (delivery === 'commit') sample.git('commit', '-q', '-m', 'change');
  try {
    const call = fillCall({
      cwd: path.join(sample.root, cwd),
      environment: { ...environment, JURY_TMPDIR: process.env.TMPDIR },
    });
    return await withRepository(call, async repository => {
      const prepared = await prepare(
        {
          process: 'review',
          ...(config !== null && { config: path.join(sample.root, config) }),
          ...(delivery === 'commit' ? { range: 'HEAD~1..HEAD' } : {}),
          ...(delivery === 'staged' && { staged: true }),
          ...(delivery === 'worktree' && { worktree: true, untracked: true }),
        },
        repository,
        call,
      );
      return JSON.stringify({
        plan: planOf(prepared),
        seats: prepared.plan.seats.map(seat => materialOf(seat, prepared)),
      });
    });
  } catch (error) {
    if (error instanceof UserError) return `refused: ${error.message}`;
    throw error;
  }
}

const environment = {
  PATH: process.env.PATH,
  JURY_TRUST_CONFIG: '1',
  JURY_STATE: createFolder(),
};

/** Where a change takes away the folder one stands in, nobody can ask from there. */
function canStandIn({ root }: SampleRepository, { cwd }: Layout): boolean {
  const folder = path.join(root, cwd);
  return existsSync(folder) && statSync(folder).isDirectory();
}

/** What must not differ from change to change, nor from run to run. */
const decided = [
  'seats',
  'policy',
  'strategy',
  'trust',
  'exclude',
  'stages',
  'protectedPaths',
  'rules',
  'limits',
  'packs',
  'decisions',
  'guidelines',
  'learnt',
  'concurrency',
  'embedding',
  'judge',
] as const;

function planOf({ plan }: Prepared): object {
  return Object.fromEntries(decided.map(name => [name, plan[name]]));
}

/** Everything on disk that the seat is asked through. */
function materialOf(seat: Seat, { ground }: Prepared): unknown[] {
  const { command = [], answers, executable } = { ...seat, ...ground.standIns.get(seat.id) };
  const words = [...command, answers, executable].filter(word => word !== undefined);
  return words.map(word => {
    const named = word.includes('=') ? word.slice(word.indexOf('=') + 1) : word;
    if (!/^(?:\.{0,2}\/)/.test(named)) return word;
    const file = path.resolve(seat.home, named);
    const besides = file.endsWith('.mjs') ? ['lib.mjs'] : file.endsWith('.py') ? ['helper.py'] : [];
    const loaded = besides.map(name => path.join(path.dirname(file), name));
    return [file, ...loaded].map(contentOf);
  });
}

function contentOf(file: string): unknown {
  if (!existsSync(file)) return null;
  if (!statSync(file).isDirectory()) return readFileSync(file, 'latin1');
  return readdirSync(file)
    .toSorted()
    .map(name => [name, contentOf(path.join(file, name))]);
}

function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return `${one.slice(Math.max(0, at - 60), at + 60)} ≠ ${other.slice(Math.max(0, at - 60), at + 60)}`;
}
