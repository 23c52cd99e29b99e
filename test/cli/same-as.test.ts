/** A judge that takes one trouble for two, a person who says that they are one, and what the judge weighs in the next run. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import type { Disposition, PrintedRecord } from '../../src/core/words/run.ts';
import { createChangedRepository, jury, juryJson, writePanel } from './jury.ts';

/** One trouble in two wordings, and beside it another one. */
const troubles = {
  alpha: [
    'CRITICAL|src/sum.js:2|The nightly import of customers holds one transaction open for hours',
    'CRITICAL|src/sum.js:3|Backups are never verified after they are written',
  ],
  beta: [
    'CRITICAL|src/sum.js:2|Imports block every other writer of the customer table until morning',
    'CRITICAL|src/sum.js:3|Nobody notices when a backup cannot be restored',
  ],
  gamma: ['None'],
};

function claimOf({ claims }: PrintedRecord, finding: string) {
  return claims.find(({ findings }) => findings.some(({ id }) => id === finding))?.id ?? '';
}

describe('jury dismiss --same-as', () => {
  let sample: SampleRepository;
  let config: string;
  let first: PrintedRecord;
  let second: PrintedRecord;
  let decided: Disposition;

  const review = () => juryJson(sample.root, ['review', '--config', config, '--fresh']).record;
  const dismiss = (...args: readonly string[]) => jury(sample.root, ['dismiss', ...args]);

  beforeAll(() => {
    sample = createChangedRepository();
    config = writePanel(
      sample,
      Object.entries(troubles).map(([id, said]) => ({
        id,
        script:
          `const pairs = [...prompt.matchAll(/^Pair (\\d+)$/gm)].map(([, number]) => number);\n` +
          `console.log(pairs.length > 0 ? pairs.map(number => number + '|a|b|DIFFERENT').join('\\n')\n` +
          `  : ${JSON.stringify(`${said.join('\n')}\nVERDICT: needs-changes`)});`,
      })),
      'judge: auto\n',
    );
    first = review();
    const [answer] = first.judge?.answers ?? [];
    const [one, other] = [answer?.one ?? '', answer?.other ?? ''].map(id => claimOf(first, id));
    decided = JSON.parse(
      dismiss(one ?? '', '--same-as', other ?? '', '--json').stdout,
    ) as Disposition;
    second = review();
  });

  it('is a dismissal with a reason of its own, and says how the judge answered', () => {
    expect(first.judge).toMatchObject({ same: 0.9, different: 0.75 });
    expect(decided).toMatchObject({
      verdict: 'tolerated',
      reason: `The same trouble as ${decided.sameAs ?? ''}`,
      judged: [{ claim: decided.sameAs, truth: 'same', right: 0 }],
    });
    expect(second.dismissed).toMatchObject([{ id: decided.claim, reason: decided.reason }]);
  });

  it('makes the answers of the judge weigh less in the next run', () => {
    const wrong = decided.judged?.[0]?.wrong ?? 0;
    expect(wrong).toBeGreaterThan(0);
    expect(second.judge).toEqual({
      ...first.judge,
      same: 18 / (20 + wrong),
    });
  });

  it('weighs more an answer that two claims differ, where one is accepted and the other is false', () => {
    const standing = second.claims.filter(({ id }) => id !== decided.claim);
    jury(sample.root, ['accept', standing[0]?.id ?? '']);
    const judged = standing
      .slice(1)
      .flatMap(
        ({ id }) =>
          (JSON.parse(dismiss(id, '--reason', 'No.', '--json').stdout) as Disposition).judged ?? [],
      );
    const right = judged.reduce((sum, tally) => sum + tally.right, 0);
    expect(judged.map(({ truth, wrong }) => [truth, wrong])).toEqual(
      judged.map(() => ['different', 0]),
    );
    expect(right).toBeGreaterThan(0);
    expect(review().judge?.different).toBeCloseTo((15 + right) / (20 + right));
  });

  it.each([
    ['itself', () => decided.claim, 'cannot be the same as itself'],
    ['an unknown claim', () => 'c-ffffffffff', 'no claim'],
  ])('is refused for %s', (_what, other, sentence) => {
    const { code, stderr } = dismiss(decided.claim, '--same-as', other());
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('leaves the more severe of two claims, and the one that tells of the trouble', () => {
    const severe = writePanel(
      sample,
      ['alpha', 'beta'].map((id, index) => ({
        id,
        script: `console.log(${JSON.stringify(
          `${index === 0 ? 'CRITICAL|src/sum.js:2|The import holds one transaction open for hours' : 'LOW|src/sum.js:3|Names say nothing of what they hold'}\nVERDICT: needs-changes`,
        )});`,
      })),
    );
    const run = () => juryJson(sample.root, ['review', '--config', severe, '--fresh']).record;
    const { claims } = run();
    const [critical = '', low = ''] = ['critical', 'low'].map(
      severity => claims.find(claim => claim.severity === severity)?.id,
    );
    expect(dismiss(critical, '--same-as', low)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the more severe of the two has to stay') as string,
    });
    expect(dismiss(low, '--same-as', critical, '--baseline')).toMatchObject({ code: 3 });
    expect(dismiss(low, '--same-as', critical).code).toBe(0);
    expect(dismiss(critical, '--same-as', low)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is dismissed itself') as string,
    });
    expect(run().dismissed).toMatchObject([{ id: low }]);
    // What told of the trouble is gone: the other one tells of it again.
    dismiss(critical, '--reason', 'It is not so.');
    expect(run().dismissed).toMatchObject([{ id: critical }]);
  });
});
