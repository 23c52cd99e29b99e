/**
 * What reviewers write stands on disk and is counted as what it is: tokens of the file and not of the line that points to it,
 * places as the person named the document, and research with its sources, its confidence and its gaps.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury, juryJson, lastRun, writePanel } from '../cli/jury.ts';

const plan =
  '# Plan\n\nOne.\n\n## Coupons\n\nA coupon lowers the total.\nIt never expires.\n\n## Storage\n\nIn memory.\n';

function createPlan(name = 'docs/plan.md'): SampleRepository {
  const sample = createSampleRepository();
  sample.write(name, plan);
  sample.write('src/sum.js', 'export const sum = 1;\n');
  sample.commit('one');
  return sample;
}

/** Writes the file it is told to write, and says so. */
function writesFile(text: string): string {
  return (
    `const file = /Write ALL findings to \`(.*)\`/.exec(prompt)[1]; ` +
    `fs.mkdirSync(file.replace(/[^/]*$/, ''), { recursive: true }); fs.writeFileSync(file, ` +
    `${JSON.stringify(text)}); console.log('Findings written to ' + file);`
  );
}

function index(entries: readonly string[], issues: readonly string[] = [], filler = ''): string {
  return [
    '### Findings Index',
    ...entries,
    'Verdict: needs-changes',
    '### Summary',
    'The plan forgets the end.',
    '### Issues Found',
    ...issues,
    filler,
    '<!-- jury:complete -->',
    '',
  ].join('\n');
}

function read(sample: SampleRepository, name: string): string {
  return readFileSync(path.join(lastRun(sample), name), 'utf8');
}

const readJson = (sample: SampleRepository, name: string): Record<string, unknown> =>
  JSON.parse(read(sample, name)) as Record<string, unknown>;

const issues = (named: string): readonly string[] => [
  `1. **A-1** (P1): ${named}:8 says that it never expires.`,
  '2. **A-2** (P2): Nothing is written anywhere.',
  '3. **A-3** (P3): Backups are missing.',
];

const answer = (findings: readonly string[], confidence: string, gaps: string): string =>
  `console.log(${JSON.stringify(
    [
      '### Sources',
      '- internal | S1 | Decision record 7 | docs/decisions/7.md',
      '- official | S2 | Manual of the queue | https://queue.example/manual',
      '### Findings',
      ...findings,
      '### Confidence',
      confidence,
      '### Gaps',
      gaps,
    ].join('\n'),
  )});`;

const ask = (...scripts: readonly string[]): readonly [SampleRepository, readonly string[]] => {
  const sample = createPlan();
  const config = writePanel(
    sample,
    scripts.map((script, number) => ({ id: `agent-${number + 1}`, script })),
  );
  return [sample, ['research', 'How long does the queue keep messages?', '--config', config]];
};

describe('tokens', () => {
  const entry = ['- P1 | A-1 | "Coupons" | A coupon can be used for ever'];
  const filler = 'A sentence that explains the matter at length. '.repeat(400);

  it('of a reviewer that writes its file are those of the file', () => {
    const sample = createPlan();
    const text = index(entry, [], filler);
    const config = writePanel(sample, [
      { id: 'writer', script: writesFile(text) },
      { id: 'talker', script: `console.log(${JSON.stringify(text)});` },
    ]);
    jury(sample.root, ['document', 'docs/plan.md', '--config', config]);
    const spent = ['writer', 'talker'].map(id =>
      Number(readJson(sample, `verdicts/${id}.json`)['tokens_spent']),
    );
    const [writer = 0, talker = 0] = spent;
    expect(writer).toBeGreaterThan(text.length / 4);
    expect(Math.abs(writer - talker)).toBeLessThan(100);
    expect(readJson(sample, 'run.json')['reviewer_tokens']).toBe(writer + talker);
    expect(jury(sample.root, ['verdicts', '--run', 'latest', '--tokens']).stdout).toBe(
      `${writer + talker}\n`,
    );
  });

  it('cost what the price of the reviewer says, those of its file too', () => {
    const sample = createPlan();
    const text = index(entry, [], filler);
    const config = writePanel(sample, [
      {
        id: 'writer',
        script: writesFile(text),
        settings: 'price: { input: 0, output: 1000000 }',
      },
    ]);
    const { record } = juryJson(sample.root, ['document', 'docs/plan.md', '--config', config]);
    expect(record.usage.cost).toBe(record.reviewers[0]?.tokens.output);
    expect(record.usage.cost).toBeGreaterThan(text.length / 4);
  });
});

