/**
 * Questions complete with every kind of client, also with those that never say whether a model finished or was cut off:
 * there an answer is whole when it ends with the line that was asked for, and only then.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson } from '../cli/jury.ts';
import { markAskedFor } from './obedient-model.ts';

interface StandIn {
  readonly id: string;
  /** Body of a function of `prompt` and `mark`, the line the prompt asks for or null, that returns the answer. */
  readonly answer: string;
  /** Default: a client that gives no stop reason. */
  readonly runner?: 'gemini' | 'command';
  readonly persona?: string;
}

/** Answers over the protocol of a client that never says how a model stopped, or as a plain program. */
const program = (answer: string): string => `#!/usr/bin/env node
import fs from 'node:fs';
if (process.argv[2] === '--version') { console.log('0.61.0'); process.exit(0); }
const markAskedFor = ${markAskedFor.toString()};
const prompt = fs.readFileSync(0, 'utf8');
const isClient = process.argv.includes('stream-json');
fs.writeFileSync(process.argv[1] + '.seen', isClient ? fs.readFileSync(process.env.GEMINI_SYSTEM_MD, 'utf8') : prompt);
const mark = markAskedFor(prompt);
const text = (() => { ${answer} })();
const records = [
  { type: 'init', session_id: 's', model: 'm' },
  { type: 'message', role: 'user', content: prompt },
  { type: 'message', role: 'assistant', content: text, delta: true },
  { type: 'result', status: 'success', stats: { total_tokens: 30, input_tokens: 20, output_tokens: 10, cached: 0 } },
];
console.log(isClient ? records.map(record => JSON.stringify(record)).join('\\n') : text);
`;

function seat(
  sample: SampleRepository,
  standIns: readonly StandIn[],
  name = 'panel/jury.config.yaml',
): string {
  const home = path.dirname(path.join(sample.root, '..', name));
  const lines = standIns.map(({ id, answer, runner = 'gemini', persona }) => {
    const file = path.join(home, `${id}.mjs`);
    sample.write(path.relative(sample.root, file), program(answer));
    chmodSync(file, 0o755);
    const how =
      runner === 'gemini'
        ? `executable: ${JSON.stringify(file)}`
        : `command: [node, ${JSON.stringify(file)}]`;
    return `  - { id: ${id}, runner: ${runner}, ${how}, isolation: { write: [.] }${persona === undefined ? '' : `, persona: ${persona}`} }`;
  });
  const config = path.join(sample.root, '..', name);
  writeFileSync(config, `reviewers:\n${lines.join('\n')}\n`);
  return config;
}

/** What the reviewer was told: the system prompt of the client, or all that a program reads. */
function toldTo(id: string, config: string): string {
  return readFileSync(path.join(path.dirname(config), `${id}.mjs.seen`), 'utf8');
}

const environment = { GEMINI_API_KEY: 'fake-key' };

/** Says these lines and ends as it was asked to. */
function says(...lines: readonly string[]): string {
  return `return [...${JSON.stringify(lines)}, ...(mark === null ? [] : [mark])].join('\\n');`;
}

const questions = [
  {
    mode: 'general',
    lines: ['WEAK|Backups are taken once a day only'],
    prompt: 'What is weak about one database server?',
    persona: 'advisor',
  },
  {
    mode: 'debugging',
    lines: ['WEAK|A cache may hold the old price; clear it and look again'],
    prompt: 'The shop shows the old price.',
    persona: 'debugger',
  },
  {
    mode: 'architecture',
    lines: ['SUGGESTION|One queue would do for both kinds of work'],
    prompt: 'Two queues, one database.',
    persona: 'architect',
  },
  {
    mode: 'verification',
    lines: ['PASS|1', 'PASS|2'],
    prompt: '1. The page has a title\n2. The page has a date',
    persona: 'verifier',
  },
] as const;

/** Says something about a review of code. */
const speaksOfReviews = /review|\bcode\b|\bdiff\b|\bcommit|\bpatch\b/i;

