import { describe, expect, it } from 'vitest';
import { nameBasedUuid } from '../../src/core/hash.ts';
import { UserError } from '../../src/core/errors.ts';
import {
  readSession,
  type SessionFiles,
  type SessionInput,
  statedText,
  statedTexts,
} from '../../src/vote/session-input.ts';
import { parseSessionJson } from '../../src/core/given-json.ts';
import { readRoster } from '../../src/core/words/roster.ts';

function read(files: Partial<SessionFiles>, includeDeferred = false) {
  const none = {
    id: 'folder',
    megaMotions: [],
    novelProposals: undefined,
    deferredProposals: undefined,
    summary: undefined,
    positions: undefined,
    roster: undefined,
  };
  return readSession(
    { ...none, ...files },
    {
      includeDeferred,
      defaultRoster: ['Bael', 'Agares', 'Glasya-Labolas'],
    },
  );
}

const messageOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof UserError && error.kind === 'input') return error.message;
    throw error;
  }
  return 'nothing was thrown';
};

const ids = ({ session }: SessionInput) => session.motions.map(({ id }) => id);

const declared = (given: object) =>
  read({
    megaMotions: [given],
    novelProposals: [{ proposal_id: 'p', ...given }],
  }).session.motions.map(({ constitutional }) => constitutional);

const supported = (...names: string[]) => ({
  megaMotions: [{ title: 'T', consolidated_text: 't', all_supporting_archons: names }],
});

