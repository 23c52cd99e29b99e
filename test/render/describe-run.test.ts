import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import { renderers, formats } from '../../src/render/formats.ts';
import { floodedRun } from './formats/runs.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { at, claim, files, finding, review, runOf, sampleRun, type Saying } from './sample-run.ts';
import { poisonedRun } from './poisoned-run.ts';
import { failureOf } from '../core/sample.ts';

const ownColours = /\u001B\[\d+m/g;
const steering =
  /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u;

/** Paths, commands and the words of a fenced place cannot be wrapped without breaking them for copy and click. */
function isUnbreakable(line: string): boolean {
  return /^\s*(jury |full report$|\/home\/)/.test(line) || files.some(path => line.includes(path));
}

function manyClaims(amount: number) {
  const sayings = Array.from({ length: amount }, (_, index): Saying => ({
    reviewer: ['alpha', 'beta', 'gamma'][index % 3] ?? '',
    severity: index < 5 ? 'critical' : 'low',
    text: `Thing ${index + 1} is wrong`,
    location: at(files[0] ?? '', index + 1),
  }));
  return sayings.map((saying, index) => claim(index + 1, [finding(saying, index + 1)]));
}

describe('the terminal report', () => {
  it.each([40, 80, 200])('reads as agreed at %i columns', width => {
    const text = renderers.terminal(sampleRun(), { color: false, width });
    expect(text).toBe(golden(`terminal-${width}.txt`, text));
  });

  it('says the outcome on its first line and on its last, in words and with colour', () => {
    const lines = renderers.terminal(sampleRun(), { color: true, width: 80 }).trimEnd().split('\n');
    for (const line of [lines[0], lines.at(-1)]) expect(line).toContain('\u001B[31m✗ FAIL');
  });

  it('says the same words with and without colour', () => {
    const coloured = renderers.terminal(sampleRun(), { color: true, width: 80 });
    expect(coloured.replace(ownColours, '')).toBe(
      renderers.terminal(sampleRun(), { color: false, width: 80 }),
    );
  });

  it.each([32, 40, 61, 80, 100, 200])(
    'keeps every line that can be wrapped within %i columns',
    width => {
      const tooWide = renderers
        .terminal(sampleRun(), { color: false, width })
        .split('\n')
        .filter(line => stringWidth(line) > width && !isUnbreakable(line));
      expect(tooWide).toEqual([]);
    },
  );

  it('breaks a word that is longer than the line, and a wide one by its columns', () => {
    const run = runOf(
      [review('alpha', [])],
      ['x'.repeat(500), '漢'.repeat(300)].map((text, index) =>
        claim(index + 1, [finding({ reviewer: 'alpha', text }, index + 1)]),
      ),
    );
    const tooWide = renderers
      .terminal(run, { color: false, width: 50 })
      .split('\n')
      .filter(line => stringWidth(line) > 50 && !isUnbreakable(line));
    expect(tooWide).toEqual([]);
  });

  it('shows twenty claims, the blocking and severe ones first, and says how to see the others', () => {
    const claims = manyClaims(57);
    const text = renderers.terminal(
      runOf([review('alpha', [])], claims, { blocking: [claims[56]?.id ?? ''] }),
      { color: false, width: 80 },
    );
    expect(text.match(/Thing \d+ is wrong/g)).toHaveLength(20);
    expect(text.match(/Thing \d+ /g)?.slice(0, 6)).toEqual([
      'Thing 57 ',
      'Thing 1 ',
      'Thing 2 ',
      'Thing 3 ',
      'Thing 4 ',
      'Thing 5 ',
    ]);
    expect(text).toContain('… and 37 more (37 low): ');
    expect(text).toContain('jury report 20261121T221400Z-a1b2c3 --format markdown');
  });

  it('names the command that resumes only when the run is incomplete', () => {
    const incomplete = runOf([review('alpha', [])], [], {
      outcome: 'INCOMPLETE',
      reasons: [
        {
          rule: 'quorum',
          effect: 'INCOMPLETE',
          subject: 'run',
          sentence: '1 of 3 reviewers completed; the quorum is 2.',
        },
      ],
    });
    expect(renderers.terminal(incomplete, { color: false, width: 80 })).toContain(
      'jury resume 20261121T221400Z-a1b2c3',
    );
    expect(renderers.terminal(sampleRun(), { color: false, width: 80 })).not.toContain(
      'jury resume',
    );
  });

  it('does not call silence a result when nobody completed', () => {
    const silent = runOf(
      [
        review('alpha', [], {
          status: 'failed',
          failure: failureOf('quota', 'used up'),
          coverage: [],
        }),
      ],
      [],
      {
        outcome: 'INCOMPLETE',
      },
    );
    expect(renderers.terminal(silent, { color: false, width: 80 })).toContain(
      'Nobody completed, so nothing is known.',
    );
  });

  it('prints the votes of a verification', () => {
    const verified = runOf([review('alpha', [])], [], {
      verification: {
        result: 'undecided',
        criteria: [{ criterion: 1, pass: ['alpha'], fail: ['beta'], result: 'disputed' }],
      },
    });
    expect(renderers.terminal(verified, { color: false, width: 80 })).toContain(
      '1. disputed (1 pass, 1 fail)',
    );
  });

  it('lets no data steer the terminal', () => {
    expect(payloads.length).toBeGreaterThanOrEqual(60);
    for (const payload of payloads) {
      const run = poisonedRun(payload);
      expect(renderers.terminal(run, { color: false, width: 80 })).not.toMatch(steering);
      expect(
        renderers.terminal(run, { color: true, width: 80 }).replace(ownColours, ''),
      ).not.toMatch(steering);
    }
  });

  it('stays short when a reviewer floods it', () => {
    const text = renderers.terminal(floodedRun(10_000), { color: true, width: 80 });
    expect(text.length).toBeLessThan(30_000);
  });
});

describe('the formats of a report', () => {
  it('have one renderer each, and every renderer is a format', () =>
    expect(Object.keys(renderers).sort()).toEqual([...formats].sort()));

  it('print the brief in at most fifteen lines', () => {
    const lines = renderers.brief(sampleRun(), { color: true, width: 40 }).trimEnd().split('\n');
    expect(lines).toContain('Excluded: 1 file (dist/app.js)');
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(lines[0]).toBe('Protocol: 1.0');
  });

  it.each(formats)(
    '%s prints the outcome, ends with a line end and changes nothing in the run',
    format => {
      const run = sampleRun();
      const text = renderers[format](run, { color: false, width: 80 });
      expect(text).toMatch(/\bFAIL\b/);
      expect(text.endsWith('\n')).toBe(true);
      expect(run).toEqual(sampleRun());
    },
  );
});