describe.each(questions)('a question in mode $mode', ({ mode, lines, prompt, persona }) => {
  it('completes with a client that gives no stop reason; the end of an answer is no part of it', () => {
    const sample = createSampleRepository();
    const config = seat(sample, [
      { id: 'mute', answer: says(...lines) },
      { id: 'plain', runner: 'command', answer: says(...lines) },
    ]);
    const { code, record } = juryJson(
      sample.root,
      ['ask', prompt, '--mode', mode, '--config', config, '--quorum', '2'],
      { environment },
    );
    expect(record.reviewers.map(({ id, status, cause }) => [id, status, cause])).toEqual([
      ['mute', 'complete', null],
      ['plain', 'complete', null],
    ]);
    expect([code, record.outcome]).toEqual([0, mode === 'verification' ? 'PASS' : null]);
    const texts = mode === 'verification' ? [] : lines.map(line => line.split('|')[1]);
    expect(record.claims.map(({ text, supporters }) => [text, supporters.length])).toEqual(
      texts.map(text => [text, 2]),
    );
    expect(
      record.verification?.criteria.map(({ criterion, result, pass }) => [
        criterion,
        result,
        pass.length,
      ]) ?? [],
    ).toEqual(
      mode === 'verification'
        ? [
            [1, 'pass', 2],
            [2, 'pass', 2],
          ]
        : [],
    );
    const mark = markAskedFor(toldTo('plain', config));
    expect(mark).not.toBeNull();
    expect(jury(sample.root, ['report', record.run, '--format', 'markdown']).stdout).not.toContain(
      mark,
    );
    expect(record.reviewers.map(reviewer => reviewer.persona)).toEqual([persona, persona]);
    expect(toldTo('mute', config)).not.toMatch(speaksOfReviews);
    expect(toldTo('plain', config).split('# Instructions')[0]).not.toMatch(speaksOfReviews);
  });
});

describe('where a client gives no stop reason', () => {
  const finding = 'WEAK|Backups are taken once a day only';
  const whole = {
    bold: `return ${JSON.stringify(finding)} + (mark === null ? '' : '\\n\\n**' + mark + '**\\n');`,
    fenced: `return ['\`\`\`', ${JSON.stringify(finding)}, ...(mark === null ? [] : [mark]), '\`\`\`'].join('\\n');`,
    behind: `return ['\`\`\`', ${JSON.stringify(finding)}, '\`\`\`', ...(mark === null ? [] : [mark])].join('\\n');`,
    none: says('None'),
    json: says(
      JSON.stringify({
        findings: [{ severity: 'WEAK', issue: 'Backups are taken once a day only' }],
      }),
    ),
    verdict: `return ${JSON.stringify(`${finding}\nVERDICT: safe`)};`,
  };
  const doubtful = {
    bare: `return ${JSON.stringify(finding)};`,
    cut: `return ${JSON.stringify(`${finding}\n`)} + (mark ?? '').slice(0, -3);`,
    middle: `return [...(mark === null ? [] : [mark]), ${JSON.stringify(finding)}, 'WEAK|The second one was cut o'].join('\\n');`,
    alone: `return mark ?? '';`,
    // A copy of the instructions with its first lines missing: the mark and the word for "nothing" stand in it too.
    echo: `return prompt.trimEnd().split('\\n').slice(5).join('\\n');`,
  };
  const sample = createSampleRepository();
  const config = seat(
    sample,
    Object.entries({ ...whole, ...doubtful }).map(([id, answer]) => ({ id, answer })),
  );
  let record: ReturnType<typeof juryJson>['record'];
  const statusOf = (id: string): string | undefined =>
    record.reviewers.find(reviewer => reviewer.id === id)?.status;

  beforeAll(() => {
    ({ record } = juryJson(
      sample.root,
      ['ask', 'What is weak about one database server?', '--config', config],
      { environment },
    ));
  });

  it.each(Object.keys(whole))('an answer is whole in the form "%s"', id => {
    expect(statusOf(id)).toBe('complete');
    expect(record.reviewers.find(reviewer => reviewer.id === id)?.findings).toBe(
      id === 'none' ? 0 : 1,
    );
  });

  it.each(Object.keys(doubtful))('an answer in the form "%s" is not taken for a whole one', id => {
    expect(['partial', 'failed']).toContain(statusOf(id));
  });

  it('what was found before the cut still counts, and nothing else does', () => {
    expect(record.claims.map(({ text }) => text).toSorted()).toEqual([
      'Backups are taken once a day only',
      'The second one was cut o',
    ]);
    expect(record.reviewers.find(({ id }) => id === 'bare')).toMatchObject({
      cause: 'unmarked',
      findings: 1,
    });
  });

  it('a panel of which nobody ends the answer has no quorum', () => {
    const alone = seat(sample, [{ id: 'bare', answer: doubtful.bare }], 'alone/jury.config.yaml');
    expect(
      juryJson(sample.root, ['ask', 'Why?', '--config', alone], { environment }),
    ).toMatchObject({ code: 2, record: { outcome: 'INCOMPLETE', quorum: { completed: 0 } } });
  });
});

