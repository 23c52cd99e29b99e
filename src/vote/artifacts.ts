/** The files of a finished vote, with their keys in the agreed order. Rows are made one by one, because a large roster has a million. */
import { nameBasedUuid } from '../core/hash.ts';
import { remember } from '../core/groups.ts';
import type { Stance } from '../core/words/claim.ts';
import type { Member } from '../core/words/roster.ts';
import { type MotionsRun, isDecided, summariseTriage, summariseVote } from './motions-run.ts';
import { toFileRow } from './ratify.ts';
import { toResponse } from './aggregation.ts';
import type { Answer } from './records.ts';
import { type Packet, describeConflict } from './triage.ts';

export interface Artifact {
  /** Path below the result folder, with slashes. */
  readonly name: string;
  /** Bytes are whole rows. */
  readonly pieces: () => Iterable<string | Uint8Array>;
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
export function* artifactsOf(run: MotionsRun, { compact, report }: ArtifactOptions) {
  const stamp = { rule_set: run.rules, simulated: run.mode === 'simulated' };
  const quoted = remember((motionId: string) => JSON.stringify(motionId));
  const print = (shape: object) =>
    `${JSON.stringify({ ...shape, ...stamp }, null, compact ? 0 : 2)}\n`;
  const one = (name: string, shape: () => object) => ({ name, pieces: () => [print(shape())] });
  /** `rows`: can be gone through more than once. */
  const many = (name: string, rows: () => Iterable<object>, stamped: object = stamp) => ({
    name,
    pieces: () => printRows(rows(), stamped, compact),
  });
  yield one(resultFiles.inputs, () => run.inputs);
  yield one(resultFiles.triage, () => triageResults(run));
  if (run.inputs.settings.save_packets)
    for (const packet of run.packets)
      yield {
        name: `${resultFiles.packets}/${packet.member.id}.json`,
        pieces: () => [withReasons(print(packetFile(packet, run.triagedAt)), packet, quoted)],
      };
  if (isDecided(run)) {
    const { id } = run.input.session;
    yield stamp.simulated
      ? {
          name: resultFiles.responses,
          pieces: () =>
            printReviews(run.responses, { session: id, compact, stamp: { pass: 1, ...stamp } }),
        }
      : many(resultFiles.responses, () => responsesIn(run));
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

function* responsesIn({ input, inputs, responses, secondResponses }: MotionsRun) {
  const texts = new Map(input.session.motions.map(({ id, text }) => [id, text]));
  const shown = inputs.settings.limits.motion_text;
  for (const [index, rows] of [responses, secondResponses].entries())
    for (const row of rows) {
      // Those of the first pass are called as they were before there was a second.
      const motion = `${row.mega_motion_id}${index === 0 ? '' : '|2'}`;
      const response =
        index === 0 ? toResponse(row, texts.get(row.mega_motion_id) ?? '', shown) : row;
      const [of, on] = [row.archon_id, motion].map(end => responseId(input.session.id, end));
      yield {
        response_id: `${of?.slice(0, half)}${on?.slice(half)}`,
        ...response,
        pass: index + 1,
      };
    }
}

/** Of a member, whose first half names it, or of a motion, by its second half: of a million answers each is computed once. */
function responseId(session: string, end: string) {
  return nameBasedUuid(`${session}|response|${end}`);
}

/** Characters of an id. */
const half = 18;

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

/** A large roster has a million assignments: to make an object of the reasons takes six times as long as to write them. */
function withReasons(text: string, { assigned }: Packet, quoted: (motionId: string) => string) {
  return text.replace(/"assignment_reasons":( ?)\{(?=\})/, (head, blank: string) => {
    const [outer, inner] = blank === '' || assigned.length === 0 ? ['', ''] : ['\n  ', '\n    '];
    const reasons = assigned.map(
      ({ motionId, conflict }) =>
        `${inner}${quoted(motionId)}:${blank}"${conflict === null ? 'gap_archon' : 'conflict_review'}"`,
    );
    return `${head}${reasons.join(',')}${outer}`;
  });
}

/** Without the reasons. */
function packetFile({ member, assigned, notDrawn, alreadyEndorsed }: Packet, at: string) {
  const flags: Record<string, string> = Object.create(null);
  for (const { motionId, conflict } of assigned)
    if (conflict !== null) flags[motionId] = describeConflict(conflict);
  return {
    archon_id: member.id,
    archon_name: member.name,
    assigned_motions: assigned.map(({ motionId }) => motionId),
    not_drawn: notDrawn.length > 0 ? notDrawn : undefined,
    conflict_flags: flags,
    already_endorsed: alreadyEndorsed,
    assignment_reasons: {},
    generated_at: at,
    statistics: {
      assignment_count: assigned.length,
      implicit_endorsements: alreadyEndorsed.length,
      conflicts_flagged: Object.keys(flags).length,
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
function* printRows(rows: Iterable<object>, stamp: object, compact: boolean) {
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
export function simulateReviews(packets: readonly Packet[], at: string) {
  return {
    *[Symbol.iterator]() {
      for (const { member, assigned } of packets)
        for (const { motionId, support, conflict } of assigned) {
          const unspoken = support > 0.5 ? 'ENDORSE' : 'ABSTAIN';
          const stance = conflict === null ? unspoken : 'AMEND';
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
  /** Its id. */
  session: string;
  /** Stands on every row, behind the answer. */
  stamp: object;
  compact: boolean;
}

/**
 * The file of all these answers. Of one member, those of one stance differ by motion alone: each kind is printed once, and every row
 * is put around the words of its motion, as bytes, so that nothing is encoded a million times.
 */
export function* printReviews(
  responses: Iterable<Answer>,
  { session, stamp, compact }: SimulatedRows,
) {
  const motionAt = remember((motion: string) => ({
    half: Buffer.from(responseId(session, motion).slice(half)),
    name: Buffer.from(JSON.stringify(motion)),
  }));
  let [member, isFirst, rows] = ['', true, [] as Buffer[]];
  const kinds = new Map<Answer['stance'], ReturnType<typeof printKind>>();
  const takeRows = () => {
    const bytes = Buffer.concat(rows);
    // In the place of its comma.
    if (isFirst) bytes.write('[');
    [isFirst, rows] = [false, []];
    return bytes;
  };
  for (const answer of responses) {
    const { archon_id, mega_motion_id, stance } = answer;
    if (member !== archon_id) kinds.clear();
    member = archon_id;
    const kind = kinds.get(stance) ?? printKind(answer, { session, stamp, compact });
    kinds.set(stance, kind);
    const { half, name } = motionAt(mega_motion_id);
    rows.push(kind[0], half, kind[1], name, kind[2]);
    if (rows.length > partsOfWrite) yield takeRows();
  }
  if (rows.length > 0) yield takeRows();
  yield isFirst ? '[]\n' : `${compact ? '' : '\n'}]\n`;
}

/** Enough that a write is worth while. */
const partsOfWrite = 1000;

/** A row but for its motion and the half of its id that names the motion. It begins with a comma, for which the first has a bracket. */
function printKind(answer: Answer, { session, stamp, compact }: SimulatedRows) {
  const row = { response_id: null, ...toResponse(answer, '', 0), mega_motion_id: null, ...stamp };
  const [before = '', between = '', behind = ''] = JSON.stringify([row], null, compact ? 0 : 2)
    .slice(1, compact ? -1 : -2)
    .split(/(?<="(?:response_id|mega_motion_id)": ?)null/);
  return [
    Buffer.from(`,${before}"${responseId(session, answer.archon_id).slice(0, half)}`),
    Buffer.from(`"${between}`),
    Buffer.from(behind),
  ] as const;
}
