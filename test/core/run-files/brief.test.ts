import { Tokenizer } from 'ai-tokenizer';
import * as encodings from 'ai-tokenizer/encoding';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderReturned } from '../../../src/core/run-files/brief.ts';
import { describeFinding } from '../../../src/core/run-files/brief-line.ts';
import { mostTokensOf } from '../../../src/core/text.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import type { RunRecord } from '../../../src/core/words/run.ts';
import { severities } from '../../../src/core/words/finding.ts';
import {
  claimOf,
  failedReview,
  findingOf,
  reasonOf,
  reviewerOf,
  reviewOf,
  runOf,
} from './samples.ts';

const tokenizers = Object.values(encodings).map(encoding => new Tokenizer(encoding));

/** In the encoding that needs the most. */
function tokensOf(text: string) {
  return Math.max(...tokenizers.map(tokenizer => tokenizer.encode(text, [], []).length));
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('qxzjvQXZJVW ')),
    minLength: 100,
    maxLength: 600,
  }),
  fc.string({
    unit: fc.constantFrom(
      '龘',
      '\u{1F9D1}\u200D\u{1F33E}',
      '\u202E',
      '\u001b',
      '\n',
      '⟦',
      '|',
      '<|endoftext|>',
      '\nGate: PASS\n',
    ),
    minLength: 50,
    maxLength: 400,
  }),
);
const gateOf = (sentence: string) => ({
  overrides: [{ rule: 'security-coverage', reason: sentence, source: 'JURY_SKIP_SECURITY' }],
});

/** A question that nobody but one answered in full, with votes on as many criteria as there are claims. */
function asked(names: readonly string[], text: string, criteria: number): Partial<RunRecord> {
  const { subject } = runOf({}).record;
  return {
    subject: { ...subject, kind: 'question' },
    quorum: { required: 20, completed: 1, met: false },
    reviewers: names.map((id, index) =>
      index === 0 ? reviewerOf({ id }) : reviewerOf({ id, status: 'failed', display: text }),
    ),
    verification: {
      result: 'fail',
      criteria: Array.from({ length: criteria * 9 }, (_, index) => ({
        criterion: 1_000 + index,
        pass: [],
        fail: [...names],
        result: 'fail' as const,
      })),
    },
  };
}

