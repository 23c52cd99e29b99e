/**
 * Code quality of GitLab: a list of issues in the part of the Code Climate format that GitLab reads. What people dismissed is left
 * out, as GitLab knows nobody's decisions; what keeps the run from being a pass stands first, though it is no issue of the code.
 */
import {
  escapeXml,
  escapeXmlAttribute,
  makeVisible,
  visibleName,
} from '../../core/safety/visible-text.ts';
import { cut } from '../../core/text.ts';
import { sayOutcome } from '../../core/verdict/outcome.ts';
import type { Severity } from '../../core/words/finding.ts';
import type { Run, RunRecord, RunReviewer } from '../../core/words/run.ts';
import { count, printJson } from '../figures.ts';
import {
  type ClaimEntry,
  type ReasonEntry,
  claimEntries,
  fingerprintClaims,
  longestText,
  reasonEntries,
  tellConditions,
} from './entries.ts';

const severities = {
  critical: 'critical',
  high: 'major',
  medium: 'minor',
  low: 'info',
} as const satisfies Record<Severity, string>;

export function renderGitlab({ record }: Pick<Run, 'record'>) {
  const claims = claimEntries(record);
  const rules = new Map(claims.map(({ claim, rule }) => [claim.id, rule.id]));
  const fingerprints = fingerprintClaims(record, ({ id }) => rules.get(id) ?? '');
  const counts = new Map<string, number>();
  /** Unique in a report, and the same for the same trouble in the next one. */
  const fingerprintOf = ({ claim, reason }: ClaimEntry | ReasonEntry) => {
    if (claim !== null) return fingerprints.get(claim.id) ?? claim.id;
    const name = visibleName(`${reason.rule}/${cut(reason.subject, 500)}`);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `run/${name}:${count}`;
  };
  return printJson(
    [...reasonEntries(record), ...claims].map(entry => {
      const { claim, rule, effect, place, tell } = entry;
      const text = makeVisible(cut(tell(longestText).join(' '), 2 * longestText));
      return {
        description: effect === null ? text : `${effect}: ${text}`,
        check_name: rule.id,
        fingerprint: fingerprintOf(entry),
        severity: effect !== null || claim === null ? 'blocker' : severities[claim.severity],
        // A path that cannot be shown as it is names no file of the repository any more: GitLab prints it.
        location: { path: visibleName(place.path), lines: { begin: place.line } },
      };
    }),
  );
}

// JUnit XML, held to the schema of the xUnit plugin of Jenkins (`junit-10.xsd`, and `junit-4.xsd` before it). The file is red
// exactly where the run is no pass: what fails it is a failure, what was not reviewed an error, what people dismissed is skipped.

/** `kind` null: passed. */
interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly seconds?: number;
  readonly kind: 'failure' | 'error' | 'skipped' | null;
  readonly type: string;
  readonly message: string;
  readonly details: readonly string[];
}

const longestName = 250;

export function renderJunit({ record }: Pick<Run, 'record'>) {
  const suites: Readonly<Record<string, readonly TestCase[]>> = {
    gate: [outcomeCase(record), ...reasonEntries(record).map(reasonCase)],
    reviewers: record.reviewers.map(one => reviewerCase(one, record)),
    claims: claimEntries(record, true).map(claimCase),
  };
  const { skipped: _, ...counts } = countsOf(Object.values(suites).flat());
  const seconds = (Date.parse(record.completedAt) - Date.parse(record.startedAt)) / 1_000;
  const name = `Jury ${sayOutcome(record)}: ${cut(record.subject.title, longestName)}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...counts, ...timeOf(seconds) })}>`,
    ...Object.entries(suites).flatMap(([suite, cases]) => [
      `  <testsuite${attributes({
        name: `jury.${suite}`,
        ...countsOf(cases),
        ...timeOf(cases.reduce((sum, each) => sum + (each.seconds ?? 0), 0)),
        timestamp: record.startedAt.slice(0, 19),
      })}>`,
      ...cases.flatMap(printCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** There whatever the run came to: a file without a case would be green to some and an error to others. */
function outcomeCase(record: RunRecord) {
  const sentences = record.reasons.slice(0, 20).map(({ sentence }) => cut(sentence, longestText));
  const type = record.outcome ?? 'PASS';
  return {
    classname: 'jury.gate',
    name: 'outcome',
    kind: kinds[type],
    type,
    message: sentences[0] ?? type,
    details: [sayOutcome(record), ...sentences, ...tellConditions(record)],
  };
}

const kinds = { PASS: null, FAIL: 'failure', INCOMPLETE: 'error' } as const;

function reasonCase({ reason, rule, tell }: ReasonEntry) {
  const details = tell(longestText);
  return {
    classname: `jury.gate.${reason.rule}`,
    name: `${rule.title}: ${cut(reason.subject, longestName)}`,
    kind: kinds[reason.effect],
    type: reason.effect,
    message: details[0] ?? '',
    details,
  };
}

/** A reviewer that failed is an error, unless the run is a pass without it: then its review was skipped, and the file says so. */
function reviewerCase(reviewer: RunReviewer, { outcome }: RunRecord): TestCase {
  const { id, persona, runner, status, cause, display, message, findings, durationMs } = reviewer;
  const isPass = outcome === 'PASS' || outcome === null;
  return {
    classname: 'jury.reviewers',
    name: cut(id, longestName),
    seconds: durationMs / 1_000,
    kind: status === 'complete' ? null : isPass ? 'skipped' : 'error',
    type: cause ?? status,
    message: cut(display, longestText),
    details: [
      `${persona} by ${runner}: ${status}, ${count(findings, 'finding')}`,
      ...(message === null ? [] : [cut(message, longestText)]),
    ],
  };
}

function claimCase({ claim, rule, place, effect, tell }: ClaimEntry): TestCase {
  const { id, severity, text, state } = claim;
  const details = tell(longestText);
  return {
    classname: `jury.claims.${rule.id}`,
    name: `${severity} ${cut(place.path, longestName)}:${place.line} ${cut(text, longestName)} (${id})`,
    kind: effect !== null ? 'failure' : state === 'dismissed' ? 'skipped' : null,
    type: severity,
    message: details[0] ?? '',
    details,
  };
}

/** What the older schema allows of a skipped case is a text. */
function printCase({ classname, name, seconds, kind, type, message, details }: TestCase) {
  const tag = kind ?? 'system-out';
  const told = kind === 'failure' || kind === 'error' ? attributes({ type, message }) : '';
  return [
    `    <testcase${attributes({ name, classname, ...timeOf(seconds) })}>`,
    `      <${tag}${told}>${escapeXml(details.join('\n'))}</${tag}>`,
    '    </testcase>',
  ];
}

function countsOf(cases: readonly TestCase[]) {
  const having = (wanted: TestCase['kind']) =>
    String(cases.filter(({ kind }) => kind === wanted).length);
  return {
    tests: String(cases.length),
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
}

/** A clock may be set back while a run is under way, and the schema knows no time below zero. */
function timeOf(seconds = NaN) {
  return Number.isFinite(seconds) ? { time: Math.max(0, seconds).toFixed(3) } : {};
}

function attributes(values: Readonly<Record<string, string>>) {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(value)}"`)
    .join('');
}
