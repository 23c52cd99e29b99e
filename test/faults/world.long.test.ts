/**
 * A full disk, one that cannot be written, few open files, clocks that jump, two that go on with one run, and a database somebody
 * holds.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '../../src/adapters/store/sqlite.ts';
import { systemStorage } from '../../src/adapters/store/storage.ts';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import {
  asked,
  createLab,
  createTally,
  findingsOf,
  killWhenRecorded,
  recorded,
  resume,
  review,
  run,
  type Circumstances,
  type Tally,
} from './panel.ts';

const isWhole = process.env.JURY_FAULTS === 'all';
const timeout = 3_600_000;
const limit = pLimit(isWhole ? availableParallelism() : 2);

let findings = '';
beforeAll(async () => {
  const lab = createLab();
  findings = findingsOf(await run(lab, review(lab))) ?? '';
  if (!findings.includes('["FAIL"')) throw new Error(`The run does not fail: ${findings}`);
});

interface Faults {
  readonly tally: Tally;
  /** What was wrong with any. Tries all of the points, or the first, the last and as many between as a quick run has time for. */
  each<Point>(
    points: readonly Point[],
    work: (point: Point) => Promise<void>,
    quick?: number,
  ): Promise<readonly string[]>;
}

function faults(what: string): Faults {
  const tally = createTally();
  let tried = 0;
  afterAll(() => console.log(tally.told(`${what}, ${tried} points`)));
  return {
    tally,
    async each(points, work, quick = 2) {
      const step = isWhole ? 1 : Math.ceil(points.length / quick);
      const chosen = points.filter((_, index) => index % step === 0);
      tried += chosen.length;
      await Promise.all(chosen.map(point => limit(() => work(point))));
      return tally.wrong;
    },
  };
}

const hasNamespaces =
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    .status === 0;

/** The program in a namespace of its own, after words of a shell that mount something there. */
const mounted = (words: string): Circumstances => ({
  before: `set -- unshare -Urm sh -c ${quote(`${words} && exec "$@"`)} sh "$@";`,
});

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Has a run, and memory of its claims. */
async function createReadable() {
  const lab = createLab();
  const { stdout } = await run(lab, review(lab));
  const { claims } = JSON.parse(stdout) as { claims: { id: string }[] };
  return { lab, claim: claims[0]?.id ?? '' };
}
const named = hasNamespaces ? '' : ' (left out: no user and mount namespaces here)';

