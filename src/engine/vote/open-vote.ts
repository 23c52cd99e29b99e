/** A vote before any member is asked: what it is held on, triage, the search for conflicts and the packets. */
import type { Clock } from '../../core/ports/clock.ts';
import { type AuditTrail, createAuditTrail } from '../../core/vote/audit-trail.ts';
import { type ConflictSearch, gatherConflicts } from '../../core/vote/conflicts.ts';
import {
  countResponses,
  type MotionsMode,
  type MotionsRun,
  summariseTriage,
} from '../../core/vote/motions-run.ts';
import type { MotionsSettings } from '../../core/vote/motions-settings.ts';
import {
  hashParts,
  nobodyAsked,
  recordConflicts,
  type RecordedInputs,
  recordInputs,
} from '../../core/vote/recorded-inputs.ts';
import { lengthBeyond } from '../../core/vote/prompts/foreign-text.ts';
import { labelOf, type RuleSet } from '../../core/vote/rule-set.ts';
import type { SessionInput } from '../../core/vote/session-input.ts';
import { buildPackets, type Packet, triage, type TriagedMotion } from '../../core/vote/triage.ts';
import type { Deliberators } from './deliberators.ts';

export interface VoteRequest {
  readonly input: SessionInput;
  /** The session folder, as the person named it. */
  readonly source: string;
  readonly rules: RuleSet;
  /** All that ship with Jury: by which of them a motion would have ended otherwise is part of its account. */
  readonly shipped: readonly RuleSet[];
  readonly settings: MotionsSettings;
  /** Gap members to ask on each motion of medium risk; null: all. */
  readonly sample: number | null;
  /** Triage alone: no packets either. */
  readonly triageOnly: boolean;
}

export interface VoteWorld {
  readonly clock: Clock;
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string;
  /** A UUID that is always the same for one name. */
  readonly uuid: (name: string) => string;
  /** Null: nobody answers; the vote ends with the packets. */
  readonly deliberators: Deliberators | null;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
  /** Keeps the results that need no audit trail; resolves with the SHA-256 of each artifact by its name, which the trail records. */
  readonly keepResults: (
    run: Omit<MotionsRun, 'audit'>,
  ) => Promise<Readonly<Record<string, string>>>;
}

export interface Opening {
  readonly request: VoteRequest;
  readonly world: VoteWorld;
  readonly mode: MotionsMode;
  readonly audit: AuditTrail;
  /** Now, as ISO 8601. */
  readonly time: () => string;
  readonly startedMs: number;
  readonly startedAt: string;
  readonly triagedAt: string;
  readonly triaged: readonly TriagedMotion[];
  readonly conflictSearch: ConflictSearch;
  readonly packets: readonly Packet[];
  readonly inputs: RecordedInputs;
}

/** Phases 0 to 2: no member is asked yet. */
export async function openVote(request: VoteRequest, world: VoteWorld): Promise<Opening> {
  const { input, rules, settings, source } = request;
  const { deliberators, clock, hash, note } = world;
  const startedMs = clock.monotonicMs();
  const inputs = inputsOf(request, deliberators);
  const audit = createAuditTrail(
    input.session.id,
    { rule_set: labelOf(rules), simulated: deliberators?.simulated ?? false },
    hash,
    clock,
  );
  const { time } = audit;
  const startedAt = time();
  audit.record({
    event_type: 'pipeline_started',
    occurred_at: startedAt,
    attributed_to: [],
    details: {
      consolidator_path: source,
      mega_motions: input.megaMotions,
      novel_proposals: input.novelProposals,
      ...hashParts(inputs, hash),
    },
  });
  for (const warning of input.warnings) note(`Warning: ${warning}`);
  const { conflicts, search, named } = await searchConflicts(request, world);
  const {
    low,
    medium,
    max_conflicts: maxConflicts,
    triage: { low_from_tier: lowFromTier },
  } = settings;
  const triaged = triage(input.session, conflicts, { low, medium, maxConflicts, lowFromTier });
  const { low_risk, medium_risk, high_risk } = summariseTriage({ triaged, conflictSearch: search });
  const triagedAt = time();
  audit.record({
    event_type: 'triage_completed',
    occurred_at: triagedAt,
    attributed_to: [],
    details: { low_risk, medium_risk, high_risk },
  });
  const packets = request.triageOnly
    ? []
    : buildPackets(
        input.session,
        triaged,
        request.sample === null ? null : { size: request.sample, hash },
      );
  const opening: Opening = {
    request,
    world,
    mode: modeOf(request, deliberators),
    audit,
    time,
    startedAt,
    startedMs,
    triagedAt,
    triaged,
    conflictSearch: search,
    packets,
    inputs: named === undefined ? inputs : { ...inputs, conflicts_named: recordConflicts(named) },
  };
  if (!request.triageOnly) announcePackets(opening);
  if (opening.mode === 'real') announceAsked(opening);
  return opening;
}

