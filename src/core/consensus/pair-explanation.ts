/** Why two findings are, or are not, judged to say the same: the log-odds taken apart, largest part first, in words. */
import { barriers, barrierBetween } from './barriers.ts';
import { enumerate, findCommon, type Common } from './common-words.ts';
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
  const common = findCommon({ text: one.finding.text, statement: one.statement }, { text: other.finding.text, statement: other.statement });
  const groups = [...new Set(wordingEvidence.map(([, group]) => group))];
  const wording = groups.map(group => ({
    evidence: group,
    words: describe(group, common),
    worth: wordingEvidence.reduce((sum, [, own], index) => (own === group ? sum + (model.wording.weights[index] ?? 0) * (evidence[index] ?? 0) : sum), 0),
  }));
  const fixed = gatherFixedEvidence(one, other);
  const known = logOdds(model.wording, evidence) + worthOf(fixed);
  const seen = barrier === null && Number.isFinite(odds) ? [{ evidence: 'panel', words: describePanel(panel, link, odds - known), worth: odds - known }] : [];
  const contributions = [...wording, ...fixed, ...seen].filter(({ worth }) => Math.abs(worth) >= 0.005).sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  return { probability: barrier === null ? probabilityOf(odds) : 0, barrier: barrier === null ? null : barriers[barrier], start: model.wording.intercept, contributions };
}

/** What keeps the two apart; else what they share, and if that was not enough, what speaks against it. */
export function summarise({ barrier, probability, contributions }: PairExplanation): string {
  if (barrier !== null) return barrier;
  const speaksFor = contributions.filter(({ worth, evidence }) => worth > 0 && evidence !== 'letters');
  const tells = speaksFor.filter(({ worth }) => worth >= telling / 2);
  if (probability >= 0.5) return sentences((tells.length > 0 ? tells : speaksFor).slice(0, 3));
  const shared = contributions.filter(({ evidence, words, worth }) => worth > 0 && (evidence === 'identifiers' || (evidence === 'words' && words !== nothingShared)));
  const against = contributions.filter(({ worth, evidence }) => worth <= -telling && evidence !== 'length');
  if (shared.length === 0 && against.length === 0) return 'They share no telling word.';
  return against.length > 0 ? sentences([...shared.slice(0, 2), ...against.slice(0, 2)]) : `${sentences(shared.slice(0, 2))} That is too little to call them one.`;
}

const nothingShared = 'they have hardly a word in common';

/** Log-odds that are worth a mention against. */
const telling = 0.5;

function sentences(parts: readonly Contribution[]): string {
  return parts.map(({ words }) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`).join(' ');
}

function describe(group: string, { words, names }: Common): string {
  if (group === 'identifiers') return names.length > 0 ? `both name ${enumerate(names.slice(0, 4))}` : 'they name different code';
  if (group === 'words') return words.length > 0 ? `both speak of ${enumerate(words.slice(0, 6).map(word => `“${word}”`))}` : nothingShared;
  if (group === 'letters') return 'letter by letter their words look alike';
  return 'texts of this length share some words by chance';
}

/** `worth` below 0: the wordings promised more than the panel bears out. */
function describePanel({ structure }: JudgedPanel, link: number | null, worth: number): string {
  if (structure === null || link === null) return 'nobody else says anything like either';
  const seen = structure(link);
  const [margin, shared] = [seen[structureEvidence.indexOf('smaller-margin')] ?? 0, seen[structureEvidence.indexOf('neighbours-shared')] ?? 0];
  if (margin > 0 && worth < 0) return 'the rest of the panel bears that out less than the words promise';
  const match = margin > 0 ? 'neither reviewer says anything that comes closer' : 'one of them is closer to something else that the other reviewer says';
  const witnesses = Math.round(Math.expm1(shared));
  return witnesses === 0 ? match : `${match}, and ${witnesses === 1 ? 'another reviewer says' : `${witnesses} other reviewers say`} what fits both`;
}
