/**
 * The findings of a run as statements, and the pairs of them worth comparing. Two findings with the same words about the
 * same place are one statement with several reviewers.
 */
import type { Finding } from '../finding.ts';
import { place, type Placed } from './barriers.ts';
import { candidatePairs } from './candidates.ts';
import type { Pair } from './matching.ts';
import { nearPairs } from './near-pairs.ts';
import { shareOf, weighRun, type RunWording, type WeighedStatement } from './run-wording.ts';

export interface PanelStatement extends Placed {
  readonly weighed: WeighedStatement;
  /** Positions in the list of findings, ascending. */
  readonly positions: readonly number[];
}

export interface Panel {
  readonly statements: readonly PanelStatement[];
  readonly run: RunWording;
  readonly pairs: readonly Pair[];
}

/** Statements and pairs come in an order that the order of the findings has no influence on. */
export function readPanel(findings: readonly Finding[]): Panel {
  const gathered = gatherStatements(findings);
  const run = weighRun(gathered.map(({ finding, reviewers }) => ({ text: finding.text, reviewers })));
  const statements = gathered.map((each, index) => {
    // One statement was weighed for each.
    const weighed = run.statements[index] as WeighedStatement;
    return { ...each, ...place(each.finding, each.reviewers, weighed.statement), weighed };
  });
  return { statements, run, pairs: unite(candidatePairs(run.statements), nearPairs(gathered.map(({ finding }) => finding)).filter(([one, other]) => sharesWords(run.statements[one], run.statements[other]))) };
}

/** Ascending, each pair once. */
function unite(some: readonly Pair[], more: readonly Pair[]): Pair[] {
  const sorted = [...some, ...more].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  return sorted.filter(([one, other], index) => one !== sorted[index - 1]?.[0] || other !== sorted[index - 1]?.[1]);
}

function sharesWords(one: WeighedStatement | undefined, other: WeighedStatement | undefined): boolean {
  if (!one || !other) return false;
  return shareOf(one.stems, other.stems).count > 0 || shareOf(one.identifiers, other.identifiers).count > 0;
}

function gatherStatements(findings: readonly Finding[]): Omit<PanelStatement, 'weighed' | 'statement' | 'file'>[] {
  const groups = new Map<string, number[]>();
  for (const [position, finding] of findings.entries()) {
    const key = keyOf(finding, position);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [position]);
    else group.push(position);
  }
  const keyed = [...groups].map(([key, positions]) => {
    const members = positions.map(position => findings[position] as Finding);
    const reviewers = [...new Set(members.map(({ reviewer }) => reviewer))].sort();
    // By reviewer and id, so that another order of the findings leads to the same representative.
    const finding = members.reduce((first, next) => (isBefore(next, first) ? next : first));
    return { key: `${key}\n${reviewers.join('\n')}`, finding, reviewers, positions };
  });
  return keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
}

function isBefore(one: Finding, other: Finding): boolean {
  return one.reviewer < other.reviewer || (one.reviewer === other.reviewer && one.id < other.id);
}

/** A finding without words is like no other. */
function keyOf({ text, location, category, section }: Finding, position: number): string {
  const words = text.trim().toLowerCase();
  return JSON.stringify([words, location?.path, location?.line, location?.side, category, section, words === '' ? position : null]);
}
