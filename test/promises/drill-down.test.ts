/**
 * Every id that any text of a run prints opens exactly what it stands beside, with all that was said about it, whoever wrote it
 * in whatever form.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, writePanel } from '../cli/jury.ts';
import { connect } from '../mcp/connect.ts';
import { runsOf } from '../state-of.ts';

/** What is printed must need no quotes in a shell and be no comment there. */
const typable = /^[a-z0-9-]+(?:\/[A-Za-z0-9-]+)?$/;

const says = (id: string, ...lines: readonly string[]): { id: string; script: string } => ({
  id,
  script: `console.log(${JSON.stringify(lines.join('\n'))});`,
});

/** Three who say the same in three forms, each with more that nobody else says; ids as reviewers choose them. */
const panel = [
  says(
    'lines',
    'HIGH|src/sum.js:2|The sum of an empty list throws',
    'PARAGRAPH-LINES reduce has no initial value.',
    'LOW|src/sum.js:1|ALONE-LINES the arrow became a function',
    'VERDICT: needs-changes',
  ),
  says(
    'index',
    '### Findings Index',
    '- P1 | D_1 | "Sum" | The sum of an empty list throws | src/sum.js:2',
    '- P2 | D.2 | "Sum" | ALONE-INDEX the file has no header',
    '- IMP | I.1 | "Sum" | ALONE-IMPROVEMENT add a test',
    'Verdict: needs-changes',
    '### Summary',
    'Two things.',
    '### Issues Found',
    '1. **D_1** (P1): PARAGRAPH-INDEX reduce is given no start. Recommendation: ADVICE-INDEX start at 0.',
    '2. **D.2** (P2): PARAGRAPH-HEADER nothing says what it is for.',
    '### Improvements',
  ),
  says(
    'json',
    JSON.stringify({
      agent: 'json',
      findings: [
        {
          id: 'F 1',
          severity: 'HIGH',
          file: 'src/sum.js',
          line: 2,
          issue: 'The sum of an empty list throws',
          evidence: 'PARAGRAPH-JSON reduce of nothing',
          recommendation: 'ADVICE-JSON pass 0',
          exploit_path: 'FURTHER-JSON an empty cart',
        },
      ],
      verdict: 'WARN',
      files_reviewed: ['src/sum.js'],
    }),
  ),
];

const everyWord = [
  'PARAGRAPH-LINES',
  'PARAGRAPH-INDEX',
  'ADVICE-INDEX',
  'PARAGRAPH-JSON',
  'ADVICE-JSON',
  'FURTHER-JSON',
];

/** Ids as texts print them: of claims, and `reviewer/id` of those on the panel. */
function idsIn(text: string, reviewers: readonly string[]): string[] {
  const pattern = new RegExp(
    `\\bc-[0-9a-f]{6,10}\\b|(?<![\\w/.-])(?:${reviewers.join('|')})/[^\\s\`,:;)<"]+`,
    'g',
  );
  return [...new Set([...text.matchAll(pattern)].map(([id]) => id))];
}

function file(sample: SampleRepository, run: string, name: string): string {
  return readFileSync(path.join(runsOf(sample.root), run, name), 'utf8');
}

