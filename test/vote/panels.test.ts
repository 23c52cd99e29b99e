import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../../src/vote/aggregation.ts';
import {
  type Packet,
  type Session,
  buildPackets,
  drawMembers,
  triage,
} from '../../src/vote/triage.ts';
import type { Member } from '../../src/core/words/roster.ts';
import {
  isContrary,
  membersOf,
  type PanelSeating,
  recordPanel,
  seatPanels,
  seatSides,
  whyNoPanel,
} from '../../src/vote/panels.ts';
import type { ReviewResponse } from '../../src/vote/records.ts';
import { Stance } from '../../src/core/words/claim.ts';
import {
  firstNames,
  inOrder,
  responseOf,
  rosterOf,
  sessionOf,
  thresholds,
} from './sample-session.ts';

interface Case {
  readonly session: Session;
  readonly packets: readonly Packet[];
  readonly responses: readonly ReviewResponse[];
  readonly runId?: string;
}

function seat({ session, packets, responses, runId = 'run-1' }: Case) {
  const triaged = triage(session, new Map(), thresholds);
  const counted = aggregate({
    session,
    triaged,
    packets,
    responses: inOrder(session, responses),
    isSimulated: false,
    thresholds: { consensus: 0.75, contested: 0.25 },
    at: 'now',
  });
  return seatPanels(counted, session, runId);
}

/** One motion, and what each member of the roster does: supports it from the start, is not asked, does not answer, or answers. */
type Part = 'supports' | 'not asked' | 'silent' | Stance;

function caseOf(parts: readonly Part[], runId?: string) {
  const names = firstNames(parts.length);
  const supporters = names.filter((_, index) => parts[index] === 'supports');
  const session = sessionOf(parts.length, [{ supporters, isNovel: true }]);
  const partOf = new Map(names.map((name, index) => [name, parts[index] ?? 'silent']));
  const packets = buildPackets(session, triage(session, new Map(), thresholds), null).map(packet =>
    partOf.get(packet.member.name) === 'not asked' ? { ...packet, assigned: [] } : packet,
  );
  const responses = packets.flatMap(({ member, assigned }) =>
    assigned.map(({ motionId }) => {
      const part = partOf.get(member.name);
      return responseOf(member, motionId, Stance.options.find(stance => stance === part) ?? null);
    }),
  );
  return { session, packets, responses, ...(runId !== undefined && { runId }) };
}

function only({ panels }: ReturnType<typeof seat>) {
  return panels[0] ?? expect.fail('no panel was seated');
}

const at = new Date(0);
const nothing = { said: [], report: null, error: null, began: at, concluded: at };
/** Before anybody has said anything. */
const announcePanel = (seating: PanelSeating) => recordPanel(seating, nothing);

const namesOf = (members: readonly Member[]) => members.map(({ name }) => name);
const numbersOf = (members: readonly Member[]) => members.map(({ name }) => name.slice(-2));

const anyPart: fc.Arbitrary<Part> = fc.constantFrom(
  'supports',
  'not asked',
  'silent',
  ...Stance.options,
  'OPPOSE',
);
const anyParts = fc.array(anyPart, { minLength: 3, maxLength: 25 });

