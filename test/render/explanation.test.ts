import * as fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import type { ClaimExplanation } from '../../src/core/printed/reports.ts';
import { ownWordings } from '../../src/agreement/confidence/voices.ts';
import type { Finding } from '../../src/core/words/finding.ts';
import { renderExplanation } from '../../src/render/explanation.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { at, claim, finding } from './sample-run.ts';

function sampleExplanation(words = 'The name reaches the statement unescaped'): ClaimExplanation {
  const place = at('src/db/query.ts', 42);
  const said = [
    finding(
      {
        reviewer: 'alpha',
        severity: 'critical',
        text: 'SQL injection through the name',
        location: place,
      },
      1,
    ),
    finding({ reviewer: 'beta', severity: 'high', text: words, location: place }, 2),
  ] as const;
  return {
    schema: 'jury.explanation/1',
    run: '20261121T221400Z-a1b2c3',
    sentence: 'Probably true (74%), above all because 2 reviewers say it; gamma says the opposite.',
    claim: claim(1, [said[0], said[1]], { state: 'reopened', matters: 0.8, act: true }),
    strategy: { name: 'calibrated', threshold: null, version: '1' },
    against: [
      {
        claim: 'c-00000000b3',
        supporters: ['gamma'],
        reviewer: 'gamma',
        finding: 'gamma/#3',
        statement: 'The name is escaped',
      },
    ],
    unopposed: 0.81,
    denies: [],
    names: { 'alpha/#1': 'alpha/1', 'beta/#2': 'beta/2', 'gamma/#3': 'gamma/3' },
    joined: [
      {
        one: 'alpha/#1',
        other: 'beta/#2',
        score: 71,
        same: true,
        reason: 'Both name name; they stand at the same lines.',
        start: -6,
        contributions: [
          { evidence: 'place', words: 'they stand at the same lines', worth: 1.5 },
          { evidence: 'identifiers', words: 'they name different code', worth: -0.42 },
        ],
      },
    ],
    apart: [
      {
        claim: 'c-00000000b1',
        text: 'The name is logged',
        supporters: ['gamma'],
        nearest: {
          one: 'alpha/#1',
          other: 'gamma/#3',
          score: 31,
          same: false,
          reason: 'They share too little of what they say.',
          start: -6,
          contributions: [],
        },
        divided: null,
      },
      {
        claim: 'c-00000000b2',
        text: 'The statement is built twice',
        supporters: ['alpha', 'gamma'],
        nearest: {
          one: 'beta/#2',
          other: 'gamma/#4',
          score: 55,
          same: true,
          reason: 'Both say: statement.',
          start: -6,
          contributions: [],
        },
        divided: {
          one: 'alpha/#1',
          other: 'alpha/#5',
          score: 8,
          same: false,
          reason: 'They share too little of what they say.',
          start: -6,
          contributions: [],
        },
      },
    ],
    confidence: {
      matters: { probability: 0.8, start: 0.5, contributions: [] },
      worth: 0.6,
      probability: 0.74,
      start: -0.2,
      contributions: [
        { evidence: 'voices', words: '2 reviewers say it', worth: 1.1 },
        {
          evidence: 'reliability',
          words: 'its reviewers were right more often than most',
          worth: 0.15,
        },
      ],
    },
    recorded: [],
    remembered: {
      history: [
        {
          run: '20261101T080000Z-aaaaaa',
          at: '2026-11-01T08:05:00Z',
          state: 'new',
          confidence: null,
        },
        {
          run: '20261110T080000Z-bbbbbb',
          at: '2026-11-10T08:05:00Z',
          state: 'fixed',
          confidence: null,
        },
        {
          run: '20261121T221400Z-a1b2c3',
          at: '2026-11-21T22:16:00Z',
          state: 'reopened',
          confidence: null,
        },
      ],
      wordings: [
        { reviewer: 'alpha', text: 'SQL injection through the name', category: null, run: 'r' },
        { reviewer: 'beta', text: words, category: null, run: 'r' },
      ],
      supporters: [
        { reviewer: 'alpha', family: null, run: 'r' },
        { reviewer: 'beta', family: null, run: 'r' },
      ],
    },
    decisions: [
      {
        claim: 'c-aaaaaaaaa1',
        verdict: 'tolerated',
        reason: 'until the driver is replaced',
        scope: 'claim',
        until: '2026-11-15',
        at: '2026-11-02T09:00:00.000Z',
        severity: 'critical',
        category: null,
        path: 'src/db/query.ts',
        code: null,
        text: 'SQL injection through the name',
      },
    ],
  };
}

