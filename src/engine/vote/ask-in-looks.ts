/**
 * Asks members about motions a part at a time, and looks after each part which motions are decided. Who finishes first changes
 * nothing: the next part begins when the one before is whole, and follows from it.
 */
import { looks } from '../../core/vote/early-decision.ts';
import type { Session } from '../../core/vote/motion.ts';
import type { MotionsRun, VoteSampling } from '../../core/vote/motions-run.ts';
import type { ReviewResponse } from '../../core/vote/records.ts';
import {
  type AskedSoFar,
  type CallsWanted,
  createAskedSoFar,
  decideSample,
  drawSamples,
  type Lots,
  type LookWanted,
  type MotionSample,
  putInLook,
  type SampleTerms,
  savedBySampling,
  withoutUnput,
} from '../../core/vote/sampling.ts';
import type { RuleSet } from '../../core/vote/rule-set.ts';
import type { Packet, TriagedMotion } from '../../core/vote/triage.ts';

export interface SampleWanted {
  readonly terms: SampleTerms;
  /** By motion id. */
  readonly samples: ReadonlyMap<string, MotionSample>;
  /** What members were drawn by, beside motion and member. */
  readonly runId: string;
}

interface Sampling extends Lots {
  readonly risk: number;
  readonly rules: RuleSet;
}

/** `packets`: all that could be asked. */
export function wantSample(
  session: Session,
  assigned: { readonly triaged: readonly TriagedMotion[]; readonly packets: readonly Packet[] },
  { risk, rules, runId, hash }: Sampling,
): SampleWanted {
  return {
    terms: { risk, rules, rosterSize: session.roster.length },
    samples: drawSamples(session, assigned, { runId, hash }),
    runId,
  };
}

export interface Looking extends Pick<LookWanted, 'batch' | 'groupOf'> {
  /** Ids of the motions that were put in this look before, when a vote goes on; null: it did not come to this look. */
  recall(look: number): readonly string[] | null;
  /** Before anybody is asked in it. */
  keep(look: number, open: readonly string[]): Promise<void>;
  /** One row for each assignment. */
  ask(packets: readonly Packet[], look: number): Promise<readonly ReviewResponse[]>;
  /** Why somebody was not called; null where everybody was. */
  refusal(): string | null;
  /** Rows of those who are not asked for this reason. */
  refuse(packets: readonly Packet[], reason: string): readonly ReviewResponse[];
}

interface Wanted {
  /** All that could be asked. */
  readonly packets: readonly Packet[];
  readonly sampling: SampleWanted;
}

/**
 * A row for every assignment that was put to a member; of a motion that is decided early, the others have none. What was put
 * before a vote went on is put again, whatever is decided by now, so that no answer is lost. Once a call was refused no new look
 * begins: whoever is left is missing, as where everybody is asked at once.
 */
export async function askInLooks(
  { packets, sampling, note }: Wanted & { readonly note: (message: string) => void },
  looking: Looking,
): Promise<ReviewResponse[]> {
  const asked = createAskedSoFar();
  const responses: ReviewResponse[] = [];
  let open: ReadonlySet<string> = new Set(sampling.samples.keys());
  for (let look = 1; look <= looks; look += 1) {
    const known = looking.recall(look);
    const reason = known === null ? looking.refusal() : null;
    if (reason !== null) {
      responses.push(...looking.refuse(leftOf(packets, open, asked), reason));
      break;
    }
    const put = putInLook({
      ...looking,
      ...sampling,
      packets,
      asked,
      look,
      open: putOf(known, open),
    });
    if (put.length === 0) continue;
    if (known === null) await looking.keep(look, [...open]);
    const rows = await looking.ask(put, look);
    for (const row of rows) responses.push({ ...row, look });
    asked.add(rows);
    open = findUndecided(sampling, asked);
    note(describeLook(look, open.size, sampling));
  }
  return responses;
}

/** What was put in each look so far, for a vote that goes on; nobody is asked. `answers`: what is known of those. */
export function recallLooks(
  { packets, sampling }: Wanted,
  looking: Pick<Looking, 'batch' | 'groupOf' | 'recall'> & {
    answers(
      put: readonly Packet[],
      look: number,
    ): readonly Pick<ReviewResponse, 'archon_name' | 'mega_motion_id' | 'stance'>[];
  },
): RecalledLooks {
  const asked = createAskedSoFar();
  const recalled: { look: number; put: readonly Packet[] }[] = [];
  for (let look = 1; look <= looks; look += 1) {
    const known = looking.recall(look);
    if (known === null) continue;
    const put = putInLook({ ...looking, ...sampling, packets, asked, look, open: new Set(known) });
    asked.add(looking.answers(put, look));
    recalled.push({ look, put });
  }
  return { recalled, left: leftOf(packets, findUndecided(sampling, asked), asked) };
}

export interface RecalledLooks {
  readonly recalled: readonly { readonly look: number; readonly put: readonly Packet[] }[];
  /** What nobody was asked and no sample decides yet. */
  readonly left: readonly Packet[];
}

/** When everybody was asked who was to be asked: whom a motion never came to is not assigned to it any more. */
export function settleSamples(
  assigned: Pick<MotionsRun, 'triaged' | 'packets'>,
  { terms, samples, runId }: SampleWanted,
  responses: Iterable<ReviewResponse>,
  calls: CallsWanted,
): { readonly packets: readonly Packet[]; readonly sampling: VoteSampling } {
  const asked = createAskedSoFar();
  asked.add(responses);
  return {
    packets: withoutUnput(assigned.packets, asked),
    sampling: {
      risk: terms.risk,
      runId,
      motions: [...samples].map(([motionId, sample]) => ({
        motionId,
        certain: sample.certain,
        order: sample.order,
        decided: decideSample(sample, asked.on(motionId), terms),
      })),
      saved: savedBySampling(assigned, responses, calls),
    },
  };
}

function putOf(known: readonly string[] | null, open: ReadonlySet<string>): ReadonlySet<string> {
  return known === null ? open : new Set(known);
}

function findUndecided({ samples, terms }: SampleWanted, asked: AskedSoFar): ReadonlySet<string> {
  return new Set(
    [...samples].flatMap(([id, sample]) => {
      const said = asked.on(id);
      const isWhole = [...sample.certain, ...sample.order].every(name => said.has(name));
      return isWhole || decideSample(sample, said, terms) !== null ? [] : id;
    }),
  );
}

function leftOf(
  packets: readonly Packet[],
  open: ReadonlySet<string>,
  asked: AskedSoFar,
): Packet[] {
  return packets.map(packet => ({
    ...packet,
    assigned: packet.assigned.filter(
      ({ motionId }) => open.has(motionId) && !asked.on(motionId).has(packet.member.name),
    ),
  }));
}

function describeLook(look: number, open: number, { samples, terms }: SampleWanted): string {
  const decided = `${samples.size - open} of ${samples.size} motions need nobody more at a risk of ${terms.risk}`;
  return `Look ${look} of ${looks}: ${decided}${open === 0 ? '' : `; ${open} are asked on about`}.`;
}
