/** Why two findings are, or are not, judged to say the same: the log-odds taken apart, largest part first, in words. */
import { barriers, barrierBetween } from './barriers.ts';
import { gatherFixedEvidence, worthOf } from './fixed-evidence.ts';
import type { JudgedPanel, MatcherModel } from './judged-panel.ts';
import { logOdds, probabilityOf } from './logistic.ts';
import type { PanelStatement } from './panel-statements.ts';
import { structureEvidence } from './panel-structure.ts';
import { gatherWordingEvidence, wordingEvidence } from './wording-evidence.ts';

export interface PairExplanation {
  /** 0 to 1. */
  readonly probability: number;
  /** The sentence of what keeps the two apart whatever else is said; null when nothing does. */
  readonly barrier: string | null;
  /** Log-odds before anything is known about the two. */
  readonly start: number;
  /** With `start` they add up to the log-odds of the probability, unless there is a barrier. */
  readonly contributions: readonly Contribution[];
}

export interface Contribution {
  /** Group of evidence: `words`, `identifiers`, `letters`, `length`, `panel`, `place`, `reviewer`. */
  readonly evidence: string;
  /** Half a sentence: "both name getUser". */
  readonly words: string;
  /** Log-odds; below 0 it speaks against. */
  readonly worth: number;
}

/** `link`: position of the pair in the panel; null when the panel holds no such pair. */
export function explainPair(one: PanelStatement, other: PanelStatement, { panel, model, link, odds }: { readonly panel: JudgedPanel; readonly model: MatcherModel; readonly link: number | null; readonly odds: number }): PairExplanation {
  const barrier = barrierBetween(one, other);
  const evidence = gatherWordingEvidence(one.weighed, other.weighed);
  const groups = [...new Set(wordingEvidence.map(([, group]) => group))];
  const wording = groups.map(group => ({
    evidence: group,
    words: describe(group, one, other),
    worth: wordingEvidence.reduce((sum, [, own], index) => (own === group ? sum + (model.wording.weights[index] ?? 0) * (evidence[index] ?? 0) : sum), 0),
  }));
  const fixed = gatherFixedEvidence(one, other);
  const known = logOdds(model.wording, evidence) + worthOf(fixed);
  const seen = barrier === null && Number.isFinite(odds) ? [{ evidence: 'panel', words: describePanel(panel, link), worth: odds - known }] : [];
  const contributions = [...wording, ...fixed, ...seen].filter(({ worth }) => Math.abs(worth) >= 0.005).sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  return { probability: barrier === null ? probabilityOf(odds) : 0, barrier: barrier === null ? null : barriers[barrier], start: model.wording.intercept, contributions };
}

/** One sentence: the barrier, or what speaks most for the judgement. */
export function summarise({ barrier, probability, contributions }: PairExplanation): string {
  if (barrier !== null) return barrier;
  const speaksFor = contributions.filter(({ worth }) => worth > 0).map(({ words }) => words);
  const speaksAgainst = contributions.filter(({ worth, evidence }) => worth <= -telling && evidence !== 'length').map(({ words }) => words);
  if (probability >= 0.5) return sentence(speaksFor.slice(0, 3));
  if (speaksAgainst.length > 0) return sentence(speaksAgainst.slice(0, 2));
  return speaksFor.length === 0 ? 'They share no words.' : sentence([`too little speaks for it: ${speaksFor.slice(0, 2).join('; ')}`]);
}

/** Log-odds that are worth a mention against. */
const telling = 0.5;

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function describe(group: string, one: PanelStatement, other: PanelStatement): string {
  const [left, right] = [one.weighed, other.weighed];
  if (group === 'identifiers') {
    const both = sharedOf(left.statement.identifiers, right.statement.identifiers);
    return both.length > 0 ? `both name ${both.slice(0, 4).join(', ')}` : 'they name no code in common';
  }
  if (group === 'words') {
    const both = sharedOf(left.statement.stems, right.statement.stems);
    return both.length > 0 ? `they share ${both.slice(0, 6).join(', ')}` : 'they share no words';
  }
  if (group === 'letters') return 'their words are spelled alike';
  return 'so many words have room for both';
}

/** Longest first: short words tell least. */
function sharedOf(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...one].filter(term => other.has(term)).sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

function describePanel({ structure }: JudgedPanel, link: number | null): string {
  if (structure === null || link === null) return 'the rest of the panel says nothing like either';
  const seen = structure(link);
  const [margin, shared] = [seen[structureEvidence.indexOf('smaller-margin')] ?? 0, seen[structureEvidence.indexOf('neighbours-shared')] ?? 0];
  const match = margin > 0 ? 'each is the best match of the other among what its reviewer said' : 'one of them has a better match among what the other reviewer said';
  const witnesses = Math.round(Math.expm1(shared));
  return witnesses === 0 ? match : `${match}, and ${witnesses === 1 ? 'a third reviewer says' : `${witnesses} others say`} both`;
}