/** As of a matcher that does not take its judgement apart. */
function withoutStart<Pair extends object>(pair: Pair): Pair {
  return { ...pair, start: null };
}

/** One claim of what each reviewer says. */
function sayingsExplained(said: Readonly<Record<string, readonly string[]>>): ClaimExplanation {
  const findings = Object.entries(said)
    .flatMap(([reviewer, texts]) => texts.map(text => ({ reviewer, text })))
    .map((saying, index) => finding(saying, index + 1));
  const whole = sampleExplanation();
  return {
    ...whole,
    claim: claim(1, findings as [Finding, ...Finding[]]),
    names: Object.fromEntries(
      findings.map(({ id, reviewer }, index) => [id, `${reviewer}/${index + 1}`]),
    ),
    against: [],
    apart: [],
  };
}

function asked(reasoning: string) {
  const check = { check: 'name', holds: false, worth: -0.4 } as const;
  return {
    confidence: 0.62,
    verified: {
      checks: [{ ...check, sentence: 'escape stands nowhere in the file.' }],
      answers: [
        {
          reviewer: 'delta',
          stance: 'ENDORSE' as const,
          reasoning,
          concerns: [],
          confidence: 0.9,
          reliability: 0.7,
          moved: 1.25,
        },
      ],
      noResponse: [{ reviewer: 'epsilon', error: 'timeout after 120s' }],
      confidenceBefore: 0.41,
      error: null,
    },
  };
}

