/** Panels, rule sets and evidence for tests of the verdict; each test changes only what it is about. */
import { readOutcomeRules } from '../../../src/library/settle.ts';
import { defaultFailOn, type Seat } from '../../../src/core/words/config.ts';
import type { Persona } from '../../../src/core/words/persona.ts';
import { coverageMatrix } from '../../../src/core/verdict/coverage.ts';
import type { Evidence, Rules } from '../../../src/core/verdict/judges.ts';
import { parseFailRules, type RuleChoice } from '../../../src/core/verdict/rule-set.ts';
import type { Review } from '../../../src/core/words/review.ts';
import { samplePersona, sampleReview } from '../sample.ts';

export const ruleSets = {
  review: { names: ['review'], hasFailRules: false },
  veto: { names: ['veto'], hasFailRules: false },
  'veto with fail rules': { names: ['veto'], hasFailRules: true },
  strict: { names: ['veto', 'strict'], hasFailRules: false },
  'ignored vetoes': { names: ['veto', 'ignore-vetos'], hasFailRules: false },
  vote: { names: ['vote'], hasFailRules: false },
  gates: { names: ['gates'], hasFailRules: false },
  question: { names: ['question'], hasFailRules: false },
} as const satisfies Record<string, RuleChoice>;
export type RuleSetName = keyof typeof ruleSets;

const read = await Promise.all(
  Object.entries(ruleSets).map(
    async ([name, choice]) => [name, await readOutcomeRules(choice)] as const,
  ),
);
const known = new Map(read);

export function rulesOf(name: RuleSetName, changes: Partial<Omit<Rules, 'rules'>> = {}): Rules {
  const rules = known.get(name);
  if (rules === undefined) throw new Error(`No rule set ${name}.`);
  return {
    failOn: parseFailRules(defaultFailOn),
    quorum: 1,
    unverifiedBlocker: 'incomplete',
    rules,
    ...changes,
  };
}

/** Only what the judges look at. */
export function sampleSeat(
  id: string,
  persona: Partial<Persona> = {},
  runner: Seat['runner'] = 'command',
) {
  return { id, runner, persona: samplePersona(persona), required: false } as unknown as Seat;
}

export interface EvidenceChanges extends Partial<Omit<Evidence, 'matrix'>> {
  readonly units?: readonly string[];
}

/** A change of one file that `alpha` read and found nothing in. */
export function evidenceOf({ units = ['src/a.ts'], ...changes }: EvidenceChanges = {}): Evidence {
  const reviews: readonly Review[] = changes.reviews ?? [sampleReview()];
  const seats = changes.seats ?? reviews.map(({ reviewer }) => sampleSeat(reviewer));
  return {
    run: 'run',
    seats,
    reviews,
    files: units.map(path => ({ path, sensitive: false, reason: null })),
    matrix: coverageMatrix({ units, reviews, seats, files: [] }),
    claims: [],
    isAdded: () => true,
    skipSecurity: null,
    found: [],
    verification: null,
    verdicts: [],
    research: null,
    known: [],
    binaries: new Map(),
    approvals: [],
    isInterrupted: false,
    isMoved: false,
    month: null,
    ...changes,
  };
}