describe('a session', () => {
  it('fills in what is missing', () => {
    const { session, warnings } = read({ megaMotions: [{}] });
    expect(session).toMatchObject({
      id: 'folder',
      name: 'folder',
      motions: [
        {
          id: nameBasedUuid('folder|0|Untitled'),
          title: 'Untitled',
          theme: 'Unknown',
          text: '',
          supporters: [],
          sourceMotionIds: [],
          consensusTier: 'low',
          isNovel: false,
        },
      ],
    });
    expect(warnings).toEqual([
      'mega-motions.json: element 0 has no title.',
      'mega-motions.json: element 0 has no consolidated_text to vote on.',
    ]);
    expect(read({ summary: { session_name: 'Name' } }).session.name).toBe('Name');
  });

  it('makes a motion of a novel proposal, cut at fifty code points', () => {
    const { session } = read({
      novelProposals: [
        { proposal_id: 'p', recommendation_id: 'r', archon_name: 'Bael', text: '😀'.repeat(60) },
        { proposal_id: 'q', text: 'kurz' },
      ],
    });
    expect(session.motions).toMatchObject([
      {
        id: 'p',
        title: `Novel: ${'😀'.repeat(50)}...`,
        theme: 'novel',
        supporters: ['Bael'],
        sourceMotionIds: ['r'],
        isNovel: true,
      },
      { id: 'q', title: 'Novel: kurz...', supporters: [], unknownSupporters: [] },
    ]);
  });

  it('takes what a motion declares of itself, of the attribute before the category', () => {
    expect(declared({ constitutional: true })).toEqual([true, true]);
    expect(declared({ constitutional: false, category: 'constitutional' })).toEqual([false, false]);
    expect(declared({ category: ' Constitutional' })).toEqual([true, true]);
    expect(declared({ category: 'rights', title: 'Constitutional' })).toEqual([null, null]);
    expect(declared({ constitutional: null })).toEqual([null, null]);
    expect(messageOf(() => read({ megaMotions: [{ constitutional: 'yes' }] }))).toContain(
      'mega-motions.json: element 0: constitutional: ',
    );
  });

  it('counts each supporter on the roster once and reports the others', () => {
    const { session, unknownSupporters, warnings } = read({
      megaMotions: [
        {
          consolidated_text: 't',
          title: 'T',
          all_supporting_archons: ['Bael', 'Zorro', 'Agares', 'Bael'],
          unique_archon_count: 4,
        },
      ],
    });
    expect(session.motions[0]?.supporters).toEqual(['Agares', 'Bael']);
    expect(unknownSupporters).toEqual(['Zorro']);
    expect(warnings).toEqual([
      'mega-motions.json: element 0 ("T") gives unique_archon_count 4, but names 3 supporters.',
      '"Zorro" supports a motion and is not on the roster: not counted. Correct the name, or put it into a roster.json.',
    ]);
    expect(read(supported('bael')).warnings).toEqual([
      expect.stringMatching(/^"bael" \(is "Bael" meant\?\) supports a motion/),
    ]);
    expect(read(supported('p', 'q', 'r', 's', 't')).warnings).toEqual([
      expect.stringMatching(/^"p", "q", "r" and 2 more support a motion and are not on the roster/),
    ]);
  });

  it('loads deferred proposals only when asked to, and none twice', () => {
    const files = {
      novelProposals: [{ proposal_id: 'a' }, { proposal_id: 'b', deferred: true }],
      deferredProposals: [
        { proposal_id: 'b', deferred: true },
        { proposal_id: 'c', deferred: true },
      ],
    };
    expect([ids(read(files)), read(files).deferredSkipped]).toEqual([['a'], 2]);
    expect([ids(read(files, true)), read(files, true).deferredSkipped]).toEqual([
      ['a', 'b', 'c'],
      0,
    ]);
  });

  it('keeps positions of members and warns about those of others', () => {
    const { positions, warnings } = read({
      megaMotions: [{ mega_motion_id: 'm', consolidated_text: 't', title: 'T' }],
      positions: [
        { archon_name: 'Bael', mega_motion_id: 'm', stance: 'oppose' },
        { archon_name: 'Zorro', text: 'x' },
        { archon_name: 'Bael', mega_motion_id: 'n' },
      ],
    });
    expect(
      positions.map(({ archon_name, mega_motion_id }) => [archon_name, mega_motion_id]),
    ).toEqual([
      ['Bael', 'm'],
      ['Bael', 'n'],
    ]);
    expect(warnings).toEqual([
      'positions.json: element 1: "Zorro" is not on the roster; it is passed over.',
      'positions.json: element 2: there is no motion "n"; only what the text says is looked at.',
    ]);
  });

  it.each([
    [{ megaMotions: { a: 1 } }, 'Error: mega-motions.json: must be an array'],
    [
      { megaMotions: [{}, 7] },
      'Error: mega-motions.json: element 1: Invalid input: expected object, received number',
    ],
    [
      { megaMotions: [{ title: 7 }] },
      'Error: mega-motions.json: element 0: title: Invalid input: expected string, received number',
    ],
    [
      {
        megaMotions: [
          { mega_motion_id: 'x', title: 'A' },
          { mega_motion_id: 'x', title: 'B' },
        ],
      },
      'Error: mega-motions.json: element 1: the id "x" is already that of element 0 of mega-motions.json',
    ],
    [
      {
        megaMotions: [{ mega_motion_id: 'x', title: 'A' }],
        novelProposals: [{ proposal_id: 'x' }],
      },
      'Error: novel-proposals.json: element 0: the id "x" is already that of element 0 of mega-motions.json',
    ],
    [
      { positions: [{}] },
      'Error: positions.json: element 0: archon_name: Invalid input: expected string, received undefined',
    ],
    [{ roster: [] }, 'Error: roster.json: the roster is empty.'],
    [{ roster: ['a', 'b', 'a'] }, 'Error: roster.json: element 2: "a" is element 0 already.'],
    [
      { roster: ['a', 'A'] },
      'Error: roster.json: element 1: "A" is element 0 already ("a": names that make one id are one member).',
    ],
    [
      { roster: ['../../escape'] },
      'Error: roster.json: element 0: "../../escape" cannot name a file',
    ],
    [
      { roster: ['ok', 'bidi\u202Eevil'] },
      'Error: roster.json: element 1: "bidi\u202Eevil" cannot name a file',
    ],
    [{ roster: [' '] }, 'Error: roster.json: element 0: the name is empty'],
    [
      { roster: [{ role: 'nameless' }] },
      'Error: roster.json: element 0: must be a name, or an object with a name',
    ],
  ])('of the wrong shape is refused: %j', (files, message) =>
    expect(messageOf(() => read(files))).toBe(message),
  );

  it('may have a roster of one, with everything about the member, in any script', () =>
    expect(
      readRoster(
        [
          {
            name: 'Ελένη-Β',
            role: 'judge',
            backstory: 'b',
            model: 'm',
            base_url: 'http://127.0.0.1:1/v1',
          },
        ],
        'roster.json',
      ),
    ).toEqual([
      {
        name: 'Ελένη-Β',
        id: 'ελένη_β',
        role: 'judge',
        backstory: 'b',
        model: 'm',
        baseUrl: 'http://127.0.0.1:1/v1',
      },
    ]));

  it('names line and column of what is no JSON', () => {
    expect(messageOf(() => parseSessionJson('f.json', '[\n  {"a": 1,\n   oops}\n]'))).toBe(
      'Error: f.json is not valid JSON: this is no JSON at line 3 column 4',
    );
    expect(messageOf(() => parseSessionJson('f.json', '[{"a": "b'))).toMatch(
      /^Error: f\.json is not valid JSON: the JSON ends in the middle of a value at line 1 column \d+$/,
    );
    expect(messageOf(() => parseSessionJson('f.json', ''))).toBe(
      'Error: f.json is not valid JSON: it is empty at line 1 column 1',
    );
    expect(parseSessionJson('f.json', '\uFEFF[1]')).toEqual([1]);
  });
});

it.each([
  ['With care.', 'With care.'],
  ['  ', null],
  [null, null],
  [undefined, null],
  [3, null],
  [
    { 'Clause 1': 'With care.', 'Clause 2': 'Each month.' },
    'Clause 1: With care.\nClause 2: Each month.',
  ],
  [new Map([['Clause 1', 'With care.']]), 'Clause 1: With care.'],
  [['With care.', 'Each month.'], 'With care.\nEach month.'],
  [
    { scope: { who: 'all', how: ['often', 'well'] }, budget: 7, until: null },
    'scope:\n  who: all\n  how:\n    often\n    well\nbudget: 7\nuntil:',
  ],
])('%j is kept as %j', (value, text) => expect(statedText(value)).toBe(text));

it('makes one text of each thing that is listed', () => {
  expect(statedTexts(['a', { b: 'c' }, '', null, ['d', 'e']])).toEqual(['a', 'b: c', 'd\ne']);
  expect([statedTexts('a'), statedTexts({ b: 'c' }), statedTexts(undefined)]).toEqual([
    ['a'],
    ['b: c'],
    [],
  ]);
});

it('is not held up by what is nested without end', () => {
  let value: unknown = 'deep';
  for (let depth = 0; depth < 50_000; depth += 1) value = { in: value };
  expect(statedText(value)).toContain('…');
});
