/** The files of a finished vote, with their keys in the agreed order. Rows are made one by one, because a large roster has a million. */
import { nameBasedUuid } from '../core/hash.ts';
import type { Stance } from '../core/words/claim.ts';
import type { Member } from '../core/words/roster.ts';
import { type MotionsRun, isDecided, summariseTriage, summariseVote } from './motions-run.ts';
import { toFileRow } from './ratify.ts';
import { toResponse } from './aggregation.ts';
import type { Answer } from './records.ts';
import { type Packet, type TriagedMotion, describeConflict } from './triage.ts';

export interface Artifact {
  /** Path below the result folder, with slashes. */
  readonly name: string;
  readonly pieces: () => Iterable<string>;
}

/** What a folder of results may hold. */
export const resultFiles = {
  /** What the results follow from, with the answers. */
  inputs: 'vote_inputs.json',
  triage: 'triage_results.json',
  packets: 'review_packets',
  responses: 'review_responses.json',
  aggregations: 'aggregations.json',
  panels: 'panel_deliberations',
  ratification: 'ratification_results.json',
  history: 'ratification_history.json',
  explanations: 'explanations.json',
  result: 'pipeline_result.json',
  report: 'report.md',
  trail: 'audit_trail.json',
  /** Put beside the results when they are signed: the head of the audit trail, and the signature of it. */
  head: 'audit_head',
  signature: 'audit_head.sig',
} as const;

/** Files that name the head of the audit trail: they are hashed with 64 noughts in its place. */
export const namingTheHead: ReadonlySet<string> = new Set([resultFiles.result, resultFiles.report]);

interface ArtifactOptions {
  /** Without indentation. */
  compact: boolean;
  /** The vote as Markdown. */
  report: string;
}

/** Where no member was asked, there is nothing but triage, packets, result and audit trail. */
export function* artifactsOf(
  run: MotionsRun,
  { compact, report }: ArtifactOptions,
): Generator<Artifact> {
  const stamp = { rule_set: run.rules, simulated: run.mode === 'simulated' };
  const one = (name: string, shape: () => object): Artifact => ({
    name,
    pieces: () => [`${JSON.stringify({ ...shape(), ...stamp }, null, compact ? 0 : 2)}\n`],
  });
  /** `rows`: can be gone through more than once. */
  const many = (name: string, rows: () => Iterable<object>, stamped: object = stamp) => ({
    name,
    pieces: () => printRows(rows(), stamped, compact),
  });
  yield one(resultFiles.inputs, () => run.inputs);
  yield one(resultFiles.triage, () => triageResults(run));
  if (run.inputs.settings.save_packets)
    for (const packet of run.packets)
      yield one(`${resultFiles.packets}/${packet.member.id}.json`, () =>
        packetFile(packet, run.triagedAt),
      );
  if (isDecided(run)) {
    const idOf = (member: string, motion: string) =>
      nameBasedUuid(`${run.input.session.id}|response|${member}|${motion}`);
    yield stamp.simulated
      ? {
          name: resultFiles.responses,
          pieces: () =>
            printReviews(run.responses, { idOf, compact, stamp: { pass: 1, ...stamp } }),
        }
      : many(resultFiles.responses, () => responsesIn(run, idOf));
    yield many(resultFiles.aggregations, () => run.aggregations);
    for (const panel of run.panels) yield one(panelFile(panel.panel_id), () => panel);
    yield many(resultFiles.ratification, () => run.results.map(toFileRow));
    yield many(resultFiles.history, () => run.history.map(toFileRow));
    // The stamp tells whether it is simulated.
    yield many(resultFiles.explanations, () =>
      run.accounts.map(({ simulated: _simulated, ...account }) => account),
    );
  }
  yield one(resultFiles.result, () => pipelineResult(run, stamp));
  yield { name: resultFiles.report, pieces: () => [report] };
  // Events carry their stamp already: it is part of what is hashed.
  yield many(resultFiles.trail, () => run.audit.events, {});
}

export function panelFile(panelId: string) {
  return `${resultFiles.panels}/${panelId}.json`;
}

