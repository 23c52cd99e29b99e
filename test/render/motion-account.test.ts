import { describe, expect, it } from 'vitest';
import { MotionAccount } from '../../src/core/printed/motion-account.ts';
import { decideCounts, readRecordedCounts } from '../../src/vote/holding/vote-on-motions.ts';
import { describeAccount, describeSample, renderAccount } from '../../src/render/motion-account.ts';
import { paintMarkdown } from '../../src/render/to-markup.ts';
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
    expect(text).not.toMatch(/How close|By other rules|Those who were asked/);
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
      '2 supported it before the vote and were not asked, which counts as yea.',
    );
    expect(text).toContain('Those who were asked: 3 yea, 1 nay, 0 abstain, 1 without answer.');
    expect(text).toContain('Risk before the vote: high (recorded).');
    expect(text).toContain('Only counts were recorded: who said what, and why, is not known.');
    expect(text).not.toMatch(/Strongest|panel/);
  });

  it('leaves open who was asked where the record does', () => {
    const text = onOneLine(recorded({ not_assigned: null, no_response: 4 }));
    expect(text).toContain(
      '3 yea, 1 nay, 0 abstain, 4 without answer or not asked (the record does not say which).',
    );
  });
});

describe('every figure of a motion can be checked', () => {
  it('of one that had enough yeas and too many amendments', () =>
    expect(onOneLine(counted([6, 32, 5, 24, 5]))).toContain(
      'As it was first put: 38 yea, 5 nay, 24 amend, 5 abstain; it needed 34 of 67 votes, and at most 5 amends.',
    ));

  it('of one that had enough yeas only with its amendments', () =>
    expect(onOneLine(counted([6, 15, 23, 27, 1]))).toContain(
      'As it was first put: 21 yea, 23 nay, 27 amend, 1 abstain; it needed 36 of 71 votes,',
    ));

  it('of one that other answers would have brought to a second pass, and no further', () => {
    expect(onOneLine(counted([10, 9, 40, 9, 4]))).toContain(
      'Those who were asked: 9 yea, 40 nay, 9 amend, 4 abstain, 0 without answer. ' +
        'How close it was: if 7 nay had been yea, ' +
        'it would have been ratified as amended, if those who wanted changes then agreed.',
    );
    // Without an amendment there is nothing to agree to.
    expect(onOneLine(counted([10, 9, 49, 0, 4]))).toContain(
      'if 16 nay had been yea, it would have been ratified.',
    );
  });

  it('of one that was put off, which other rules pass by a second pass that they assume', () => {
    const text = onOneLine(counted([1, 17, 12, 36, 6]));
    expect(text).toContain('36 of 66 votes ask for amendments, threshold NOT MET');
    expect(text).toContain(
      'explicit@1 rejected, seed@1 rejected, quorum@1 ratified (second pass assumed, not asked)',
    );
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
function counted(counts: readonly [number, number, number, number, number]) {
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

function onOneLine(account: MotionAccount) {
  return renderAccount(account, { color: false, width: 80 }).replace(/\s+/g, ' ');
}

function recorded(rest: object) {
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
    `session of ${row.mega_motion_id}`,
  );
  return decided?.account ?? expect.fail('No decision.');
}

async function accounts() {
  return (await sampleVote('with care')).run.accounts;
}

const drawn = { outcome: 'ratified', asked: 24, answered: 23, not_drawn: 47, more: 0 } as const;

it.each([
  [0.008, 'at most a 0.8 % risk that the others would turn it'],
  // Never less than it is.
  [0.00801, 'at most a 0.81 % risk that the others would turn it'],
  [0.05, 'at most a 5 % risk that the others would turn it'],
  [0.1201, 'at most a 13 % risk that the others would turn it'],
  [1e-12, 'at most a 0.01 % risk that the others would turn it'],
  [0, 'whatever the others would say'],
])('a risk of %d is rounded up', (risk, words) =>
  expect(describeSample({ ...drawn, risk_of_sample: risk })).toBe(
    `decided by a sample of 24 of 71, ${words}`,
  ),
);

it.each([
  [12, '12 more with the commonest answer would decide it'],
  [null, 'all of them would have to be asked'],
])('what is open tells how many more would decide it: %s', (more, words) =>
  expect(describeSample({ ...drawn, outcome: 'incomplete', risk_of_sample: 0.3, more })).toBe(
    `a sample of 24 of 71 was asked, 23 answered, and with a chance of up to 30 % the others would turn it; ${words}`,
  ),
);

it('a vote is no sample', () => {
  const everybody = {
    asked: null,
    answered: null,
    not_drawn: null,
    more: null,
    risk_of_sample: null,
  };
  expect(describeSample({ ...everybody, outcome: 'ratified' })).toBeNull();
});
