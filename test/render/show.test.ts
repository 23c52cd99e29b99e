import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/core/words/run.ts';
import { renderNamed } from '../../src/render/show.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { claim, finding, review, runOf, sampleRun, at } from './sample-run.ts';
import { renderers } from '../../src/render/formats.ts';

const plain = { color: false, width: 80, full: false };
const full = { ...plain, full: true };

function show(run: Run, id: string, options = plain) {
  const frame = run.record.frames?.[id] ?? null;
  return renderNamed({ run, id, frame, answer: null, before: null }, options);
}

describe('what jury show prints', () => {
  it.each([
    ['claim', 'c-aaaaaaaaa1', plain],
    ['finding', 'beta/#2', plain],
    ['review', 'epsilon', full],
  ] as const)('reads as agreed for one %s', (name, id, options) => {
    const text = show(sampleRun(), id, options);
    expect(text).toBe(golden(`show-${name}.txt`, text));
  });

  it('takes the beginning of a claim id when only one claim begins so', () => {
    const claims = [
      { ...claim(1, [finding({ reviewer: 'alpha', text: 'one' }, 1)]), id: 'c-0123456789' },
      { ...claim(2, [finding({ reviewer: 'alpha', text: 'two' }, 2)]), id: 'c-0199999999' },
    ];
    const run = runOf([review('alpha', [])], claims);
    expect(show(run, 'c-012')).toContain('c-0123456789');
    expect(() => show(run, 'c-01')).toThrow('is not there');
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
    expect(show(run, '#2')).toContain('mine');
    expect(show(run, 'beta:#1')).toContain('other');
    expect(() => show(run, '#1')).toThrow('is not there');
  });

  it('knows nothing of ids that nobody has', () => {
    for (const id of ['c-ffffffffff', 'zeta', 'alpha/#99', '', 'c-'])
      expect(() => show(sampleRun(), id)).toThrow('is not there');
  });

  it('adds the untouched words only when asked for everything', () => {
    const raw = 'CRITICAL|src/db/query.ts:42|Request parameter';
    const run = sampleRun();
    const [target] = run.reviews[1]?.findings ?? [];
    if (target === undefined) throw new Error('beta found something');
    target.raw = raw;
    expect(show(run, 'beta')).not.toContain(raw);
    expect(show(run, 'beta', full)).toContain(raw);
  });

  it('shows of a claim of 3,000 findings the first, and says how many more there are', () => {
    const said = Array.from({ length: 3_000 }, (_, index) =>
      finding({ reviewer: `r${index % 30}`, text: 'one' }, index + 1),
    );
    const large = { ...claim(1, [finding({ reviewer: 'r0', text: 'one' }, 1)]), findings: said };
    const run = runOf([review('r0', said)], [large]);
    const text = show(run, large.id);
    expect(text).toContain(`… and 2980 more findings: jury show ${large.id} --full`);
    expect(text.split('\n').length).toBeLessThan(200);
    expect(show(run, large.id, full)).not.toContain('more findings');
  });

  it('lets no data steer the terminal', () => {
    for (const payload of payloads) {
      for (const id of ['c-aaaaaaaaa1', 'alpha', 'beta', 'alpha/#1']) {
        expect(show(poisonedRun(payload), id, full)).not.toMatch(
          /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u,
        );
      }
    }
  });
});

/** One open claim, one dismissed for good, one with its file, and one that is fixed. */
function closedRun(reason = 'The form limits it to ten characters') {
  const said = [
    finding(
      {
        reviewer: 'alpha',
        severity: 'high',
        text: 'The list is read without a lock',
        location: at('src/list.ts', 12),
      },
      1,
    ),
    finding(
      {
        reviewer: 'beta',
        severity: 'critical',
        text: 'The name is not limited in length',
        location: at('src/form.ts', 4),
      },
      2,
    ),
    finding(
      {
        reviewer: 'gamma',
        severity: 'low',
        text: 'Generated code repeats itself',
        location: at('src/generated/schema.ts', 9),
      },
      3,
    ),
  ] as const;
  const claims = [
    claim(1, [said[0]], { state: 'reopened' }),
    claim(2, [said[1]], { state: 'dismissed' }),
    claim(3, [said[2]], { state: 'dismissed' }),
  ];
  return runOf(
    [review('alpha', [said[0]]), review('beta', [said[1]]), review('gamma', [said[2]])],
    claims,
    {
      fixed: [
        {
          id: 'c-00000000ff',
          severity: 'medium',
          text: 'The cookie is sent in clear',
          location: { path: 'src/cookie.ts', line: 3 },
          reason: 'beta read it again and does not repeat it.',
        },
      ],
      dismissed: [
        {
          id: claims[1]?.id ?? '',
          by: claims[1]?.id ?? '',
          verdict: 'rejected',
          reason,
          scope: 'claim',
          until: '2027-01-31',
        },
        {
          id: claims[2]?.id ?? '',
          by: 'c-00000000aa',
          verdict: 'tolerated',
          reason: 'Nobody reads it',
          scope: 'file',
          until: null,
        },
      ],
    },
  );
}

describe('claims that count no more', () => {
  it('stand apart from the open ones, with the reason, in the terminal', () => {
    const text = renderers.terminal(closedRun(), { color: false, width: 80 });
    expect(text).toBe(golden('terminal-closed.txt', text));
    expect(text.match(/The name is not limited/g)).toHaveLength(1);
  });

  it('keep every word that was said about them in the Markdown report', () => {
    const text = renderers.markdown(closedRun(), { color: false, width: 80 });
    expect(text).toBe(golden('report-closed.md', text));
  });

  it('are opened with the reason of the dismissal', () => {
    const run = closedRun();
    const id = run.record.claims[1]?.id ?? '';
    const text = renderNamed(
      { run, id, frame: null, answer: null, before: null },
      { color: false, width: 80, full: false },
    );
    expect(text).toMatch(/dismissed: The form limits it to ten characters \(until 2027-01-31\)/);
  });

  it('take a few lines when fixed, however many they are', () => {
    const run = closedRun();
    const fixed = Array.from({ length: 50 }, (_, index) => ({
      severity: 'low' as const,
      text: 'Was wrong',
      location: null,
      reason: 'Its code is gone.',
      id: `c-${String(index).padStart(10, '0')}`,
    }));
    const text = renderers.terminal(
      { ...run, record: { ...run.record, fixed } },
      { color: false, width: 80 },
    );
    expect(text).toMatch(/^Fixed \(50\)\n(?: {2}- c-00000000.*\n){3} {2}- … and 47 more\n/m);
  });

  it('let no reason steer the terminal', () => {
    for (const payload of payloads) {
      const text = renderers.terminal(closedRun(`because ${payload}`), { color: false, width: 80 });
      expect(text, JSON.stringify(payload)).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u,
      );
    }
  });
});