describe('a plain question has no gate', () => {
  const sample = createSampleRepository();
  const shared = 'STRONG|There is no way back from the migration';
  const answers = {
    alpha: says('STRONG|docs/plan.md:12|Backups of the orders are missing', shared),
    beta: says(
      'STRONG|Backups of the orders are missing',
      shared,
      'WEAK|The queues have odd names',
    ),
    gamma: says(shared),
    dead: 'process.exit(9)',
  };
  const panel = (name: string, ids: readonly (keyof typeof answers)[]): string =>
    seat(
      sample,
      ids.map(id => ({ id, runner: 'command', answer: answers[id] })),
      `${name}/jury.config.yaml`,
    );
  const ask = (config: string, ...more: readonly string[]) =>
    jury(sample.root, ['ask', 'What about the plan?', '--config', config, ...more]);
  let whole: string;
  let dead: string;
  beforeAll(() => {
    whole = panel('whole', ['alpha', 'beta', 'gamma']);
    dead = panel('dead', ['alpha', 'beta', 'dead']);
  });

  it('so every report says how many answered it, and nothing of a gate', () => {
    const reports = ['brief', 'terminal', 'markdown', 'html'].map(format =>
      ask(whole, '--format', format),
    );
    for (const { code, stdout } of reports) {
      expect([code, stdout]).toEqual([0, expect.stringContaining('Answered by 3 of 3')]);
      expect(stdout.replace(/<style>[\s\S]*<\/style>/, '')).not.toMatch(
        /Gate|\bPASS\b|INCOMPLETE|null/,
      );
    }
    const { code, record } = juryJson(sample.root, [
      'ask',
      'What about the plan?',
      '--config',
      whole,
    ]);
    expect([code, record.outcome, record.reused]).toEqual([0, null, true]);
    expect(jury(sample.root, ['runs']).stdout).toContain('ANSWERED');
    expect(jury(sample.root, ['show', 'latest']).stdout).not.toMatch(/\bPASS\b|null/);
    const synthesis = readFileSync(
      path.join(sample.root, '.jury/runs', record.run, 'reviews/synthesis.md'),
      'utf8',
    );
    expect(synthesis).toContain('**Gate**: none. Answered by 3 of 3');
  });

  it('and its brief counts the tiers, names the place of every issue that has one, and who failed and why', () => {
    const { stdout } = ask(whole);
    expect(stdout).toContain('found 1 High Priority issue (Medium: 1, Consider: 1)');
    expect(stdout).toMatch(/^High Priority - All agree \(1\):\n- \[STRONG\] There is no way back/m);
    expect(stdout).toMatch(
      /^Medium Priority - Majority \(1\):\n- \[STRONG\] docs\/plan\.md:12 Backups .* — alpha, beta \(2\/3\) c-/m,
    );
    expect(stdout).toMatch(/^Consider - One reviewer \(1\):\n- \[WEAK\] The queues/m);
    const { code, stdout: half } = ask(dead);
    expect(code).toBe(0);
    expect(half).toContain('found 2 High Priority issues');
    expect(half).toContain('Answered by 2 of 3: dead ✗ (error (exit 9))');
  });

  it('but too few answers are no answer', () => {
    const { code, stdout } = ask(panel('few', ['dead']));
    expect(code).toBe(2);
    expect(stdout).toContain('Gate: INCOMPLETE');
    expect(stdout).toContain('Answered by 0 of 1: dead ✗ (error (exit 9))');
    expect(stdout).not.toContain('High Priority');
  });

  it('and the gates of a commit do not judge it', () => {
    const { record } = juryJson(sample.root, ['ask', 'What about the plan?', '--config', whole]);
    const { code, stdout, stderr } = jury(sample.root, ['gates', '--run', record.run]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('is an answered question');
  });

  it('and a long answer stays within fifteen lines', () => {
    const many = Array.from(
      { length: 40 },
      (_, index) =>
        `MODERATE|docs/part-${index}.md:${index + 1}|${'Something of its own. '.repeat(20)}${index}`,
    );
    const config = seat(
      sample,
      ['one', 'two'].map(id => ({ id, runner: 'command' as const, answer: says(...many) })),
      'long/jury.config.yaml',
    );
    const { stdout } = ask(config);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(stdout.length).toBeLessThan(4_000);
    expect(stdout).toMatch(/\(\d+, the first 6\):/);
    expect(stdout).toContain('docs/part-0.md:1');
  });
});

it('a reviewer with a persona of its own is asked as that one', () => {
  const sample = createSampleRepository();
  const config = seat(sample, [
    { id: 'own', answer: says('None'), persona: './own.md' },
    { id: 'named', answer: says('None'), persona: 'feasibility-reviewer' },
  ]);
  sample.write(
    '../panel/own.md',
    '---\nname: own\nrole: general\nfocus: everything\n---\nYou are the only one who knows the harbour.\n',
  );
  const { record } = juryJson(sample.root, ['ask', 'Where do we land?', '--config', config], {
    environment,
  });
  expect(record.reviewers.map(({ persona }) => persona)).toEqual(['own', 'feasibility-reviewer']);
  expect(toldTo('own', config)).toContain('the only one who knows the harbour');
});

describe('multi-consensus', () => {
  const script = fileURLToPath(new URL('../../dist/cli/multi-consensus.js', import.meta.url));
  interface Report {
    readonly reviewers: readonly {
      readonly name: string;
      readonly status: string;
      readonly findings: readonly unknown[] | number;
      readonly unparsed: readonly string[];
    }[];
    readonly claims: readonly { readonly support: number }[];
  }

  it.each([
    ...questions.map(({ mode, lines, prompt }) => ({
      mode: mode === 'general' ? 'general-prompt' : mode,
      lines,
      args: [`--prompt=${prompt}`, '--context=It runs in one place.'],
    })),
    {
      mode: 'code-review',
      lines: ['SUGGESTION|src/sum.js:2|Say what is summed up'],
      args: ['--base-sha=HEAD~1', '--head-sha=HEAD'],
    },
  ])('completes with all three in mode $mode', ({ mode, lines, args }) => {
    const sample = createChangedRepository();
    const config = seat(
      sample,
      ['claude', 'gemini', 'codex'].map(id => ({ id, answer: says(...lines) })),
      'jury.config.yaml',
    );
    const { code, stdout } = jury(sample.root, [`--mode=${mode}`, ...args, '--json'], {
      program: script,
      environment,
    });
    const { reviewers, claims } = JSON.parse(stdout) as Report;
    expect([code, reviewers.map(({ name, status, unparsed }) => [name, status, unparsed])]).toEqual(
      [0, ['Claude', 'Gemini', 'Codex'].map(name => [name, 'ok', []])],
    );
    expect(claims.map(({ support }) => support)).toEqual(mode === 'verification' ? [] : [3]);
    expect(existsSync(path.join(path.dirname(config), 'claude.mjs.seen'))).toBe(true);
    if (mode === 'code-review') expect(toldTo('claude', config)).toMatch(speaksOfReviews);
    else expect(toldTo('claude', config)).not.toMatch(speaksOfReviews);
  });
});
