/** What commands print as JSON is what the shipped schemas say, asked of the built program and of a checker that is not ours. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonSchemaOf, printed } from '../../src/core/printed/printed.ts';
import { createHistory, type SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  goodAnswer,
  jury,
  juryBeside,
  lastRun,
  program,
  writePanel,
} from './jury.ts';
import { answerAsMember, createLibrarySession } from './library-session.ts';
import { startMemberServer } from './member-server.ts';
import type { SessionSample } from './motions-session.ts';

const folder = fileURLToPath(new URL('../../schema', import.meta.url));
const shipped = (name: string) => path.join(folder, `jury.${name}.schema.json`);
const names = readdirSync(folder).map(file => file.split('.')[1] ?? '');

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
const checks = new Map<string, ValidateFunction>();
const seen = new Set<string>();

/** What the shipped schema says against it, a line each. */
function errorsOf(name: string, text: string) {
  seen.add(name);
  const check =
    checks.get(name) ?? ajv.compile(JSON.parse(readFileSync(shipped(name), 'utf8')) as object);
  checks.set(name, check);
  return check(JSON.parse(text))
    ? []
    : (check.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
}

describe('the schemas of what is printed', () => {
  it.each(Object.keys(printed) as (keyof typeof printed)[])('%s is as the code has it', name =>
    expect(JSON.parse(readFileSync(shipped(name), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(jsonSchemaOf(name))),
    ),
  );

  it('refuse what has another shape', () => {
    expect(errorsOf('stats', '{"schema":"jury.stats/2"}')).not.toEqual([]);
    expect(
      errorsOf('clean', '{"root":"x","removed":[],"kept":[],"dryRun":true,"more":1}'),
    ).not.toEqual([]);
  });
});

describe('what is printed about a change', () => {
  let sample: SampleRepository;
  let config: string;
  const print = (...words: readonly string[]) => jury(sample.root, [...words, '--json']).stdout;

  beforeAll(() => {
    sample = createChangedRepository();
    config = writePanel(
      sample,
      [
        { id: 'good', script: goodAnswer },
        { id: 'other', script: goodAnswer.replace('IMPORTANT', 'CRITICAL') },
        { id: 'lost', script: 'process.exit(3);' },
      ],
      'quorum: 2\n',
    );
  });

  it('is what the schemas say', () => {
    expect(errorsOf('preview', print('review', '--config', config, '--dry-run'))).toEqual([]);
    expect(errorsOf('plan', print('plan', '--config', config))).toEqual([]);
    const run = print('review', '--config', config);
    expect(errorsOf('run', run)).toEqual([]);
    const { claims } = JSON.parse(run) as { claims: { id: string }[] };
    const claim = claims[0]?.id ?? '';
    expect(errorsOf('explanation', print('explain', claim))).toEqual([]);
    expect(errorsOf('decision', print('accept', claim))).toEqual([]);
    expect(
      errorsOf('decision', print('dismiss', claim, '--reason', 'It is not so', '--baseline')),
    ).toEqual([]);
    expect(errorsOf('baseline', print('baseline'))).toEqual([]);
    expect(errorsOf('run', print('report'))).toEqual([]);
    expect(errorsOf('runs', print('runs'))).toEqual([]);
    expect(errorsOf('stats', print('stats'))).toEqual([]);
    expect(errorsOf('verdicts', print('verdicts'))).toEqual([]);
    expect(errorsOf('claims', print('consensus', 'latest'))).toEqual([]);
    expect(errorsOf('explanation', print('consensus', 'latest', '--explain', '1'))).toEqual([]);
    expect(errorsOf('integrity', print('verify'))).toEqual([]);
    expect(errorsOf('grounding', print('ground', path.join(lastRun(sample), 'reviews')))).toEqual(
      [],
    );
    expect(errorsOf('trust', print('trust', config))).toEqual([]);
    expect(errorsOf('trust', print('trust', '--list'))).toEqual([]);
    expect(errorsOf('trust', print('trust', config, '--yes'))).toEqual([]);
    expect(errorsOf('trust', print('trust', '--list'))).toEqual([]);
    expect(errorsOf('import', print('import', lastRun(sample), '--yes'))).toEqual([]);
    expect(errorsOf('clean', print('clean', '--dry-run'))).toEqual([]);
    expect(errorsOf('clean', print('clean'))).toEqual([]);
  }, 120_000);

  it('is what the schemas say of the code and the machine', () => {
    expect(errorsOf('doctor', print('doctor'))).toEqual([]);
    expect(errorsOf('index', print('index'))).toEqual([]);
    expect(errorsOf('search', print('search', 'sum'))).toEqual([]);
    const pack = jury(sample.root, ['context', '--json']);
    expect(errorsOf('context', pack.stdout)).toEqual([]);
    const uri = /resources:\/\/\S+/.exec(pack.stderr)?.[0] ?? '';
    expect(errorsOf('context-check', print('context', 'check', uri))).toEqual([]);
    expect(errorsOf('context-show', print('context', 'show', uri))).toEqual([]);
  }, 120_000);

  it('is what the schemas say of agents elsewhere', () => {
    const { stdout } = jury(sample.root, ['collect', '--prepare', '--json']);
    expect(errorsOf('inbox', stdout)).toEqual([]);
    expect(
      errorsOf(
        'verdict-written',
        print(
          'verdict',
          'write',
          '--agent',
          'a',
          '--status',
          'CLEAN',
          '--summary',
          'nothing found',
        ),
      ),
    ).toEqual([]);
  });
});

it('is what the schema says of an approval', () => {
  const sample = createHistory(
    { 'README.md': 'A shop.\n' },
    { '.github/workflows/ci.yml': 'on: push\n' },
  );
  const config = writePanel(sample, [
    { id: 'reader', script: "console.log('No issues found.\\nVERDICT: safe');" },
  ]);
  jury(sample.root, ['review', '--config', config]);
  const { stdout } = jury(sample.root, [
    'approve',
    'require-human',
    '--run',
    'latest',
    '--reason',
    'harmless',
    '--json',
  ]);
  expect(errorsOf('approval', stdout)).toEqual([]);
});

it('is what the schema says of a consensus', () => {
  const sample = createChangedRepository();
  const panel = writePanel(
    sample,
    ['claude', 'gemini', 'codex'].map(id => ({ id, script: goodAnswer })),
  );
  // This command has no flag for a configuration: it looks upwards.
  const text = readFileSync(panel, 'utf8').replaceAll('./', './panel/');
  writeFileSync(path.join(sample.root, '../jury.config.yaml'), text);
  const { stdout } = jury(
    sample.root,
    [
      '--mode',
      'code-review',
      '--base-sha',
      'HEAD~1',
      '--head-sha',
      'HEAD',
      '--description',
      'x',
      '--json',
    ],
    {
      program: program.replace('main.js', 'multi-consensus.js'),
      environment: { JURY_TRUST_CONFIG: '1' },
    },
  );
  expect(errorsOf('consensus', stdout)).toEqual([]);
});

describe('what is printed about a vote', () => {
  let sample: SessionSample;
  const print = async (...words: readonly string[]) =>
    (await juryBeside(sample.folder, [...words, '--json'])).stdout;

  it('is what the schemas say', async () => {
    const server = await startMemberServer({ answer: answerAsMember });
    sample = createLibrarySession({ endpoints: [{ baseUrl: server.url, model: 'scripted' }] });
    expect(
      errorsOf('vote-plan', await print('motions', 'session', '--real-agent', '--dry-run')),
    ).toEqual([]);
    expect(errorsOf('vote', await print('motions', 'session', '--triage-only'))).toEqual([]);
    expect(errorsOf('vote', await print('motions', 'session', '--real-agent'))).toEqual([]);
    await server.close();
    expect(errorsOf('vote-ended', await print('report', 'latest'))).toEqual([]);
    expect(errorsOf('runs', await print('runs'))).toEqual([]);
    expect(errorsOf('motion', await print('motions', 'show', '3'))).toEqual([]);
    expect(errorsOf('audit', await print('motions', 'verify-audit', sample.results))).toEqual([]);
    const file = path.join(sample.results, 'aggregations.json');
    for (const rules of ['explicit', 'quorum', 'all'])
      expect(
        errorsOf(
          'ratification',
          await print('motions', 'ratify', '--aggregations', file, '--rules', rules),
        ),
        rules,
      ).toEqual([]);
    expect(
      errorsOf(
        'ratification',
        await print(
          'motions',
          'ratify',
          '--aggregations',
          file,
          '--rules',
          'quorum',
          '--explain',
          '3',
        ),
      ),
    ).toEqual([]);
  }, 120_000);
});

it('every schema was asked about something that was really printed', () =>
  expect(names.filter(name => !seen.has(name))).toEqual(['config']));
