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
const names = readdirSync(folder).map(file => file.split('.')[1] ?? '');
const shipped = (name: string) =>
  JSON.parse(readFileSync(`${folder}/jury.${name}.schema.json`, 'utf8')) as object;

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
const checks = new Map<string, ValidateFunction>();

/** What the shipped schema says against it, a line each. */
function errorsOf(name: string, text: string) {
  const check = checks.get(name) ?? ajv.compile(shipped(name));
  checks.set(name, check);
  check(JSON.parse(text));
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function expectValid(name: string, text: string) {
  expect(errorsOf(name, text)).toEqual([]);
}

describe('the schemas of what is printed', () => {
  it.each(Object.keys(printed) as (keyof typeof printed)[])('%s is as the code has it', name =>
    expect(shipped(name)).toEqual(JSON.parse(JSON.stringify(jsonSchemaOf(name)))),
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
  const expectPrinted = (name: string, ...words: readonly string[]) => {
    const printed = jury(sample.root, [...words, '--json']);
    expectValid(name, printed.stdout);
    return printed;
  };

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
    expectPrinted('preview', 'review', '--config', config, '--dry-run');
    expectPrinted('plan', 'plan', '--config', config);
    const { stdout } = expectPrinted('run', 'review', '--config', config);
    const { claims } = JSON.parse(stdout) as { claims: { id: string }[] };
    const claim = claims[0]?.id ?? '';
    expectPrinted('explanation', 'explain', claim);
    expectPrinted('decision', 'accept', claim);
    expectPrinted('decision', 'dismiss', claim, '--reason', 'It is not so', '--baseline');
    expectPrinted('baseline', 'baseline');
    expectPrinted('run', 'report');
    expectPrinted('runs', 'runs');
    expectPrinted('stats', 'stats');
    expectPrinted('verdicts', 'verdicts');
    expectPrinted('claims', 'consensus', 'latest');
    expectPrinted('explanation', 'consensus', 'latest', '--explain', '1');
    expectPrinted('integrity', 'verify');
    expectPrinted('grounding', 'ground', path.join(lastRun(sample), 'reviews'));
    expectPrinted('trust', 'trust', config);
    expectPrinted('trust', 'trust', '--list');
    expectPrinted('trust', 'trust', config, '--yes');
    expectPrinted('trust', 'trust', '--list');
    expectPrinted('import', 'import', lastRun(sample), '--yes');
    expectPrinted('clean', 'clean', '--dry-run');
    expectPrinted('clean', 'clean');
  }, 120_000);

  it('is what the schemas say of the code and the machine', () => {
    expectPrinted('doctor', 'doctor');
    expectPrinted('index', 'index');
    expectPrinted('search', 'search', 'sum');
    const { stderr } = expectPrinted('context', 'context');
    const [uri = ''] = /resources:\/\/\S+/.exec(stderr) ?? [];
    expectPrinted('context-check', 'context', 'check', uri);
    expectPrinted('context-show', 'context', 'show', uri);
  }, 120_000);

  it('is what the schemas say of agents elsewhere', () => {
    expectPrinted('inbox', 'collect', '--prepare');
    expectPrinted(
      'verdict-written',
      'verdict',
      'write',
      '--agent',
      'a',
      '--status',
      'CLEAN',
      '--summary',
      'nothing found',
    );
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
  const { stdout } = jury(
    sample.root,
    'approve require-human --run latest --reason harmless --json'.split(' '),
  );
  expectValid('approval', stdout);
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
    '--mode code-review --base-sha HEAD~1 --head-sha HEAD --description x --json'.split(' '),
    {
      program: program.replace('main.js', 'multi-consensus.js'),
      environment: { JURY_TRUST_CONFIG: '1' },
    },
  );
  expectValid('consensus', stdout);
});

describe('what is printed about a vote', () => {
  let sample: SessionSample;
  const expectPrinted = async (name: string, ...words: readonly string[]) =>
    expectValid(name, (await juryBeside(sample.folder, [...words, '--json'])).stdout);

  it('is what the schemas say', async () => {
    const server = await startMemberServer({ answer: answerAsMember });
    sample = createLibrarySession({ endpoints: [{ baseUrl: server.url, model: 'scripted' }] });
    await expectPrinted('vote-plan', 'motions', 'session', '--real-agent', '--dry-run');
    await expectPrinted('vote', 'motions', 'session', '--triage-only');
    await expectPrinted('vote', 'motions', 'session', '--real-agent');
    await server.close();
    await expectPrinted('vote-ended', 'report', 'latest');
    await expectPrinted('runs', 'runs');
    await expectPrinted('motion', 'motions', 'show', '3');
    await expectPrinted('audit', 'motions', 'verify-audit', sample.results);
    const file = path.join(sample.results, 'aggregations.json');
    for (const rules of ['explicit', 'quorum', 'all'])
      await expectPrinted(
        'ratification',
        'motions',
        'ratify',
        '--aggregations',
        file,
        '--rules',
        rules,
      );
    await expectPrinted(
      'ratification',
      'motions',
      'ratify',
      '--aggregations',
      file,
      '--rules',
      'quorum',
      '--explain',
      '3',
    );
  }, 120_000);
});

it('every schema was asked about something that was really printed', () =>
  expect(names.filter(name => !checks.has(name))).toEqual(['config']));