function* responsesIn(
  { input, inputs, responses, secondResponses }: MotionsRun,
  idOf: (member: string, motion: string) => string,
): Generator<object> {
  const texts = new Map(input.session.motions.map(({ id, text }) => [id, text]));
  const shown = inputs.settings.limits.motion_text;
  for (const [index, rows] of [responses, secondResponses].entries())
    for (const row of rows) {
      // Those of the first pass are called as they were before there was a second.
      const motion = `${row.mega_motion_id}${index === 0 ? '' : '|2'}`;
      const response =
        index === 0 ? toResponse(row, texts.get(row.mega_motion_id) ?? '', shown) : row;
      yield { response_id: idOf(row.archon_id, motion), ...response, pass: index + 1 };
    }
}

function triageResults(run: MotionsRun) {
  const { input, triaged, triagedAt } = run;
  return {
    session_id: input.session.id,
    triaged_at: triagedAt,
    roster_size: input.session.roster.length,
    summary: summariseTriage(run),
    unknown_supporters: input.unknownSupporters,
    motions: triaged.map(({ motion, gap, support, conflicts, riskTier }) => ({
      mega_motion_id: motion.id,
      mega_motion_title: motion.title,
      contributing_archons: motion.supporters,
      contribution_count: motion.sourceMotionIds.length,
      implicit_support_ratio: support,
      gap_archons: gap,
      potential_conflicts: conflicts.map(({ memberName }) => memberName),
      conflict_details: Object.fromEntries(
        conflicts.map(conflict => [conflict.memberName, describeConflict(conflict)]),
      ),
      risk_tier: riskTier,
      is_novel_proposal: motion.isNovel,
      calculated_at: triagedAt,
    })),
  };
}

function packetFile({ member, assigned, notDrawn, alreadyEndorsed }: Packet, at: string) {
  const conflicts = assigned.flatMap(({ motionId, conflict }) =>
    conflict === null ? [] : [[motionId, describeConflict(conflict)]],
  );
  return {
    archon_id: member.id,
    archon_name: member.name,
    assigned_motions: assigned.map(({ motionId }) => motionId),
    not_drawn: notDrawn,
    conflict_flags: Object.fromEntries(conflicts),
    already_endorsed: alreadyEndorsed,
    assignment_reasons: Object.fromEntries(
      assigned.map(({ motionId, reason }) => [motionId, reason]),
    ),
    generated_at: at,
    statistics: {
      assignment_count: assigned.length,
      implicit_endorsements: alreadyEndorsed.length,
      conflicts_flagged: conflicts.length,
    },
  };
}

function pipelineResult(run: MotionsRun, stamp: object) {
  const { results, panels, skippedPanels } = run;
  const { low, medium, max_conflicts, consensus, contested, save_packets } = run.inputs.settings;
  const { session } = run.input;
  const { input, triage, sampling, assignments, reviews, ratification } = summariseVote(run);
  return {
    session_id: session.id,
    session_name: session.name,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    mode: run.mode,
    run_id: run.inputs.run_id,
    rules: run.rules,
    thresholds: { low, medium, max_conflicts, consensus, contested },
    ...run.spent,
    input,
    triage,
    sampling,
    assignments: { ...assignments, dir: save_packets ? resultFiles.packets : null },
    reviews: { ...reviews, file: isDecided(run) ? resultFiles.responses : null },
    deliberation: {
      panels_convened: panels.length,
      dir: panels.length > 0 ? resultFiles.panels : null,
      skipped: skippedPanels,
    },
    ratification: {
      votes: results.map(row => ({ ...toFileRow(row), ...stamp })),
      ...ratification,
      file: isDecided(run) ? resultFiles.ratification : null,
    },
    audit: { file: resultFiles.trail, head_sha256: run.audit.head },
  };
}

/**
 * A list with a row on each line, or indented; read piece by piece, so that millions of rows take no memory. What of a row is still
 * the same as in the one before is not printed again.
 */
