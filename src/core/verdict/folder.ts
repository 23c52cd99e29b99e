/**
 * The gates of a commit: closed unless what lies in the run folder proves that the change was reviewed. They read files, not
 * intentions: the absence of a sign of success is never success.
 */
import { z } from 'zod';
import type { Seat } from '../words/config.ts';
import type { Grounding } from '../run-files/grounding.ts';
import { judgeGrounding, leavesOpen } from './judges.ts';
import { Reasons, type Reason } from './record.ts';
import type { OutcomeRules } from './rule-set.ts';

const Override = z.object({ rule: z.string(), reason: z.string(), source: z.string() });
type Override = z.infer<typeof Override>;

/** What a record keeps of the judgement of its folder. */
export const FolderGate = z.object({
  /** What the run itself came to, before its folder was looked at. */
  run: Reasons,
  overrides: z.array(Override),
});
export type FolderGate = z.infer<typeof FolderGate>;

export interface FolderEvidence {
  readonly run: string;
  /** Reasons of the run itself. */
  readonly reasons: readonly Reason[];
  /** Verdict files by agent; `MALFORMED` where a file cannot be read, `UNKNOWN` where its status is none. */
  readonly verdicts: readonly { readonly agent: string; readonly status: string }[];
  /** Agents with a file in the state `malformed`. */
  readonly malformed: readonly string[];
  readonly required: readonly string[];
  readonly quorum: number;
  /** Of `findings.json` and `synthesis.md`, those that are not there or cannot be read. */
  readonly missing: readonly string[];
  /** Severities of the merged findings, as `P0` to `P3`. */
  readonly levels: readonly string[];
  readonly input: { readonly recorded: string | null; readonly current: string | null };
  /** Null where there is nothing to ground. */
  readonly grounding: Grounding | null;
  /** Sensitive files, each with the rule that makes it sensitive and the security reviewers that read it in full. */
  readonly sensitive: readonly {
    readonly path: string;
    readonly reason: string;
    readonly guards: readonly string[];
  }[];
  /** Value of `JURY_SKIP_SECURITY`; null or blank: not set. */
  readonly skipSecurity: string | null;
}

export interface FolderJudgement {
  readonly reasons: readonly Reason[];
  readonly gate: FolderGate;
}

/** Files with one of these statuses are no reviews. */
const lost: ReadonlySet<string> = new Set(['ERROR', 'FAILED', 'UNKNOWN', 'MALFORMED']);

/** The reasons of the run and those of its folder. What is missing in the folder stands for what the run says of the same rule. */
export function judgeFolder(
  evidence: FolderEvidence,
  { parameters: { security } }: OutcomeRules,
): FolderJudgement {
  const uncovered = security.effect === 'none' ? [] : findUncovered(evidence);
  const skipped = (evidence.skipSecurity ?? '').trim();
  const overrides =
    skipped !== '' && uncovered.length > 0
      ? [{ rule: 'security-coverage', reason: skipped, source: 'JURY_SKIP_SECURITY' }]
      : [];
  const closed = [
    ...findClosed(evidence),
    ...(overrides.length > 0
      ? []
      : uncovered.map((file): Reason => ({
          rule: 'security',
          effect: security.effect === 'FAIL' ? 'FAIL' : 'INCOMPLETE',
          ...file,
        }))),
  ];
  const replaced = new Set([...closed.map(({ rule }) => rule), 'security']);
  const failing = findFaults(evidence);
  const isFound = failing.some(({ rule }) => rule === 'claim');
  const kept = evidence.reasons.filter(({ rule, effect }) =>
    effect === 'FAIL' ? rule !== 'claim' || !isFound : !replaced.has(rule),
  );
  return {
    reasons: [
      ...kept.filter(({ effect }) => effect === 'FAIL'),
      ...failing,
      ...closed,
      ...kept.filter(({ effect }) => effect !== 'FAIL'),
    ],
    gate: { run: [...evidence.reasons], overrides },
  };
}

function findFaults({ levels, verdicts }: FolderEvidence): Reason[] {
  const [critical = 0, high = 0] = ['P0', 'P1'].map(
    level => levels.filter(each => each === level).length,
  );
  const blocked = verdicts.filter(({ status }) => status === 'BLOCKED');
  return [
    ...(critical + high > 0
      ? [
          {
            rule: 'claim' as const,
            effect: 'FAIL' as const,
            subject: 'findings.json',
            sentence: `There are ${critical} P0 and ${high} P1 findings.`,
          },
        ]
      : []),
    ...blocked.map(({ agent }) => ({
      rule: 'veto' as const,
      effect: 'FAIL' as const,
      subject: agent,
      sentence: `${agent} blocked the change.`,
    })),
  ];
}

function findClosed(evidence: FolderEvidence): Reason[] {
  const { run, verdicts, malformed, quorum, missing, input, grounding } = evidence;
  const usable = verdicts.filter(
    ({ agent, status }) => !lost.has(status) && status !== 'PARTIAL' && !malformed.includes(agent),
  ).length;
  const close = (rule: Reason['rule'], isClosed: boolean, sentence: string): Reason[] =>
    isClosed ? [leavesOpen(rule, run, sentence)] : [];
  return [
    ...close('quorum', verdicts.length === 0, 'There is no verdict file.'),
    ...findUnusable(evidence),
    ...close(
      'quorum',
      usable < quorum,
      `${usable} of ${verdicts.length} reviews are usable; the quorum is ${quorum}.`,
    ),
    ...missing.map(file => leavesOpen('ungrounded', file, `${file} is missing or cannot be read.`)),
    ...close(
      'changed',
      input.current === null || input.recorded !== input.current,
      'The input has changed since the review.',
    ),
    ...judgeGrounding(run, grounding),
  ];
}

/** A required reviewer without a file is one that failed. */
function findUnusable({ required, verdicts, malformed }: FolderEvidence): Reason[] {
  return required.flatMap(agent => {
    const status = verdicts.find(verdict => verdict.agent === agent)?.status ?? 'ERROR';
    const state =
      lost.has(status) || status === 'PARTIAL'
        ? status
        : malformed.includes(agent)
          ? 'MALFORMED'
          : null;
    return state === null
      ? []
      : [leavesOpen('required', agent, `Required reviewer ${agent} is ${state}.`)];
  });
}

/** Sensitive files that no security reviewer with a verdict file read in full. */
function findUncovered({
  sensitive,
  verdicts,
}: FolderEvidence): { readonly subject: string; readonly sentence: string }[] {
  const present = new Set(
    verdicts.filter(({ status }) => !lost.has(status)).map(({ agent }) => agent),
  );
  const [first, ...others] = sensitive.filter(
    ({ guards }) => !guards.some(guard => present.has(guard)),
  );
  if (first === undefined) return [];
  return [
    {
      subject: first.path,
      sentence: `${first.path}${others.length > 0 ? ` and ${others.length} more` : ''} has no valid security review (${first.reason}).`,
    },
  ];
}

/** Of each sensitive file, the security reviewers whose reading the certificate counts. */
export function guardsOf(
  sensitive: readonly { readonly path: string; readonly reason: string }[],
  seats: readonly Pick<Seat, 'id' | 'persona'>[],
  files: readonly { readonly path: string; readonly by: readonly string[] }[],
): FolderEvidence['sensitive'] {
  const security = new Set(
    seats.filter(({ persona }) => persona.role === 'security').map(({ id }) => id),
  );
  const readers = new Map(files.map(({ path, by }) => [path, by]));
  return sensitive.map(file => ({
    ...file,
    guards: (readers.get(file.path) ?? []).filter(id => security.has(id)),
  }));
}
