/**
 * What reviewers said can be read in more than one way: with the answers of a judge and without; with denials as their words read,
 * with every stated severity taken for a complaint, and with every remark. One reading is shown; what the others come to is never
 * less, so that no wording and no text under review talks a finding out of a majority.
 */
import { z } from 'zod';
import { unshownIn } from '../change/unshown.ts';
import { triageFiles } from '../context/review-plan.ts';
import { addedLinesOf } from '../change/patch.ts';
import type { Subject } from '../words/change.ts';
import { Claim } from '../words/claim.ts';
import type { Plan } from '../words/plan.ts';
import { ReadAs, type RunRecord } from '../words/run.ts';
import { coverageMatrix, unitsOf } from './coverage.ts';
import { type Evidence, type Rules, judgeRun } from './judges.ts';
import { describeAgents } from './panel-table.ts';
import { leavesOpen, type Reason } from './record.ts';
import type { OutcomeRules } from './rule-set.ts';

/** Claims as they would be. */
interface Reading extends Readonly<z.infer<typeof ReadAs>> {
  readonly claims: readonly Claim[];
}

interface ReadEvidence extends Omit<Reading, 'claims'> {
  readonly evidence: Evidence;
}

/** `others`: the same evidence with the claims of other readings. */
export function judgeReadings(
  evidence: Evidence,
  others: readonly ReadEvidence[],
  rules: Rules,
): readonly Reason[] {
  const reasons = judgeRun(evidence, rules);
  const failing = new Set(
    reasons.filter(({ effect }) => effect === 'FAIL').map(({ subject }) => subject),
  );
  const known = new Set(reasons.map(keyOf));
  for (const { evidence: other, ...read } of others) {
    const shown = shownClaims(other.claims, evidence.claims);
    for (const said of judgeRun(other, rules)) {
      const subject = shown.get(said.subject) ?? said.subject;
      const reason = readAs(
        read,
        { ...said, subject },
        said.sentence.replaceAll(said.subject, subject),
      );
      if (reason === null || known.has(keyOf(reason))) continue;
      if (shown.has(said.subject) && failing.has(subject)) continue;
      known.add(keyOf(reason));
      if (reason.effect === 'FAIL') failing.add(subject);
      reasons.push(shown.has(said.subject) ? reason : { ...reason, sentence: said.sentence });
    }
  }
  return reasons;
}

const introductions = {
  words: "Without the judge's answers",
  stated: 'By the severities stated, whatever the words deny',
};

/** Null: it tells nothing here. A remark without a severity can be honest praise: that it is none is for a person to decide. */
function readAs({ taken }: Omit<Reading, 'claims'>, reason: Reason, sentence: string) {
  if (taken !== 'complaints')
    return { ...reason, sentence: `${introductions[taken]}: ${sentence}` };
  if (reason.rule !== 'claim' || reason.effect !== 'FAIL') return null;
  const { subject } = reason;
  return leavesOpen(
    'vote',
    subject,
    `denied-blocker: ${subject} would fail the gate, but for a remark whose words deny it. A person must decide: jury dismiss ${subject}.`,
  );
}

/**
 * By the id of a claim of another reading: that of the claim shown that holds one of its most severe findings; of several, the one
 * that is most worth a person's time, as what praises is not.
 */
function shownClaims(others: readonly Claim[], claims: readonly Claim[]) {
  const holders = new Map(
    claims.flatMap(claim => claim.findings.map(finding => [finding.id, claim])),
  );
  return new Map(
    others.map(({ id, severity, findings }) => {
      const worst = findings.filter(finding => finding.severity === severity);
      const [first] = worst
        .flatMap(finding => holders.get(finding.id) ?? [])
        .toSorted((one, other) => (other.worth ?? 0) - (one.worth ?? 0));
      return [id, first?.id ?? id];
    }),
  );
}

function keyOf({ rule, effect, subject }: Reason) {
  return JSON.stringify([rule, effect, subject]);
}

/** Those of the readings whose claims hold other findings than the claims shown, or against which something else speaks. */
export function otherReadings(
  readings: readonly Reading[],
  claims: readonly Claim[],
): readonly Reading[] {
  const known = new Set([shapeOf(claims)]);
  return readings.filter(({ claims: own }) => {
    const shape = shapeOf(own);
    return !known.has(shape) && known.add(shape);
  });
}

function shapeOf(claims: readonly Claim[]) {
  return claims
    .map(claim => JSON.stringify([heldBy(claim), claim.against]))
    .toSorted()
    .join('\n');
}

/** The panel votes on claims as they are shown: its votes count in another reading for the claims that hold the same findings. */
export function withVotesOf(others: readonly Claim[], claims: readonly Claim[]) {
  const voted = new Map(claims.map(claim => [heldBy(claim), claim.deliberation]));
  return others.map(claim => {
    const deliberation = voted.get(heldBy(claim));
    return deliberation === undefined ? claim : { ...claim, deliberation };
  });
}

const Readings = z.array(ReadAs.extend({ claims: z.array(Claim) }));

/** None where a record holds none: all come to the same claims. */
export function readingsIn({ readings }: Pick<RunRecord, 'readings'>): readonly Reading[] {
  return Readings.safeParse(readings).data ?? [];
}

/** Equal where the same findings are held. */
function heldBy({ findings }: Claim) {
  return findings
    .map(({ id }) => id)
    .toSorted()
    .join('\n');
}

// What the judges of a run hold: made of its plan, its subject, its reviews and its claims, when it ends and when it is judged
// again.

interface EvidenceRequest extends Pick<Evidence, 'reviews' | 'approvals' | 'skipSecurity'> {
  readonly plan: Pick<Plan, 'run' | 'seats' | 'spending' | 'gaps'>;
  readonly rules: OutcomeRules;
  readonly subject: Subject;
}

/** The claims are put to it: they change while they are recalled and voted on. */
export function openEvidence({
  plan,
  rules,
  subject,
  reviews,
  approvals,
  skipSecurity,
}: EvidenceRequest): (claims: readonly Claim[]) => Evidence {
  const { run, seats, spending, gaps } = plan;
  const isChange = subject.kind === 'change';
  const files = isChange ? triageFiles(subject.files, spending?.sensitiveFiles ?? []) : [];
  const unshown = unshownIn(subject);
  const matrix = coverageMatrix({ units: unitsOf(subject), unshown, reviews, seats, files });
  const isAdded = addedIn(subject);
  return claims => ({
    run,
    seats,
    reviews,
    matrix,
    files,
    claims,
    isAdded,
    skipSecurity,
    verification: null,
    research: null,
    found: [],
    verdicts: isChange ? describeAgents({ seats, reviews, claims, matrix, rules }) : [],
    known: gaps,
    binaries: new Map(
      [...unshown].flatMap(([path, { object }]) => (object ? [[path, object]] : [])),
    ),
    approvals,
    isInterrupted: false,
    isMoved: false,
    month: null,
  });
}

/** A place without a line is the whole file. */
function addedIn(subject: Subject): Evidence['isAdded'] {
  if (subject.kind !== 'change') return () => true;
  const files = new Map(subject.files.map(file => [file.path, file]));
  const known = new Map<string, ReadonlySet<number>>();
  return place => {
    const file = files.get(place?.path ?? '');
    if (place === null || place.line === null) return place === null || file !== undefined;
    if (file === undefined || place.side === 'old') return false;
    const lines = known.get(file.path) ?? new Set(addedLinesOf(file).map(({ line }) => line));
    known.set(file.path, lines);
    const { line: first, endLine } = place;
    return [...lines].some(line => line >= first && line <= (endLine ?? first));
  };
}