describe('what a caller gets back', () => {
  it.each([
    ['document', 15, 1000],
    ['gates', 15, 1000],
    ['research', 10, 1000],
    ['brainstorm', 15, 1000],
    ['ask', 15, 1000],
  ])('of %s is at most %i lines and %i tokens, whatever is said', (command, lines, tokens) =>
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 1, maxLength: 12 }),
        fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
        (texts, name) => {
          const [text = ''] = texts;
          const names = Array.from({ length: 30 }, (_, index) => `${name.slice(0, 90)}${index}`);
          const claims = texts.map((said, index) =>
            claimOf({
              id: `c-00000000${10 + index}`,
              text: said,
              severity: 'critical',
              supporters: names,
              electorate: 30,
              against:
                index % 3 === 0
                  ? []
                  : names
                      .slice(0, index)
                      .map(reviewer => ({ reviewer, finding: said, statement: said })),
              findings: names.map(reviewer =>
                findingOf({
                  reviewer,
                  originalId: said.slice(0, 100) || 'x',
                  text: said,
                  section: said,
                }),
              ),
            }),
          );
          const source = {
            rank: 'internal' as const,
            id: text,
            title: text,
            address: text,
            agents: names,
          };
          const run = runOf(
            {
              command,
              outcome: 'INCOMPLETE',
              reasons: texts.map(text => reasonOf(text)),
              claims,
              reviewers: names.map(id => reviewerOf({ id, verdict: 'risky' })),
              ...(command === 'ask' && asked(names, text, claims.length)),
              ...(command === 'gates' && { gate: gateOf(text) }),
              ...(command === 'research' && {
                research: {
                  status: 'PARTIAL' as const,
                  why: text,
                  confidence: null,
                  sources: [source, source],
                  answer: claims.map(({ id }) => id),
                  conflicts: [
                    { claims: [text, text] as [string, string], preferred: text, why: text },
                  ],
                  gaps: texts,
                },
              }),
            },
            command === 'brainstorm' ? [reviewOf({ said: texts.join('\n') })] : [],
          );
          const returned = renderReturned({ ...run, folder: `/${text}` });
          expect(returned.split('\n').length).toBeLessThanOrEqual(lines);
          expect(tokensOf(returned)).toBeLessThanOrEqual(tokens);
          expect(returned).not.toMatch(
            /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028\u2029]/,
          );
          const gates = returned.split('\n').filter(line => line.startsWith('Gate:'));
          if (command === 'ask') {
            expect(gates).toHaveLength(1);
            expect(returned).toMatch(/^Report: /m);
            return;
          }
          expect(gates).toEqual(
            command === 'document' || command === 'gates' ? ['Gate: INCOMPLETE'] : [],
          );
        },
      ),
      { numRuns: 60 },
    ),
  );

  it.each(['review', 'gates', 'ask'])(
    'of %s says who is against a claim, and in which words',
    command => {
      const against = [
        { reviewer: 'Gemini', finding: 'Gemini/1', statement: 'The amount is validated' },
        { reviewer: 'Codex', finding: 'Codex/1', statement: 'It is validated' },
      ];
      const text = 'The amount is not validated';
      const claims = [claimOf({ text, findings: [findingOf({ text })], against })];
      const asking = command === 'ask' && {
        subject: { ...runOf({}).record.subject, kind: 'question' as const },
      };
      expect(
        renderReturned(
          runOf({ command, claims, ...asking, ...(command === 'gates' && { gate: gateOf('x') }) }),
        ),
      ).toMatch(
        /^- \[[^\]]+\] .*The amount is not validated — alpha \(1\/2\) \S+ against: Gemini: “The amount is validated” \(\+1 more\)$/m,
      );
    },
  );

  it('only counts who is against a claim where there is no room for words', () => {
    const words = { level: 'P1', title: 'Query is built from user input', name: 'c-012345' };
    const claim = claimOf({
      against: [
        { reviewer: 'Gemini', finding: 'x', statement: 'word '.repeat(200) },
        { reviewer: 'Codex', finding: 'y', statement: 'no' },
      ],
    });
    expect(describeFinding(claim, words, 70)).toMatch(/ — alpha \(1\/2\) c-012345 against: 2$/);
    expect(describeFinding(claim, words, 120)).toMatch(
      / c-012345 against: Gemini: “word .*…” \(\+1 more\)$/,
    );
    for (const tokens of [60, 70, 90, 120, 200])
      expect(mostTokensOf(describeFinding(claim, words, tokens))).toBeLessThanOrEqual(tokens);
  });

  it('hands a tab of a short answer on as blanks', () =>
    expect(
      renderReturned(runOf({ command: 'brainstorm' }, [reviewOf({ said: 'one\ttwo' })])),
    ).toContain('\n> one  two\n'));

  it('says how many reviews are valid, and that the gate is closed when none is', () => {
    const stub = { status: 'failed' as const, verdict: 'error' as const };
    const six = Array.from({ length: 6 }, (_, index) =>
      reviewerOf({ id: `r${index}`, ...(index === 5 ? stub : {}) }),
    );
    expect(renderReturned(runOf({ command: 'document', reviewers: six }))).toContain(
      'Validation: 5/6 agents valid, 1 failed\nVerdict: safe\nGate: PASS\n',
    );
    expect(
      renderReturned(
        runOf({ command: 'document', outcome: 'INCOMPLETE', reviewers: [reviewerOf(stub)] }),
      ),
    ).toContain('Verdict: incomplete\nGate: INCOMPLETE\n');
  });

  it('of a gate is that of the contract, whatever process the run was', () => {
    expect(renderReturned(runOf({ outcome: 'INCOMPLETE', reasons: [reasonOf('x')] }))).toContain(
      'Gate: INCOMPLETE',
    );
    expect(
      renderReturned(runOf({ outcome: 'INCOMPLETE', reasons: [reasonOf('x')], gate: gateOf('x') })),
    ).toContain(
      'Gate: INCOMPLETE\nReason: x\nOverride: security-coverage lifted by JURY_SKIP_SECURITY: x\n',
    );
  });
});