/** What nobody is asked about, and what nobody is shown. */
function announceAsked({
  request: { settings },
  world: { note },
  packets,
  triaged,
}: Opening): void {
  if (countResponses({ packets, responses: [] }).assigned === 0)
    note('Nobody is asked: no motion is of a risk at which it is reviewed.');
  const { motion_text: most } = settings.limits;
  const cut = triaged.flatMap(({ motion: { text }, riskTier }, index) => {
    const length = riskTier === 'low' ? 0 : lengthBeyond(text, most);
    return length === null || length === 0 ? [] : [`${index + 1} (${length})`];
  });
  if (cut.length > 0)
    note(
      `Warning: members are shown only the first ${most} characters of ${cut.length === 1 ? 'a motion that is longer' : `${cut.length} motions that are longer`}: ${shorten(cut)}. "limits: { motion_text: … }" of the motions settings shows more.`,
    );
}

const mostListed = 10;

function shorten(listed: readonly string[]): string {
  const rest = listed.length - mostListed;
  return `${listed.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Texts are compared where somebody can be asked; what members stated counts in any case. */
async function searchConflicts(
  { input: { session, positions }, settings }: VoteRequest,
  { deliberators, signal, note }: VoteWorld,
) {
  const found =
    settings.conflicts.detector === 'off'
      ? undefined
      : await deliberators?.findContradictions?.({ session, positions, signal, note });
  const { isFinished = null, dropped = 0, contradictions = [] } = found ?? {};
  if (isFinished === false)
    note(
      'Warning: not every text was compared with every other; the search for conflicts was not finished.',
    );
  const state = isFinished === null ? 'not_run' : isFinished ? 'finished' : 'not_finished';
  const search: ConflictSearch = { state, dropped };
  return {
    conflicts: gatherConflicts(session, positions, contradictions),
    search,
    named: found,
  };
}

function inputsOf(
  { input, rules, shipped, settings, sample }: VoteRequest,
  deliberators: Deliberators | null,
): RecordedInputs {
  const isReal = deliberators !== null && !deliberators.simulated;
  return recordInputs({
    input,
    rules,
    shipped,
    settings,
    sample,
    mode: deliberators === null ? 'packets' : isReal ? 'real' : 'simulated',
    secondPass: deliberators && (deliberators.holdSecondPass === null ? 'assume' : 'ask'),
    runId: deliberators?.run ?? null,
    asked: deliberators?.asked ?? nobodyAsked,
  });
}

function modeOf({ triageOnly }: VoteRequest, deliberators: Deliberators | null): MotionsMode {
  if (triageOnly) return 'triage';
  if (deliberators === null) return 'packets';
  return deliberators.simulated ? 'simulated' : 'real';
}

function announcePackets({ audit, time, packets }: Opening): void {
  const { assigned } = countResponses({ packets, responses: [] });
  audit.record({
    event_type: 'packets_generated',
    occurred_at: time(),
    attributed_to: [],
    details: { total_assignments: assigned, avg_per_archon: assigned / packets.length },
  });
}
