import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSampleRepository } from '../adapters/git/sample-repository.ts';
import { jury, juryJson, lastRun, writePanel } from './jury.ts';

const design = '# Design\n\n## 1. Goals\n\nFast.\n\n## 2. Storage\n\nTokens are kept.\n';

function answer(lines: readonly string[], verdict: string) {
  return `console.log(${JSON.stringify(['### Findings Index', ...lines, `Verdict: ${verdict}`, '### Summary', 'Read.', '### Issues Found', '### Improvements', '1. Add a diagram'].join('\n'))});`;
}

const grave = answer(
  [
    '- P1 | A-1 | "Storage" | Tokens are stored without expiry',
    '- P3 | A-2 | "Goals" | Goal of speed is vague',
  ],
  'needs-changes',
);
const graver = answer(
  ['- P0 | B-1 | "2. Storage" | Tokens are stored without any expiry'],
  'risky',
);
const calm = answer([], 'safe');

function createDocument(files: Readonly<Record<string, string>> = { 'design.md': design }) {
  const sample = createSampleRepository();
  for (const [name, text] of Object.entries(files)) sample.write(name, text);
  return sample;
}

describe('jury document', () => {
  it('returns the lines of the contract, and the ids lead on', () => {
    const sample = createDocument();
    const config = writePanel(sample, [
      { id: 'alpha', script: grave },
      { id: 'beta', script: graver },
      { id: 'gamma', script: 'process.exit(1)' },
    ]);
    const { code, stdout } = jury(sample.root, ['document', 'design.md', '--config', config]);
    const folder = lastRun(sample);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'Protocol: 1.0',
      `Run: ${path.basename(folder)} (document)`,
      'Validation: 2/3 agents valid, 1 failed',
      'Verdict: risky',
      'Gate: FAIL',
      expect.stringMatching(/^Reason: c-[0-9a-f]{10} is critical/),
      'P0: 1 | P1: 0 | P2: 0 | P3: 1 | IMP: 1',
      'Conflicts: 1',
      'Top findings:',
      '- [P0] design.md:7 Tokens are stored without any expiry — alpha, beta (2/2) alpha/A-1',
      '- [P3] design.md:3 Goal of speed is vague — alpha (1/2) alpha/A-2',
      'Attention: alpha, beta, gamma',
      `Report: ${sample.root}/.jury/runs/${path.basename(folder)}/reviews/synthesis.md`,
    ]);
    for (const id of ['A-2', 'alpha/A-2'])
      expect(jury(sample.root, ['show', 'latest', id]).stdout).toContain('Goal of speed is vague');
    expect(jury(sample.root, ['show', 'latest', 'alpha/A-2']).stdout).not.toContain('Tokens');
    expect(jury(sample.root, ['show', 'latest', 'beta']).stdout).toContain('without any expiry');
    expect(jury(sample.root, ['ground', `${folder}/reviews`, '--strict'])).toMatchObject({
      code: 0,
      stdout:
        'grounding: OK — 2 synthesized findings verified against agent indexes (0 foreign files skipped)\n',
    });
  });

  it('makes places of sections and keeps findings, synthesis and summary on disk', () => {
    const sample = createDocument();
    const config = writePanel(sample, [
      { id: 'alpha', script: grave },
      { id: 'beta', script: graver },
    ]);
    const { record } = juryJson(sample.root, ['doc-review', 'design.md', '--config', config]);
    expect(record.claims[0]?.location).toMatchObject({ path: 'design.md', line: 7 });
    expect(record).toMatchObject({
      command: 'document',
      subject: { kind: 'document', source: 'file', files: 1 },
      coverage: { files: [{ path: 'design.md', by: ['alpha', 'beta'] }] },
    });
    const folder = lastRun(sample);
    const merged = JSON.parse(readFileSync(path.join(folder, 'reviews/findings.json'), 'utf8')) as {
      findings: unknown[];
    };
    expect(merged).toMatchObject({
      process: 'document',
      input: 'design.md',
      input_type: 'document',
      verdict: 'risky',
      gate: { result: 'FAIL' },
      early_stop: false,
      improvements: [{ title: 'Add a diagram', agents: ['alpha', 'beta'], convergence: 2 }],
    });
    expect(merged.findings[0]).toMatchObject({
      severity: 'P0',
      severity_conflict: { alpha: 'P1', beta: 'P0' },
      convergence: 2,
      convergence_of: 2,
      confidence: 'medium',
      file: 'design.md',
      line: 7,
    });
    const synthesis = readFileSync(path.join(folder, 'reviews/synthesis.md'), 'utf8');
    expect(synthesis.match(/^#{2,3} .*/gm)).toEqual([
      '## Synthesis Report',
      '### Verdict Summary',
      '### Findings',
      '### Issues to Address',
      '### Improvements',
      '### Section Heat Map',
      '### Conflicts',
      '### Files',
    ]);
    expect(synthesis).toContain('| Storage | 1 | 0 | 0 | 0 | 2 |');
    expect(JSON.parse(readFileSync(path.join(folder, 'grounding.json'), 'utf8'))).toMatchObject({
      status: 'ok',
      checked: 2,
    });
    expect(readFileSync(path.join(folder, 'reviews/summary.txt'), 'utf8')).toContain('Gate: FAIL');
  });

  it('takes the file of a reviewer that writes it itself, and nothing of an earlier round', () => {
    const sample = createDocument();
    const config = writePanel(sample, [
      {
        id: 'alpha',
        script: `const file = /Write ALL findings to \`(.*)\`/.exec(prompt)[1]; fs.mkdirSync(file.replace(/[^/]*$/, ''), { recursive: true }); fs.writeFileSync(file, '### Findings Index\\n- P2 | W-1 | "Goals" | Written to the file\\nVerdict: safe\\n<!-- jury:complete -->\\n'); console.log('Findings written to ' + file);`,
      },
      { id: 'beta', script: `console.log('Findings written to /nowhere/beta.md');` },
    ]);
    const { record } = juryJson(sample.root, ['document', 'design.md', '--config', config]);
    expect(record.claims.map(({ text }) => text)).toEqual(['Written to the file']);
    expect(record.reviewers.map(({ status }) => status)).toEqual(['complete', 'failed']);
  });

  it('asks about a long document in parts and reads all of it', () => {
    const text = Array.from(
      { length: 60 },
      (_, index) => `# Part ${index}\n\n${'word '.repeat(200)}\n`,
    ).join('\n');
    const sample = createDocument({ 'long.md': text });
    const config = writePanel(sample, [
      {
        id: 'alpha',
        script: `const part = /Part:\\*\\* (\\d+) of (\\d+)/.exec(prompt); console.log('### Findings Index\\n- P2 | F1 | "Part ' + (part[1] * 1) + '" | Problem number ' + 'abcdefghij'[part[1]].repeat(6) + ' of this part\\nVerdict: safe');`,
        settings: 'maxPromptBytes: 20000',
      },
    ]);
    const { record } = juryJson(sample.root, ['document', 'long.md', '--config', config]);
    const parts = record.usage.calls;
    expect(parts).toBeGreaterThan(3);
    expect(
      record.claims
        .flatMap(({ findings }) => findings.map(({ originalId }) => originalId))
        .toSorted(),
    ).toEqual(
      ['F1', ...Array.from({ length: parts - 1 }, (_, index) => `F1#${index + 2}`)].toSorted(),
    );
    expect(record).toMatchObject({
      outcome: 'PASS',
      coverage: { bytes: Buffer.byteLength(text), accounted: Buffer.byteLength(text) },
    });
  });

  it('does not pass when a part was read by nobody', () => {
    const sample = createDocument({
      'long.md': `# One\n\n${'word '.repeat(3_000)}\n\n# Two\n\n${'word '.repeat(3_000)}\n`,
    });
    const config = writePanel(sample, [
      {
        id: 'alpha',
        script: `if (prompt.includes('# Two')) process.exit(3); ${calm}`,
        settings: 'maxPromptBytes: 24000',
      },
    ]);
    const { code, record } = juryJson(sample.root, ['document', 'long.md', '--config', config]);
    expect([code, record.outcome, record.reviewers[0]?.status]).toEqual([
      2,
      'INCOMPLETE',
      'partial',
    ]);
  });

  it('asks a later stage only for a reason, and records it', () => {
    const sample = createDocument();
    const stages = 'processes:\n  document:\n    stages: [[alpha], [beta]]\n';
    const quiet = writePanel(
      sample,
      [
        { id: 'alpha', script: calm },
        { id: 'beta', script: graver },
      ],
      stages,
    );
    const { record } = juryJson(sample.root, ['document', 'design.md', '--config', quiet]);
    expect(record).toMatchObject({
      outcome: 'PASS',
      stages: [
        { reviewers: ['alpha'], asked: true },
        { reviewers: ['beta'], asked: false },
      ],
    });
    expect(record.reviewers.map(({ id }) => id)).toEqual(['alpha']);
    expect(readFileSync(path.join(lastRun(sample), 'reviews/findings.json'), 'utf8')).toContain(
      '"early_stop": true',
    );
    expect(
      juryJson(sample.root, [
        'document',
        'design.md',
        '--config',
        quiet,
        '--all-stages',
      ]).record.reviewers.map(({ id }) => id),
    ).toEqual(['alpha', 'beta']);
    const loud = writePanel(
      sample,
      [
        { id: 'alpha', script: grave },
        { id: 'beta', script: graver },
      ],
      stages,
    );
    expect(
      juryJson(sample.root, ['document', 'design.md', '--config', loud]).record.stages?.[1],
    ).toMatchObject({ asked: true, why: 'alpha/A-1 is high' });
  });

  it('keeps what a later stage said, also when a resumed run has no reason left to ask it', () => {
    const sample = createDocument();
    const mark = path.join(sample.root, '../came-before');
    const config = writePanel(
      sample,
      [
        {
          id: 'alpha',
          settings: 'required: true',
          script: `if (!fs.existsSync('${mark}')) { fs.writeFileSync('${mark}', ''); process.exit(7); }\n${calm}`,
        },
        { id: 'beta', script: graver },
      ],
      'failOn: [majority:critical]\nprocesses:\n  document:\n    stages: [[alpha], [beta]]\n',
    );
    const words = ['document', 'design.md', '--config', config];
    const before = juryJson(sample.root, words).record;
    expect(before).toMatchObject({ outcome: 'INCOMPLETE', claims: [{ severity: 'critical' }] });
    for (const again of [['resume', before.run], words]) {
      const { record } = juryJson(sample.root, again);
      expect(record.reviewers.map(({ id, status }) => [id, status])).toEqual([
        ['alpha', 'complete'],
        ['beta', 'complete'],
      ]);
      expect(record.claims).toMatchObject([{ severity: 'critical' }]);
      expect(record.stages?.[1]).toMatchObject({ asked: true });
    }
  });

  it('reviews the Markdown files of a folder, and follows no link out of it', () => {
    const sample = createDocument({
      'docs/a.mdx': '# Alpha\n\ntext\n',
      'docs/deep/.hidden/b.markdown': '# Beta\n\ntext\n',
      'docs/code.js': 'not read',
      'docs/empty.md': '',
    });
    const config = writePanel(sample, [{ id: 'alpha', script: calm }]);
    const { record } = juryJson(sample.root, ['document', 'docs', '--config', config]);
    expect(record.coverage.files.map(file => file.path)).toEqual([
      'docs/a.mdx',
      'docs/deep/.hidden/b.markdown',
    ]);
    expect(record.subject).toMatchObject({
      source: 'directory',
      warnings: ['docs/empty.md is empty.'],
    });
  });

  it.each([
    ['a file that is not there', 'gone.md', 'there is no such file'],
    ['an empty file', 'empty.md', 'is empty: there is nothing to review'],
    ['a binary', 'binary.md', 'is no text in UTF-8'],
    ['a folder without Markdown', 'code', 'holds no Markdown file with text'],
  ])('refuses %s before anybody is asked', (_what, name, sentence) => {
    const sample = createDocument({ 'empty.md': ' \n', 'binary.md': 'a\0b', 'code/a.js': '' });
    const { code, stderr } = jury(sample.root, [
      'document',
      name,
      '--config',
      writePanel(sample, [{ id: 'alpha', script: calm }]),
    ]);
    expect([code, stderr.includes(sentence)]).toEqual([2, true]);
    expect(existsSync(path.join(sample.root, '.jury'))).toBe(false);
  });
});