describe('every id that is printed', () => {
  let sample: SampleRepository;
  let run: string;
  const texts = new Map<string, string>();

  beforeAll(() => {
    sample = createChangedRepository();
    const config = writePanel(sample, panel);
    run = juryJson(sample.root, ['review', '--config', config]).record.run;
    for (const format of ['brief', 'terminal', 'markdown'])
      texts.set(format, jury(sample.root, ['report', run, '--format', format]).stdout);
    for (const { id } of panel)
      texts.set(id, jury(sample.root, ['show', run, id, '--full']).stdout);
    texts.set('explain', jury(sample.root, ['explain', '1']).stdout);
    texts.set('synthesis', file(sample, run, 'reviews/synthesis.md'));
    texts.set('page', file(sample, run, 'report.md'));
  });

  it('needs no quotes in a shell and opens one thing, for people and for agents', async () => {
    const client = await connect('2.x as of 2025', { cwd: sample.root });
    try {
      const ids = new Set<string>();
      for (const [name, text] of texts) {
        // What a reviewer wrote is its own.
        const ours = text.split(/^The whole answer$/m)[0] ?? '';
        const found = idsIn(
          ours,
          panel.map(({ id }) => id),
        ).filter(id => !/\.(?:md|json)$/.test(id));
        expect(found.length, name).toBeGreaterThan(0);
        for (const id of found) ids.add(id);
      }
      for (const id of ids) {
        expect(id).toMatch(typable);
        const { code, stdout } = jury(sample.root, ['show', run, id]);
        expect([id, code]).toEqual([id, 0]);
        expect(stdout).toContain(run);
        expect((await client.call('show', { run, id })).isError, id).toBe(false);
      }
      // Three who agree in one claim, what each says alone, and what was improved.
      expect(ids.size).toBeGreaterThanOrEqual(9);
    } finally {
      await client.close();
    }
  });

  it('shows every wording of a claim with who said it, the lines that are meant and all that stands behind them', () => {
    for (const id of ['1', 'lines/1', 'index/D-1', 'json/F-1']) {
      const { stdout } = jury(sample.root, ['show', run, id]);
      for (const word of everyWord) expect(stdout, id).toContain(word);
      for (const each of ['lines/1', 'index/D-1', 'json/F-1']) expect(stdout, id).toContain(each);
      expect(stdout, id).toMatch(/^> 2 \| .*reduce/m);
      expect(stdout, id).not.toContain('ALONE');
    }
    expect(jury(sample.root, ['show', run, 'index/D-2']).stdout).toMatch(
      /ALONE-INDEX[^]*PARAGRAPH-HEADER/,
    );
    expect(jury(sample.root, ['show', run, 'index/I-1']).stdout).toContain('ALONE-IMPROVEMENT');
  });

  it('has the whole answer behind it, for who asks for everything', () => {
    for (const id of ['index', 'index/D-2', 'index/I-1']) {
      expect(jury(sample.root, ['show', run, id]).stdout).not.toContain('### Findings Index');
      expect(jury(sample.root, ['show', run, id, '--full']).stdout).toContain('### Findings Index');
    }
  });

  it('that is no claim is refused in one sentence where claims are decided about', () => {
    for (const words of [['accept'], ['dismiss', '--reason', 'x'], ['explain']]) {
      const [command = '', ...more] = words;
      const { code, stderr } = jury(sample.root, [command, 'index/I-1', ...more]);
      expect([command, code]).toEqual([command, 2]);
      expect(stderr).toContain(`jury show ${run} index/I-1`);
    }
  });
});

