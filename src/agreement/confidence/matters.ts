/**
 * The probability that a maintainer of the code would act on a claim if it is true: by the severities stated, by what its words
 * say happens, and by how much its reviewers say. Reviewers agree as readily on true trifles as on defects, so how many say it is
 * no evidence here.
 */
import type { Finding } from '../../core/words/finding.ts';
import { isSeverityStated } from '../../core/words/stated.ts';
import { type Estimate, estimate, type Logistic } from '../../core/words/claim.ts';
import { polarityOf } from '../polarity.ts';
import table from './matters.json' with { type: 'json' };

/**
 * Names in the order of the weights of the model, of the finding that tells it most strongly:
 * - `stated`: 1 where a severity is stated, so that a stated medium is another thing than no word about it
 * - `severity`: its `severityRank`, 0 where none is stated
 * - `harm` and `trifle`: how many kinds of it its words tell, at most two
 * - `loudness`: ln of how many things the reviewer of the claim says that says least
 */
export const mattersEvidence = ['stated', 'severity', 'harm', 'trifle', 'loudness'] as const;

/** By the finding that tells it most strongly, so that a supporter more never makes a claim matter less, in whatever words. */
export function estimateMatter(
  findings: readonly Finding[],
  loudness: number,
  model: Logistic,
): Estimate {
  const nothing = findNothingWrong(findings);
  if (nothing !== null)
    return estimate(model.intercept, [
      { evidence: 'nothing', words: nothing, worth: asGoodAsNever },
    ]);
  return findings
    .map(finding => estimate(model.intercept, gatherEvidence(finding, loudness, model)))
    .reduce((most, next) => (next.probability > most.probability ? next : most));
}

/** Log-odds. */
export const asGoodAsNever = -14;

/** Why no one would act on findings, whatever else is known of them; null where one of them says that something is wrong. */
export function findNothingWrong(findings: readonly Finding[]) {
  if (findings.every(isWordless)) return 'it holds no word';
  return findings.every(finding => polarityOf(finding).says === 'fine')
    ? 'it says that all is well'
    : null;
}

/** An exclamation mark, three dots, a flame: it cannot be looked up, and no two mean the same by it. */
export function isWordless({ text, evidence, recommendation }: Finding) {
  return [text, evidence, recommendation].every(said => !/[\p{L}\p{N}]/u.test(said ?? ''));
}

function gatherEvidence(finding: Finding, loudness: number, model: Logistic) {
  const isStated = isSeverityStated(finding);
  const severity = isStated ? severityRank[finding.severity] : 0;
  const [harm, trifle] = [kindsIn(finding, harms), kindsIn(finding, trifles)];
  return weighEvidence(mattersEvidence, model, {
    stated: [Number(isStated), 'its severity is stated'],
    severity: [severity, `it is called ${finding.severity}`],
    harm: [harm.length, `it tells of ${harm.join(' and ')}`],
    trifle: [trifle.length, `it is about ${trifle.join(' and ')}`],
    loudness: [
      loudness,
      'its reviewers say much, and the more they say, the more trifles are among it',
    ],
  });
}

/** Values with what they mean, half a sentence each. */
export type Evidence<Name extends string> = Readonly<
  Record<Name, readonly [value: number, words: string]>
>;

/** `names`: in the order of the weights of the model. */
export function weighEvidence<Name extends string>(
  names: readonly Name[],
  { weights }: Logistic,
  evidence: Evidence<Name>,
): Estimate['contributions'] {
  return names.map((name, index) => {
    const [value, words] = evidence[name];
    return { evidence: name, words, worth: (weights[index] ?? 0) * value };
  });
}

/** A scale by hand. */
const severityRank = {
  critical: 1.5,
  high: 1,
  medium: 0,
  low: -1.5,
};

/** Signs of what is told of, in general words of English: texts in other languages tell nothing here, for or against. */
const harms = signsOf(table.harms);
const trifles = signsOf(table.trifles);

function signsOf(kinds: Readonly<Record<string, readonly string[]>>): [string, RegExp][] {
  return Object.entries(kinds).map(([kind, signs]) => [
    kind,
    new RegExp(`\\b(${signs.join('|')})\\b`),
  ]);
}

/** What a finding is about stands at its beginning. */
const mostRead = 2_000;
const mostKinds = 2;

function kindsIn({ text, category }: Finding, kinds: readonly (readonly [string, RegExp])[]) {
  const said = `${category ?? ''} ${text.slice(0, mostRead)}`.toLowerCase();
  const found = [];
  for (const [kind, words] of kinds)
    if (found.length < mostKinds && words.test(said)) found.push(kind);
  return found;
}
