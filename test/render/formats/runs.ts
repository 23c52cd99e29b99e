/** Runs that every format has to tell: none, one and many claims, one that could not be decided, texts of a megabyte. */
import type { Run } from '../../../src/core/words/run.ts';
import { at, claim, finding, review, runOf, sampleRun } from '../sample-run.ts';
import { failureOf } from '../../core/sample.ts';

export function emptyRun(): Run {
  return runOf([review('alpha', []), review('beta', [])], [], { reasons: [], outcome: 'PASS' });
}

/** Nobody answered, and nobody found anything. */
export function undecidedRun(): Run {
  const failure = failureOf('deadline', 'no answer');
  return runOf([review('alpha', [], { status: 'failed', failure })], [], {
    outcome: 'INCOMPLETE',
    reasons: [
      {
        rule: 'quorum',
        effect: 'INCOMPLETE',
        subject: 'run',
        sentence: '0 of 1 completed; the quorum is 1.',
      },
    ],
  });
}

/** The sample with one claim that somebody dismissed and one that is fixed. */
export function decidedRun(): Run {
  const run = sampleRun();
  const [first, second, third, fourth, ...others] = run.record.claims;
  if (!first || !second || !third || !fourth) throw new Error('The sample has too few claims.');
  return {
    ...run,
    record: {
      ...run.record,
      claims: [
        first,
        { ...second, state: 'dismissed' },
        third,
        { ...fourth, state: 'fixed' },
        ...others,
      ],
      dismissed: [
        {
          id: second.id,
          by: second.id,
          verdict: 'tolerated',
          reason: 'Only trusted callers reach it',
          scope: 'claim',
          until: '2027-01-31',
        },
      ],
    },
  };
}

/** Claims on lines of a hundred files, each of two findings of so many words. */
export function manyClaims(amount: number, words = 12): Run {
  const text = 'the value of the request is used unchecked and the retry never ends '.repeat(
    words / 12,
  );
  const claims = Array.from({ length: amount }, (_, index) => {
    const say = (reviewer: string) =>
      finding(
        {
          reviewer,
          text: `${text}${index} ${reviewer}`,
          location: at(`src/f${index % 100}.ts`, index + 1),
        },
        index,
      );
    return claim(0x1000000 + index, [say('alpha'), say('beta')]);
  });
  return runOf([review('alpha', []), review('beta', [])], claims, { outcome: 'FAIL' });
}

/** As many claims, and two of one reviewer that are as long. */
export function floodedRun(amount: number): Run {
  const [wide, long] = [
    finding({ reviewer: 'alpha', text: '漢字 '.repeat(20 * amount) }, 1),
    finding({ reviewer: 'alpha', text: 'x'.repeat(100 * amount) }, 2),
  ];
  return runOf(
    [review('alpha', [])],
    [claim(1, [wide]), claim(2, [long]), ...manyClaims(amount).record.claims],
  );
}

/** One claim of which every text is a megabyte. */
export function longTexts(): Run {
  const long = `${'All work and no play. '.repeat(50_000)}]]></failure>`;
  const said = {
    ...finding({ reviewer: 'alpha', text: long, location: at('src/db/query.ts', 3) }, 1),
    evidence: long,
    recommendation: long,
  };
  return runOf(
    [review('alpha', [said])],
    [claim(1, [said, { ...said, reviewer: 'beta', text: `${long}2` }])],
    {
      outcome: 'FAIL',
      reasons: [{ rule: 'veto', effect: 'FAIL', subject: long, sentence: long }],
    },
  );
}