describe('the seats of a panel', () => {
  it('go to the first three of each side, and to nobody who took a side as a neutral', () => {
    const seated = only(
      seat(
        caseOf([
          'supports',
          'ENDORSE',
          'ENDORSE',
          'ENDORSE',
          'OPPOSE',
          'OPPOSE',
          'OPPOSE',
          'OPPOSE',
          'AMEND',
          'ABSTAIN',
          'not asked',
          'silent',
        ]),
      ),
    );
    expect([numbersOf(seated.supporters), numbersOf(seated.critics)]).toEqual([
      ['01', '02', '03'],
      ['05', '06', '07'],
    ]);
    // Endorsers, opponents, amenders and who did not answer: none of them is neutral.
    expect(numbersOf(seated.neutrals).toSorted()).toEqual(['10', '11']);
    expect(announcePanel(seated)).toMatchObject({
      panel_size: 8,
      neutrals_note:
        'Only 2 of 3 neutrals: nobody else abstained on the motion or was not asked about it.',
      seated_because: {
        'Member-001': 'implicit',
        'Member-002': 'endorsed',
        'Member-005': 'opposed',
        'Member-010': 'abstained',
        'Member-011': 'not_asked',
      },
      run_id: 'run-1',
    });
  });

  it('stay empty in the middle, and say so, where everybody took a side', () => {
    const seated = only(seat(caseOf(['ENDORSE', 'ENDORSE', 'OPPOSE', 'AMEND', 'silent'])));
    expect(announcePanel(seated)).toMatchObject({
      neutrals: [],
      neutrals_note: expect.stringMatching(/^No neutrals: /) as string,
    });
    const full = only(
      seat(caseOf(['ENDORSE', 'OPPOSE', 'OPPOSE', 'ABSTAIN', 'ABSTAIN', 'ABSTAIN'])),
    );
    expect(announcePanel(full).neutrals_note).toBeNull();
  });

  it('hold nobody twice, and no neutral who took a side or kept silent, whatever was answered', () =>
    fc.assert(
      fc.property(anyParts, parts => {
        for (const seated of seat(caseOf(parts)).panels) {
          const all = namesOf(membersOf(seated));
          expect(new Set(all).size).toBe(all.length);
          const partsOf = (members: readonly Member[]) =>
            new Set(members.map(({ name }) => parts[Number(name.slice(-3)) - 1]));
          for (const [members, allowed] of [
            [seated.supporters, ['supports', 'ENDORSE']],
            [seated.critics, ['OPPOSE']],
            [seated.neutrals, ['ABSTAIN', 'not asked']],
          ] as const)
            expect(allowed).toEqual(expect.arrayContaining([...partsOf(members)]));
          const free = parts.filter(part => part === 'ABSTAIN' || part === 'not asked').length;
          expect(seated.neutrals).toHaveLength(Math.min(3, free));
          expect(Object.keys(seated.because).toSorted()).toEqual(all.toSorted());
        }
      }),
      { numRuns: 300 },
    ));

  it('hold nobody twice even who stands in several lists, and nobody who is no member', () => {
    const anyNames = fc.subarray([...firstNames(6), 'Stranger']);
    fc.assert(
      fc.property(anyNames, anyNames, anyNames, (inFavour, against, neutral) => {
        const sides = seatSides(
          { for: inFavour, against, neutral },
          new Map(rosterOf(6).map(member => [member.name, member])),
        );
        const all = namesOf(membersOf(sides));
        expect(new Set(all).size).toBe(all.length);
        expect(all).not.toContain('Stranger');
        for (const side of Object.values(sides)) expect(side.length).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('leave every contested motion with a panel or with the reason why it has none', () =>
    fc.assert(
      fc.property(anyParts, parts => {
        const { panels, skipped } = seat(caseOf(parts));
        const against = parts.filter(part => part === 'OPPOSE').length;
        const engaged = parts.filter(part => part !== 'silent' && part !== 'not asked').length;
        expect(panels.length + skipped.length).toBe(
          engaged > 0 && against / engaged >= 0.25 ? 1 : 0,
        );
      }),
      { numRuns: 300 },
    ));
});

describe('the draw of neutrals', () => {
  const anyMembers = fc.integer({ min: 4, max: 40 }).map(rosterOf);

  it('is the same for the same run and motion, in whatever order the roster stands', () =>
    fc.assert(
      fc.property(
        anyMembers.chain(members =>
          fc.tuple(
            fc.constant(members),
            fc.shuffledSubarray(members, { minLength: members.length }),
          ),
        ),
        fc.string(),
        ([members, shuffled], runId) => {
          expect(namesOf(drawMembers(shuffled, 'm-1', runId))).toEqual(
            namesOf(drawMembers(members, 'm-1', runId)),
          );
        },
      ),
    ));

  it('is another for another run, and for another motion', () => {
    const members = rosterOf(20);
    const draws = Array.from({ length: 50 }, (_, index) => [
      namesOf(drawMembers(members, 'm-1', `run-${index}`)).slice(0, 3),
      namesOf(drawMembers(members, `m-${index}`, 'run')).slice(0, 3),
    ]).flat();
    expect(new Set(draws.map(names => names.join())).size).toBeGreaterThan(90);
    // Nobody is heard in every vote.
    const first = draws.map(([name]) => name);
    expect(new Set(first).size).toBeGreaterThan(15);
  });
});

const sidesOf = (supporters: number, critics: number, neutrals: number) => {
  const members = rosterOf(supporters + critics + neutrals);
  return {
    supporters: members.slice(0, supporters),
    critics: members.slice(supporters, supporters + critics),
    neutrals: members.slice(supporters + critics),
  };
};

describe('a panel that would be ceremony', () => {
  it.each([
    [1, 1, 0, 'Only 1 for it, 1 against it and 0 neutral could sit'],
    [0, 3, 3, 'Nobody stands for it'],
    [3, 0, 3, 'Nobody stands against it'],
  ])('is not held: %i for it, %i against it, %i neutral', (inFavour, against, neutral, reason) =>
    expect(whyNoPanel(sidesOf(inFavour, against, neutral), { for: inFavour, against })).toContain(
      reason,
    ),
  );

  it.each([
    [1, 1, 1],
    [2, 1, 0],
    [1, 2, 0],
    [3, 3, 3],
  ])('is held with a third: %i for it, %i against it, %i neutral', (inFavour, against, neutral) =>
    expect(whyNoPanel(sidesOf(inFavour, against, neutral), { for: inFavour, against })).toBeNull(),
  );

  it('counts who stands for it and cannot sit, and still wants somebody who hears another side', () => {
    const tools = { for: 2, against: 3 };
    expect(whyNoPanel(sidesOf(0, 3, 0), tools)).toContain('nobody would hear an argument');
    expect(whyNoPanel(sidesOf(0, 1, 1), tools)).toContain('fewer than 3');
    expect(whyNoPanel(sidesOf(0, 2, 1), tools)).toBeNull();
  });

  it('is told with its motion', () =>
    expect(seat(caseOf(['ENDORSE', 'OPPOSE', 'AMEND', 'silent']))).toEqual({
      panels: [],
      skipped: [
        { mega_motion_id: 'm-1', reason: expect.stringContaining('fewer than 3') as string },
      ],
    }));
});

describe('what a panel recommends', () => {
  it('is contrary to a vote that ends otherwise, and to none that is not decided', () => {
    expect(isContrary('pass', 'rejected')).toBe(true);
    expect(isContrary('fail', 'ratified')).toBe(true);
    expect(isContrary('pass', 'ratified')).toBe(false);
    expect(isContrary('pass', 'incomplete')).toBe(false);
    expect(isContrary(null, 'rejected')).toBe(false);
  });
});
