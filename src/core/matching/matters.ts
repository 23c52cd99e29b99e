/**
 * The probability that somebody who maintains the code would act on a claim if it is true: by the severities stated, by what
 * its words say happens, and by how much its reviewers say. Reviewers agree as readily on true trifles as on defects, so
 * how many say it is no evidence here.
 */
import type { Finding } from '../words/finding.ts';
import { type Severity, unstatedSeverity } from '../words/severity.ts';
import { type Estimate, estimate, type Logistic } from './logistic.ts';

/**
 * Names in the order of the weights of the model:
 * - `severity`: mean of `severityRank` over the findings that are called anything but medium; 0 when none is
 * - `harm` and `trifle`: mean over the findings of how many kinds of it each tells, at most two
 * - `loudness`: that of the confidence
 */
export const mattersEvidence = ['severity', 'harm', 'trifle', 'loudness'] as const;

export function estimateMatter(
  findings: readonly Finding[],
  loudness: number,
  model: Logistic,
): Estimate {
  const told = findings.map(readKinds);
  const severity = meanSeverity(findings);
  const parts: readonly (readonly [words: string, value: number])[] = [
    [`its reviewers call it ${severity > 0 ? 'grave' : 'minor'}`, severity],
    [`what it tells of is ${listed(told.flatMap(({ harms }) => harms))}`, mean(told, 'harms')],
    [`it is about ${listed(told.flatMap(({ trifles }) => trifles))}`, mean(told, 'trifles')],
    [
      loudness < Math.LN2 * 2
        ? 'its reviewers say little, so that what they say weighs'
        : 'its reviewers say much, trifles among it',
      loudness,
    ],
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

/** A scale by hand. Medium is what a finding gets that states nothing, so that it says nothing. */
const severityRank: Readonly<Record<Severity, number>> = {
  critical: 1.5,
  high: 1,
  medium: 0,
  low: -1.5,
};

function meanSeverity(findings: readonly Finding[]): number {
  const stated = findings.filter(({ severity }) => severity !== unstatedSeverity);
  return (
    stated.reduce((sum, { severity }) => sum + severityRank[severity], 0) /
    Math.max(stated.length, 1)
  );
}

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

interface Kinds {
  readonly harms: readonly string[];
  readonly trifles: readonly string[];
}

function readKinds({ text, category }: Finding): Kinds {
  const said = `${category ?? ''} ${text.slice(0, mostRead)}`.toLowerCase();
  return { harms: kindsIn(said, harms), trifles: kindsIn(said, trifles) };
}

function kindsIn(text: string, kinds: Readonly<Record<string, RegExp>>): string[] {
  return Object.keys(kinds)
    .filter(kind => kinds[kind]?.test(text) === true)
    .slice(0, mostKinds);
}

function mean(told: readonly Kinds[], side: keyof Kinds): number {
  return told.reduce((sum, kinds) => sum + kinds[side].length, 0) / Math.max(told.length, 1);
}

function listed(kinds: readonly string[]): string {
  return [...new Set(kinds)].slice(0, mostKinds).join(' and ');
}
