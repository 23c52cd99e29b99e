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
  /** By link: does the panel tell nothing about the two, so that no round was asked? */
  readonly isSettled: readonly boolean[];
  /** Pairs of statements of which one says the opposite of the other. */
  readonly opposites: readonly Pair[];
}

export function judgePanel(panel: Panel, model: MatcherModel): JudgedPanel {
  const { links, opposites } = linkStatements(panel, model.wording);
  const graph = graphOf(panel.statements, links);
  const isAlone = createLoneTest(panel.statements, graph);
  const isSettled = links.map(link => link.isOneVoice || isAlone(link));
  let odds = Float64Array.from(links, ({ wording, fixed }) => wording + fixed);
  let structure: Structure | null = null;
  for (const round of model.rounds) {
    const seen = readStructure(graph, odds);
    odds = Float64Array.from(links, ({ wording, fixed }, link) => (isSettled[link] === true ? wording : logOdds(round, seen(link))) + fixed);
    structure = seen;
  }
  return { ...panel, graph, odds, structure, isSettled, opposites };
}

interface StatementLink {
  readonly one: number;
  readonly other: number;
  /** Log-odds by the wordings. */
  readonly wording: number;
  /** Log-odds beside. */
  readonly fixed: number;
  /** Did one reviewer say both? The panel then tells nothing about them. */
  readonly isOneVoice: boolean;
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
    if (barrier === null) links.push({ one: pair[0], other: pair[1], wording, fixed, isOneVoice: shareReviewer(one, other) });
  }
  return { links, opposites };
}

/**
 * Are two linked to nothing else, by reviewers who said nothing else? A panel then tells nothing about them: to be each
 * other's best match without a rival is no merit, so that what the wordings say is all that is known.
 */
function createLoneTest(statements: readonly PanelStatement[], { links }: PanelGraph): (link: Pick<StatementLink, 'one' | 'other'>) => boolean {
  const said = new Map<string, number>();
  for (const reviewer of statements.flatMap(({ reviewers }) => reviewers)) said.set(reviewer, (said.get(reviewer) ?? 0) + 1);
  const isAlone = (statement: number): boolean => links[statement]?.size === 1 && statements[statement]?.reviewers.every(reviewer => said.get(reviewer) === 1) === true;
  return ({ one, other }) => isAlone(one) && isAlone(other);
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
