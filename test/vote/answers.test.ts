import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStance } from '../../src/vote/records.ts';
import { Stance } from '../../src/core/words/claim.ts';
import { readStances } from '../../src/vote/answers.ts';

const item = (id: string, stance: string, more: object = {}) => ({
  motion_id: id,
  stance,
  reasoning: `about ${id}`,
  ...more,
});

function stancesIn(text: string, asked: readonly string[]) {
  const read = [...readStances(text, asked)];
  return Object.fromEntries(
    read.map(([id, said]) => [id, typeof said === 'string' ? `? ${said}` : said.stance]),
  );
}

describe('the words of a stance', () => {
  test.each([
    ['endorse', 'ENDORSE'],
    ['  Approve ', 'ENDORSE'],
    ['SUPPORT', 'ENDORSE'],
    ['accept', 'ENDORSE'],
    ['oppose', 'OPPOSE'],
    ['Reject', 'OPPOSE'],
    ['nay', 'OPPOSE'],
    ['amend', 'AMEND'],
    ['endorse_with_amendment', 'AMEND'],
    ['ENDORSE_WITH_AMENDMENTS', 'AMEND'],
    ['endorse_with_changes', 'AMEND'],
    ['abstain', 'ABSTAIN'],
    ['neutral', 'ABSTAIN'],
    ['I endorse this', 'ENDORSE'],
    ['strongly_support', 'ENDORSE'],
    ['we must oppose it', 'OPPOSE'],
    ['rejected', 'OPPOSE'],
    ['endorse, with amendments', 'AMEND'],
    ['oppose unless amended', 'AMEND'],
  ])('%s means %s', (words, stance) => expect(readStance(words)).toBe(stance));

  test.each([
    'I cannot endorse this',
    'do not support',
    'do_not_endorse',
    'never amend',
    'no support',
    "I don't oppose",
    'I can’t endorse',
    'maybe',
    '',
    'endorse and oppose',
    'endorse|oppose',
    'unsupported',
    'disapprove',
    'abstaining',
    'decline to endorse',
    'without support',
    'oppose rather than amend',
  ])('"%s" means none', words => expect(readStance(words)).toBeNull());
});

describe('an answer on several motions', () => {
  test('is matched by id in whatever order it comes', () => {
    const answer = JSON.stringify([
      item('m-3', 'oppose'),
      item('m-2', 'amend'),
      item('m-1', 'endorse'),
    ]);
    expect(stancesIn(answer, ['m-1', 'm-2', 'm-3'])).toEqual({
      'm-1': 'ENDORSE',
      'm-2': 'AMEND',
      'm-3': 'OPPOSE',
    });
  });

  test('may stand in a fence, between prose, in an object, line by line, or in what a client wraps around it', () => {
    const list = JSON.stringify([item('m-1', 'endorse'), item('m-2', 'nay')]);
    const wrapped = JSON.stringify({ type: 'result', result: `Here:\n${list}` });
    for (const text of [
      `\`\`\`json\n${list}\n\`\`\``,
      `I [thought] about {it}.\n${list}\nThat is all.`,
      `{"reviews": ${list}}`,
      wrapped,
      list.replaceAll('},{', '}\n{').slice(1, -1),
    ]) {
      expect(stancesIn(text, ['m-1', 'm-2'])).toEqual({ 'm-1': 'ENDORSE', 'm-2': 'OPPOSE' });
    }
  });

  test('that is too short leaves the rest to be asked again', () =>
    expect(stancesIn(JSON.stringify([item('m-2', 'endorse')]), ['m-1', 'm-2'])).toEqual({
      'm-1': '? The answer says nothing about it.',
      'm-2': 'ENDORSE',
    }));

  test.each([
    [
      item('m-1', 'endorse', { final: item('m-1', 'oppose') }),
      '? The answer takes two stances on it.',
    ],
    [
      { error: 'overloaded', partial: [item('m-1', 'endorse')] },
      '? The answer says nothing about it.',
    ],
    [{ error: '', answers: [item('m-1', 'endorse')] }, 'ENDORSE'],
    [
      {
        choices: [
          { finish_reason: 'length', message: { content: JSON.stringify(item('m-1', 'endorse')) } },
        ],
      },
      '? The answer says nothing about it.',
    ],
  ])('%j is as whole as it says', (answer, said) =>
    expect(stancesIn(JSON.stringify(answer), ['m-1'])).toEqual({ 'm-1': said }),
  );

  test('that also speaks about one nobody asked about counts for none of them', () => {
    const answer = JSON.stringify([item('m-9', 'endorse'), item('m-1', 'oppose')]);
    const why = '? The answer speaks about "m-9", which it was not asked about.';
    expect(stancesIn(answer, ['m-1', 'm-2'])).toEqual({ 'm-1': why, 'm-2': why });
  });

  test('on one motion counts when it names it, and notes what it says about others', () => {
    const read = readStances(JSON.stringify([item('m-9', 'endorse'), item('m-1', 'endorse')]), [
      'm-1',
    ]);
    expect(read.get('m-1')).toMatchObject({
      stance: 'ENDORSE',
      validation: ['passed over what it says about "m-9", which it was not asked about'],
    });
    const why = '? The answer speaks about "m-9", which it was not asked about.';
    expect(stancesIn(JSON.stringify(item('m-9', 'endorse')), ['m-1'])).toEqual({ 'm-1': why });
    expect(
      stancesIn(`${JSON.stringify(item('m-9', 'oppose'))} {"stance":"endorse"}`, ['m-1']),
    ).toEqual({ 'm-1': why });
  });

  test('that repeats the example names no motion by it', () => {
    const answer = JSON.stringify([item('<as given>', 'endorse'), item('m-1', 'oppose')]);
    expect(stancesIn(answer, ['m-1', 'm-2'])).toEqual({
      'm-1': 'OPPOSE',
      'm-2': '? The answer says nothing about it.',
    });
  });

  test('names ids with blanks around them as the session has them', () =>
    expect(stancesIn(JSON.stringify(item(' m-1 ', 'endorse')), [' m-1 '])).toEqual({
      ' m-1 ': 'ENDORSE',
    }));

  test('that breaks off counts as far as it is whole', () => {
    const text = JSON.stringify([item('m-1', 'endorse'), item('m-2', 'oppose')]).slice(0, -12);
    expect(stancesIn(text, ['m-1', 'm-2'])).toEqual({
      'm-1': 'ENDORSE',
      'm-2': '? The answer says nothing about it.',
    });
  });

  test('that takes both stances on one motion takes none', () => {
    expect(
      stancesIn(JSON.stringify([item('m-1', 'endorse'), item('m-1', 'oppose')]), ['m-1']),
    ).toEqual({ 'm-1': '? The answer takes two stances on it.' });
    expect(
      stancesIn(JSON.stringify([item('m-1', 'endorse'), item('m-1', 'Endorse')]), ['m-1']),
    ).toEqual({ 'm-1': 'ENDORSE' });
    expect(stancesIn('[{"motion_id":"m-1","stance":["endorse","oppose"]}]', ['m-1'])).toEqual({
      'm-1': '? The stance is no text.',
    });
  });

  test('on one motion may be a single object, and need not name the motion', () => {
    expect(stancesIn(JSON.stringify(item('m-1', 'abstain')), ['m-1'])).toEqual({
      'm-1': 'ABSTAIN',
    });
    expect(stancesIn('{"stance":"endorse","reasoning":"fine"}', ['m-1'])).toEqual({
      'm-1': 'ENDORSE',
    });
    expect(stancesIn('{"stance":"endorse"}', ['m-1', 'm-2'])['m-1']).toMatch(/^\?/);
  });

  test('keeps what was said, with defaults for the rest', () => {
    const stated = readStances(
      JSON.stringify([
        item('m-1', 'amend', {
          confidence: 0.9,
          amendment_type: 'rewrite it',
          amendment_text: ' Add a clause. ',
        }),
        item('m-2', 'oppose', {
          confidence: 7,
          opposition_concerns: ['too broad', '', 3, 'no budget'],
        }),
      ]),
      ['m-1', 'm-2'],
    );
    expect(stated.get('m-1')).toEqual({
      stance: 'AMEND',
      reasoning: 'about m-1',
      confidence: 0.9,
      opposition_concerns: [],
      amendment_type: 'minor_wording',
      amendment_text: 'Add a clause.',
      amendment_rationale: null,
      validation: ['amendment without rationale'],
    });
    expect(stated.get('m-2')).toMatchObject({
      stance: 'OPPOSE',
      confidence: 0.5,
      opposition_concerns: ['too broad', 'no budget'],
      validation: ['opposition reason is shorter than 50 characters'],
    });
  });
});

