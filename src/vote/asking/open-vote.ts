/** A vote before any member is asked: what it is held on, triage, the search for conflicts and the packets. */
import type { Clock } from '../../core/ports/clock.ts';
import { type AuditTrail, createAuditTrail } from '../audit-trail.ts';
import { gatherConflicts } from '../conflicts.ts';
import {
  countResponses,
  type MotionsMode,
  type MotionsRun,
  nothingPaid,
  summariseTriage,
} from '../motions-run.ts';
import type { MotionsSettings } from '../../core/words/motions-settings.ts';
import { hashParts, nobodyAsked, recordConflicts, recordInputs } from '../recorded-inputs.ts';
import { lengthBeyond } from '../../core/prompt/foreign-text.ts';
import { labelOf, type RuleSet } from '../rule-set.ts';
import type { SessionInput } from '../session-input.ts';
import { buildPackets, triage } from '../triage.ts';
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
  /**
   * Keeps the results before the audit trail ends, which records their hashes: resolves with the SHA-256 of each artifact by its
   * name.
   */
  readonly keepResults: (run: MotionsRun) => Promise<Readonly<Record<string, string>>>;
}

export interface OpenVote {
  readonly request: VoteRequest;
  /** Nothing is decided yet. */
  readonly run: MotionsRun;
  readonly startedMs: number;
  readonly record: AuditTrail['record'];
  readonly time: AuditTrail['time'];
}

/** Phases 0 to 2: no member is asked yet. */
export async function openVote(request: VoteRequest, world: VoteWorld): Promise<OpenVote> {
  const { input, rules, settings, source, sample, triageOnly } = request;
  const { deliberators, clock, hash, note } = world;
  const { session } = input;
  const isSimulated = deliberators?.simulated ?? false;
  const answering = deliberators === null ? 'packets' : isSimulated ? 'simulated' : 'real';
  const mode: MotionsMode = triageOnly ? 'triage' : answering;
  const startedMs = clock.monotonicMs();
  const inputs = recordInputs({
    ...request,
    mode: answering,
    secondPass: deliberators && (deliberators.holdSecondPass === null ? 'assume' : 'ask'),
    runId: deliberators?.run ?? null,
    asked: deliberators?.asked ?? nobodyAsked,
  });
  const audit = createAuditTrail(
    session.id,
    { rule_set: labelOf(rules), simulated: isSimulated },
    hash,
    clock,
  );
  const { record, time } = audit;
  const startedAt = time();
  const started = {
    consolidator_path: source,
    mega_motions: input.megaMotions,
    novel_proposals: input.novelProposals,
    ...hashParts(inputs, hash),
  };
  record('pipeline_started', [], started);
  for (const warning of input.warnings) note(`Warning: ${warning}`);
  const named = await searchConflicts(request, world);
  const conflicts = gatherConflicts(session, input.positions, named?.contradictions ?? []);
  const triaged = triage(session, conflicts, settings);
  const conflictSearch = {
    state: named === null ? 'not_run' : named.isFinished ? 'finished' : 'not_finished',
    dropped: named?.dropped ?? 0,
  } as const;
  const { low_risk, medium_risk, high_risk } = summariseTriage({ triaged, conflictSearch });
  const triagedAt = time();
  record('triage_completed', [], { low_risk, medium_risk, high_risk });
  const sampling = sample === null ? null : { size: sample, hash };
  const packets = triageOnly ? [] : buildPackets(session, triaged, sampling);
  const { low, medium, max_conflicts, consensus, contested } = settings;
  const run: MotionsRun = {
    ...nothingDecided,
    input,
    inputs: named === null ? inputs : { ...inputs, conflicts_named: recordConflicts(named) },
    mode,
    rules: labelOf(rules),
    thresholds: { low, medium, max_conflicts, consensus, contested },
    startedAt,
    triagedAt,
    completedAt: triagedAt,
    triaged,
    conflictSearch,
    packets,
    audit,
  };
  const { assigned } = countResponses(run);
  if (!triageOnly)
    record('packets_generated', [], {
      total_assignments: assigned,
      avg_per_archon: assigned / packets.length,
    });
  if (mode === 'real') for (const warning of describeAsked(run, settings)) note(warning);
  return { request, run, startedMs, record, time };
}

const nothingDecided = {
  spent: nothingPaid,
  responses: [],
  secondResponses: [],
  aggregations: [],
  panels: [],
  skippedPanels: [],
  history: [],
  results: [],
  accounts: [],
};

/** What nobody is asked about, and what nobody is shown. */
function describeAsked(
  run: MotionsRun,
  { limits: { motion_text: most } }: MotionsSettings,
): string[] {
  const nobody =
    countResponses(run).assigned > 0
      ? []
      : ['Nobody is asked: no motion is of a risk at which it is reviewed.'];
  const cut = run.triaged.flatMap(({ motion: { text }, riskTier }, index) => {
    const length = riskTier === 'low' ? null : lengthBeyond(text, most);
    return length === null ? [] : [`${index + 1} (${length})`];
  });
  if (cut.length === 0) return nobody;
  const rest = cut.length - mostListed;
  const listed = `${cut.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return [
    ...nobody,
    `Warning: members are shown only the first ${most} characters of ${cut.length === 1 ? 'a motion that is longer' : `${cut.length} motions that are longer`}: ${listed}. "limits: { motion_text: … }" of the motions settings shows more.`,
  ];
}

const mostListed = 10;

/** Texts are compared where a model can be asked; what members stated counts in any case. */
async function searchConflicts(
  { input: { session, positions }, settings }: VoteRequest,
  { deliberators, signal, note }: VoteWorld,
) {
  if (settings.conflicts.detector === 'off') return null;
  const found = await deliberators?.findContradictions?.({ session, positions, signal, note });
  if (found?.isFinished === false)
    note(
      'Warning: not every text was compared with every other; the search for conflicts was not finished.',
    );
  return found ?? null;
}