describe('places in a document', () => {
  const entries = [
    '- P1 | A-1 | "Coupons" | A coupon can be used for ever',
    '- P2 | A-2 | "Storage" | Memory is lost with the process',
    '- P3 | A-3 | "Storage" | plan.md:12 says nothing about backups',
  ];
  /** The places of. */
  const placesIn = (
    sample: SampleRepository,
    named: string,
    said: string,
  ): readonly (string | null)[] => {
    const config = writePanel(sample, [
      { id: 'alpha', script: `console.log(${JSON.stringify(index(entries, issues(said)))});` },
    ]);
    const { record } = juryJson(sample.root, ['document', named, '--config', config]);
    return record.claims
      .toSorted((one, other) =>
        (one.findings[0]?.id ?? '').localeCompare(other.findings[0]?.id ?? ''),
      )
      .map(({ location }) => location && `${location.path}:${location.line ?? ''}`);
  };

  it.each([
    ['docs/plan.md', 'docs/plan.md'],
    ['./docs/plan.md', 'docs/plan.md'],
    ['docs/plan.md', './docs/plan.md'],
    ['docs/plan.md', 'plan.md'],
    ['docs', 'docs/plan.md'],
    ['docs/', 'plan.md'],
  ])('named as %s by the person and as %s by the reviewer', (named, said) => {
    expect(placesIn(createPlan(), named, said)).toEqual([
      'docs/plan.md:8',
      'docs/plan.md:10',
      'docs/plan.md:12',
    ]);
  });

  it('named by its whole path are those from where the person stands', () => {
    const sample = createPlan();
    expect(placesIn(sample, path.join(sample.root, 'docs/plan.md'), 'docs/plan.md')[0]).toBe(
      'docs/plan.md:8',
    );
  });

  it('of two files of one name in a folder are told apart', () => {
    const sample = createPlan();
    sample.write('docs/old/plan.md', '# Old\n\nNothing.\n');
    expect(placesIn(sample, 'docs', 'plan.md')[0]).toBe('docs/plan.md:8');
    expect(placesIn(sample, 'docs', 'docs/plan.md')[0]).toBe('docs/plan.md:8');
  });

  it('stand in the brief', () => {
    const sample = createPlan();
    placesIn(sample, 'docs/plan.md', 'docs/plan.md');
    const config = path.join(sample.root, '../panel/jury.config.yaml');
    const { stdout } = jury(sample.root, ['document', 'docs/plan.md', '--config', config]);
    expect(stdout).toContain('docs/plan.md:8');
  });

  it('do not take a rule about files from them', () => {
    const sample = createPlan('docs/private/plan.md');
    for (const named of ['docs/private/plan.md', 'docs', './docs/private']) {
      const config = writePanel(
        sample,
        [{ id: 'alpha', script: "fs.writeFileSync('asked', prompt); console.log('None');" }],
        'egress: [{ files: [docs/private/**], to: never }]\n',
      );
      const { record } = juryJson(sample.root, ['document', named, '--config', config]);
      expect(record.reviewers.map(({ cause }) => cause)).toEqual(['egress']);
    }
  });
});