function* printRows(rows: Iterable<object>, stamp: object, compact: boolean): Generator<string> {
  const [colon, outer, inner] = compact ? [':', '', ''] : [': ', '\n  ', '\n    '];
  const print = (value: unknown) =>
    compact ? JSON.stringify(value) : JSON.stringify(value, null, 2).replaceAll('\n', inner);
  const printed = new Map<string, { readonly value: unknown; readonly text: string }>();
  let open = '[';
  for (const row of rows) {
    let entries = '';
    for (const part of [row, stamp] as readonly Record<string, unknown>[])
      for (const key in part) {
        const value = part[key];
        if (value === undefined) continue;
        let last = printed.get(key);
        if (last?.value !== value) {
          last = { value, text: `${inner}"${key}"${colon}${print(value)}` };
          printed.set(key, last);
        }
        entries += entries === '' ? last.text : `,${last.text}`;
      }
    yield `${open}${outer}{${entries}${outer}}`;
    open = ',';
  }
  yield open === '[' ? '[]\n' : `${compact ? '' : '\n'}]\n`;
}

// Answers that nobody gave: for `--simulate`, and marked in every artifact.

/** In the order of the packets. Each is made when it is come to, every time anew: a large roster has a million, and none is kept. */
export function simulateReviews(
  packets: readonly Packet[],
  triaged: readonly TriagedMotion[],
  at: string,
): Iterable<Answer> {
  const support = new Map(triaged.map(subject => [subject.motion.id, subject.support]));
  return {
    *[Symbol.iterator]() {
      for (const { member, assigned } of packets)
        for (const { motionId, reason } of assigned) {
          const supported = (support.get(motionId) ?? 0) > 0.5;
          const stance = reason === 'conflict_review' ? 'AMEND' : supported ? 'ENDORSE' : 'ABSTAIN';
          yield simulateReview(member, motionId, stance, at);
        }
    },
  };
}

function simulateReview(
  { id, name }: Member,
  motionId: string,
  stance: Stance,
  at: string,
): Answer {
  const amends = stance === 'AMEND';
  return {
    archon_id: id,
    archon_name: name,
    mega_motion_id: motionId,
    error: null,
    model: null,
    endpoint: null,
    stance,
    amendment_type: amends ? 'minor_wording' : null,
    amendment_text: amends ? 'Proposed amendment to address conflict.' : null,
    amendment_rationale: null,
    opposition_reason: null,
    reasoning: '',
    confidence: 0.7,
    validation: nothingThin,
    attempts: 0,
    review_duration_ms: 0,
    reviewed_at: at,
  };
}

/** One list for all: a large roster gives a million answers. */
const nothingThin: string[] = [];

interface SimulatedRows {
  /** Of the row of this member and this motion. */
  idOf: (member: string, motionId: string) => string;
  /** Stands on every row, behind the answer. */
  stamp: object;
  compact: boolean;
}

/**
 * The file of all these answers. Of one member, those of one stance differ by motion and id alone: each kind is printed once, and
 * every row is put around its two words.
 */
export function* printReviews(
  responses: Iterable<Answer>,
  { idOf, stamp, compact }: SimulatedRows,
): Generator<string> {
  const kinds = new Map<string, readonly string[]>();
  let open = '[';
  for (const response of responses) {
    const { archon_id: member, mega_motion_id: motion, stance } = response;
    let kind = kinds.get(`${stance} ${member}`);
    if (kind === undefined) {
      const row = {
        response_id: null,
        ...toResponse(response, '', 0),
        mega_motion_id: null,
        ...stamp,
      };
      const text = JSON.stringify([row], null, compact ? 0 : 2).slice(1, compact ? -1 : -2);
      kind = text.split(/(?<="(?:response_id|mega_motion_id)": ?)null/);
      kinds.set(`${stance} ${member}`, kind);
    }
    yield `${open}${kind[0]}"${idOf(member, motion)}"${kind[1]}${JSON.stringify(motion)}${kind[2]}`;
    open = ',';
  }
  yield open === '[' ? '[]\n' : `${compact ? '' : '\n'}]\n`;
}
