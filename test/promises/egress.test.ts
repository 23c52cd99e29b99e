/** What a rule keeps from a reviewer reaches it by no way, and what a dry run prints is what is sent. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { type Ended, juryBeside } from '../cli/jury.ts';
import { type LoggedRequest, type ModelServer, startModelServer } from '../model-server.ts';

/** Stand in files that a rule names, and nowhere else. */
const canaries = {
  changed: 'canaryInternalChanged',
  around: 'canaryInternalAround',
  never: 'canaryNever',
  moved: 'canaryMoved',
} as const;

const rules = `egress:
  - { files: [secrets, '*.pem'], to: never }
  - { files: ['internal/**'], to: local }
  - { files: ['src/**'], to: [anthropic] }
`;

interface Shown {
  readonly reviewers: readonly {
    readonly id: string;
    readonly provider: string | null;
    readonly host: string | null;
    readonly isLocal: boolean;
    readonly notAsked: string | null;
    readonly files: readonly string[];
    readonly notSent: readonly { readonly path: string; readonly why: string | null }[];
    readonly questions: number;
    readonly bytes: number;
    readonly tokens: number;
  }[];
}

interface Printed {
  readonly outcome: string;
  readonly reasons: readonly string[];
  readonly coverage: {
    readonly files: readonly {
      readonly path: string;
      readonly by: readonly string[];
      readonly skippedBy: readonly { readonly reviewer: string; readonly why: string }[];
    }[];
  };
}

function createProject(): SampleRepository {
  const sample = createSampleRepository();
  sample.write('src/total.ts', 'export const total = (list: number[]) => list.length;\n');
  sample.write(
    'internal/rates.ts',
    `export const secretRate = () => '${canaries.around}'; // ${canaries.around}\n`,
  );
  sample.write('internal/terms.ts', 'export const terms = 1;\n');
  sample.write('secrets/letter.txt', `one\n${'same line\n'.repeat(20)}${canaries.moved}\n`);
  sample.write('deploy/key.pem', 'one\n');
  sample.commit('one');
  sample.write(
    'src/total.ts',
    "import { secretRate } from '../internal/rates.ts';\nexport const total = (list: number[]) => list.length + Number(secretRate());\n",
  );
  sample.write('internal/terms.ts', `export const terms = '${canaries.changed}';\n`);
  sample.write('deploy/key.pem', `${canaries.never}\n`);
  sample.git('mv', 'secrets/letter.txt', 'src/letter.txt');
  sample.write('docs/note.md', 'Everybody may read this.\n');
  sample.commit('two');
  return sample;
}

const textOf = (content: string | readonly { readonly text?: string }[] | null): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** Instructions and prompts of a request, as the model gets them. */
function messagesOf({ body }: LoggedRequest): string[] {
  const { messages = [] } = body as { messages?: { content: Parameters<typeof textOf>[0] }[] };
  return messages.map(({ content }) => textOf(content));
}

const programSeat = (id: string, settings: string): string =>
  `  - { id: ${id}, runner: command, command: [node, ./echo.mjs], isolation: { ${settings} } }\n`;

const modelOf = ({ body }: LoggedRequest): string => String((body as { model?: unknown }).model);

const findings = (about: string): string =>
  JSON.stringify({
    findings: ['one', 'two'].map(reviewer => ({
      reviewer,
      text: `It says ${canaries.changed}`,
      path: about,
      line: 1,
      severity: 'high',
    })),
  });

