/** What the judges of a run hold: made of its plan, its subject, its reviews and its claims, when it ends and when it is judged again. */
import { unshownIn } from '../change/unshown.ts';
import { triageFiles } from '../context/scope.ts';
import { addedLinesOf } from '../integrity/added-lines.ts';
import type { Subject } from '../words/change.ts';
import type { Claim } from '../words/claim.ts';
import type { Plan } from '../words/plan.ts';
import type { Review } from '../words/review.ts';
import type { Approval } from './approval.ts';
import { coverageMatrix, unitsOf } from './coverage.ts';
import type { Evidence } from './judges.ts';
import { describeAgents } from './panel-table.ts';
import type { OutcomeRules } from './rule-set.ts';

interface EvidenceRequest {
  readonly plan: Pick<Plan, 'run' | 'seats' | 'spending' | 'gaps'>;
  readonly rules: OutcomeRules;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly approvals: readonly Approval[];
  readonly skipSecurity: string | null;
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
  const { run, seats, spending, gaps = [] } = plan;
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
