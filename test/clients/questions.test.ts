/**
 * The genuine clients, asked by the built program in every mode. The scripted model does what it is told and knows nothing
 * else: it ends its answer as the prompt that reached it asks, and not at all where that prompt does not ask.
 */
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientNames, type ClientName } from '../../src/core/words/runner.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import { createChangedRepository, startJury } from '../cli/jury.ts';
import {
  type Script,
  startModelServer,
  type LoggedRequest,
  type ModelServer,
} from '../model-server.ts';
import { markAskedFor } from '../promises/obedient-model.ts';
import { installClients } from './install.ts';

const key = 'fake-key-0123456789abcdef';

interface Asked {
  readonly args: readonly string[];
  /** A good answer, without its last line. */
  readonly good: readonly string[];
  readonly persona: string;
  /** Claims that the good answer makes. */
  readonly claims: number;
}

const modes: Readonly<Record<string, Asked>> = {
  general: {
    args: ['ask', 'What is weak about one database server?', '--mode', 'general'],
    good: ['WEAK|Backups are taken once a day only'],
    persona: 'advisor',
    claims: 1,
  },
  debugging: {
    args: ['ask', 'The shop shows the old price.', '--mode', 'debugging'],
    good: ['WEAK|A cache may hold the old price; clear it and look again'],
    persona: 'debugger',
    claims: 1,
  },
  architecture: {
    args: ['ask', 'Two queues, one database.', '--mode', 'architecture'],
    good: ['SUGGESTION|One queue would do for both kinds of work'],
    persona: 'architect',
    claims: 1,
  },
  verification: {
    args: ['ask', '1. The page has a title\n2. The page has a date', '--mode', 'verification'],
    good: ['PASS|1', 'PASS|2'],
    persona: 'verifier',
    claims: 0,
  },
  'code review': {
    args: ['review'],
    good: ['SUGGESTION|src/sum.js:2|The parameters could have names that tell what they are'],
    persona: 'code-quality-reviewer',
    claims: 1,
  },
  gates: {
    args: ['gates', 'HEAD~1..HEAD'],
    good: ['SUGGESTION|src/sum.js:2|The parameters could have names that tell what they are'],
    persona: 'code-quality-reviewer',
    claims: 1,
  },
  document: {
    args: ['document', 'design.md'],
    good: [
      '### Findings Index',
      '- P3 | A-1 | "Goals" | The goal of speed is vague',
      'Verdict: safe',
      '',
      '### Summary',
      'It was read.',
    ],
    persona: 'architecture-reviewer',
    claims: 1,
  },
};

type Answer = 'good' | 'None' | 'unmarked' | 'cut off' | 'refused';
type Said = (asked: Asked) => Pick<Script, 'plan' | 'text'>;

const answers: Readonly<Record<Answer, Said>> = {
  good: ({ good }) => ({ plan: ['ok'], text: request => [...good, ...markIn(request)].join('\n') }),
  None: () => ({ plan: ['ok'], text: request => ['None', ...markIn(request)].join('\n') }),
  unmarked: ({ good }) => ({ plan: ['ok'], text: good.join('\n') }),
  'cut off': ({ good }) => ({ plan: ['maxtok'], text: good.join('\n').slice(0, -5) }),
  refused: () => ({ plan: ['ok'], text: "I'm sorry, but I can't help with that request." }),
};

const kinds = Object.keys(answers) as readonly Answer[];

let programs: ReadonlyMap<ClientName, string> = new Map();
let server: ModelServer;

beforeAll(async () => {
  programs = await installClients();
  server = await startModelServer();
});

afterAll(() => server.close());

const requireClient = (name: ClientName, skip: (why: string) => void): void => {
  const isMissing = !programs.has(name);
  if (isMissing && process.env.JURY_REQUIRE_CLIENTS === '1')
    throw new Error(`${name} is not installed.`);
  if (isMissing) skip(`${name} is not installed`);
};

interface End {
  readonly status: RegExp;
  readonly cause: string | null;
  readonly outcome: RunRecord['outcome'];
  readonly code: number;
}

/** How each kind of answer ends in each mode. Gemini alone does not say how it stopped: there the end mark tells. */
function endOf(answer: Answer, mode: string, name: ClientName): End {
  const isUntold = name === 'gemini';
  if (answer === 'cut off' || (answer === 'unmarked' && isUntold))
    return {
      status: /^(partial|failed)$/,
      cause: isUntold ? 'unmarked' : 'truncated',
      outcome: 'INCOMPLETE',
      code: 2,
    };
  if (answer === 'refused')
    return { status: /^failed$/, cause: 'refusal', outcome: 'INCOMPLETE', code: 2 };
  const whole = { status: /^complete$/, cause: null };
  // No criterion was voted on.
  if (answer === 'None' && mode === 'verification')
    return { ...whole, outcome: 'INCOMPLETE', code: 2 };
  return { ...whole, outcome: plain.has(mode) ? null : 'PASS', code: 0 };
}

/** Yields what it had to come to. */
function expectEnd({ code, record }: Asking, ...asked: Parameters<typeof endOf>) {
  const { status, ...end } = endOf(...asked);
  const [reviewer] = record.reviewers;
  expect(
    { cause: reviewer?.cause, outcome: record.outcome, code },
    `the answer ${asked[0]}`,
  ).toEqual(end);
  expect(reviewer?.status).toMatch(status);
  return end;
}

const plain: ReadonlySet<string> = new Set(['general', 'debugging', 'architecture']);

