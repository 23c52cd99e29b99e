/** The real reviews of a vote whose motions a sample may decide. Looks are in the journal: a vote that goes on goes through the same. */
import { describeForecast, forecastTime, sumForecasts } from '../../core/vote/forecast.ts';
import type { Member } from '../../core/vote/motion.ts';
import type { ReviewResponse } from '../../core/vote/records.ts';
import { OpenMotions } from '../../core/vote/sampling.ts';
import type { Packet } from '../../core/vote/triage.ts';
import {
  askInLooks,
  type Looking,
  type RecalledLooks,
  recallLooks,
  type SampleWanted,
} from './ask-in-looks.ts';
import type { Recalling } from './ask-member.ts';
import {
  type Planning,
  type PreparedReviews,
  prepareReviews,
  type Reviewing,
  type ReviewsPlanned,
  type ReviewsPut,
  tiersOf,
  toResponses,
} from './collect-reviews.ts';
import {
  bookStances,
  collectBooked,
  firstOpen,
  forecastOf,
  recallStances,
  secondsSeen,
} from './collect-stances.ts';
import type { ReviewsWanted } from './deliberators.ts';

interface Sampled extends ReviewsPut {
  readonly sampling: SampleWanted;
}

/** A row for every assignment that was put to a member. */
export async function collectInLooks(
  wanted: Sampled & Pick<ReviewsWanted, 'note'>,
  reviewing: Reviewing,
): Promise<ReviewResponse[]> {
  const { asking, limits } = reviewing;
  const { ceiling, steps, clock } = asking;
  for (const { prepared } of preparedLooks(wanted, reviewing).recalled)
    bookStances(prepared.tasks, prepared.settings, asking);
  const { expected, answered, time } = planInLooks(wanted, reviewing);
  const { risk } = wanted.sampling.terms;
  wanted.note(
    describeForecast(expected, limits, {
      answered,
      time,
      spent: ceiling.spent(),
      sampleRisk: risk,
    }),
  );
  return askInLooks(wanted, {
    ...groupingOf(wanted, reviewing),
    recall: look => recallOpen(look, asking),
    keep: async (look, open) => {
      await steps.step(lookKey(look), () => Promise.resolve([...open]), OpenMotions);
    },
    async ask(packets, look) {
      const prepared = prepareLook(wanted, packets, look, reviewing);
      const stances = await collectBooked(prepared.tasks, prepared.settings, asking);
      return toResponses(stances, { ...wanted, packets }, reviewing);
    },
    refusal: () => ceiling.refusal(),
    refuse: (packets, error) =>
      toResponses(
        packets.flatMap(({ member, assigned }) =>
          assigned.map(({ motionId: id }) => ({
            member: member.id,
            id,
            stated: null,
            error,
            model: null,
            endpoint: null,
            attempts: 0,
            at: clock.now().toISOString(),
            durationMs: 0,
          })),
        ),
        { ...wanted, packets },
        reviewing,
      ),
  });
}

/** At most: what is still to be asked in the looks so far, and everybody else on every motion that is not decided yet. */
export function planInLooks(wanted: Sampled, reviewing: Planning): ReviewsPlanned {
  const { asking, lanes } = reviewing;
  const { recalled, left } = preparedLooks(wanted, reviewing);
  const looks = recalled.map(({ prepared }) => prepared);
  const rest = prepareReviews({ ...wanted, packets: left }, reviewing, 'review/rest');
  const open = looks.map(({ tasks, settings }) => forecastOf(tasks, settings, asking));
  const expected = sumForecasts([...open, forecastOf(rest.tasks, rest.settings)]);
  const put = looks.flatMap(({ tasks }) => tasks).reduce((sum, { ids }) => sum + ids.length, 0);
  const seen = looks.flatMap(({ tasks, settings }) => secondsSeen(tasks, settings, asking));
  const first = [...looks, rest]
    .map(({ tasks, settings }) => firstOpen(tasks, settings, asking))
    .find(found => found !== null);
  return {
    expected,
    example: first === undefined ? null : { member: first.task.member, prompt: first.prompt },
    answered: put - open.reduce((sum, { reviews }) => sum + reviews, 0),
    time: forecastTime(expected, lanes, seen),
  };
}

interface PreparedLooks extends Pick<RecalledLooks, 'left'> {
  readonly recalled: readonly { readonly prepared: PreparedReviews }[];
}

/** The looks that the journal holds. */
function preparedLooks(wanted: Sampled, reviewing: Planning): PreparedLooks {
  const { recalled, left } = recallLooks(wanted, {
    ...groupingOf(wanted, reviewing),
    recall: look => recallOpen(look, reviewing.asking),
    answers(put, look) {
      const { tasks, settings } = prepareLook(wanted, put, look, reviewing);
      const stances = recallStances(tasks, settings, reviewing.asking);
      return put.flatMap(({ member, assigned }) =>
        assigned.map(({ motionId }) => ({
          archon_name: member.name,
          mega_motion_id: motionId,
          stance: stances.get(member.id)?.get(motionId)?.stance ?? null,
        })),
      );
    },
  });
  return {
    left,
    recalled: recalled.map(({ look, put }) => ({
      prepared: prepareLook(wanted, put, look, reviewing),
    })),
  };
}

function prepareLook(
  wanted: Sampled,
  packets: readonly Packet[],
  look: number,
  reviewing: Omit<Planning, 'asking' | 'lanes'>,
): PreparedReviews {
  return prepareReviews({ ...wanted, packets }, reviewing, lookKey(look));
}

/** A call goes to one model: where that of a member depends on the risk, motions of one risk share its calls. */
function groupingOf(
  { motions }: Pick<Sampled, 'motions'>,
  { batch, seatFor }: Pick<Planning, 'batch' | 'seatFor'>,
): Pick<Looking, 'batch' | 'groupOf'> {
  const tiers = tiersOf(motions);
  const risks = [...new Set(tiers.values())].filter(risk => risk !== 'low');
  const split = new Map<string, boolean>();
  const isSplit = (member: Member): boolean => {
    const known =
      split.get(member.id) ?? new Set(risks.map(risk => seatFor(member, risk).seat.model)).size > 1;
    split.set(member.id, known);
    return known;
  };
  return {
    batch,
    groupOf: ({ member }, id) => (isSplit(member) ? (tiers.get(id) ?? '') : ''),
  };
}

/** Name in the journal of the motions of a look, and prefix of the names of its questions. */
function lookKey(look: number): string {
  return `review/look-${look}`;
}

function recallOpen(look: number, { steps }: Pick<Recalling, 'steps'>): readonly string[] | null {
  return OpenMotions.safeParse(steps.recall(lookKey(look))).data ?? null;
}
