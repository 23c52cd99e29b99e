/**
 * The probability that somebody who maintains the code would act on a claim if it is true: by the severities stated, by what
 * its words say happens, and by how much its reviewers say. Reviewers agree as readily on true trifles as on defects, so
 * how many say it is no evidence here.
 */
import type { Finding } from '../../core/words/finding.ts';
import type { Severity } from '../../core/words/severity.ts';
import { polarityOf } from '../polarity.ts';
import { type Estimate, estimate, type Logistic } from '../../core/words/odds.ts';

/**
 * Names in the order of the weights of the model, of the finding that tells it most strongly:
 * - `severity`: its `severityRank`
 * - `harm` and `trifle`: how many kinds of it its words tell, at most two
 * - `loudness`: that of the confidence
 */
export const mattersEvidence = ['severity', 'harm', 'trifle', 'loudness'] as const;

/**
 * By the finding that tells it most strongly, so that nobody makes a claim matter less by saying it too, in whatever words.
 * A claim in which nobody complains of anything does not matter.
 */
export function estimateMatter(
  findings: readonly Finding[],
  loudness: number,
  model: Logistic,
): Estimate {
  if (isPraise(findings))
    return estimate(model.intercept, [
      { evidence: 'praise', words: 'it says that all is well', worth: asGoodAsNever },
    ]);
  if (findings.every(isWordless))
    return estimate(model.intercept, [
      { evidence: 'wordless', words: 'it holds no word', worth: asGoodAsNever },
    ]);
  const { severity, harm, trifle } = strongest(findings.map(readTelling), model);
  const parts: readonly (readonly [words: string, value: number])[] = [
    [`it is called ${severity > 0 ? 'grave' : 'minor'}`, severity],
    [`what it tells of is ${listed(harm)}`, harm.length],
    [`it is about ${listed(trifle)}`, trifle.length],
    ['the more its reviewers say, the more trifles are among it', loudness],
  ];
  return estimate(
    model.intercept,
    parts.map(([words, value], index) => ({
      evidence: mattersEvidence[index] ?? '',
      words,
      worth: (model.weights[index] ?? 0) * value,
    })),
  );
}

/** Log-odds. */
export const asGoodAsNever = -14;

/** An exclamation mark, three dots, a flame: nobody can look up whether that is so, or mean the same by it. */
export function isWordless({
  text,
  evidence,
  recommendation,
}: Pick<Finding, 'text' | 'evidence' | 'recommendation'>): boolean {
  return [text, evidence, recommendation].every(said => !/[\p{L}\p{N}]/u.test(said ?? ''));
}

/** Does every finding say that all is well? */
export function isPraise(findings: readonly Finding[]): boolean {
  return findings.length > 0 && findings.every(finding => polarityOf(finding).says === 'fine');
}

/** A scale by hand. Medium is what a finding gets that states nothing, so that it says nothing. */
const severityRank: Readonly<Record<Severity, number>> = {
  critical: 1.5,
  high: 1,
  medium: 0,
  low: -1.5,
};

