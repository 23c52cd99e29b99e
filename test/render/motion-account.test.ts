import { describe, expect, it } from 'vitest';
import { accountForMotions, type MotionAccount } from '../../src/core/vote/motion-account.ts';
import { MotionsSettings } from '../../src/core/vote/motions-settings.ts';
import { describeAccount } from '../../src/render/motion-account.ts';
import { shippedRules } from '../core/vote/sample-session.ts';
import { golden } from './golden.ts';
import { sampleVote } from './sample-vote.ts';

const shipped = ['explicit', 'seed', 'quorum', 'guarded'].map(shippedRules);

describe('why a motion came to what it came to', () => {
  it('reads as agreed', async () => {
    const text = (await accounts())
      .map(account =>
        [
          `${account.number}. ${account.title}`,
          ...describeAccount(account).map(
            ({ name, sentence, quote }) =>
              `- ${name}: ${sentence}${quote === null ? '' : ` "${quote}"`}`,
          ),
          '',
        ].join('\n'),
      )
      .join('\n');
    expect(text).toBe(golden('motion-accounts.txt', text));
  });

  it('tells support that nobody said apart from what was said', async () => {
    const [first] = await accounts();
    expect(first?.votes).toEqual({
      implicit: 3,
      endorsing: 2,
      opposing: 0,
      amending: 2,
      abstaining: 0,
      noResponse: 1,
      notAsked: 0,
    });
  });

  it('quotes nobody where nobody gave a word', async () => {
    const [, , , opposed] = await accounts();
    expect(opposed?.support).toBeNull();
  });
});

async function accounts(): Promise<MotionAccount[]> {
  const { run } = await sampleVote('with care');
  return accountForMotions(run, {
    rules: shippedRules('guarded'),
    shipped,
    settings: MotionsSettings.parse({}),
  });
}
