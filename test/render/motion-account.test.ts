import { describe, expect, it } from 'vitest';
import { nameBasedUuid } from '../../src/adapters/system/ids.ts';
import { MotionAccount } from '../../src/core/printed/motion-account.ts';
import { decideCounts, readRecordedCounts } from '../../src/vote/recorded-counts.ts';
import { describeAccount, renderAccount } from '../../src/render/motion-account.ts';
import { paintMarkdown } from '../../src/render/to-markdown.ts';
import { everyRuleSet, shippedRules } from '../vote/sample-session.ts';
import { golden } from './golden.ts';
import { sampleVote } from './sample-vote.ts';

describe('why a motion came to what it came to', () => {
  it('reads as agreed', async () => {
    const text = (await accounts())
      .map(account => paintMarkdown(describeAccount(account, 3)))
      .join('\n');
    expect(text).toBe(golden('motion-accounts.txt', text));
  });

  it('is data, and the same after it was written and read', async () => {
    const said = await accounts();
    expect(MotionAccount.array().parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
  });

  it('tells support that nobody said apart from what was said', async () => {
    const [first] = await accounts();
    expect(first?.stances).toEqual({
      implicit_endorsements: 3,
      explicit_endorsements: 2,
      oppositions: 0,
      amendments_proposed: 2,
      abstentions: 0,
      no_response: 1,
      not_assigned: 0,
    });
  });

  it('says that a simulation asked nobody, and tells of no other answers', async () => {
    const { run } = await sampleVote('with care');
    const [first] = run.accounts;
    if (first === undefined) throw new Error('No account.');
    const text = renderAccount(
      { ...first, based_on: 'simulation', otherwise: null, fewest_to_turn: null },
      { color: false, width: 200 },
    );
    expect(text).toContain('Nobody was asked: this is a simulation, and its votes are invented.');
    expect(text).not.toMatch(/How close|By |endorse/);
  });

  it('lets no word of others steer a terminal', async () => {
    const said = '\u001b[2J';
    const { run } = await sampleVote(said);
    for (const account of run.accounts)
      expect(renderAccount(account, { color: false, width: 80 })).not.toContain('\u001b');
  });
});

describe('what counts alone tell of a motion', () => {
  it('is told, and nothing beside it', () => {
    const text = onOneLine(recorded({ not_assigned: 3, no_response: 1 }));
    expect(text).toContain(
      'Said: 3 endorse, 1 oppose, 0 amend, 0 abstain, 1 did not answer, 2 supported it before and were not asked, 3 left out',
    );
    expect(text).toContain('Risk: high (recorded)');
    expect(text).toContain('Only counts were recorded: who said what, and why, is not known.');
    expect(text).not.toMatch(/Strongest|[Pp]anel/);
  });

  it('leaves open who was asked where the record does', () => {
    const text = onOneLine(recorded({ not_assigned: null, no_response: 4 }));
    expect(text).toContain('4 did not answer or were not asked (the record does not say which)');
  });
});

describe('every figure of a motion can be checked', () => {
  it.each([
    [
      'one that had enough yeas and too many amendments',
      [6, 32, 5, 24, 5],
      'First pass: Yeas 38 | Nays 5 | Amends 24 | Abstain 5; needed 34 of 67 votes, with at most 5 amends.',
    ],
    [
      'one that had enough yeas only with its amendments',
      [6, 15, 23, 27, 1],
      'First pass: Yeas 21 | Nays 23 | Amends 27 | Abstain 1; needed 36 of 71 votes',
    ],
    [
      'one that other answers would have brought to a second pass, and no further',
      [10, 9, 40, 9, 4],
      'How close: with 7 of the nays as yeas it would be ratified, in a second pass',
    ],
    [
      'one without an amendment, where there is nothing to agree to',
      [10, 9, 49, 0, 4],
      'How close: with 16 of the nays as yeas it would be ratified -',
    ],
    [
      'one that was short of its threshold',
      [10, 9, 49, 0, 4],
      'simple_majority 19/35 NOT MET (more than 1/2 of 68 votes, 16 short)',
    ],
    [
      'one that was put off',
      [1, 17, 12, 36, 6],
      'revision_required: 36 of 66 votes ask for amendments, threshold NOT MET (more than 1/2)',
    ],
    [
      'one that other rules pass by a second pass that they assume',
      [1, 17, 12, 36, 6],
      'By quorum@1: ratified, second pass assumed, not asked',
    ],
  ] as const)('of %s', (_, counts, words) => {
    expect(onOneLine(counted(counts))).toContain(words);
  });
});

it('a motion whose counts are those of a simulation is marked where it is named', () => {
  const rest = { not_assigned: 3, no_response: 1 };
  expect(onOneLine(recorded({ ...rest, simulated: true }))).toMatch(
    /^1\. .*: ratified \(simulated\) /,
  );
  expect(onOneLine(recorded(rest))).not.toContain('simulated');
});

/** Of 72, everybody asked who did not support it. */
function counted(counts: readonly [number, number, number, number, number]): MotionAccount {
  const [implicit, yeas, nays, amends, abstentions] = counts;
  return recorded({
    implicit_endorsements: implicit,
    explicit_endorsements: yeas,
    oppositions: nays,
    amendments_proposed: amends,
    abstentions,
    engaged_count: 72,
    not_assigned: 0,
    no_response: 0,
  });
}

function onOneLine(account: MotionAccount): string {
  return renderAccount(account, { color: false, width: 80 }).replace(/\s+/g, ' ');
}

function recorded(rest: object): MotionAccount {
  const row = {
    mega_motion_id: 'm-1',
    mega_motion_title: 'Publish with care',
    implicit_endorsements: 2,
    explicit_endorsements: 3,
    oppositions: 1,
    amendments_proposed: 0,
    abstentions: 0,
    engaged_count: 6,
    risk_tier: 'high',
    ...rest,
  };
  const [decided] = decideCounts(
    readRecordedCounts('aggregations.json', [row], undefined),
    { rules: shippedRules('guarded'), shipped: everyRuleSet },
    (motion, pass) => nameBasedUuid(`vote|${motion}|${pass}`),
  );
  return decided?.account ?? expect.fail('No decision.');
}

async function accounts(): Promise<readonly MotionAccount[]> {
  return (await sampleVote('with care')).run.accounts;
}