/** What is told of, in general words of English: texts in other languages tell nothing here, for or against. */
const harms: Readonly<Record<string, RegExp>> = {
  'a crash':
    /\b(crash(es|ed|ing)?|panics?|segfaults?|null ?pointer\w*|nil pointer|npe|dereferenc\w+|unhandled|uncaught|(throws?|raises?) (an? )?\w*(error|exception)|typeerror|keyerror|attributeerror|aborts?|fails? to (start|build|compile|load))\b/,
  'a wrong result':
    /\b(wrong(ly)?|incorrect(ly)?|inverted|off-by-one|stale|bypass(es|ed)?|ignored|silently|mismatch(es|ed)?|breaks|broken|regress(ion|es|ed)?|never (runs?|called|set|reached|returns?)|no longer|returns? (null|undefined|nothing))\b/,
  'a loss of data':
    /\b(data loss|los(es|t|ing)|corrupt(s|ed|ion)?|overwrit(es|ten|ing)|drop(s|ped|ping)|delet(es|ed|ing)|truncat\w+|discard(s|ed|ing)?)\b/,
  'a breach of security':
    /\b(injection|xss|ssrf|csrf|vulnerab\w+|exploit\w*|attacker|credentials?|secrets?|unauthenticated|unauthori[sz]ed|privileges?|traversal|exposes?|disclos\w+|insecure)\b/,
  'something that runs out or hangs':
    /\b(leaks?|leaked|leaking|exhaust\w*|unbounded|deadlocks?|hangs?|infinite(ly)?|out of memory|oom|starv\w+|never (closed|released|freed))\b/,
  'a race': /\b(race|races|racy|concurren\w+|thread-safe\w*|not atomic|toctou)\b/,
  'what blocks': /\b(blocker|blocks (the )?(merge|release)|must be fixed|show-?stopper)\b/,
};

const trifles: Readonly<Record<string, RegExp>> = {
  style:
    /\b(styl\w+|naming|renam\w+|typos?|spelling|misspel\w+|readab\w+|format(ting)?|whitespace|indent\w*|cosmetic|nit(pick)?s?|wording|conventions?|grammar)\b/,
  documentation:
    /\b(comments?|docs?|docstrings?|documentation|documented|readme|changelog|javadoc)\b/,
  tests:
    /\b(tests? (coverage|cover|cases?)|coverage|untested|missing tests?|no tests?|not tested|assertions?|tests? (does|do) not|flaky)\b/,
  tidiness:
    /\b(duplicat\w+|redundan\w+|unused|dead code|simplif\w+|refactor\w*|clean ?up|unnecessary|unneeded|boilerplate|repeated|extract|maintainab\w+|drift|magic number|hard-?coded|inconsisten\w+|consisten\w+|clarity|clearer)\b/,
  'little by its own words':
    /\b(minor|harmless|nothing breaks|in practice|unlikely|theoretical\w*|slight(ly)?|micro|negligible|trivial|low[- ]risk|edge case|future|optional(ly)?|nice to have|worth (noting|considering)|not a bug|pre-?existing|intentional|acceptable)\b/,
  'a proposal':
    /\b(consider|suggest\w*|recommend\w*|could (be|also|use)|might (be|want)|may want|prefer\w*|would be (better|nice|cleaner|safer)|better to|ideally|perhaps|maybe)\b/,
};

/** What a finding is about stands at its beginning. */
const mostRead = 2_000;
const mostKinds = 2;

interface Telling {
  readonly severity: number;
  readonly harm: readonly string[];
  readonly trifle: readonly string[];
}

function readTelling({ text, category, severity }: Finding): Telling {
  const said = `${category ?? ''} ${text.slice(0, mostRead)}`.toLowerCase();
  return {
    severity: severityRank[severity],
    harm: kindsIn(said, harms),
    trifle: kindsIn(said, trifles),
  };
}

function kindsIn(text: string, kinds: Readonly<Record<string, RegExp>>): string[] {
  const found: string[] = [];
  for (const kind of Object.keys(kinds)) {
    if (kinds[kind]?.test(text) === true) found.push(kind);
    if (found.length === mostKinds) break;
  }
  return found;
}

/** The first of those that matter most. */
function strongest(told: readonly Telling[], { weights }: Logistic): Telling {
  const [ofSeverity = 0, ofHarm = 0, ofTrifle = 0] = weights;
  const strengthOf = ({ severity, harm, trifle }: Telling): number =>
    ofSeverity * severity + ofHarm * harm.length + ofTrifle * trifle.length;
  return told.reduce(
    (leader, next) => (strengthOf(next) > strengthOf(leader) ? next : leader),
    told[0] ?? { severity: 0, harm: [], trifle: [] },
  );
}

function listed(kinds: readonly string[]): string {
  return kinds.join(' and ');
}