describe('research', () => {
  const findings = [
    '- F1 | The queue keeps messages for seven days | S1',
    '- F2 | A message may be delivered twice | S2',
  ];
  const complete = answer(findings, 'high: both say so', 'None');
  const partial = answer(findings, 'low', '- Nobody measured the throughput');

  it('is complete with one complete answer, whoever else answered in part', () => {
    const [sample, words] = ask(complete, partial);
    const { code, stdout } = jury(sample.root, words);
    expect([code, /^Status: .*$/m.exec(stdout)?.[0]]).toEqual([0, 'Status: COMPLETE']);
    expect(stdout).toContain('Agents: 1/2 complete, 1 partial');
  });

  it('is not without one, and says why', () => {
    for (const scripts of [[partial, partial], [partial, 'process.exit(1)'], ['process.exit(1)']]) {
      const [sample, words] = ask(...scripts);
      const { code, stdout } = jury(sample.root, words);
      expect(code).toBe(2);
      expect(stdout).toMatch(/^Status: (?:PARTIAL|FAILED) — ./m);
    }
  });

  it('that lacks somebody who had to answer is no success, and its one line says so', () => {
    const [sample, words] = ask(complete, partial);
    const { code, stdout } = jury(sample.root, [...words, '--require', 'agent-2']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Status: COMPLETE — Required reviewer agent-2 did not complete/m);
    expect(jury(sample.root, [...words, '--quorum', '2']).code).toBe(2);
  });

  it('has the statuses of research in verdict files, tables and counts', () => {
    const [sample, words] = ask(complete, partial, 'process.exit(1)');
    jury(sample.root, words);
    const statuses = ['COMPLETE', 'PARTIAL', 'FAILED'];
    expect(
      [1, 2, 3].map(number => readJson(sample, `verdicts/agent-${number}.json`)['status']),
    ).toEqual(statuses);
    const synthesis = read(sample, 'reviews/synthesis.md');
    expect(
      statuses.map((status, at) => synthesis.includes(`| agent-${at + 1} | ${status} |`)),
    ).toEqual([true, true, true]);
    const verdicts = (...flags: readonly string[]): string =>
      jury(sample.root, ['verdicts', '--run', 'latest', ...flags]).stdout;
    expect(verdicts('--counts')).toBe('1 COMPLETE, 1 PARTIAL, 1 FAILED\n');
    expect(verdicts('--attention')).not.toContain('agent-1');
  });

  it('has a synthesis with sources, confidence and gaps, and nothing to mend', () => {
    const [sample, words] = ask(complete, partial);
    jury(sample.root, words);
    const synthesis = read(sample, 'reviews/synthesis.md');
    expect(synthesis.match(/^#{2,3} .*/gm)).toEqual([
      '## Synthesis Report',
      '### Verdict Summary',
      '### Answer',
      '### Sources',
      '### Confidence',
      '### Gaps',
      '### Conflicts',
      '### Files',
    ]);
    expect(synthesis).toContain('| internal | Decision record 7 | docs/decisions/7.md |');
    expect(synthesis).toContain('- agent-1: high');
    expect(synthesis).toContain('- agent-2: low');
    expect(synthesis).toContain('- Nobody measured the throughput (agent-2)');
    expect(synthesis).toMatch(
      /keep(?:s)? messages for seven days — agent-1, agent-2 \(2\/2\); sources S1/,
    );
    expect(synthesis).not.toMatch(/- \[ \]|\bP3\b.*—/);
  });

  it('loses no finding that begins with its source', () => {
    const [sample, words] = ask(
      answer(
        ['- [S1] The queue keeps messages for seven days', '- [S2] Twice is possible'],
        'high',
        'None',
      ),
    );
    const { record } = juryJson(sample.root, words);
    expect(record.claims.map(({ text }) => text)).toEqual([
      '[S1] The queue keeps messages for seven days',
      '[S2] Twice is possible',
    ]);
  });

  it('is told where an agent can read it: in the copy of the project', () => {
    const [sample, words] = ask(complete);
    const report = /^Report: (.*)$/m.exec(jury(sample.root, words).stdout)?.[1] ?? '';
    expect(path.relative(sample.root, report)).toMatch(/^\.jury\/runs\//);
    expect(readFileSync(report, 'utf8')).toContain('### Sources');
  });
});
