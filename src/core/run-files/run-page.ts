/** What a run leaves in the journal for people, and what it hands on. */
import { z } from 'zod';
import { inputError } from '../errors.ts';
import { present } from '../groups.ts';
import { codePath, readable } from '../safety/visible-text.ts';
import { nameFew, unreadIn } from '../verdict/coverage.ts';
import { sayOutcome } from '../verdict/outcome.ts';
import { sentencesOf } from '../verdict/review-status.ts';
import { Text, Texts, Whole } from '../words/fields.ts';
import type { Plan } from '../words/plan.ts';
import type { RunRecord } from '../words/run.ts';

/** What the journal reads of the file beside a pack; whoever writes those files owns the rest. */
export const PackNotes = z.looseObject({
  pack_uri: Text,
  rung_reached: Whole,
  stop_reason: Text,
  unresolved: z.array(z.looseObject({ symbol: Text, at: Text, reason: Text })).default([]),
});
type PackNotes = z.infer<typeof PackNotes>;

/** What the journal and the handoff read of a pack itself. */
export const PackSize = z.looseObject({
  token_estimate: Whole,
  risk_notes: Texts.default([]),
});
type PackSize = z.infer<typeof PackSize>;

export function teamPanelOf(record: RunRecord, plan: Plan, packs: readonly PackNotes[]) {
  const unread = unreadIn(record.coverage);
  const alone = record.claims.filter(
    ({ agreement, severity }) =>
      agreement === 'single' && (severity === 'critical' || severity === 'high'),
  );
  return {
    assumptions: [
      `The panel answers for the change: ${plan.seats.map(({ id, persona }) => `${id} as ${persona.name}`).join(', ')}.`,
      `A pass needs ${record.quorum.required} readers that were heard.`,
      ...record.coverage.excluded.map(
        ({ path, pattern }) => `${path} needs no review (excluded by ${pattern}).`,
      ),
    ],
    openQuestions: present(
      ...packs.flatMap(({ unresolved }) =>
        unresolved.map(({ symbol, at, reason }) => `What is ${symbol}, used at ${at}? (${reason})`),
      ),
      ...record.reviewers
        .filter(({ status }) => status === 'failed')
        .map(({ id, display }) => `What would ${id} have said? It did not review: ${display}.`),
      unread.length > 0 &&
        `${unread.length === 1 ? 'Is' : 'Are'} ${nameFew(unread)} right? Nobody read ${unread.length === 1 ? 'it' : 'them'} in full.`,
    ),
    /** Spike branches are called `spike/<task>-<n>`. */
    proposedSpikes: alone.map(
      ({ id, text }, index) =>
        `spike/${record.run}-${index + 1}: reproduce ${id}, which one reviewer alone reports: ${text}`,
    ),
  };
}

/** More files than these are counted instead of being asked about one by one. */
const mostFiles = 3;
const mostReasons = 8;
const mostNotes = 8;

/** What fails the run, then what its packs tell of the change, then what keeps it from being a pass; unread files as one. */
function risksOf({ reasons }: RunRecord, notes: readonly string[]) {
  const open = reasons.filter(({ effect }) => effect !== 'FAIL');
  const unread = open.filter(({ rule }) => rule === 'unread');
  const bySubject = new Map(unread.map(({ subject, sentence }) => [subject, sentence]));
  return [
    ...firstOf(reasons.filter(({ effect }) => effect === 'FAIL')),
    ...[...new Set(notes)].slice(0, mostNotes),
    ...firstOf(open.filter(({ rule }) => rule !== 'unread')),
    ...(bySubject.size <= mostFiles
      ? bySubject.values()
      : [
          `${bySubject.size} files were read in full by nobody whose review counts: ${nameFew([...bySubject.keys()])}`,
        ]),
  ];
}

function firstOf(reasons: RunRecord['reasons']) {
  const rest = reasons.length - mostReasons;
  return present(
    ...sentencesOf({ reasons: reasons.slice(0, mostReasons) }),
    rest > 0 && `and ${rest} more like the last`,
  );
}