describe('an explanation in the terminal', () => {
  it('reads as agreed', () => {
    const text = renderExplanation(sampleExplanation(), { color: false, width: 90 });
    expect(text).toBe(golden('explanation.txt', text));
  });

  it('says so when nothing was put together, computed or remembered', () => {
    const whole = sampleExplanation();
    const text = renderExplanation(
      {
        ...whole,
        claim: { ...whole.claim, supporters: ['alpha'] },
        joined: [],
        apart: [],
        against: [],
        unopposed: null,
        confidence: null,
        remembered: null,
        decisions: [],
      },
      { color: false, width: 90 },
    );
    for (const sentence of [
      'Only alpha says it, once (alpha/1); nothing was put together.',
      'No other claim shares a word with it.',
      'No confidence was computed',
      'Nothing is remembered of it.',
    ])
      expect(text).toContain(sentence);
  });

  it('tells what was looked up and asked, by whom, in which words, and what each part did to the odds', () => {
    const whole = sampleExplanation();
    const moved = { ...whole.claim, ...asked('It is so.') };
    const text = renderExplanation({ ...whole, claim: moved }, { color: false, width: 200 });
    expect(text).toContain(
      [
        'What was looked up and asked about it',
        '  It was at 41% before; this took it to 62%.',
        '  − escape stands nowhere in the file: its odds become 0.67 times what they were',
        '  + delta, asked about it, says it is so; 7 of 10 of its answers are expected to be right: its odds become 3.5',
        '    times what they were',
        '    “It is so.”',
        '  · epsilon did not answer: timeout after 120s',
      ].join('\n'),
    );
    expect(text).toContain('In the run it was 41%');
    const read = renderExplanation(
      { ...whole, recorded: [{ source: 'latest', id: 'c-00000000b9', ...asked('It is so.') }] },
      { color: false, width: 200 },
    );
    expect(read).toContain(
      'In latest, where it is c-00000000b9; the figures above are worked out anew, without this.\n  It was at 41% before; this took it to 62%.\n  − escape',
    );
    expect(renderExplanation(whole, { color: false, width: 200 })).not.toContain('looked up');
  });

  it.each([
    [
      'who only repeats',
      { alpha: ['Same words.'], beta: ['same  WORDS'] },
      ['A copy of alpha/1, word for word: beta says nothing of its own and adds no voice.'],
    ],
    [
      'who repeats two others',
      { alpha: ['one thing'], beta: ['another thing'], gamma: ['one thing', 'another thing'] },
      [
        'A copy of alpha/1, word for word: gamma says nothing of its own and adds no voice.',
        'A copy of beta/2, word for word: gamma says nothing of its own and adds no voice.',
      ],
    ],
    [
      'who also says it otherwise',
      { alpha: ['one thing'], beta: ['one thing', 'the other words'] },
      ['A copy of alpha/1, word for word; both count, as beta says it in other words, too.'],
    ],
    [
      'whom the first one leaves its words to',
      { alpha: ['one thing', 'the other words'], beta: ['one thing'] },
      ['A copy of alpha/1, word for word; both count, as alpha says it in other words, too.'],
    ],
  ])('tells of %s what was counted', (_, said, sentences) => {
    const text = renderExplanation(sayingsExplained(said), { color: false, width: 400 });
    expect(text.match(/A copy of .*/g)).toEqual(sentences);
  });

  it('calls no score a chance that is none', () => {
    const whole = sampleExplanation();
    const text = renderExplanation(
      {
        ...whole,
        joined: whole.joined.map(withoutStart),
        apart: whole.apart.map(each => ({
          ...each,
          nearest: withoutStart(each.nearest),
          divided: each.divided === null ? null : withoutStart(each.divided),
        })),
      },
      { color: false, width: 90 },
    );
    const [, reasons = ''] = text.split('Why this is one claim');
    const [beside = '', , after = ''] = reasons.split(/Who says the opposite|Why its neighbours/);
    expect(beside).toContain('Taken for the same as alpha/1.');
    expect(`${beside}${after.split('How sure')[0]}`).not.toMatch(/%|chance|sure/);
  });

  it('tells nothing of voices where none were counted', () => {
    const whole = sayingsExplained({ alpha: ['one thing'], beta: ['one thing'] });
    const text = renderExplanation({ ...whole, confidence: null }, { color: false, width: 400 });
    expect(text.match(/A copy of .*/g)).toEqual(['A copy of alpha/1, word for word.']);
  });

  it('counts, for any sayings, whoever is not said to add no voice', () => {
    const wordings = fc.uniqueArray(fc.constantFrom('one', 'two', 'three'), { minLength: 1 });
    const sayings = fc.record({ alpha: wordings, beta: wordings, gamma: wordings });
    fc.assert(
      fc.property(sayings, said => {
        const whole = sayingsExplained(said);
        const text = renderExplanation(whole, { color: false, width: 400 });
        const { supporters, findings } = whole.claim;
        const silent = supporters.filter(name => text.includes(`${name} says nothing of its own`));
        const heard = ownWordings(supporters, findings);
        const isShown = findings.length <= 8;
        if (isShown) expect(supporters.filter(name => !heard.includes(name))).toEqual(silent);
        for (const [, name = ''] of text.matchAll(/as (\w+) says it in other words/g))
          expect(said[name as keyof typeof said].length).toBeGreaterThan(1);
      }),
    );
  });

  it.each([40, 80, 200])('keeps within %i columns', width => {
    expect(
      renderExplanation(sampleExplanation('漢'.repeat(200)), { color: false, width })
        .split('\n')
        .filter(line => stringWidth(line) > width),
    ).toEqual([]);
  });

  it('lets no wording steer the terminal', () => {
    for (const payload of payloads)
      expect(
        renderExplanation(
          {
            ...sampleExplanation(payload),
            recorded: [{ source: payload, id: 'c-00000000b9', ...asked(payload) }],
          },
          { color: false, width: 80 },
        ),
      ).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u,
      );
  });
});