describe('rules of egress', () => {
  let sample: SampleRepository;
  let model: ModelServer;
  let config: string;

  beforeAll(async () => {
    sample = createProject();
    model = await startModelServer();
  });
  afterAll(() => model.close());
  beforeEach(() => {
    model.set({
      text: 'VERDICT: safe\nNone',
      plan: ['ok'],
      usage: { input: 1_234, output: 21, cached: 0 },
    });
    config = panel();
  });

  const api = (id: string, settings = ''): string =>
    `  - { id: ${id}, runner: api, model: openai-compatible/${id}, baseUrl: '${model.url}/v1'${settings} }\n`;

  /** far is asked through a gateway on this machine that hands on to a vendor; near is a model of this machine. */
  function panel(more = '', far = ', provider: anthropic'): string {
    sample.write(
      '../panel/jury.config.yaml',
      `${rules}reviewers:\n${api('far', far)}${api('near')}  - { id: check, runner: builtin, analyser: patterns }\n${more}`,
    );
    return path.join(sample.root, '../panel/jury.config.yaml');
  }

  const run = (words: readonly string[], cwd = sample.root): Promise<Ended> =>
    juryBeside(cwd, words);

  const sentTo = (id: string): string =>
    model
      .modelCalls()
      .filter(request => modelOf(request) === id)
      .flatMap(messagesOf)
      .join('\n');

  it('what a dry run lists is what is sent, to the byte, and nobody is asked for it', async () => {
    const dry = await run(['review', '--dry-run', '--json', '--config', config]);
    expect(dry.code).toBe(0);
    expect(model.requests).toHaveLength(0);
    const { reviewers } = JSON.parse(dry.stdout) as Shown;
    const before = new Map(reviewers.map(each => [each.id, each]));
    expect(before.get('far')).toMatchObject({
      provider: 'anthropic',
      host: new URL(model.url).host,
      isLocal: false,
      notAsked: null,
      files: ['docs/note.md', 'src/total.ts'],
    });
    expect(before.get('near')).toMatchObject({
      isLocal: true,
      files: ['docs/note.md', 'internal/terms.ts', 'src/total.ts'],
    });
    expect(before.get('check')).toMatchObject({ isLocal: true, bytes: 0, questions: 0 });

    await run(['review', '--config', config]);
    for (const id of ['far', 'near']) {
      const calls = model.modelCalls().filter(request => modelOf(request) === id);
      const listed = before.get(id);
      expect(calls).toHaveLength(listed?.questions ?? 0);
      expect(
        calls.flatMap(messagesOf).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      ).toBe(listed?.bytes);
      expect(listed?.tokens).toBeGreaterThan(0);
      const shown = [...sentTo(id).matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm)];
      expect(new Set(shown.map(([, file]) => file))).toEqual(new Set(listed?.files));
    }
  });

  it('and is printed for people', async () => {
    const { stdout } = await run(['review', '--dry-run', '--config', config]);
    expect(stdout).toContain(`goes to anthropic at ${new URL(model.url).host}`);
    expect(stdout).toContain('stays on this machine');
    expect(stdout).toMatch(/far: .* 2 files, \d+ bytes, \d+ tokens/);
    expect(stdout).toMatch(/sent: src\/total\.ts/);
    expect(stdout).toMatch(/not sent: internal\/terms\.ts \(egress: internal\/\*\* goes to local/);
    const plan = await run(['plan', '--json'], sample.root);
    expect(plan.code).toBe(0);
  });

  it('no text of a file travels where no rule lets it: not as a change, nor around one, nor as what it was called before', async () => {
    await run(['review', '--fresh', '--config', config]);
    expect(sentTo('far')).toContain('secretRate');
    for (const canary of Object.values(canaries)) expect(sentTo('far')).not.toContain(canary);
    expect(sentTo('far')).not.toMatch(/terms\.ts|key\.pem|letter\.txt/);
    expect(sentTo('near')).toContain(canaries.changed);
    expect(sentTo('near')).not.toContain(canaries.never);
    expect(sentTo('near')).not.toContain(canaries.moved);
  });

  it('without rules the same is sent: the control', async () => {
    sample.write('../panel/open.yaml', `reviewers:\n${api('far')}`);
    await run(['review', '--config', path.join(sample.root, '../panel/open.yaml')]);
    for (const canary of [canaries.changed, canaries.around, canaries.never])
      expect(sentTo('far')).toContain(canary);
    expect(sentTo('far')).toContain('letter.txt');
  });

  it('a file that nobody may read leaves the run INCOMPLETE, named with what can be done', async () => {
    const { code, stdout } = await run(['review', '--json', '--config', config]);
    const { outcome, reasons, coverage } = JSON.parse(stdout) as Printed;
    expect([code, outcome]).toEqual([2, 'INCOMPLETE']);
    const told = JSON.stringify(reasons);
    expect(told).toMatch(/deploy\/key\.pem was read in full by no reviewer \(egress: .*exclude it/);
    expect(told).toMatch(/src\/letter\.txt was read in full by no reviewer/);
    const terms = coverage.files.find(file => file.path === 'internal/terms.ts');
    expect(terms?.by).toContain('near');
    expect(terms?.skippedBy).toContainEqual({
      reviewer: 'far',
      why: expect.stringMatching(/^egress: /),
    });
  });

  it('tools tell nothing of it either', async () => {
    config = panel('', ', provider: anthropic, tools: true');
    const calls = [
      { name: 'read_anchor', input: { path: 'internal/terms.ts' } },
      { name: 'read_anchor', input: { path: 'internal/rates.ts' } },
      { name: 'read_anchor', input: { path: 'secrets/letter.txt', side: 'old' } },
      { name: 'read_anchor', input: { path: 'src/letter.txt' } },
      { name: 'semantic_search', input: { query: `${canaries.around} secretRate terms` } },
      { name: 'semantic_search', input: { query: canaries.moved } },
      { name: 'read_anchor', input: { path: 'src/total.ts' } },
    ];
    let number = 0;
    model.set({
      usage: { input: 10, output: 5, cached: 0 },
      plan: [...calls.map(() => 'tool' as const), 'ok'] as never,
      tool: () => calls[Math.min(number++, calls.length - 1)] ?? { name: 'x', input: {} },
    });
    sample.write(
      '../panel/one.yaml',
      `${rules}reviewers:\n${api('far', ', provider: anthropic, tools: true')}`,
    );
    await run(['review', '--fresh', '--config', path.join(sample.root, '../panel/one.yaml')]);
    const told = sentTo('far');
    expect(number).toBe(calls.length);
    expect(told).toContain('list.length + Number(secretRate())');
    // What it asked for itself is in its own words.
    const answers = model
      .modelCalls()
      .at(-1)
      ?.text.replaceAll(/"arguments":"(?:[^"\\]|\\.)*"/g, '');
    for (const canary of Object.values(canaries)) expect(answers).not.toContain(canary);
  });

  it('what a reviewer says that was shown more is put before nobody who was not', async () => {
    model.set({
      text: request => {
        const said = messagesOf(request).join('\n');
        if (said.includes('# Findings')) return '[]';
        return modelOf(request) === 'near'
          ? `CRITICAL|src/total.ts:2|The rate ${canaries.changed} is added here\nVERDICT: risky`
          : 'CRITICAL|internal/terms.ts:1|This file looks wrong\nVERDICT: risky';
      },
    });
    const { stderr } = await run(['review', '--fresh', '--deliberate', '--config', config]);
    for (const canary of Object.values(canaries)) expect(sentTo('far')).not.toContain(canary);
    expect(stderr).toMatch(/not put to the vote: by the rules of egress/);
  });

  it('who may read nothing of it is not asked, and does not count as having read', async () => {
    sample.write(
      '../panel/none.yaml',
      `egress: [{ files: ['**'], to: local }]\nquorum: 1\nreviewers:\n${api('far', ', provider: anthropic')}`,
    );
    const none = path.join(sample.root, '../panel/none.yaml');
    const { code, stdout } = await run(['review', '--json', '--config', none]);
    expect([code, model.modelCalls().length]).toEqual([2, 0]);
    expect(stdout).toContain('no file of the subject may go to it');
    const dry = await run(['review', '--dry-run', '--config', none]);
    expect(dry.stdout).toMatch(/not asked: no file of the subject may go to it/);
  });

  it('programs are held by it: one with the network that names no provider gets what no rule names', async () => {
    sample.write(
      '../panel/echo.mjs',
      "let all = '';\nprocess.stdin.on('data', text => (all += text)).on('end', () => {\n  " +
        "console.log(`IMPORTANT|src/total.ts:2|saw ${['terms.ts', 'total.ts', 'note.md'].filter(name => " +
        "all.includes(name)).join(' ')}\\nVERDICT: safe`);\n});\n",
    );
    sample.write(
      '../panel/programs.yaml',
      `${rules}reviewers:\n${programSeat('shut', 'network: false')}${programSeat('open', 'network: true')}${programSeat('bare', 'sandbox: false')}`,
    );
    const { stdout } = await run([
      'review',
      '--json',
      '--config',
      path.join(sample.root, '../panel/programs.yaml'),
    ]);
    const { claims } = JSON.parse(stdout) as {
      claims: { findings: { reviewer: string; text: string }[] }[];
    };
    const saw = Object.fromEntries(
      claims.flatMap(({ findings }) => findings.map(({ reviewer, text }) => [reviewer, text])),
    );
    expect(saw).toEqual({
      shut: 'saw terms.ts total.ts note.md',
      open: 'saw note.md',
      bare: 'saw note.md',
    });
  });

  it('a document is held by it, under the name it has in the repository', async () => {
    sample.write('internal/plan.md', `# Plan\n\n${canaries.changed}\n`);
    sample.write('docs/open.md', '# Open\n\nFor everybody.\n');
    const one = await run(['document', 'internal/plan.md', '--config', config]);
    expect(one.code).toBe(2);
    expect(sentTo('far')).toBe('');
    expect(sentTo('near')).toContain(canaries.changed);
    model.set({});
    await run(['document', '.', '--config', config], path.join(sample.root, 'internal'));
    expect(sentTo('far')).toBe('');
    model.set({});
    await run(['document', '.', '--config', config]);
    expect(sentTo('far')).toContain('For everybody.');
    expect(sentTo('far')).not.toContain(canaries.changed);
    sample.remove('internal/plan.md');
    sample.remove('docs/open.md');
  });

  it('a file that is named beside the change goes nowhere that a rule forbids', async () => {
    const { code, stderr } = await run([
      'review',
      '--plan',
      'internal/terms.ts',
      '--config',
      config,
    ]);
    expect([code, model.modelCalls().length]).toEqual([3, 0]);
    expect(stderr).toMatch(/--plan: internal\/terms\.ts would go to far: egress: /);
  });

  it('no strategy tells an endpoint what was said about it', async () => {
    sample.write(
      '../panel/llm.yaml',
      `${rules}strategy: llm\njudge: { model: anthropic/m, baseUrl: 'https://judge.example.org/v1' }\nreviewers:\n${api('near')}`,
    );
    const { code, stderr } = await run([
      'review',
      '--config',
      path.join(sample.root, '../panel/llm.yaml'),
    ]);
    expect([code, model.modelCalls().length]).toEqual([3, 0]);
    expect(stderr).toMatch(/The judge would tell judge\.example\.org/);
  });

  const judged = (): string => {
    sample.write(
      '../panel/judged.yaml',
      `${rules}strategy: llm\njudge: { model: openai-compatible/judge, baseUrl: ` +
        `'${model.url.replace('127.0.0.1', 'localhost.example')}/v1' }\nreviewers:\n${api('near')}`,
    );
    return path.join(sample.root, '../panel/judged.yaml');
  };

  describe('what was said elsewhere', () => {
    it.each([
      ['about a file that a rule names', 'internal/terms.ts', '../panel/findings.json'],
      ['in a file that a rule names', 'docs/note.md', 'internal/findings.json'],
    ])('goes to no judge: %s', async (_, about, file) => {
      sample.write(file, findings(about));
      const { code, stderr } = await run(['consensus', file, '--config', judged()]);
      expect([code, model.modelCalls().length]).toEqual([3, 0]);
      expect(stderr).toMatch(/would go to .*: egress: internal/);
      sample.remove(file);
    });

    it('goes to no judge out of a run whose reviewers were shown more', async () => {
      expect((await run(['review', '--config', config, '--format', 'brief'])).code).not.toBe(3);
      const asked = model.modelCalls().length;
      const { code, stderr } = await run(['consensus', 'latest', '--config', judged()]);
      expect([code, model.modelCalls().length]).toEqual([3, asked]);
      expect(stderr).toMatch(/would go to localhost\.example:\d+: egress: (?:internal|src)\b/);
    });

    it('is matched where nobody is asked: the control', async () => {
      sample.write('../panel/findings.json', findings('internal/terms.ts'));
      const { code } = await run(['consensus', '../panel/findings.json', '--config', config]);
      expect(code).not.toBe(3);
    });
  });

  it('motions of a session that a rule names are put to nobody it does not allow', async () => {
    const motion = {
      mega_motion_id: 'm-1',
      title: 'One',
      theme: 'Care',
      consolidated_text: canaries.changed,
      source_motion_ids: ['s-1'],
      all_supporting_archons: [],
      unique_archon_count: 0,
    };
    sample.write('internal/session/mega-motions.json', JSON.stringify([motion]));
    sample.write('internal/session/roster.json', JSON.stringify(['Ada', 'Grace']));
    const voting = (declared: string): string => {
      sample.write(
        '../panel/motions.yaml',
        `${rules}motions:\n  reviewer: { runner: api, model: openai-compatible/m, baseUrl: '${model.url}/v1'${declared} }\n`,
      );
      return path.join(sample.root, '../panel/motions.yaml');
    };
    const vote = [
      'motions',
      'internal/session',
      '--real-agent',
      '--out',
      '../panel/out',
      '--config',
    ];
    const { code, stderr } = await run([...vote, voting(', provider: anthropic')]);
    expect([code, model.modelCalls().length]).toEqual([3, 0]);
    expect(stderr).toMatch(
      /internal\/session\/mega-motions\.json would go to .*: egress: internal/,
    );
    await run([...vote, voting('')]);
    expect(model.modelCalls().flatMap(messagesOf).join('')).toContain(canaries.changed);
    sample.remove('internal/session');
  });

  it('and to no model that only motions of one risk are put to', async () => {
    const motion = { mega_motion_id: 'm-1', title: 'One', consolidated_text: canaries.changed };
    sample.write('src/session/mega-motions.json', JSON.stringify([motion]));
    sample.write('src/session/roster.json', JSON.stringify(['Ada', 'Grace']));
    sample.write(
      '../panel/models.yaml',
      `${rules}motions:\n  reviewer: { runner: api, model: anthropic/m, apiKeyEnv: PATH }\n  models: { high: google/m }\n`,
    );
    const out = [
      '--out',
      '../panel/out',
      '--config',
      path.join(sample.root, '../panel/models.yaml'),
    ];
    const { code, stderr } = await run(['motions', 'src/session', '--real-agent', ...out]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/would go to the members asked at google\/m: egress: src/);
    sample.remove('src/session');
  });

  it('a change that loosens the rules is held by those of its base', async () => {
    const hostile = createSampleRepository();
    hostile.write('jury.config.yaml', `${rules}reviewers:\n${api('far', ', provider: anthropic')}`);
    hostile.write('internal/terms.ts', 'export const terms = 1;\n');
    hostile.commit('one');
    hostile.write(
      'jury.config.yaml',
      `egress: []\nreviewers:\n${api('far', ', provider: anthropic')}`,
    );
    hostile.write('internal/terms.ts', `export const terms = '${canaries.changed}';\n`);
    hostile.write('src/a.ts', 'export const a = 1;\n');
    hostile.commit('two');
    const { code, stdout } = await run(['review', '--trust-config', '--json'], hostile.root);
    expect(code).toBe(2);
    expect(sentTo('far')).toContain('src/a.ts');
    expect(sentTo('far')).not.toContain(canaries.changed);
    expect(stdout).toMatch(/The change touches jury\.config\.yaml/);
  });

  it('context packs, which anybody may read, tell nothing of it', async () => {
    const { code } = await run(['context', '--config', config]);
    expect(code).toBe(0);
    const { stdout } = await run(['review', '--fresh', '--json', '--config', config]);
    const { run: id } = JSON.parse(stdout) as { run: string };
    const pack = readFileSync(
      path.join(sample.root, '.jury/runs', id, 'context/Reviewer.lcp.json'),
      'utf8',
    );
    expect(pack).toContain('src/total.ts');
    expect(pack).not.toMatch(/terms\.ts|rates\.ts|key\.pem|letter\.txt/);
  });

  it('a misspelt rule is refused with the nearest word', async () => {
    sample.write(
      '../panel/wrong.yaml',
      `egress: [{ files: [a], to: nevr }]\nreviewers:\n${api('near')}`,
    );
    const { code, stderr } = await run([
      'review',
      '--config',
      path.join(sample.root, '../panel/wrong.yaml'),
    ]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/egress\[0\]\.to.*Must be never, local or a list/s);
    expect(stderr).toMatch(/never/);
  });
});
