import { describe, expect, it } from 'vitest';
import { nameBasedUuid } from '../../src/adapters/system/ids.ts';
import { accountForCounts } from '../../src/core/vote/account-for-motions.ts';
import { MotionAccount } from '../../src/core/vote/motion-account.ts';
import { decideMotion, tallyOf } from '../../src/core/vote/ratification.ts';
import { toRows } from '../../src/core/vote/ratification-rows.ts';
import { readRecordedCounts } from '../../src/core/vote/recorded-counts.ts';
import { describeAccount, renderAccount } from '../../src/render/motion-account.ts';
import { paintMarkdown } from '../../src/render/to-markdown.ts';
import { everyRuleSet, shippedRules } from '../core/vote/sample-session.ts';
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

function onOneLine(account: MotionAccount): string {
  return renderAccount(account, { color: false, width: 80 }).replace(/\s+/g, ' ');
}

function recorded(rest: {
  readonly not_assigned: number | null;
  readonly no_response: number;
}): MotionAccount {
  const rules = shippedRules('guarded');
  const { rosterSize, motions } = readRecordedCounts(
    'aggregations.json',
    [
      {
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
      },
    ],
    undefined,
  );
  const [motion] = motions;
  if (motion === undefined) throw new Error('No row.');
  const [row] = toRows(
    decideMotion({ ...motion, tally: tallyOf(motion, rules) }, rosterSize, rules),
    {
      motionId: motion.id,
      title: motion.title,
      rosterSize,
      cast: null,
      recommendation: null,
      missing: motion.missing,
      at: null,
      sample: null,
      amended: () => ({ text: '', by: 'merge' }),
      again: null,
      voteId: pass => nameBasedUuid(`vote|${pass}`),
    },
  );
  if (row === undefined) throw new Error('No decision.');
  return accountForCounts(
    { ...motion, number: 1, row, rosterSize },
    { rules, shipped: everyRuleSet },
  );
}

async function accounts(): Promise<readonly MotionAccount[]> {
  return (await sampleVote('with care')).run.accounts;
}
