/**
 * A word of its own for how bad a thing is costs a reviewer nothing: the review stands, and the word is named. And a
 * reviewer whose review was lost all the same has no verdict anywhere: silence is not approval.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  jury,
  juryJson,
  writePanel,
  type ScriptedReviewer,
} from '../cli/jury.ts';
import { stateOf } from '../state-of.ts';
import { connect } from '../mcp/connect.ts';

type Record = ReturnType<typeof juryJson>['record'];

const says = (id: string, ...lines: readonly string[]): ScriptedReviewer => ({
  id,
  script: `console.log(${JSON.stringify(lines.join('\n'))});`,
});

function review(
  sample: SampleRepository,
  config: string,
  ...args: readonly string[]
): { readonly code: number | null; readonly record: Record } {
  return juryJson(sample.root, ['review', '--config', config, ...args]);
}

const findingsOf = (record: Record, reviewer: string): string[] =>
  record.claims
    .flatMap(({ findings }) => findings)
    .filter(finding => finding.reviewer === reviewer)
    .map(
      ({ severity, label, text, location }) =>
        `${severity} ${label} ${location === null ? '-' : `${location.path}:${location.line}`} ${text}`,
    )
    .toSorted();

describe('a label that nobody asked for', () => {
  const good = 'HIGH|src/sum.js:2|The sum of an empty list throws';
  const panel = [
    says('line', good, 'SPICY|src/sum.js:1|The name is taken'),
    says(
      'json',
      '```json',
      JSON.stringify({
        findings: [
          {
            severity: 'HIGH',
            file: 'src/sum.js',
            line: 2,
            issue: 'The sum of an empty list throws',
          },
          { severity: 'spicy', file: 'src/sum.js', line: 1, issue: 'The name is taken' },
        ],
      }),
      '```',
    ),
    says(
      'index',
      '### Findings Index',
      '- P1 | A-1 | "Code" | The sum of an empty list throws | src/sum.js:2',
      '- SPICY | A-2 | "Code" | The name is taken | src/sum.js:1',
      'Verdict: needs-changes',
    ),
    says(
      'tools',
      'BLOCKER|one',
      'MAJOR|two',
      'ERROR|three',
      'WARNING|four',
      'MINOR|five',
      'NIT|six',
      'TRIVIAL|seven',
    ),
    says('known', 'moderate|one', 'P2|two', 'Important|three', 'SUGGESTION|four'),
    says(
      'table',
      good,
      '',
      '| Part | State |',
      '| --- | --- |',
      '| Tests | none |',
      '| MAJOR | 1 |',
      '',
      'VERDICT: needs-changes',
    ),
    says(
      'bare',
      good,
      '',
      'Part | State',
      '--- | ---',
      'Tests | none',
      'MAJOR | 1',
      '',
      'VERDICT: needs-changes',
    ),
    says(
      'talk',
      good,
      '',
      '> SPICY|src/sum.js:1|quoted',
      '',
      '```',
      'SPICY|src/sum.js:1|fenced',
      '```',
      '',
      'VERDICT: needs-changes',
    ),
    says('done', good, 'PASS|src/sum.js|the rest', 'SUMMARY|one defect'),
  ];
  let record: Record;
  let sample: SampleRepository;

  beforeAll(() => {
    sample = createChangedRepository();
    ({ record } = review(sample, writePanel(sample, panel), '--strategy', 'overlap'));
  });

  it.each(['line', 'json', 'index'])(
    'makes a finding of medium severity and loses nothing beside it (%s)',
    id => {
      expect(record.reviewers.find(reviewer => reviewer.id === id)?.status).toBe('complete');
      expect(
        findingsOf(record, id).map(line => line.replace(/ (?:HIGH|P1) | SPICY | spicy /, ' ')),
      ).toEqual([
        'high src/sum.js:2 The sum of an empty list throws',
        'medium src/sum.js:1 The name is taken',
      ]);
    },
  );

  it('is named where somebody looks the finding up', () => {
    const shown = jury(sample.root, ['show', record.run, 'line/#2']);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('SPICY')]);
    const notes = record.claims
      .flatMap(({ findings }) => findings)
      .filter(({ label }) => label.toUpperCase() === 'SPICY')
      .map(finding => finding.notes.some(note => note.toUpperCase().includes('"SPICY"')));
    expect(notes).toEqual([true, true, true]);
  });

  it('is understood when other tools use it, and our own come first', () => {
    expect(findingsOf(record, 'tools').map(line => line.replace(' - ', ' '))).toEqual([
      'critical BLOCKER one',
      'high ERROR three',
      'high MAJOR two',
      'low MINOR five',
      'low NIT six',
      'low TRIVIAL seven',
      'medium WARNING four',
    ]);
    expect(findingsOf(record, 'known').map(line => line.replace(' - ', ' '))).toEqual([
      'high Important three',
      'high moderate one',
      'low SUGGESTION four',
      'medium P2 two',
    ]);
  });

  it.each(['table', 'bare', 'talk', 'done'])(
    'is none in a table, a quotation, a fence or a closing line (%s)',
    id => {
      expect(findingsOf(record, id)).toEqual([
        'high HIGH src/sum.js:2 The sum of an empty list throws',
      ]);
      expect(record.reviewers.find(reviewer => reviewer.id === id)?.status).not.toBe('failed');
    },
  );

  it('is a finding in a question too, and the labels the caller lists win', () => {
    const config = writePanel(sample, [says('asked', 'WEAK|one', 'SPICY|two', 'MAJOR|three')]);
    const asked = juryJson(sample.root, [
      'ask',
      'What is weak?',
      '--config',
      config,
      '--fail-on',
      'never',
    ]);
    expect(findingsOf(asked.record, 'asked').map(line => line.replace(' - ', ' '))).toEqual([
      'high MAJOR three',
      'low WEAK one',
      'medium SPICY two',
    ]);
    const listed = juryJson(sample.root, [
      'ask',
      'What is weak?',
      '--config',
      config,
      '--fail-on',
      'never',
      '--severities',
      'SPICY,MAJOR,WEAK',
      '--fresh',
    ]);
    expect(findingsOf(listed.record, 'asked').map(line => line.replace(' - ', ' '))).toEqual([
      'critical SPICY two',
      'high MAJOR three',
      'low WEAK one',
    ]);
  });

  it('means the same in findings brought from elsewhere', () => {
    const findings = ['BLOCKER', 'MAJOR', 'WARNING', 'NIT', 'SPICY'].map((severity, index) => ({
      reviewer: 'r',
      text: `Trouble number ${['one', 'two', 'three', 'four', 'five'][index] ?? ''} of its own`,
      severity,
    }));
    const { stdout } = jury(sample.root, ['consensus', '-', '--json'], {
      input: JSON.stringify({ findings }),
    });
    const listed = (JSON.parse(stdout) as { findings: { label: string; severity: string }[] })
      .findings;
    expect(Object.fromEntries(listed.map(({ label, severity }) => [label, severity]))).toEqual({
      BLOCKER: 'critical',
      MAJOR: 'high',
      WARNING: 'medium',
      NIT: 'low',
      SPICY: 'medium',
    });
  });
});

describe('a reviewer that failed', () => {
  let sample: SampleRepository;
  let record: Record;
  let code: number | null;
  const texts = new Map<string, string>();

  beforeAll(() => {
    sample = createChangedRepository();
    const config = writePanel(sample, [
      says('lost', 'I had a look at it.'),
      { id: 'dead', script: 'process.exit(7);' },
      says('clean', 'None'),
    ]);
    ({ code, record } = review(sample, config, '--quorum', '1'));
    for (const format of ['brief', 'terminal', 'markdown'])
      texts.set(format, jury(sample.root, ['report', record.run, '--format', format]).stdout);
    for (const folder of [stateOf(sample.root), path.join(sample.root, '.jury')])
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
        if (/\.(?:md|json|txt)$/.test(file))
          texts.set(file, readFileSync(path.join(folder, file), 'utf8'));
  });

  const isApproval = /\bOK\b|\bsafe\b|\bCLEAN\b|\bAPPROVED?\b|No issues found|no findings/;

  it('has no verdict in any line or row that names it', () => {
    for (const [name, text] of texts) {
      const lines = text
        .split('\n')
        .filter(
          line => /(?:^|[^\w/])(?:Lost|Dead|lost|dead)(?![\w.-])/.test(line) && !/^\s*"/.test(line),
        );
      expect({ name, lines: lines.filter(line => isApproval.test(line)) }).toEqual({
        name,
        lines: [],
      });
    }
  });

  it('has none in the section of the report that is its own', () => {
    const reports = [...texts].filter(([name]) => name.startsWith('reviews/'));
    expect(reports).toHaveLength(1);
    for (const [, text] of reports) {
      const sections = new Map(
        text
          .split(/^### /m)
          .slice(1)
          .map(section => [section.split('\n')[0]?.replaceAll('`', '') ?? '', section] as const),
      );
      expect([...sections.keys()].filter(name => ['lost', 'dead', 'clean'].includes(name))).toEqual(
        ['lost', 'dead', 'clean'],
      );
      expect(sections.get('clean')).toContain('No issues found.');
      for (const name of ['lost', 'dead']) expect(sections.get(name)).not.toMatch(isApproval);
    }
  });

  it('has none in JSON', () => {
    expect(record.reviewers.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['lost', 'error'],
      ['dead', 'error'],
      ['clean', 'safe'],
    ]);
    expect(
      record.consensusReview?.agents.map(({ reviewer, verdict }) => [reviewer, verdict]),
    ).toEqual([
      ['lost', null],
      ['dead', null],
      ['clean', 'OK'],
    ]);
  });

  it('has none in its files', () => {
    for (const name of ['lost', 'dead']) {
      const own = [...texts].filter(([file]) =>
        new RegExp(`^runs/[^/]+/(?:raw|reviews|verdicts)/${name}\\.(?:md|json)$`).test(file),
      );
      expect(own.map(([file]) => file.replace(/^runs\/[^/]+\//, '')).toSorted()).toEqual([
        `raw/${name}.json`,
        `reviews/${name}.md`,
        `verdicts/${name}.json`,
      ]);
      for (const [file, text] of own)
        expect({ file, isApproval: isApproval.test(text) }).toEqual({ file, isApproval: false });
    }
    expect(jury(sample.root, ['verdicts', '--counts']).stdout).toBe('1 CLEAN, 2 ERROR\n');
  });

  it('keeps the whole from saying that nothing is there; its verdict is that of the gate', () => {
    expect([code, texts.get('brief')]).toEqual([
      record.exitCode,
      expect.stringMatching(/^Verdict: safe\nGate: PASS$/m),
    ]);
    expect(texts.get('terminal')).not.toContain('No issues found');
    const merged = [...texts].find(([file]) => file.endsWith('reviews/findings.json'))?.[1] ?? '{}';
    expect((JSON.parse(merged) as { verdict: string }).verdict).toBe('safe');
    expect([...texts].find(([file]) => file.endsWith('reviews/synthesis.md'))?.[1]).toContain(
      '**Verdict**: safe',
    );
  });

  it('tells an agent the same', async () => {
    const client = await connect('2.x as of 2026', { cwd: sample.root });
    const report = await client.call('show', { run: record.run });
    const lost = await client.call('show', { run: record.run, id: 'lost' });
    const verdicts = await client.call('verdicts', { run: record.run, view: 'counts' });
    await client.close();
    expect([report, lost, verdicts].map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(report.text).not.toContain('No issues found');
    expect(lost.text).not.toMatch(isApproval);
    expect(verdicts.text).toContain('1 CLEAN, 2 ERROR');
  });

  it('does not keep a panel of which everybody answered from being called safe', () => {
    const config = writePanel(sample, [says('one', 'None'), says('two', 'None')]);
    expect(jury(sample.root, ['review', '--config', config, '--format', 'brief']).stdout).toMatch(
      /^Verdict: safe$/m,
    );
    expect(jury(sample.root, ['report', 'latest', '--format', 'terminal']).stdout).toContain(
      'No issues found.',
    );
  });
});