describe('whatever a member says', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '{"motion_id":"m-1"',
    '"stance":"endorse"',
    '"stance":"oppose"',
    '\\',
    '```',
    ' ',
    '\n',
    '["',
    '{"',
    '__proto__',
    '"motion_id"',
    'm-1',
    '[1,',
    '{"a":',
  );
  const hostile = fc.oneof(
    fc.array(piece, { maxLength: 60 }).map(pieces => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );

  test('every motion asked about has a stance or a reason why not, and no other has', () =>
    fc.assert(
      fc.property(
        hostile,
        fc.uniqueArray(fc.constantFrom('m-1', 'm-2', 'm-3', ''), { minLength: 1 }),
        (text, asked) => {
          const read = readStances(text, asked);
          expect([...read.keys()]).toEqual(asked);
          for (const said of read.values())
            expect(
              typeof said === 'string'
                ? said !== ''
                : Stance.options.includes(said.stance) &&
                    said.confidence >= 0 &&
                    said.confidence <= 1,
            ).toBe(true);
        },
      ),
      { numRuns: 500 },
    ));

  test('order and surroundings never change what is read', () => {
    const answers = fc.uniqueArray(
      fc.tuple(
        fc.stringMatching(/^m-[a-z0-9]{1,6}$/),
        fc.constantFrom('endorse', 'oppose', 'amend', 'abstain'),
      ),
      { minLength: 1, maxLength: 12, selector: ([id]) => id },
    );
    fc.assert(
      fc.property(
        answers,
        fc.constantFrom('', 'Sure:\n```json\n', 'I weighed [all] of it. '),
        (list, before) => {
          const asked = list.map(([id]) => id);
          const plain = stancesIn(
            JSON.stringify(list.map(([id, stance]) => item(id, stance))),
            asked,
          );
          const turned = stancesIn(
            before + JSON.stringify(list.toReversed().map(([id, stance]) => item(id, stance))),
            asked,
          );
          expect(turned).toEqual(plain);
        },
      ),
    );
  });

  test.each(['[', '{"a":[', '["[",', '{"motion_id":', '[1,', '"["', '{"'])(
    'a megabyte of %s is read to its end',
    unit => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      expect(typeof readStances(text, ['m-1']).get('m-1')).toBe('string');
    },
  );
});