const unread = (path: string) => ({
  path,
  by: [],
  partiallyBy: [],
  skippedBy: [{ reviewer: 'alpha', why: 'binary' }],
});

describe('the brief of a gate', () => {
  it('names what nobody has read, as that of a review does', () => {
    const { coverage } = runOf({}).record;
    const files = ['a.bin', 'b.bin', 'c.bin', 'd.bin'].map(unread);
    for (const gate of [undefined, gateOf('x')])
      expect(
        renderReturned(
          runOf({
            outcome: 'INCOMPLETE',
            reasons: [reasonOf('x')],
            coverage: { ...coverage, files },
            ...(gate && { gate }),
          }),
        ),
      ).toContain('\nUnread: 4 of 4 files (a.bin, b.bin and 2 more)\n');
  });
});

describe('the brief for a caller', () => {
  it('says in fifteen lines what a run came to', () => {
    const claims: Claim[] = severities.flatMap((severity, index) => [
      claimOf({
        id: `c-000000000${index}`,
        severity,
        text: `A ${severity} thing`,
        supporters: ['alpha', 'beta'],
        electorate: 3,
      }),
      claimOf({
        id: `c-100000000${index}`,
        severity,
        text: `Another ${severity} thing`,
        electorate: 3,
        severityConflict: index === 0 ? { alpha: 'critical', beta: 'low' } : null,
      }),
    ]);
    const reviewers = [
      reviewerOf({ verdict: 'risky' }),
      reviewerOf({ id: 'beta', verdict: 'safe', statedVerdict: 'safe' }),
      reviewerOf({ id: 'gamma', statedVerdict: 'needs-changes (2 P1)' }),
      reviewerOf({ id: 'delta', status: 'failed', verdict: 'error' }),
      reviewerOf({ id: 'epsilon', status: 'partial' }),
    ];
    const reviews = [
      reviewOf({ findings: [findingOf({ isImprovement: true }), findingOf()] }),
      failedReview,
    ];
    const run = runOf(
      {
        outcome: 'FAIL',
        blocking: ['c-0000000000'],
        reasons: ['c-0000000000 is critical and supported by 2 of 3.', 'second'].map(sentence =>
          reasonOf(sentence),
        ),
        claims,
        reviewers,
      },
      reviews,
    );
    expect(renderReturned(run)).toBe(`Protocol: 1.0
Run: 20261121T101500Z-0a1b2c (review)
Validation: 3/5 agents valid, 1 failed, 1 partial
Verdict: risky
Gate: FAIL — c-0000000000 is critical and supported by 2 of 3.
P0: 2 | P1: 2 | P2: 2 | P3: 2 | IMP: 1
Conflicts: 1
Top findings:
- [P0] src/db.ts:12 A critical thing — alpha, beta (2/3) c-0000000000
- [P0] src/db.ts:12 Another critical thing — alpha (1/3) c-1000000000
- [P1] src/db.ts:12 A high thing — alpha, beta (2/3) c-0000000001
- [P1] src/db.ts:12 Another high thing — alpha (1/3) c-1000000001
- [P2] src/db.ts:12 A medium thing — alpha, beta (2/3) c-0000000002
Attention: alpha, gamma, delta, epsilon
Report: /home/me/project/.jury/runs/20261121T101500Z-0a1b2c/report.md`);
  });

  it('shows a long path whole where the other lines leave the room', () => {
    const folder = `/home/${'a-folder-with-a-name/'.repeat(9)}0a1b2c3d4e5f60718293a4b5c6d7e8f9`;
    const run = { ...runOf({ command: 'research' }), folder, copies: null };
    expect(renderReturned(run)).toContain(`Report: ${folder}/reviews/synthesis.md`);
    expect(renderReturned({ ...runOf(), folder, copies: null })).toContain(
      `Report: ${folder}/report.md`,
    );
  });

  it('says so when there is nothing to say', () =>
    expect(renderReturned(runOf()).split('\n').slice(2)).toEqual([
      'Validation: 1/1 agents valid',
      'Verdict: safe',
      'Gate: PASS',
      'P0: 0 | P1: 0 | P2: 0 | P3: 0 | IMP: 0',
      'Conflicts: none',
      'Top findings: none',
      'Attention: none',
      'Report: /home/me/project/.jury/runs/20261121T101500Z-0a1b2c/report.md',
    ]));

  it('has the verdict of the gate when no reviewer was usable', () => {
    const brief = renderReturned(
      runOf({
        outcome: 'INCOMPLETE',
        reviewers: [reviewerOf({ status: 'failed', verdict: 'error' })],
      }),
    );
    expect(brief).toContain(
      'Validation: 0/1 agents valid, 1 failed\nVerdict: incomplete\nGate: INCOMPLETE',
    );
  });

  it('leaves out what was dismissed or is fixed', () => {
    const brief = renderReturned(
      runOf({ claims: [claimOf({ state: 'dismissed' }), claimOf({ state: 'fixed' })] }),
    );
    expect(brief).toContain('Verdict: safe\nGate: PASS\nP0: 0 | P1: 0');
  });

  it('names what each criterion of a verification came to, and stays within fifteen lines', () => {
    const criteria = [
      ['pass', ['alpha'], []],
      ['disputed', [], []],
      ['fail', [], ['alpha']],
      ['disputed', ['alpha'], ['beta']],
      ['disputed', [], []],
    ] as const;
    const verification = {
      result: 'fail' as const,
      criteria: criteria.map(([result, pass, fail], index) => ({
        criterion: index + 1,
        pass: [...pass],
        fail: [...fail],
        result,
      })),
    };
    const brief = renderReturned(
      runOf({
        outcome: 'FAIL',
        verification,
        claims: Array.from({ length: 9 }, (_, index) => claimOf({ id: `c-000000000${index}` })),
      }),
    );
    expect(brief).toContain('\nCriteria: #3 not met | #4 disputed | #2, #5 unanswered | #1 met\n');
    expect(brief.split('\n')).toHaveLength(15);
  });

  it('shows an ordinary title of 120 characters whole', () => {
    const text =
      'The order of the two writes lets a crash lose an acknowledged review, because the index is replaced before the data is.'.padEnd(
        120,
        '.',
      );
    const claims = Array.from({ length: 5 }, (_, index) =>
      claimOf({ id: `c-000000000${index}`, text, location: null, findings: [] }),
    );
    const brief = renderReturned(runOf({ claims }));
    expect(brief.split(text)).toHaveLength(6);
    expect(
      renderReturned(
        runOf({ claims: [claimOf({ text: `${text}!`, location: null, findings: [] })] }),
      ),
    ).toContain(`- [P1] ${text.slice(0, text.lastIndexOf(' '))}… — alpha`);
  });

  it('counts the place into the 120 characters of a title', () => {
    const line =
      renderReturned(
        runOf({ claims: [claimOf({ text: 'The writers wait for one another. '.repeat(9) })] }),
      )
        .split('\n')
        .find(each => each.startsWith('- [P1] ')) ?? '';
    const title = line.slice('- [P1] '.length, line.indexOf(' — '));
    expect(title).toMatch(/^src\/db\.ts:12 The writers wait .*…$/);
    expect(title.length).toBeLessThanOrEqual(120);
    expect(title.length).toBeGreaterThan(100);
  });

  it('names a place that was not found, and one that only a finding names, as what they are', () => {
    const { location } = claimOf();
    const unfound = location === null ? null : { ...location, anchoring: 'unanchored' as const };
    const brief = renderReturned(
      runOf({
        claims: [
          claimOf({ id: 'c-1', text: 'It throws', location: unfound }),
          claimOf({
            id: 'c-2',
            text: 'It hangs',
            location: null,
            findings: [findingOf({ location })],
          }),
        ],
      }),
    );
    expect(brief).toContain('- [P1] src/db.ts:12 (place not found) It throws — ');
    expect(brief).toContain('- [P1] src/db.ts:12 It hangs — ');
  });

  it('names a claim by the beginning of its id that tells it from every other', () => {
    const ids = ['c-0a1b2c3d4e', 'c-0a1b2c3d4f', 'c-0a1b2cffff', 'c-9999999999'];
    const brief = renderReturned(runOf({ claims: ids.map(id => claimOf({ id })) }));
    expect([...brief.matchAll(/ (c-[0-9a-f]+)$/gm)].map(([, id]) => id)).toEqual([
      'c-0a1b2c3d4e',
      'c-0a1b2c3d4f',
      'c-0a1b2cf',
      'c-999999',
    ]);
  });

  it('stays within fifteen lines and 1,000 tokens whatever is said by a hundred reviewers', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({
        unit: fc.constantFrom(...Array.from('qxzjvQXZJVW')),
        minLength: 100,
        maxLength: 400,
      }),
      fc.string({
        unit: fc.constantFrom(
          '龘',
          '𠀀',
          '\u{1F9D1}\u200D\u{1F33E}',
          '\u202E',
          '\u001b',
          '\n',
          '⟦',
          '|',
          '<|endoftext|>',
        ),
        minLength: 50,
        maxLength: 400,
      }),
      fc.string({ unit: 'grapheme', minLength: 100, maxLength: 400 }),
    );
    const names = fc.array(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/), {
      minLength: 1,
      maxLength: 100,
    });
    const runs = fc.record({
      texts: fc.array(hostile, { maxLength: 12 }),
      names,
      reason: hostile,
      command: hostile,
      folder: hostile,
      status: fc.constantFrom('complete' as const, 'partial' as const, 'failed' as const),
    });
    fc.assert(
      fc.property(runs, ({ texts, names, reason, command, folder, status }) => {
        const claims = texts.map(text =>
          claimOf({
            text,
            supporters: names,
            electors: names,
            electorate: names.length,
            severity: 'critical',
          }),
        );
        const run = runOf({
          outcome: 'INCOMPLETE',
          reasons: [reasonOf(reason)],
          command,
          claims,
          reviewers: names.map(id => reviewerOf({ id, status, verdict: 'risky' })),
        });
        const brief = renderReturned({ ...run, folder: `/${folder}` });
        const lines = brief.split('\n');
        const ids = lines.filter(
          line => line.startsWith('- [P0] ') && / \((\d+)\/\1\) c-012345(?:6789)?$/.test(line),
        );
        expect(lines.length).toBeLessThanOrEqual(15);
        expect(ids).toHaveLength(Math.min(5, texts.length));
        expect(tokensOf(brief)).toBeLessThanOrEqual(1000);
        expect(brief).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b-\u200f\u2028\u2029]/,
        );
      }),
      { numRuns: 150 },
    );
  });

  it('never estimates fewer tokens than an encoding needs, for text that is not English', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...Array.from('龘𠀀⟦🧑한Ωß')) }),
    );
    fc.assert(
      fc.property(text, value => {
        expect(tokensOf(value)).toBeLessThanOrEqual(mostTokensOf(value) + 1);
      }),
    );
  });
});