describe.each(clientNames)('the genuine %s', name => {
  beforeEach(context => requireClient(name, why => context.skip(why)));

  test.each(Object.entries(modes))(
    'in mode %s: each kind of answer ends as it is promised',
    async (mode, asked) => {
      const ended = new Map<Answer, Asking>();
      for (const answer of kinds) {
        server.set(answers[answer](asked));
        ended.set(answer, await ask(name, asked.args));
      }
      // The table of the acceptance, a row as soon as it is known.
      console.log(row([name, mode, ...[...ended.values()].map(cellOf)]));
      for (const [answer, asking] of ended)
        expect(asking.record.quorum.met).toBe(expectEnd(asking, answer, mode, name).cause === null);
      const record = ended.get('good')?.record;
      expect([record?.reviewers[0]?.persona, record?.claims.length]).toEqual([
        asked.persona,
        asked.claims,
      ]);
      expect(ended.get('None')?.record.claims).toEqual([]);
    },
  );
});

/** The same as a form that is filled in; every other answer above is text, which a model may give in its place. */
describe.each(['claude', 'codex'] as const)('the genuine %s, by a schema', name => {
  beforeEach(context => requireClient(name, why => context.skip(why)));

  test.each(['code review', 'gates'])('in mode %s: fills it in', async mode => {
    const asked = modes[mode];
    if (asked === undefined) throw new Error(mode);
    const [line = ''] = asked.good;
    const [severity, location, issue] = line.split('|');
    const forms: Readonly<Record<Answer, object>> = {
      good: { prose: 'It was read.', findings: [{ severity, location, issue }] },
      None: { prose: 'None', findings: [] },
      unmarked: { prose: line, findings: [] },
      'cut off': { prose: line, findings: [] },
      refused: { prose: "I'm sorry, but I can't help with that request.", findings: [] },
    };
    const ended = new Map<Answer, Asking>();
    const given: boolean[] = [];
    for (const answer of kinds) {
      const input = forms[answer];
      const isCut = answer === 'cut off';
      const text = JSON.stringify(input).slice(0, isCut ? -20 : undefined);
      server.set({
        plan: [isCut ? 'maxtok' : name === 'claude' ? 'tool' : 'ok'],
        text,
        tool: { name: 'StructuredOutput', input },
      });
      ended.set(answer, await ask(name, asked.args));
      given.push(server.modelCalls()[0]?.text.includes('as the instructions ask for it') === true);
    }
    console.log(row([name, `${mode}, by a schema`, ...[...ended.values()].map(cellOf)]));
    expect(given).toEqual(kinds.map(() => true));
    for (const [answer, asking] of ended) expectEnd(asking, answer, mode, name);
    const claims = kinds.slice(0, 3).map(answer => ended.get(answer)?.record.claims.length);
    expect(claims).toEqual([1, 0, 1]);
  });
});

describe('multi-consensus with its usual panel', () => {
  beforeEach(context => {
    for (const name of panel) requireClient(name, why => context.skip(why));
  });
  const panel = ['claude', 'gemini', 'codex'] as const;
  const script = fileURLToPath(new URL('../../dist/cli/multi-consensus.js', import.meta.url));

  test.each([
    {
      mode: 'code-review',
      args: ['--base-sha=HEAD~1', '--head-sha=HEAD'],
      line: 'SUGGESTION|src/sum.js:2|Say what is summed up',
      issue: '- [SUGGESTION] Say what is summed up (src/sum.js:2)\n',
    },
    {
      mode: 'general-prompt',
      args: ['--prompt=What is weak about one database server?', '--context=It runs in one place.'],
      line: 'WEAK|Backups are taken once a day only',
      issue: '- [WEAK] Backups are taken once a day only\n',
    },
  ])('completes with all three in mode $mode', async ({ mode, args, line, issue }) => {
    server.set({ plan: ['ok'], text: request => [line, ...markIn(request)].join('\n') });
    const sample = createChangedRepository();
    // Only where they are and whom they speak to: who sits on the panel, and who must answer, stays as it is.
    sample.write('../jury.config.yaml', `reviewers:\n${panel.map(seatOf).join('')}`);
    const { code, stdout } = await run(sample.root, [`--mode=${mode}`, ...args], script);
    expect(stdout).toContain('**Reviewers**: Claude ✓, Gemini ✓, Codex ✓\n');
    expect(stdout).toContain(`## High Priority - All Reviewers Agree\n${issue}`);
    expect(code).toBe(0);
  });
});

function cellOf({ code, record }: Asking): string {
  return `${record.reviewers[0]?.display ?? ''}, ${record.outcome}, ${code}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The line the model was asked to end with, wherever in the request it stands. */
function markIn({ body }: LoggedRequest): string[] {
  const marks = textsIn(body)
    .map(markAskedFor)
    .filter(mark => mark !== null);
  return marks.slice(0, 1);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

interface Asking {
  readonly code: number | null;
  readonly record: RunRecord;
}

async function ask(name: ClientName, args: readonly string[]): Promise<Asking> {
  const sample = createChangedRepository();
  sample.write('design.md', '# Design\n\n## Goals\n\nFast.\n');
  sample.write('../panel.yaml', `reviewers:\n${seatOf(name)}`);
  const config = path.join(sample.root, '../panel.yaml');
  const { code, stdout } = await run(sample.root, [
    ...args,
    '--config',
    config,
    '--format',
    'json',
  ]);
  return { code, record: JSON.parse(stdout) as RunRecord };
}

function seatOf(name: ClientName): string {
  return (
    `  - { id: ${name}, runner: ${name}, executable: ${JSON.stringify(programs.get(name) ?? '')}, ` +
    `baseUrl: '${server.url}', timeout: 90 }\n`
  );
}

/** In a process of its own that is not waited for: the model server answers in this one. */
async function run(
  cwd: string,
  args: readonly string[],
  program?: string,
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const child = startJury(cwd, args, keys, program);
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout };
}

const keys = { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key, GEMINI_API_KEY: key };