describe('what a run says of itself and of earlier runs', () => {
  it('is opened by its id: a secret the engine found, a claim that is fixed, a finding that was set aside', () => {
    const sample = createSampleRepository();
    sample.write('src/list.js', 'export const first = list => list[0];\n');
    sample.commit('one');
    sample.write('src/list.js', 'export const first = list => list[0].name;\n');
    sample.commit('two');
    const key = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
    const config = writePanel(sample, [
      says(
        'alpha',
        'HIGH|src/list.js:1|The first of an empty list has no name',
        'PARAGRAPH-OLD it is undefined.',
        'VERDICT: needs-changes',
      ),
    ]);
    const before = juryJson(sample.root, ['review', '--config', config]).record;
    const [old] = before.claims;
    sample.write(
      'src/list.js',
      `export const first = list => list[0]?.name;\nexport const key = '${key}';\n`,
    );
    sample.write('docs/plans/next.md', '# Next\n\nSomething.\n');
    sample.commit('three');
    writePanel(sample, [
      says('alpha', 'LOW|docs/plans/next.md:3|ASIDE the plan says nothing', 'VERDICT: safe'),
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    const text = jury(sample.root, ['report', record.run, '--format', 'terminal']).stdout;
    expect(record.fixed.map(({ id }) => id)).toEqual([old?.id]);
    const engine = /\bengine\/1\b/.exec(text)?.[0] ?? 'none';
    expect(jury(sample.root, ['report', record.run, '--format', 'brief']).stdout).toContain(engine);
    const shown = (id: string): string => {
      expect(text).toContain(id);
      return jury(sample.root, ['show', id]).stdout;
    };
    expect(shown(engine)).toMatch(/src\/list\.js:2[^]*secret/);
    expect(shown(engine)).not.toContain(key);
    const fixed = shown(old?.id ?? '');
    for (const part of ['fixed', 'PARAGRAPH-OLD', before.run, record.run])
      expect(fixed).toContain(part);
    for (const { id } of record.dismissed) expect(shown(id)).toContain('ASIDE');
    const refused = jury(sample.root, ['dismiss', engine, '--reason', 'x']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Jury itself')]);
  });
});

describe('an id that means nothing in a run, or too much', () => {
  it('of another run is answered with the command that shows it there', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      says('alpha', 'HIGH|src/sum.js:2|The sum of an empty list throws', 'VERDICT: needs-changes'),
    ]);
    const first = juryJson(sample.root, ['review', '--config', config]).record;
    const id = first.claims[0]?.id ?? '';
    sample.write('src/other.js', 'export const other = 1;\n');
    sample.commit('three');
    writePanel(sample, [says('beta', 'None', 'VERDICT: safe')]);
    const second = juryJson(sample.root, ['review', '--config', config]).record;
    for (const words of [[id], ['latest', id], [second.run, 'alpha/1'], ['alpha/1']]) {
      const { code, stderr } = jury(sample.root, ['show', ...words]);
      expect([words, code]).toEqual([words, 2]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain(`jury show ${first.run} ${words.at(-1)}`);
      expect(jury(sample.root, ['show', first.run, words.at(-1) ?? '']).code).toBe(0);
    }
  });

  it('of several things names each by an id that opens it', () => {
    const sample = createChangedRepository();
    const twice = ['alpha', 'beta'].map((id, index) =>
      says(
        id,
        '### Findings Index',
        `- P2 | S-1 | "" | ${['The name is short', 'No header stands above the file'][index]}`,
        'Verdict: needs-changes',
      ),
    );
    const config = writePanel(sample, twice);
    jury(sample.root, ['review', '--config', config]);
    const { code, stderr } = jury(sample.root, ['show', 'S-1']);
    expect(code).toBe(2);
    for (const id of ['alpha/S-1', 'beta/S-1']) {
      expect(stderr).toContain(id);
      expect(jury(sample.root, ['show', id]).code).toBe(0);
    }
  });
});

describe('a decision about a claim', () => {
  it('says the run and the claim before it is written, also when the claim is of an earlier run', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      says('alpha', 'HIGH|src/sum.js:2|The sum of an empty list throws', 'VERDICT: needs-changes'),
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    const [claim] = record.claims;
    const told = jury(sample.root, ['dismiss', '1', '--reason', 'never empty']);
    const [first = '', second = '', third = ''] = told.stdout.split('\n');
    for (const part of [record.run, 'number 1', claim?.id ?? '', 'src/sum.js:2'])
      expect(first).toContain(part);
    expect(second).toContain('The sum of an empty list throws');
    expect(third).toMatch(/^Dismissed/);
    const printed = jury(sample.root, ['accept', '1', '--json']);
    expect(JSON.parse(printed.stdout)).toMatchObject({ claim: claim?.id, verdict: 'accepted' });
    expect(printed.stderr).toContain(record.run);
    sample.write('src/other.js', 'export const other = 1;\n');
    sample.commit('three');
    writePanel(sample, [says('beta', 'None', 'VERDICT: safe')]);
    expect(juryJson(sample.root, ['review', '--config', config]).record.run).not.toBe(record.run);
    expect(jury(sample.root, ['accept', claim?.id ?? '']).stdout).toContain(
      `Of an earlier run, ${record.run}`,
    );
    expect(jury(sample.root, ['accept', '1'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a quorum that the panel can never meet', () => {
  it('is refused before anybody is asked', () => {
    const sample = createChangedRepository();
    const asked = path.join(sample.root, '../asked');
    const config = writePanel(sample, [
      { id: 'alpha', script: `fs.writeFileSync(${JSON.stringify(asked)}, 'x');` },
    ]);
    const { code, stderr, stdout } = jury(sample.root, [
      'review',
      '--config',
      config,
      '--quorum',
      '9',
    ]);
    expect([code, stdout, existsSync(asked)]).toEqual([3, '', false]);
    expect(stderr).toContain('1 reviewer');
  });
});

describe('a dismissal', () => {
  it('of what names no line says that it does not come back by itself', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      says(
        'alpha',
        '### Findings Index',
        '- P2 | A-1 | "" | The file has no header',
        'Verdict: needs-changes',
      ),
    ]);
    jury(sample.root, ['review', '--config', config]);
    const { code, stdout } = jury(sample.root, ['dismiss', '1', '--reason', 'x']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('until somebody accepts it')]);
    expect(stdout).not.toContain('comes back');
  });
});
