/** A panel with the log-odds that its statements say the same: wording and place first, then rounds over the panel as a whole. */
import { barrierBetween, shareReviewer } from './barriers.ts';
import { gatherFixedEvidence, worthOf } from './fixed-evidence.ts';
import type { Linkage } from './linkage.ts';
import { logOdds, type Logistic } from './logistic.ts';
import type { Pair } from './matching.ts';
import type { Panel, PanelStatement } from './panel-statements.ts';
import { floor, readStructure, type PanelGraph, type Structure } from './panel-structure.ts';
import { gatherWordingEvidence } from './wording-evidence.ts';

/** The fitted numbers of the matcher. */
export interface MatcherModel {
  readonly version: string;
  /** Over `wordingEvidence`. */
  readonly wording: Logistic;
  /** Each over `structureEvidence`, as the log-odds of the step before show it. */
  readonly rounds: readonly Logistic[];
  readonly linkage: Linkage;
}

export interface JudgedPanel extends Panel {
  readonly graph: PanelGraph;
  /** Log-odds by link of the graph, after the last round. Pairs without a link do not say the same. */
  readonly odds: Float64Array;
  /** What the last round saw of the panel, by link. */
  readonly structure: Structure | null;
  /** Pairs of statements of which one says the opposite of the other. */
  readonly opposites: readonly Pair[];
}

export function judgePanel(panel: Panel, model: MatcherModel): JudgedPanel {
  const { links, opposites } = linkStatements(panel, model.wording);
  const graph = graphOf(panel.statements, links);
  let odds = Float64Array.from(links, ({ wording, fixed }) => wording + fixed);
  let structure: Structure | null = null;
  for (const round of model.rounds) {
    const seen = readStructure(graph, odds);
    odds = Float64Array.from(links, ({ wording, fixed, isLone }, link) => (isLone ? wording : logOdds(round, seen(link))) + fixed);
    structure = seen;
  }
  return { ...panel, graph, odds, structure, opposites };
}

interface StatementLink {
  readonly one: number;
  readonly other: number;
  /** Log-odds by the wordings. */
  readonly wording: number;
  /** Log-odds beside. */
  readonly fixed: number;
  /** Did one reviewer say both? The panel then tells nothing about them. */
  readonly isLone: boolean;
}

/** Links the pairs that are not hopeless and that nothing keeps apart. */
function linkStatements({ statements, pairs }: Panel, model: Logistic): { readonly links: readonly StatementLink[]; readonly opposites: readonly Pair[] } {
  const links: StatementLink[] = [];
  const opposites: Pair[] = [];
  for (const pair of pairs) {
    // Both are positions in the list.
    const [one, other] = [statements[pair[0]] as PanelStatement, statements[pair[1]] as PanelStatement];
    const wording = logOdds(model, gatherWordingEvidence(one.weighed, other.weighed));
    const fixed = worthOf(gatherFixedEvidence(one, other));
    if (wording + fixed < floor) continue;
    const barrier = barrierBetween(one, other);
    if (barrier === 'opposite') opposites.push(pair);
    if (barrier === null) links.push({ one: pair[0], other: pair[1], wording, fixed, isLone: shareReviewer(one, other) });
  }
  return { links, opposites };
}

function graphOf(statements: readonly PanelStatement[], links: readonly StatementLink[]): PanelGraph {
  const numbers = new Map([...new Set(statements.flatMap(({ reviewers }) => reviewers))].sort().map((reviewer, index) => [reviewer, index]));
  const neighbours = statements.map(() => new Map<number, number>());
  for (const [link, { one, other }] of links.entries()) {
    neighbours[one]?.set(other, link);
    neighbours[other]?.set(one, link);
  }
  return {
    reviewers: statements.map(({ reviewers }) => reviewers.map(reviewer => numbers.get(reviewer) ?? 0)),
    ones: Int32Array.from(links, ({ one }) => one),
    others: Int32Array.from(links, ({ other }) => other),
    beside: Float64Array.from(links, ({ fixed }) => fixed),
    links: neighbours,
  };
}
