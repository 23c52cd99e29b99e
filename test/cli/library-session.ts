/** A session of a library that twelve members run: eight motions, each of which ends for a reason of its own, and what members say. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MemberRequest } from './member-server.ts';
import { createSession, type SessionSample } from './motions-session.ts';

const members = 'Ada Bela Cleo Dara Emil Fay Gus Hana Ivo Jun Kira Leo'.split(' ');

interface Motion {
  readonly title: string;
  readonly text: string;
  readonly supporters: number;
  readonly constitutional?: boolean;
  /** Of those who do not support it, in their order: e(ndorse), o(ppose), m (amend), a(bstain), - (no answer). */
  readonly stances: string;
  /** What the facilitator of its panel recommends. */
  readonly panel?: string;
}

const motions: readonly Motion[] = [
  {
    title: 'Open the reading room on Saturdays',
    text: 'The reading room shall be open on Saturdays from ten to four.',
    supporters: 8,
    stances: '',
  },
  {
    title: 'Lend books for four weeks',
    text: 'Books shall be lent for four weeks.',
    supporters: 4,
    stances: 'eeeeeooa',
  },
  {
    title: 'Buy a second scanner',
    text: 'A second scanner shall be bought this year.',
    supporters: 3,
    stances: 'eeeooomma',
    panel: 'amend',
  },
  {
    title: 'Let associates vote',
    text: 'Associates shall vote like members.',
    supporters: 2,
    constitutional: true,
    stances: 'eeeeooooaa',
    panel: 'defer',
  },
  {
    title: 'Sell the old press',
    text: 'The old press shall be sold.',
    supporters: 0,
    stances: 'ooooooooooaa',
  },
  {
    title: 'Name the hall after its architect',
    text: 'The hall shall bear the name of its architect.',
    supporters: 0,
    stances: 'eeeoaaaaaaaa',
  },
  {
    title: 'Raise the yearly fee to 40',
    text: 'The yearly fee shall be 40 from January on.',
    supporters: 4,
    stances: 'eooooooa',
    panel: 'pass',
  },
  {
    title: 'Move the catalogue to a new program',
    text: 'The catalogue shall move to a new program.',
    supporters: 0,
    stances: 'eeeommmmmmma',
  },
];

const amendedText = 'A second scanner shall be bought this year, used, for at most 2,000.';

/** Of those who said why in words that are worth to be read; the others say something short. */
const reasons: Readonly<Record<string, readonly [confidence: number, words: string]>> = {
  'm-3 Dara': [0.9, 'One scanner for 40,000 volumes means the last one is scanned in 2061.'],
  'm-3 Gus': [
    0.85,
    'The money is needed for the roof, which leaks onto the shelves we would scan.',
  ],
  'm-3 Hana': [0.6, 'It is not clear who would run a second one.'],
  'm-3 Kira': [0.8, 'Used, and with a limit, it leaves enough for the roof.'],
  'm-7 Emil': [0.7, 'We have not raised it for nine years, and heating costs twice as much.'],
  'm-7 Ivo': [
    0.95,
    'A third of our members live on a pension. The last raise cost us sixty of them, and more money than it brought.',
  ],
  'm-7 Jun': [0.8, 'There is no plan for what the money is to pay.'],
};

export function createLibrarySession(settings: object): SessionSample {
  const sample = createSession({ members, motions: 0, settings });
  writeFileSync(
    path.join(sample.folder, 'session', 'mega-motions.json'),
    JSON.stringify(
      motions.map(({ title, text, supporters, constitutional }, index) => ({
        mega_motion_id: `m-${index + 1}`,
        title,
        consolidated_text: text,
        all_supporting_archons: members.slice(0, supporters),
        constitutional,
      })),
    ),
  );
  return sample;
}

export function answerAsMember({ member, prompt }: MemberRequest): string {
  if (member === 'facilitator') return facilitate(prompt);
  const ids = [...prompt.matchAll(/^motion_id: "(m-\d)"$/gm)].map(([, id]) => id ?? '');
  if (ids.length === 0) return `${member} argued.\nVOTE: ${member < 'F' ? 'pass' : 'fail'}`;
  const isAskedAgain = prompt.includes('This is the second pass');
  return JSON.stringify(
    ids.flatMap(id => {
      const [confidence, words] = reasons[`${id} ${member}`] ?? [0.5, 'As I said in the meeting.'];
      const stance = isAskedAgain
        ? member < 'I'
          ? 'oppose'
          : 'endorse'
        : stanceOf(member, Number(id.slice(2)));
      return {
        motion_id: id,
        stance,
        reasoning: words,
        confidence,
        ...(stance === 'oppose' ? { opposition_concerns: [words] } : {}),
        amendment_type: 'add_clause',
        amendment_text: 'Say what it may cost.',
        amendment_rationale: 'It names no price.',
      };
    }),
  );
}

function facilitate(prompt: string) {
  const motion = motions.find(({ title }) => prompt.includes(title));
  return JSON.stringify({
    recommendation: motion?.panel ?? 'defer',
    recommendation_rationale: 'Both sides have a point.',
    votes: {},
    revised_motion_text: motion?.panel === 'amend' ? amendedText : null,
    dissenting_opinions: [],
  });
}

function stanceOf(member: string, number: number) {
  const motion = motions[number - 1];
  const place = members.indexOf(member) - (motion?.supporters ?? 0);
  const words = { e: 'endorse', o: 'oppose', m: 'amend', a: 'abstain' } as const;
  return words[(motion?.stances[place] ?? 'a') as keyof typeof words];
}