describe.skipIf(!hasNamespaces)(`a disk of its own${named}`, () => {
  const full = faults('full disk');
  const room = createTally();
  let readable: Awaited<ReturnType<typeof createReadable>>;
  beforeAll(async () => {
    readable = await createReadable();
  });
  afterAll(() => console.log(room.told('full disk, with room again')));
  const sizes = Array.from({ length: 20 }, (_, index) => (index + 1) * 20_480);

  it(
    'that is full ends the run without a pass, and with room again it goes on',
    { timeout },
    async () => {
      const wrong = await full.each(sizes, async size => {
        const lab = createLab();
        const disk = createFolder();
        // What fitted onto the small disk is kept, so that it can be gone on with on a large one.
        const small = `mount -t tmpfs -o size=${size},mode=0700 tmpfs ${disk}`;
        const keep = `"$@"; code=$?; cp -a ${disk} ${lab.state}; exit $code`;
        const first = await run(
          { ...lab, environment: { ...lab.environment, JURY_STATE: disk } },
          review(lab),
          {
            before: `set -- unshare -Urm sh -c ${quote(`${small}; ${keep}`)} sh "$@";`,
          },
        );
        full.tally.add(`${size} bytes`, first, findings);
        const kept = recorded(lab);
        const before = asked(lab);
        const resumed = await run(lab, resume);
        const second = resumed.code === 1 ? resumed : await run(lab, review(lab));
        room.add(`${size} bytes, room again`, second, findings);
        if (second.code !== 1)
          room.wrong.push(`${size}: ${second.code} ${second.stderr.slice(-400)}`);
        if (resumed.code === 1)
          for (const id of kept)
            if (asked(lab).get(id) !== before.get(id)) room.wrong.push(`${size}: ${id} twice`);
      });
      expect(wrong).toEqual([]);
    },
  );

  const readOnly = faults('folder that cannot be written');
  it('that cannot be written is named, or done without', { timeout }, async () => {
    const codes = { state: [4], project: [1], temporary: [1, 2] };
    const wrong = await readOnly.each(
      ['state', 'project', 'temporary'] as const,
      async which => {
        const lab = createLab();
        mkdirSync(lab.state, { mode: 0o700 });
        const { TMPDIR: temporary = '' } = lab.environment;
        const folder = { state: lab.state, project: lab.sample.root, temporary }[which];
        const ended = await run(
          lab,
          review(lab),
          mounted(`mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}`),
        );
        readOnly.tally.add(which, ended, findings);
        const lines = ended.stderr.split('\n').filter(line => line.includes('read-only'));
        if (
          !codes[which].includes(ended.code ?? -1) ||
          lines.length > 1 ||
          ended.stderr.includes('fault in Jury')
        )
          readOnly.tally.wrong.push(`${which}: ${ended.code} ${ended.stderr.slice(-400)}`);
      },
      3,
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    [0, ['stats']],
    [0, ['clean', '--dry-run']],
    [0, ['plan', 'HEAD']],
    [0, ['review', 'HEAD', '--dry-run']],
    [0, ['explain', 'CLAIM']],
    [1, ['report', 'latest']],
    [0, ['consensus', 'latest']],
    [4, ['clean']],
    [4, ['dismiss', 'CLAIM', '--reason', 'no']],
  ])('of a state that cannot be written: exit %i of jury %j', { timeout }, async (code, words) => {
    const { lab, claim } = readable;
    const { state } = lab;
    const ended = await run(
      lab,
      words.map(word => (word === 'CLAIM' ? claim : word)),
      mounted(`mount --bind ${state} ${state} && mount -o remount,bind,ro ${state}`),
    );
    expect(ended).toMatchObject({
      code,
      stderr:
        code === 4 ? expect.stringContaining('cannot be') : expect.not.stringContaining('cannot'),
    });
    expect(ended.stderr).not.toContain('fault in Jury');
  });
});

describe.skipIf(process.platform === 'win32')('a machine, not on Windows', () => {
  const files = faults('few open files');
  const numbers = Array.from({ length: 24 }, (_, index) => 18 + index * 2);
  it('with few open files ends the run without a pass', { timeout }, async () => {
    const wrong = await files.each(numbers, async number => {
      const lab = createLab();
      const ended = await run(lab, review(lab), { before: `ulimit -n ${number};` });
      files.tally.add(`${number} files`, ended, findings);
    });
    expect(wrong).toEqual([]);
  });

  const small = faults('files that may not grow');
  it('with a limit on the size of files ends the run without a pass', { timeout }, async () => {
    const wrong = await small.each(
      [0, 1, 2, 4, 8, 12, 16, 24, 32, 48],
      async blocks => {
        const lab = createLab();
        const ended = await run(lab, review(lab), { before: `ulimit -f ${blocks};` });
        small.tally.add(`${blocks} blocks`, ended, findings);
      },
      2,
    );
    expect(wrong).toEqual([]);
  });
});

/** Moves the clock by so many milliseconds once it has been asked so often. */
const clock = `const [by, after] = [Number(process.env.FAULT_BY), Number(process.env.FAULT_AFTER)];
const Real = Date;
let calls = 0;
const now = () => Real.now() + (calls++ < after ? 0 : by);
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};
`;

const jumps = {
  'a year on': 365 * 86_400_000,
  'a year back': -365 * 86_400_000,
  'ten minutes on': 600_000,
  'ten minutes back': -600_000,
  'to before the run, of a machine without a battery': -Date.parse('2020-01-01T00:00:00Z'),
};

const jumping = (by: number, after: number): Circumstances => {
  const file = path.join(createFolder(), 'clock.mjs');
  writeFileSync(file, clock);
  return {
    more: {
      NODE_OPTIONS: `--import=${pathToFileURL(file).href}`,
      FAULT_BY: String(by),
      FAULT_AFTER: String(after),
    },
  };
};

describe.skipIf(process.platform === 'win32')('a clock, not on Windows', () => {
  const during = faults('clock that jumps during a run');
  const between = faults('clock that jumps between a run and its resume');
  it('that jumps during a run changes nothing of what was found', { timeout }, async () => {
    const wrong = await during.each(
      Object.values(jumps).flatMap(by => [0, 3, 10, 30, 60].map(after => ({ by, after }))),
      async ({ by, after }) => {
        const lab = createLab();
        const ended = await run(lab, review(lab), jumping(by, after));
        during.tally.add(`${by} ms after ${after}`, ended, findings);
        if (ended.code !== 1)
          during.tally.wrong.push(`${by}, ${after}: ${ended.code} ${ended.stderr.slice(-300)}`);
      },
    );
    expect(wrong).toEqual([]);
  });

  it('that jumps before a run is gone on with takes nothing from it', { timeout }, async () => {
    const wrong = await between.each(Object.entries(jumps), async ([name, by]) => {
      const lab = createLab();
      const kept = await killWhenRecorded(lab);
      const before = asked(lab);
      const ended = await run(lab, resume, jumping(by, 0));
      between.tally.add(name, ended, findings);
      if (ended.code !== 1)
        between.tally.wrong.push(`${name}: ${ended.code} ${ended.stderr.slice(-300)}`);
      for (const id of kept)
        if (asked(lab).get(id) !== before.get(id)) between.tally.wrong.push(`${name}: ${id} twice`);
    });
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')(
  'a run that somebody else has, not on Windows',
  () => {
    const both = faults('two resumes at once');
    it('is gone on with by one of two', { timeout }, async () => {
      const wrong = await both.each(
        [1, 2, 3, 4, 5, 6, 7, 8],
        async number => {
          const lab = createLab();
          const kept = await killWhenRecorded(lab);
          const before = asked(lab);
          const ended = await Promise.all([run(lab, resume), run(lab, resume)]);
          for (const [index, one] of ended.entries())
            both.tally.add(`${number}, resume ${index}`, one, findings);
          const codes = ended.map(({ code }) => code);
          if (!codes.includes(1))
            both.tally.wrong.push(`${number}: nobody went on: ${codes.join(' ')}`);
          for (const [id, count] of asked(lab)) {
            const most = (before.get(id) ?? 0) + (kept.includes(id) ? 0 : 1);
            if (count > most) both.tally.wrong.push(`${number}: ${id} was asked ${count} times`);
          }
        },
        1,
      );
      expect(wrong).toEqual([]);
    });

    const locked = faults('locked database');
    it('comes to its verdict while somebody holds its databases', { timeout }, async () => {
      const wrong = await locked.each(
        ['memory.sqlite', 'index.sqlite'],
        async name => {
          const lab = createLab();
          await run(lab, review(lab));
          await run(lab, ['index']);
          const project = readdirSync(lab.state).find(entry => entry.length === 32) ?? '';
          const file = path.join(lab.state, project, name);
          expect(existsSync(file)).toBe(true);
          const database = await openDatabase(systemStorage.disk, file);
          database.exec('BEGIN EXCLUSIVE');
          try {
            for (const words of [
              [...review(lab), '--fresh'],
              ['search', 'sum'],
              ['stats'],
              ['context'],
            ]) {
              const ended = await run(lab, words);
              if (words[0] === 'review') {
                locked.tally.add(`${name}, review`, ended, findings);
                if (ended.code !== 1) locked.tally.wrong.push(`${name}: ${ended.code}`);
                const warnings = ended.stderr.split('\n').filter(line => line.includes(name));
                if (warnings.length !== 1)
                  locked.tally.wrong.push(`${name}: ${warnings.length} warnings`);
              }
              if (ended.code === null || ended.code > 3)
                locked.tally.wrong.push(
                  `${name}, ${words[0]}: ${ended.code} ${ended.stderr.slice(-300)}`,
                );
            }
          } finally {
            database.exec('ROLLBACK');
            database.close();
          }
        },
        1,
      );
      expect(wrong).toEqual([]);
    });
  },
);
