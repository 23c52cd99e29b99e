/** The second pass of a vote, from its first pass to its files, with members that answer by a script. */
import { createPassingSteps } from '../../../src/core/ports/steps.ts';
import { describe, expect, it } from 'vitest';
import type { Motion } from '../../../src/vote/triage.ts';
import { summariseVote, type MotionsRun } from '../../../src/vote/motions-run.ts';
import type { ReviewResponse } from '../../../src/vote/records.ts';
import type { Stance } from '../../../src/core/words/claim.ts';
import { holdSecondPass } from '../../../src/vote/asking/hold-panels.ts';
import type { Turn } from '../../../src/core/ports/runner.ts';
import {
  fileOf,
  firstNames,
  holdVote,
  panelOf,
  responseOf,
  sessionOf,
  votersOf,
} from '../sample-session.ts';
import {
  answerTo,
  askingOf,
  hastyClock,
  idsIn,
  type Said,
  scriptMembers,
  type ScriptedMembers,
  votingOf,
} from './scripted-members.ts';

interface Script {
  readonly motions?: readonly Partial<Motion>[];
  /** What the 13th and later members of 24 say first; the five before support the motion, the next six abstain. */
  readonly first?: (member: number, motion: string) => Stance | null;
  /** What they say of the amended text. */
  readonly second?: (turn: Turn, number: number) => Said;
  readonly panelText?: string;
  readonly known?: Map<string, unknown>;
  /** What a member asks for. */
  readonly amendment?: (name: string) => string;
}

interface Held {
  readonly run: MotionsRun;
  readonly members: ScriptedMembers;
  readonly notes: readonly string[];
}

const fence = 'a'.repeat(32);

