/**
 * JUnit XML, held to the schema of the xUnit plugin of Jenkins (`junit-10.xsd`, and `junit-4.xsd` before it). The file is red exactly
 * where the run is no pass: what fails it is a failure, what was not reviewed an error, what people dismissed is skipped.
 */
import { escapeXml, escapeXmlAttribute } from '../../core/safety/xml-text.ts';
import { cut } from '../../core/text.ts';
import { sayOutcome } from '../../core/verdict/outcome.ts';
import { type Claim, orderClaims } from '../../core/words/claim.ts';
import type { Run, RunRecord, RunReviewer } from '../../core/words/run.ts';
import { otherReasons, placeOn } from './places.ts';
import { ruleOfClaim, ruleOfReason } from './rules.ts';
import { createTeller, tellConditions, type TellClaim } from './telling.ts';

interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly seconds: number | null;
  /** Null: passed. */
  readonly result: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly type: string;
    readonly message: string;
  } | null;
  readonly details: string;
}

interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

const longestText = 2_000;
const longestName = 250;

export function renderJunit({ record }: Pick<Run, 'record'>): string {
  const suites: TestSuite[] = [
    { name: 'gate', cases: [outcomeCase(record), ...reasonCases(record)] },
    { name: 'reviewers', cases: record.reviewers.map(one => reviewerCase(one, record)) },
    { name: 'claims', cases: claimCases(record) },
  ];
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = (Date.parse(record.completedAt) - Date.parse(record.startedAt)) / 1_000;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({
      name: `Jury ${sayOutcome(record)}: ${cut(record.subject.title, longestName)}`,
      tests: String(all.length),
      failures: String(countOf(all, 'failure')),
      errors: String(countOf(all, 'error')),
      ...timeOf(seconds),
    })}>`,
    ...suites.flatMap(suite => printSuite(suite, record)),
    '</testsuites>',
    '',
  ].join('\n');
}

/** There whatever the run came to: a file without a case would be green to some and an error to others. */
function outcomeCase(record: RunRecord): TestCase {
  const { outcome, reasons } = record;
  const sentences = reasons.slice(0, 20).map(({ sentence }) => cut(sentence, longestText));
  return {
    classname: 'jury.gate',
    name: 'outcome',
    seconds: null,
    result:
      outcome === 'PASS' || outcome === null
        ? null
        : {
            kind: outcome === 'FAIL' ? 'failure' : 'error',
            type: outcome,
            message: sentences[0] ?? outcome,
          },
    details: [sayOutcome(record), ...sentences, ...tellConditions(record)].join('\n'),
  };
}

function reasonCases(record: RunRecord): TestCase[] {
  return otherReasons(record).map(({ reason }) => ({
    classname: `jury.gate.${reason.rule}`,
    name: `${ruleOfReason(reason).title}: ${cut(reason.subject, longestName)}`,
    seconds: null,
    result: {
      kind: reason.effect === 'FAIL' ? 'failure' : 'error',
      type: reason.effect,
      message: cut(reason.sentence, longestText),
    },
    details: cut(reason.sentence, longestText),
  }));
}

/** A reviewer that failed is an error, unless the run is a pass without it: then its review was skipped, and the file says so. */
function reviewerCase(reviewer: RunReviewer, { outcome }: RunRecord): TestCase {
  const { id, persona, runner, status, cause, display, message, findings, durationMs } = reviewer;
  const isPass = outcome === 'PASS' || outcome === null;
  return {
    classname: 'jury.reviewers',
    name: cut(id, longestName),
    seconds: durationMs / 1_000,
    result:
      status === 'complete'
        ? null
        : {
            kind: isPass ? 'skipped' : 'error',
            type: cause ?? status,
            message: cut(display, longestText),
          },
    details: [
      `${persona} by ${runner}: ${status}, ${findings === 1 ? '1 finding' : `${findings} findings`}`,
      ...(message === null ? [] : [cut(message, longestText)]),
    ].join('\n'),
  };
}

/** Those that are fixed are told nowhere: nobody says them any more. */
function claimCases(record: RunRecord): TestCase[] {
  const tell = createTeller(record);
  const blocking = new Set(record.blocking);
  return orderClaims(record)
    .filter(({ state }) => state !== 'fixed')
    .map(claim => claimCase(claim, { record, tell, isBlocking: blocking.has(claim.id) }));
}

interface Telling {
  readonly record: RunRecord;
  readonly tell: TellClaim;
  readonly isBlocking: boolean;
}

function claimCase(claim: Claim, { record, tell, isBlocking }: Telling): TestCase {
  const place = placeOn(claim.location, record);
  const sentences = tell(claim, longestText);
  const kind = isBlocking ? 'failure' : claim.state === 'dismissed' ? 'skipped' : null;
  return {
    classname: `jury.claims.${ruleOfClaim(claim).id}`,
    name: `${claim.severity} ${cut(place.path, longestName)}:${place.line} ${cut(claim.text, longestName)} (${claim.id})`,
    seconds: null,
    result:
      kind === null
        ? null
        : {
            kind,
            type: claim.severity,
            message: (kind === 'skipped' ? sentences.at(-1) : sentences[0]) ?? '',
          },
    details: [...sentences, ...(place.note === null ? [] : [place.note])].join('\n'),
  };
}

function printSuite({ name, cases }: TestSuite, { startedAt }: RunRecord): string[] {
  const seconds = cases.reduce((sum, each) => sum + (each.seconds ?? 0), 0);
  return [
    `  <testsuite${attributes({
      name: `jury.${name}`,
      tests: String(cases.length),
      failures: String(countOf(cases, 'failure')),
      errors: String(countOf(cases, 'error')),
      skipped: String(countOf(cases, 'skipped')),
      ...timeOf(seconds),
      timestamp: startedAt.slice(0, 19),
    })}>`,
    ...cases.flatMap(printCase),
    '  </testsuite>',
  ];
}

/** What the older schema allows of a skipped case is a text. */
function printCase({ classname, name, seconds, result, details }: TestCase): string[] {
  const head = `    <testcase${attributes({ name, classname, ...timeOf(seconds) })}>`;
  const text = escapeXml(details);
  if (result === null) return [head, `      <system-out>${text}</system-out>`, '    </testcase>'];
  const { kind, type, message } = result;
  const told = kind === 'skipped' ? '' : attributes({ type, message });
  return [head, `      <${kind}${told}>${text}</${kind}>`, '    </testcase>'];
}

function countOf(cases: readonly TestCase[], kind: 'failure' | 'error' | 'skipped'): number {
  return cases.filter(({ result }) => result?.kind === kind).length;
}

/** A clock may be set back while a run is under way, and the schema knows no time below zero. */
function timeOf(seconds: number | null): { time?: string } {
  return seconds === null || !Number.isFinite(seconds)
    ? {}
    : { time: Math.max(0, seconds).toFixed(3) };
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(value)}"`)
    .join('');
}
