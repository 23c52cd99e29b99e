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
    expect(text).not.toMatch(/How close|By other rules|said yes/);
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
      'Of those for it, 2 had supported it before the vote and were not asked.',
    );
    expect(text).toContain('Of the 5 who were asked, 3 said yes, 1 said no and 1 did not answer.');
    expect(text).toContain(
      'Before the vote it was put at high risk, as it was recorded; the reason was not.',
    );
    expect(text).toContain('Only counts were recorded: who said what, and why, is not known.');
    expect(text).not.toMatch(/Strongest|panel|gave a reason/);
  });

  it('leaves open who was asked where the record does', () => {
    const text = onOneLine(recorded({ not_assigned: null, no_response: 4 }));
    expect(text).toContain(
      '3 said yes, 1 said no and 4 did not answer or were not asked (the record does not say which).',
    );
    expect(text).not.toMatch(/who were asked/);
  });
});

describe('every figure of a motion can be checked', () => {
  it('of one that had enough yeas and too many amendments', () => {
    expect(onOneLine(counted([6, 32, 5, 24, 5]))).toContain(
      'As it was first put, 38 were for it, 5 against it, 24 wanted changes and 5 abstained. ' +
        'The 38 were enough (it needed 34 of the 67 votes), but more than 5 wanted changes, so it could pass only with them.',
    );
  });

  it('of one that had enough yeas only with its amendments', () => {
    expect(onOneLine(counted([6, 15, 23, 27, 1]))).toContain(
      'The 21 were too few (it needed 36 of the 71 votes), but enough with the 27 who wanted changes, so it could pass only with them.',
    );
  });

  it('of one that other answers would have brought to a second pass, and no further', () => {
    expect(onOneLine(counted([10, 9, 40, 9, 4]))).toContain(
      'so it was 16 short. Of those for it, 10 had supported it before the vote and were not asked. ' +
        'All 62 who were asked answered: 9 said yes, 40 said no, 9 wanted changes and 4 abstained. ' +
        'How close it was: if 7 of those who said no had said yes instead, ' +
        'it would have passed as amended, if those who wanted changes then agreed.',
    );
    // Without an amendment there is nothing to agree to.
    expect(onOneLine(counted([10, 9, 49, 0, 4]))).toContain(
      'if 16 of those who said no had said yes instead, it would have passed.',
    );
  });

  it('of one that was put off, which other rules pass by a second pass that they assume', () => {
    const text = onOneLine(counted([1, 17, 12, 36, 6]));
    expect(text).toContain(
      '36 of the 66 votes ask for changes, and where more than half do, it is not voted on as amended',
    );
    expect(text).toContain('(explicit@1, seed@1) it would not have passed.');
    expect(text).toContain('(quorum@1) it would have passed (second pass assumed, not asked).');
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