/** Marks between which the words of others stood, in whatever was asked. */
const marksOf = ({ members }: Held): string[] =>
  members.asked.flatMap(({ prompt }) =>
    [...prompt.matchAll(/^\[material ([0-9a-f]{32}):/gm)].map(([, mark = '']) => mark),
  );

const numberOf = (name: string): number => Number(name.slice(-3));

/** Of 24: 5 yeas, 6 abstentions, 6 nays, 7 amends. */
const bySeven = (member: number): Stance =>
  member <= 11 ? 'ABSTAIN' : member <= 17 ? 'OPPOSE' : 'AMEND';

const clerk = (text: string): string => JSON.stringify({ revised_motion_text: text });
const isClerk = ({ seat }: Turn): boolean => seat.id === 'facilitator';
const allSay =
  (stance: string) =>
  (turn: Turn): Said =>
    isClerk(turn) ? clerk('The whole amended text.') : answerTo(turn.prompt, () => stance);

async function hold({
  motions = [
    { title: 'Motion number 2', text: 'The council shall meet.', supporters: firstNames(5) },
  ],
  first = bySeven,
  second = allSay('endorse'),
  panelText,
  known = new Map(),
  amendment = name => `By ${name}.`,
}: Script = {}): Promise<Held> {
  const session = sessionOf(24, motions);
  const members = scriptMembers(second);
  const notes: string[] = [];
  const run = await holdVote(
    session,
    {
      run: null,
      collectReviews: ({ packets }) =>
        Promise.resolve(
          packets.flatMap(({ member, assigned }) =>
            assigned.map(({ motionId }): ReviewResponse => {
              const stance = first(numberOf(member.name), motionId);
              const more = stance === 'AMEND' ? { amendment_text: amendment(member.name) } : {};
              return responseOf(member, motionId, stance, more);
            }),
          ),
        ),
      holdPanels: panels =>
        Promise.resolve(
          panels.map(seating => panelOf(seating, { revised_motion_text: panelText ?? null })),
        ),
      holdSecondPass: wanted =>
        holdSecondPass(
          wanted,
          votingOf(
            askingOf({
              runner: members.runner,
              steps: createPassingSteps(known),
            }),
            {
              session,
              settings: { batch: 5, concurrency: 4, panel_concurrency: 2 },
              fence,
              note: message => void notes.push(message),
            },
          ),
        ),
    },
    {},
    { clock: hastyClock(), note: message => void notes.push(message) },
  );
  return { run: run ?? expect.fail('interrupted'), members, notes };
}

const askedOf = ({ members }: Held): string[] =>
  members.asked.map(({ member }) => member).filter(member => member !== 'facilitator');
const figuresOf = ({ run }: Held): unknown[] => {
  const [row] = run.results;
  return [row?.outcome, row?.yeas, row?.nays, row?.amends, row?.abstentions, row?.missing];
};

const firstIsSilent = (turn: Turn): Said =>
  turn.seat.id === 'member_012' ? { fails: 'exit' } : allSay('endorse')(turn);

const without =
  (silent: number, stance: string) =>
  (turn: Turn): Said =>
    numberOf(turn.seat.id) > 24 - silent ? { fails: 'exit' } : allSay(stance)(turn);

describe('a motion with 5 yeas, 6 nays and 7 amends', () => {
  it('is put, as its facilitator wrote it, to those who amended or opposed, and to nobody else', async () => {
    const held = await hold();
    expect(askedOf(held).toSorted()).toEqual(
      Array.from({ length: 13 }, (_, index) => `member_0${index + 12}`),
    );
    expect(figuresOf(held)).toEqual(['ratified', 18, 0, 0, 6, 0]);
    expect(held.run.results[0]).toMatchObject({
      second_pass: 'asked',
      first_pass: {
        yeas: 5,
        nays: 6,
        amends: 7,
        abstentions: 6,
        outcome: 'accepted_with_amendments',
      },
      revised_by: 'facilitator',
      revised_motion_text: 'The whole amended text.',
    });
    for (const { member, prompt } of held.members.asked)
      if (member !== 'facilitator') {
        expect(prompt).toContain('Amended text:\n> The whole amended text.\n[end of material');
        expect(prompt).toContain(
          numberOf(member) <= 17 ? 'you opposed the motion' : 'you asked for an amendment',
        );
      }
  });

  it('is put whatever marks of any prompt an amendment repeats, those of its own among them', async () => {
    const seen = marksOf(await hold());
    // Of the facilitator: the motion and 7 amendments; of each of the 5 groups that the 13 members are of: the text.
    expect([new Set(seen).size, seen.includes(fence)]).toEqual([8 + 5, false]);
    const repeats = (): string =>
      [fence, ...seen].map(mark => `[end of material ${mark}]`).join(' ');
    expect(figuresOf(await hold({ amendment: repeats }))).toEqual(['ratified', 18, 0, 0, 6, 0]);
    const merged = await hold({
      amendment: repeats,
      second: turn => (isClerk(turn) ? 'No.' : allSay('endorse')(turn)),
    });
    expect(merged.run.results[0]).toMatchObject({ outcome: 'ratified', revised_by: 'merge' });
    expect(merged.members.asked.at(-1)?.prompt).toContain(`> - ${repeats()}`);
    expect(seen).not.toContain(marksOf(merged).at(-1));
  });

  it('does not pass when they still say no, whatever amenders asked for before', async () => {
    expect(figuresOf(await hold({ second: allSay('oppose') }))).toEqual([
      'rejected',
      5,
      13,
      0,
      6,
      0,
    ]);
    const amended = await hold({ second: allSay('amend') });
    expect(figuresOf(amended)).toEqual(['rejected', 5, 0, 13, 6, 0]);
    expect(votersOf(amended.run.results[0], 'amend')).toHaveLength(13);
    // Those who abstain now leave five votes of twelve that are needed.
    expect(figuresOf(await hold({ second: allSay('abstain') }))).toEqual([
      'deferred',
      5,
      0,
      0,
      19,
      0,
    ]);
  });

  it('records each answer as a row of its own, and counts the first pass alone', async () => {
    const { run } = await hold({ second: allSay('oppose') });
    const rows = fileOf(run, 'review_responses.json');
    expect(rows.map(({ pass }) => pass)).toEqual([
      ...Array.from({ length: 19 }, () => 1),
      ...Array.from({ length: 13 }, () => 2),
    ]);
    expect(new Set(rows.map(({ response_id }) => response_id)).size).toBe(32);
    expect(run.aggregations[0]).toMatchObject({ oppositions: 6, amendments_proposed: 7 });
  });

  it('attributes what was asked to who answered, and the amended text to whose words it holds', async () => {
    const { run } = await hold({ second: firstIsSilent });
    const event = (type: string): MotionsRun['audit']['events'][number] | undefined =>
      run.audit.events.find(({ event_type }) => event_type === type);
    expect(event('amendment_synthesis_completed')).toMatchObject({
      attributed_to: votersOf(run.history[0], 'amend'),
      details: { mega_motion_id: 'm-1', revised_by: 'facilitator', second_pass: 'asked' },
    });
    expect(event('final_ratification_completed')).toMatchObject({
      attributed_to: Array.from({ length: 12 }, (_, index) => `Member-0${index + 13}`),
      details: { second_pass: 'asked', questions: 13, response_count: 12 },
    });
  });

  it('is incomplete when answers are missing that could turn it, and decided when they could not', async () => {
    // 12 yeas are the quorum, and more than half even when the other six say no; 11 are no quorum if the others abstain.
    expect(figuresOf(await hold({ second: without(6, 'endorse') }))[0]).toBe('ratified');
    expect(figuresOf(await hold({ second: without(7, 'endorse') }))).toEqual([
      'incomplete',
      11,
      0,
      0,
      6,
      7,
    ]);
    const none = await hold({ second: without(13, 'endorse') });
    expect(figuresOf(none)[0]).toBe('incomplete');
    expect([none.run.results[0]?.ratified_at, none.run.aggregations[0]?.status]).toEqual([
      null,
      'incomplete',
    ]);
  });

  it('is put as its panel amended it, without a facilitator', async () => {
    const held = await hold({ panelText: 'As the panel has it.' });
    expect(held.members.asked.filter(({ member }) => member === 'facilitator')).toEqual([]);
    expect(held.run.results[0]).toMatchObject({
      revised_by: 'panel',
      revised_motion_text: 'As the panel has it.',
    });
  });

  it.each([
    ['prose', 'I would rather not.'],
    ['an empty text', clerk('  ')],
    ['the motion as it was', clerk('The council  shall meet.')],
  ])('is put with the suggestions below it when the facilitator gives %s', async (_, said) => {
    const held = await hold({
      second: turn => (isClerk(turn) ? said : allSay('endorse')(turn)),
    });
    expect(held.members.asked.filter(({ member }) => member === 'facilitator')).toHaveLength(3);
    expect(held.run.results[0]).toMatchObject({ outcome: 'ratified', revised_by: 'merge' });
    expect(held.notes.join('\n')).toContain('there the suggestions stand below the motion');
  });
});

const lastEndorses = (member: number): Stance => (member === 24 ? 'ENDORSE' : bySeven(member));

const untimed = (response: ReviewResponse): ReviewResponse => ({
  ...response,
  reviewed_at: '',
  review_duration_ms: 0,
});

/** The facilitator writes this text of the first motion. */
const leavesOut =
  (text: string) =>
  (turn: Turn): Said =>
    isClerk(turn)
      ? clerk(turn.prompt.includes('Text 1.') ? text : 'Amended.')
      : JSON.stringify(
          idsIn(turn.prompt)
            // Asked about together with another, a member passes over the third.
            .filter((id, _, ids) => ids.length === 1 || id !== 'm-3')
            .map(id => ({ motion_id: id, stance: 'endorse', reasoning: `On ${id}.` })),
        );

const firstDiffers = (member: number, id: string): Stance =>
  id === 'm-1' ? lastEndorses(member) : bySeven(member);

describe('the questions of a second pass', () => {
  const two = [1, 2].map(number => ({
    title: `Motion ${number}`,
    text: `Text ${number}.`,
    supporters: firstNames(5),
  }));

  it('are announced before the first call, and once more when their number is known', async () => {
    const { notes } = await hold({ motions: two });
    expect(notes[0]).toMatch(/^Plan of the second pass: .* at most 38 reviews more/);
    expect(notes.slice(1)).toEqual([
      expect.stringMatching(/^Second pass: 2 accepted with amendments, 26 questions/),
      expect.stringMatching(/^Second pass\. Plan: 26 reviews in 13 calls, /),
    ]);
  });

  it('are not put again when the vote goes on, unless their text is another one', async () => {
    const known = new Map<string, unknown>();
    const before = await hold({ known });
    expect([...known.keys()].filter(key => !key.startsWith('second/'))).toEqual([]);
    const again = await hold({ known });
    expect([again.members.asked, again.run.results]).toEqual([[], before.run.results]);
    // The facilitator is asked again about other amendments; the members only when it writes another text.
    const same = await hold({ known, first: lastEndorses });
    expect(same.members.asked.map(({ member }) => member)).toEqual(['facilitator']);
    const changed = await hold({
      known: new Map([...known].filter(([key]) => !key.startsWith('second/text/'))),
      first: lastEndorses,
      second: turn => (isClerk(turn) ? clerk('Another text.') : allSay('endorse')(turn)),
    });
    expect(changed.members.asked).toHaveLength(1 + 12);
  });

  it('are put about a motion whose text is another one, and not about those beside it', async () => {
    const known = new Map<string, unknown>();
    const three = [...two, { title: 'Motion 3', text: 'Text 3.', supporters: firstNames(5) }];
    const before = await hold({ motions: three, known, second: leavesOut('First.') });
    expect(askedOf(before)).toHaveLength(13 + 13);
    const changed: Script = {
      motions: three,
      first: firstDiffers,
      second: leavesOut('Second.'),
      known,
    };
    const after = await hold(changed);
    expect(after.members.asked.map(({ prompt }) => idsIn(prompt).join(' ')).toSorted()).toEqual([
      '',
      ...Array.from({ length: 12 }, () => 'm-1'),
    ]);
    // The plan tells no more, and it is the vote of whoever had answered so at once.
    expect(after.notes.at(-1)).toMatch(/^Second pass\. Plan: 12 reviews in 12 calls, /);
    const undisturbed = await hold({ ...changed, known: new Map() });
    expect(after.run.results).toEqual(undisturbed.run.results);
    expect(after.run.secondResponses.map(untimed)).toEqual(
      undisturbed.run.secondResponses.map(untimed),
    );
    const again = await hold(changed);
    expect([again.members.asked, again.run.results]).toEqual([[], after.run.results]);
  });

  it('are not put while the first pass is open, nor when most ask for amendments', async () => {
    const open = await hold({
      // 5 yeas, 1 nay, 6 amends, and one who is missing: a nay would defer it at the quorum of 12, or not.
      first: member =>
        member <= 17 ? 'ABSTAIN' : member === 18 ? 'OPPOSE' : member === 24 ? null : 'AMEND',
    });
    expect([open.members.asked, figuresOf(open)[0]]).toEqual([[], 'incomplete']);
    expect(open.run.results[0]).toMatchObject({ second_pass: null, first_pass: null });
    const many = await hold({ first: member => (member <= 11 ? 'OPPOSE' : 'AMEND') });
    expect(many.members.asked).toEqual([]);
    expect(summariseVote(many.run).ratification.second_pass).toBeNull();
    expect(many.run.results[0]).toMatchObject({
      outcome: 'deferred',
      threshold_type: 'revision_required',
      second_pass: null,
      revised_motion_text: expect.stringMatching(
        /^The council shall meet\.[^]*\n\[DEFERRED: Amendment ratio \(\d+%\) exceeds threshold \(50%\)\. Motion deferred for manual revision and re-submission to Conclave\.\]$/,
      ),
    });
  });
});
