/** Reports that tools of a project wrote before, seated with runner `sarif`. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury, juryJson } from '../cli/jury.ts';

let sample: SampleRepository;
const folder = mkdtempSync(path.join(tmpdir(), 'jury-report-'));
const report = path.join(folder, 'report.sarif');
const config = path.join(folder, 'panel.yaml');

beforeAll(() => {
  sample = createSampleRepository();
  sample.write('src/a.js', 'export const a = 1;\n');
  sample.commit('one');
  sample.write('src/a.js', 'export const a = 1;\nexport const b = query(a);\n');
  sample.commit('two');
  writeFileSync(
    config,
    'reviewers:\n  - { id: semgrep, runner: sarif, answers: ./report.sarif }\n',
  );
});

interface Reported {
  readonly line?: number;
  readonly uri?: string;
  readonly properties?: object;
  readonly revision?: string;
  readonly result?: object;
  readonly run?: object;
}

const dangerous = { tags: ['security', 'external/cwe/cwe-089'], 'security-severity': '8.8' };

const at = (uri: string, startLine: number) => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine } },
});
const ended = (invocation: object) => ({ run: { invocations: [invocation] } });
const told = (kind: string, level: string) =>
  ended({ executionSuccessful: true, exitCode: 1, [`tool${kind}Notifications`]: [{ level }] });

function writeReport({
  line = 2,
  uri = 'src/a.js',
  properties = dangerous,
  revision,
  result,
  run,
}: Reported) {
  const log = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Semgrep', rules: [{ id: 'sql', properties }] } },
        ...(revision && { versionControlProvenance: [{ revisionId: revision }] }),
        results: [
          {
            ruleId: 'sql',
            level: 'error',
            message: { text: 'Input reaches a query.' },
            locations: ['src/c.js', uri].map(each => at(each, line)),
            ...result,
          },
        ],
        ...run,
      },
    ],
  };
  writeFileSync(report, JSON.stringify(log));
}

const review = () => juryJson(sample.root, ['review', 'HEAD~1..HEAD', '--config', config]);

describe('a report in SARIF', () => {
  it.each([
    ['fails by what it calls security on an added line', {}, 1, 1],
    ['lists what stands on another line', { line: 1 }, 0, 1],
    ['lists what it does not call security', { properties: {} }, 0, 1],
    ['knows an absolute place', { uri: 'file://ROOT/src/a.js' }, 1, 1],
    ['has not looked at a file that it does not name', { uri: 'src/b.js' }, 2, 0],
    ['that is empty has looked at nothing', { run: { results: [] } }, 2, 0],
    [
      'has looked at what it names as an artifact',
      { run: { results: [], artifacts: [{ location: { uri: 'src/a.js' } }] } },
      0,
      0,
    ],
    ['leaves out what is suppressed', { result: { suppressions: [{ kind: 'inSource' }] } }, 0, 0],
    ['is of this commit', { revision: 'HEAD' }, 1, 1],
    ['is none when it is of another commit', { revision: 'HEAD~1' }, 2, 0],
    ['is none when it was not finished', { run: { results: null } }, 2, 0],
    ['is none when it states no results', { run: { results: undefined } }, 2, 0],
    [
      'is none when its results are elsewhere',
      { run: { externalPropertyFileReferences: { results: [{}] } } },
      2,
      0,
    ],
    ['is none when its tool failed', ended({ executionSuccessful: false }), 2, 0],
    ['is none when its tool was killed', ended({ exitSignalName: 'SIGKILL' }), 2, 0],
    ['is none after an unstated end', ended({ exitCode: 2 }), 2, 0],
    ['is none when its tool tells of an error', told('Execution', 'error'), 2, 0],
    ['is none when its rules are missing', told('Configuration', 'error'), 2, 0],
    ['stands where its tool only warns', told('Execution', 'warning'), 1, 1],
  ] as const)('%s', (name, { revision, uri, ...rest }: Reported, code, claims) => {
    writeReport({
      ...rest,
      ...(uri && { uri: uri.replace('ROOT', sample.root) }),
      ...(revision && { revision: sample.git('rev-parse', revision).trim() }),
    });
    const { code: ended, record } = review();
    expect([ended, record.claims.length]).toEqual([code, claims]);
    expect(record.reviewers[0]?.status).toBe(name.startsWith('is none') ? 'failed' : 'complete');
  });

  it.each([
    ['{"findings": []}', /no report in SARIF/],
    ['', /no report in SARIF/],
    ['{"version": "2.0.0", "runs": []}', /only 2\.1\.0 can be read/],
  ])('is no other text: %s', (text, reason) => {
    writeFileSync(report, text);
    const { code, record } = review();
    expect([code, record.reviewers[0]?.message]).toEqual([2, expect.stringMatching(reason)]);
  });

  it('of a configuration that was found is read where somebody allows it', () => {
    writeReport({});
    sample.write('jury.config.yaml', `reviewers: [{ id: s, runner: sarif, answers: ${report} }]\n`);
    const { code, stderr } = jury(sample.root, ['review', 'HEAD~1..HEAD'], {
      environment: { JURY_TRUST_CONFIG: '' },
    });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`read the report ${report}`)]);
  });
});
