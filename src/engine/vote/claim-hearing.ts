/**
 * What every question to reviewers about the claims of a run has in common, whether they vote on them or are asked about the
 * uncertain ones: who may be asked, what each may hear, what is shown of a claim, where and under which ceiling they are asked.
 */
import { renderPatch } from '../../core/change/patch.ts';
import { openEgress } from '../../core/context/egress.ts';
import { redact } from '../../core/safety/redaction.ts';
import type { StatedStance } from '../../core/vote/answers.ts';
import type { ClaimVote } from '../../core/vote/records.ts';
import {
  claimInstructions,
  describeClaim,
  renderClaimsPrompt,
} from '../../core/vote/prompts/claims.ts';
import type { Subject } from '../../core/words/change.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Plan } from '../../core/words/plan.ts';
import { isReader } from '../../core/words/reader.ts';
import { addUsage, noUsage, type Review, type Usage } from '../../core/words/review.ts';
import type { Ceiling } from '../ceiling.ts';
import type { World } from '../world.ts';
import type { Asking } from './ask-member.ts';
import type { StanceTask } from './collect-stances.ts';
import { createEndpoints } from './endpoint-limits.ts';

export interface ClaimsAsked {
  readonly plan: Pick<
    Plan,
    'run' | 'seats' | 'concurrency' | 'limits' | 'egress' | 'fence' | 'subjectHash'
  >;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
}

export interface HearingWorld extends Pick<
  World,
  'steps' | 'clock' | 'runnerFor' | 'hash' | 'secrets'
> {
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

export interface ClaimsHeard {
  /** In the order they came in. */
  readonly claims: readonly Claim[];
  readonly usage: Usage;
}

/** Analysers hold no opinion on what others say; who could not review the change will not judge it either. */
export function judgesOf({ plan, reviews }: ClaimsAsked): Seat[] {
  const failed = new Set(
    reviews.filter(({ status }) => status === 'failed').map(({ reviewer }) => reviewer),
  );
  const heard = new Set(reviews.map(({ reviewer }) => reviewer));
  return plan.seats.filter(seat => isReader(seat) && heard.has(seat.id) && !failed.has(seat.id));
}

/** May this reviewer be told of this claim, with what contradicts it? */
export function hearersOf({
  plan,
  subject,
  claims,
}: ClaimsAsked): (reviewer: string, claim: Claim) => boolean {
  const { mayHear } = openEgress(plan.egress);
  const analysers = new Set(
    plan.seats.filter(({ runner }) => runner === 'builtin').map(({ id }) => id),
  );
  return (reviewer, claim) =>
    [claim, ...claims.filter(({ id }) => claim.contradicts.includes(id))].every(
      ({ location, findings }) =>
        [...findings, ...findings.map(said => ({ reviewer: said.reviewer, location }))].every(
          finding => mayHear(reviewer, finding, { subject, analysers }),
        ),
    );
}

export async function describeAll(
  claims: readonly Claim[],
  { claims: all, subject }: ClaimsAsked,
  { secrets }: Pick<HearingWorld, 'secrets'>,
): Promise<Map<string, string>> {
  const byId = new Map(all.map(claim => [claim.id, claim]));
  const texts = new Map<string, string>();
  for (const claim of claims) {
    const text = describeClaim(
      claim,
      claim.contradicts.flatMap(id => byId.get(id)?.text ?? []),
      codeAround(claim, subject),
    );
    texts.set(claim.id, redact(text, await secrets.scan(text, 'claim.txt')).text);
  }
  return texts;
}

/** The hunk that holds the place, or the whole patch of the file where none does. */
function codeAround({ location }: Claim, subject: Subject): string {
  const file =
    subject.kind === 'change' && location !== null
      ? subject.files.find(({ path }) => path === location.path)
      : undefined;
  if (file === undefined) return '';
  const line = location?.line ?? null;
  const around =
    line === null
      ? []
      : file.hunks.filter(hunk =>
          location?.side === 'old'
            ? line >= hunk.oldStart && line < hunk.oldStart + hunk.oldLines
            : line >= hunk.newStart && line < hunk.newStart + hunk.newLines,
        );
  return renderPatch(around.length === 0 ? file : { ...file, hunks: around });
}

export function countingCeiling(inner: Ceiling): {
  readonly ceiling: Ceiling;
  readonly spent: () => Usage;
} {
  let usage = noUsage;
  return {
    ceiling: {
      ...inner,
      settle(used, ...expected) {
        usage = addUsage(usage, { ...used, calls: Math.max(used.calls, 1) });
        inner.settle(used, ...expected);
      },
      recall(calls, used) {
        usage = addUsage(usage, { ...used, calls });
        inner.recall(calls, used);
      },
    },
    spent: () => usage,
  };
}

/** Every seat is its own endpoint, or shares that of its address, with the limit it has in the review. */
export function askingOf(
  { seats, concurrency }: ClaimsAsked['plan'],
  { steps, clock, signal, ceiling, runnerFor, hash, note }: HearingWorld,
): Asking {
  const shared = new Map(
    seats.map(seat => [
      endpointOf(seat),
      { key: endpointOf(seat), limit: seat.concurrency ?? concurrency, weight: 1 },
    ]),
  );
  return {
    steps,
    // The names of questions about claims hold what is asked: a later round of the run asks nothing of that again.
    round: 1,
    clock,
    signal,
    ceiling,
    runnerFor,
    hash,
    endpoints: createEndpoints([...shared.values()], concurrency, {
      mostCalls: concurrency,
      clock,
      note,
    }),
    seatAt: seat => seat,
  };
}

/** One judge and the claims it is asked about. `texts`: what is shown of each, by id. */
export function taskAbout(
  ids: readonly string[],
  judge: Seat,
  {
    texts,
    plan: { fence },
    world: { hash },
  }: {
    readonly texts: ReadonlyMap<string, string>;
    readonly plan: Pick<Plan, 'fence'>;
    readonly world: Pick<HearingWorld, 'hash'>;
  },
): StanceTask {
  return {
    ...placed(judge),
    member: judge.id,
    instructions: instructionsOf(judge),
    ids,
    render: some =>
      renderClaimsPrompt(
        some.map(id => ({ id, text: texts.get(id) ?? '' })),
        { fence, hash, question: `claims/${judge.id}` },
      ),
  };
}

/** An answer as a vote about the claim: what should be changed about it is a concern. */
export function voteOf(
  reviewer: string,
  { stance, reasoning, confidence, opposition_concerns, amendment_text }: StatedStance,
): ClaimVote {
  const concerns = [...opposition_concerns, ...(amendment_text === null ? [] : [amendment_text])];
  return { reviewer, stance, reasoning, concerns, confidence };
}

export function placed(judge: Seat): { readonly seat: Seat; readonly endpoint: string } {
  return { seat: judge, endpoint: endpointOf(judge) };
}

function endpointOf({ baseUrl, runner, id }: Seat): string {
  return baseUrl ?? `${runner}/${id}`;
}

export function instructionsOf({ persona }: Seat): string {
  return `${claimInstructions}\n\nYour focus: ${persona.focus}`;
}