/** `notes`: what the packs say of the risks of the change. */
export function handoffOf(
  record: RunRecord,
  packs: readonly PackNotes[],
  notes: readonly string[],
) {
  const { base, head } = record.subject;
  return {
    from: 'Reviewer',
    to: 'Supervisor',
    task_id: record.run,
    diff_refs: present(base, head),
    evidence: [
      ...packs.map(({ pack_uri: uri }) => uri),
      ...record.reviewers.map(({ id }) => runResourceUri(record.run, `reviews/${id}.md`)),
    ],
    risks: risksOf(record, notes),
    notes: `${sayOutcome(record)}: ${record.claims.length} claims, ${record.blocking.length} of them blocking.`,
  };
}

// `journal.md`, the journal for people: what was assumed, what is open and what is proposed, block after block.

/** One pack as it stood when it was removed from the run memory. */
const lists = [
  ['Assumptions', 'assumptions'],
  ['Open Questions', 'openQuestions'],
  ['Proposed Spikes', 'proposedSpikes'],
] as const;

/** A heading without entries is kept, so that a reader sees that there were none. Ends with an empty line. */
export function renderTeamPanel(panel: ReturnType<typeof teamPanelOf>) {
  const lines = lists.flatMap(([heading, key]) => [
    `**${heading}**`,
    ...panel[key].map(entry => `- ${readable(entry)}`),
  ]);
  return `### Team Panel\n${lines.join('\n')}\n\n`;
}

export function renderContextSnapshots(
  snapshots: readonly { uri: string; tokenEstimate: number; rung: number; stopReason: string }[],
) {
  const lines = snapshots.map(
    ({ uri, tokenEstimate, rung, stopReason }) =>
      `- ${codePath(uri)} · ${tokenEstimate} tokens · rung ${rung} · ${readable(stopReason)}`,
  );
  return `### Context Snapshots\n${lines.join('\n')}\n\n`;
}

const AgentName = Text.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

/** What one role passes to the next: references, never text. */
export const Handoff = z.strictObject({
  from: AgentName,
  to: AgentName,
  task_id: Text.min(1),
  diff_refs: Texts,
  /** `resources://` names. */
  evidence: Texts,
  risks: Texts,
  notes: Text,
});
type Handoff = z.infer<typeof Handoff>;

/** Path in the run folder. The arrow is U+2192. */
export function handoffPath({ from, to }: Pick<Handoff, 'from' | 'to'>) {
  return `handoff/${from}→${to}.json`;
}

/** Throws `UserError` (kind `input`) when any evidence does not resolve: whoever is handed it could not look at it. */
export async function checkHandoff(handoff: Handoff, resolves: (uri: string) => Promise<boolean>) {
  for (const uri of handoff.evidence) {
    if (parseResourceUri(uri) === null || !(await resolves(uri))) {
      throw inputError(
        `Handoff ${handoff.from}→${handoff.to}: evidence ${JSON.stringify(uri.slice(0, 200))} does not resolve.`,
        'Name only files that the run has written.',
      );
    }
  }
}

// Names for what runs leave behind: `resources://runs/<id>/<path>` and `resources://kb/<file>`. A name never leads out of its
// folder.

/** Names of runs and of most files. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** The arrow separates the two agents of a handoff. */
const fileNamePattern = /^[A-Za-z0-9][A-Za-z0-9._→-]{0,219}$/;

/** Null for anything else: another scheme, `..`, an absolute part, an empty name, an escape that is none. */
export function parseResourceUri(uri: string) {
  if (uri.length > 1000) return null;
  const [, realm, rest] = /^resources:\/\/(runs|kb)\/(.+)$/u.exec(uri) ?? [];
  const names = decoded(rest)?.split('/') ?? [];
  const [first, ...path] = names;
  if (realm === undefined || first === undefined) return null;
  if (realm === 'kb')
    return path.length === 0 && isFileName(first)
      ? ({ kind: 'knowledge', file: first } as const)
      : null;
  return namePattern.test(first) && path.length > 0 && path.every(isFileName)
    ? ({ kind: 'run', run: first, path: path.join('/') } as const)
    : null;
}

export function runResourceUri(run: string, path: string) {
  return `resources://runs/${run}/${path}`;
}

function isFileName(name: string) {
  return fileNamePattern.test(name) && !name.endsWith('.');
}

/** The arrow may come escaped. Decoded once only: what is escaped twice is no name. */
function decoded(text: string | undefined) {
  if (text === undefined) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
