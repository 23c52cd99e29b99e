import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clausesOf, type Clause } from '../../../../src/core/vote/contradiction/clauses.ts';

const only = (text: string): Clause => {
  const [clause, ...more] = clausesOf(text);
  expect(more).toEqual([]);
  return clause ?? expect.fail(`"${text}" has no clause`);
};

describe('a clause', () => {
  it('is about its words, without those that enact, deny or join', () => {
    const { terms, isNegative } = only(
      'The council shall require that members must not be permitted to sell old audit logs',
    );
    expect([...terms.keys()]).toEqual(['council', 'member', 'sell', 'old', 'audit', 'log']);
    expect(isNegative).toBe(true);
  });

  it.each([
    ['never', 'Members never sell old audit logs'],
    ['no', 'No member sells old audit logs'],
    ['none', 'None of the members sell old audit logs'],
    ['nobody', 'Nobody sells the old audit logs of members'],
    ["don't", "Members don't sell old audit logs"],
    ['no longer', 'Members no longer sell old audit logs'],
    ['banned', 'The sale of old audit logs to members is banned'],
    ['prohibition', 'Prohibition of sales of old audit logs'],
    ['reject', 'I reject the sale of old audit logs'],
    ['against', 'I am firmly against the sale of old audit logs'],
    ['do not support', 'We do not support the sale of old audit logs'],
    ['repeal', 'Repeal the rule on the sale of old audit logs'],
    ['no place', 'Old audit logs have no place in our yearly sale'],
    ['under no circumstances', 'Members shall, under no circumstances, sell old audit logs'],
  ])('says no by %s', (_, text) => {
    expect(only(text).isNegative).toBe(true);
  });

  it.each([
    ['a double denial', 'It is not prohibited to sell old audit logs'],
    ['a refused refusal', 'We oppose the abolition of old audit logs'],
    ['nobody may be denied', 'Nobody may be denied a copy of old audit logs'],
    ['not only', 'Members sell not only old audit logs'],
    ['no later than', 'Members sell old audit logs no later than in spring'],
    ['an end that is a noun', 'Members sell old audit logs by the end of spring'],
    ['audited against', 'Old logs are audited yearly against the rules'],
    ['banners', 'Members sell old audit banners'],
  ])('says yes by %s', (_, text) => {
    expect(only(text).isNegative).toBe(false);
  });

  it('keeps the words of its text, and its exceptions apart', () => {
    const clause = only('  No data of patients is kept without written consent ');
    expect(clause.text).toBe('No data of patients is kept without written consent');
    expect([...clause.excepted]).toEqual(['written', 'consent']);
    expect([...clause.stated]).toEqual(['data', 'patient']);
  });

  it('ends at full stops, semicolons and line ends, not within a number', () => {
    expect(
      clausesOf(
        'Members sell 1.5 tons of paper.\nMembers read old audit logs; members keep old audit books. ',
      ).map(({ text }) => text),
    ).toEqual([
      'Members sell 1.5 tons of paper',
      'Members read old audit logs',
      'members keep old audit books',
    ]);
  });

  it('stands in the text word for word, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), text => {
        for (const clause of clausesOf(text)) expect(text).toContain(clause.text);
      }),
    );
  });
});
