import { describe, expect, it } from 'vitest';
import { renderShown, type ShowOptions } from '../../src/render/show.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { claim, finding, review, runOf, sampleRun } from './sample-run.ts';

const plain: ShowOptions = { color: false, width: 80, full: false };
const full: ShowOptions = { ...plain, full: true };

describe('what jury show prints', () => {
  it.each([
    ['claim', 'c-aaaaaaaaa1', plain],
    ['finding', 'beta/#2', plain],
    ['review', 'epsilon', full],
  ] as const)('reads as agreed for one %s', (name, id, options) => {
    const text = renderShown(sampleRun(), id, options) ?? 'nothing';
    expect(text).toBe(golden(`show-${name}.txt`, text));
  });

  it('takes the beginning of a claim id when only one claim begins so', () => {
    const claims = [
      { ...claim(1, [finding({ reviewer: 'alpha', text: 'one' }, 1)]), id: 'c-0123456789' },
      { ...claim(2, [finding({ reviewer: 'alpha', text: 'two' }, 2)]), id: 'c-0199999999' },
    ];
    const run = runOf([review('alpha', [])], claims);
    expect(renderShown(run, 'c-012', plain)).toContain('c-0123456789');
    expect(renderShown(run, 'c-01', plain)).toBeNull();
  });

  it('takes a bare finding id when only one reviewer used it, and reviewer:id as well', () => {
    const same = [
      review('alpha', [
        finding({ reviewer: 'alpha', text: 'one' }, 1),
        finding({ reviewer: 'alpha', text: 'mine' }, 2),
      ]),
      review('beta', [finding({ reviewer: 'beta', text: 'other' }, 1)]),
    ];
    const run = runOf(same, []);
    expect(renderShown(run, '#2', plain)).toContain('mine');
    expect(renderShown(run, 'beta:#1', plain)).toContain('other');
    expect(renderShown(run, '#1', plain)).toBeNull();
  });

  it('knows nothing of ids that nobody has', () => {
    for (const id of ['c-ffffffffff', 'zeta', 'alpha/#99', '', 'c-'])
      expect(renderShown(sampleRun(), id, plain)).toBeNull();
  });

  it('adds the untouched words only when asked for everything', () => {
    const raw = 'CRITICAL|src/db/query.ts:42|Request parameter';
    const run = sampleRun();
    const [target] = run.reviews[1]?.findings ?? [];
    if (target === undefined) throw new Error('beta found something');
    target.raw = raw;
    expect(renderShown(run, 'beta', plain)).not.toContain(raw);
    expect(renderShown(run, 'beta', full)).toContain(raw);
  });

  it('shows of a claim of 3,000 findings the first, and says how many more there are', () => {
    const said = Array.from({ length: 3_000 }, (_, index) =>
      finding({ reviewer: `r${index % 30}`, text: 'one' }, index + 1),
    );
    const large = { ...claim(1, [finding({ reviewer: 'r0', text: 'one' }, 1)]), findings: said };
    const run = runOf([review('r0', said)], [large]);
    const text = renderShown(run, large.id, plain) ?? '';
    expect(text).toContain(`… and 2980 more findings: jury show ${large.id} --full`);
    expect(text.split('\n').length).toBeLessThan(200);
    expect(renderShown(run, large.id, full)).not.toContain('more findings');
  });

  it('lets no data steer the terminal', () => {
    for (const payload of payloads) {
      for (const id of ['c-aaaaaaaaa1', 'alpha', 'beta', 'alpha/#1']) {
        expect(renderShown(poisonedRun(payload), id, full)).not.toMatch(
          /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u,
        );
      }
    }
  });
});
