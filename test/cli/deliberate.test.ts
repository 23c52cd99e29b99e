/** `review --deliberate` through the built program: a panel of scripted reviewers that raise claims, vote on those of others, and argue. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/core/words/run.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

const shared =
  'IMPORTANT|src/sum.js:2|The sum of an empty list throws a TypeError since the initial value of reduce is gone';
const trueOne =
  'CRITICAL|src/sum.js:1|The exported arrow function became a hoisted declaration which breaks consumers that reassign it';
const falseOne =
  'CRITICAL|src/sum.js:2|An attacker can inject shell commands through the accumulator parameter';
const disputed =
  'IMPORTANT|src/sum.js:3|Quadratic running time makes long inputs hang the server for minutes';

/** How a reviewer votes on what it is shown, by words of the claim; and how on a panel, where it sees the arguments. */
const voter = `
const counting = (key) => { const file = process.env.CALLS_FILE; if (file) fs.appendFileSync(file, key + '\\n'); };
const stances = (votes) => {
  const items = [...prompt.matchAll(/^motion_id: "(c-[0-9a-f]+)"\\n\\[material .*\\n> Finding: (.*)$/gm)].map(([, id, text]) => {
    const [stance, why] = votes(text);
    return { motion_id: id, stance, reasoning: why, confidence: 0.9, opposition_concerns: stance === 'oppose' ? [why] : [] };
  });
  console.log(JSON.stringify(items.reverse()));
};
`;

function reviewer(
  id: string,
  raises: readonly string[],
  opposes: readonly string[],
  panelVote: string,
) {
  return {
    id,
    script: `${voter}
if (prompt.startsWith('You facilitate')) { counting('${id} facilitates'); console.log(JSON.stringify({ recommendation: 'fail', recommendation_rationale: 'The critics have shown it.', votes: {}, dissenting_opinions: [] })); }
else if (prompt.includes('# Findings')) { counting('${id} votes'); if (/${id}/.test(prompt)) counting('${id} sees its name'); stances(text => ${JSON.stringify(opposes)}.some(word => text.includes(word)) ? ['oppose', 'The code shows the contrary, says ${id}.'] : ['endorse', 'It is so, says ${id}.']); }
else if (prompt.includes('VOTE: pass|fail')) { counting('${id} argues'); console.log('I weighed it, says ${id}.\\nVOTE: ${panelVote}'); }
else { counting('${id} reviews'); console.log(${JSON.stringify([...raises, 'VERDICT: needs-changes'].join('\n'))}); }`,
  };
}

const panel = [
  reviewer('alpha', [shared, trueOne], ['attacker', 'Quadratic'], 'fail'),
  reviewer('beta', [shared, falseOne, disputed], [], 'pass'),
  reviewer('gamma', [shared], ['attacker'], 'fail'),
];

describe('jury review --deliberate', () => {
  let sample: SampleRepository;
  let config: string;
  let record: RunRecord;
  let code: number | null;
  const callsFile = () => path.join(sample.root, '../calls.txt');
  const told = (...args: string[]) =>
    jury(sample.root, [...args, '--config', config]).stdout.replace(/\s+/g, ' ');
  const calls = () => readFileSync(callsFile(), 'utf8').trim().split('\n');
  const claimOf = (words: string) => {
    const claim = record.claims.find(({ text }) => text.includes(words));
    if (!claim) throw new Error(`There is no claim about ${words}.`);
    return claim;
  };

  beforeAll(() => {
    sample = createChangedRepository();
    config = writePanel(
      sample,
      panel.map(one => ({ ...one, settings: 'environment: [CALLS_FILE]' })),
    );
    ({ code, record } = juryJson(sample.root, ['review', '--deliberate', '--config', config], {
      environment: { CALLS_FILE: callsFile() },
    }));
  });

  test('the plan and the dry run tell calls, tokens and cost of the vote, and ask nobody', () => {
    const before = calls().length;
    const vote =
      /Vote: each claim that few support is put to those of the 3 reviewers who did not raise it, 5 in a call: 10 such claims take about 6 calls beside the reviews, 55245 tokens and a cost not known; each one that stays contested up to 4 calls more/;
    expect(told('plan', '--deliberate')).toMatch(vote);
    expect(told('review', '--dry-run', '--deliberate')).toMatch(vote);
    expect(told('plan')).not.toContain('Vote:');
    expect(told('plan')).toMatch(/Ceiling: \d+ calls, \d+ tokens/);
    expect(told('plan', '--deliberate')).toMatch(/Ceiling: none, as nobody knows how many claims/);
    expect(told('plan', '--deliberate', '--max-calls', '12')).toMatch(/Ceiling: 12 calls(?!,)/);
    expect(calls()).toHaveLength(before);
  });

  test('a well supported claim passes without anybody being asked', () =>
    expect(claimOf('empty list').deliberation).toMatchObject({
      risk: 'low',
      outcome: 'passed',
      votes: [],
    }));

  test('a lone true claim is confirmed by those who did not raise it, and its confidence grows', () => {
    const { deliberation, confidence, supporters } = claimOf('hoisted declaration');
    expect(supporters).toEqual(['alpha']);
    expect(deliberation).toMatchObject({
      outcome: 'confirmed',
      for: ['alpha', 'beta', 'gamma'],
      against: [],
      panel: null,
      dissent: [],
      error: null,
    });
    expect(confidence).toBeGreaterThan(deliberation?.confidenceBefore ?? 1);
  });

  test('a lone false claim is voted down, keeps its words and those of the one who raised it, and its confidence falls', () => {
    const { deliberation, confidence, text } = claimOf('attacker');
    expect(text).toBe('An attacker can inject shell commands through the accumulator parameter');
    expect(deliberation).toMatchObject({
      outcome: 'voted_down',
      for: ['beta'],
      against: ['alpha', 'gamma'],
      panel: null,
    });
    expect(deliberation?.dissent).toEqual([{ reviewer: 'beta', opinion: text }]);
    expect(deliberation?.votes[0]).toMatchObject({
      reviewer: 'alpha',
      stance: 'OPPOSE',
      reasoning: 'The code shows the contrary, says alpha.',
    });
    expect(confidence).toBeLessThan(deliberation?.confidenceBefore ?? 0);
  });

  test('a contested claim goes through a panel, which votes before it hears the votes of others', () => {
    const { deliberation } = claimOf('Quadratic');
    expect(deliberation).toMatchObject({
      outcome: 'voted_down',
      for: ['beta'],
      against: ['gamma', 'alpha'].toSorted(),
    });
    expect(deliberation?.panel).toMatchObject({
      status: 'concluded',
      supporters: ['beta', 'gamma'],
      critics: ['alpha'],
      neutrals: [],
      recommendation: 'fail',
      votes: { alpha: 'fail', beta: 'pass', gamma: 'fail' },
    });
    expect(deliberation?.dissent).toEqual([
      { reviewer: 'beta', opinion: 'I weighed it, says beta.' },
    ]);
  });

  test('nobody sees who raised a claim, and nobody votes on its own', () => {
    expect(calls().filter(call => call.includes('sees its name'))).toEqual([]);
    expect(calls().toSorted()).toEqual([
      'alpha argues',
      'alpha facilitates',
      'alpha reviews',
      'alpha votes',
      'beta argues',
      'beta reviews',
      'beta votes',
      'gamma argues',
      'gamma reviews',
      'gamma votes',
    ]);
    expect(record.usage.calls).toBe(10);
  });

  test('what was voted down does not fail the gate, and does not pass it either: a person must decide', () => {
    // The confirmed one is critical as well and fails the gate as it would without a vote.
    expect([code, record.outcome, record.blocking.toSorted()]).toEqual([
      1,
      'FAIL',
      [claimOf('hoisted').id, claimOf('empty list').id].toSorted(),
    ]);
    expect(record.reasons.map(({ sentence }) => sentence).join('\n')).toContain(
      `voted-down-blocker: ${claimOf('attacker').id} would fail the gate, but the panel voted it down, 2 to 1.`,
    );
  });

  test('the reports show every vote with its dissent', () => {
    const terminal = jury(sample.root, ['report', 'latest', '--format', 'terminal']).stdout.replace(
      /\s+/g,
      ' ',
    );
    expect(terminal).toContain('vote: confirmed, 3 for and 0 against');
    expect(terminal).toContain('vote: voted down, 1 for and 2 against');
    expect(terminal).toContain('after a panel that recommends fail');
    expect(terminal).toContain('dissent of beta: An attacker can inject shell commands');
    const markdown = jury(sample.root, ['report', 'latest', '--format', 'markdown']).stdout;
    expect(markdown).toContain('vote: ');
    expect(markdown).toContain('The code shows the contrary, says gamma.');
    expect(jury(sample.root, ['report', 'latest', '--format', 'brief']).stdout).toMatch(
      /c-[0-9a-f]{6,10} voted down/,
    );
  });

  test('the same review is answered from the run; without the vote its reviews are kept and nobody is asked again', () => {
    const before = calls().length;
    expect(
      juryJson(sample.root, ['review', '--deliberate', '--config', config], {
        environment: { CALLS_FILE: callsFile() },
      }).record.run,
    ).toBe(record.run);
    const plain = juryJson(sample.root, ['review', '--config', config], {
      environment: { CALLS_FILE: callsFile() },
    });
    expect(plain.record.claims.every(({ deliberation }) => deliberation === undefined)).toBe(true);
    expect(calls()).toHaveLength(before);
    expect(readdirSync(runsOf(sample.root))).toHaveLength(2);
  });
});

describe('jury review --deliberate with two reviewers', () => {
  test('holds no panel about what one says and the other opposes, and says why', () => {
    const sample = createChangedRepository();
    const callsFile = path.join(sample.root, '../calls.txt');
    const config = writePanel(
      sample,
      [
        reviewer('alpha', [shared, trueOne], [], 'pass'),
        reviewer('beta', [shared], ['hoisted'], 'fail'),
      ].map(one => ({ ...one, settings: 'environment: [CALLS_FILE]' })),
    );
    const environment = { CALLS_FILE: callsFile };
    const { record } = juryJson(sample.root, ['review', '--deliberate', '--config', config], {
      environment,
    });
    const claim = record.claims.find(({ text }) => text.includes('hoisted'));
    expect(claim?.deliberation).toMatchObject({
      outcome: 'contested',
      for: ['alpha'],
      against: ['beta'],
      panel: null,
      panelSkipped: expect.stringContaining('1 for it, 1 against it and 0 neutral') as string,
      error: null,
    });
    // The vote against it counts all the same.
    expect(claim?.confidence).toBeLessThan(claim?.deliberation?.confidenceBefore ?? 0);
    expect(readFileSync(callsFile, 'utf8').trim().split('\n').toSorted()).toEqual([
      'alpha reviews',
      'beta reviews',
      'beta votes',
    ]);
    const report = jury(sample.root, ['report', 'latest', '--format', 'terminal']).stdout;
    expect(report.replace(/\s+/g, ' ')).toContain(
      'vote: contested, 1 for and 1 against, no panel (Only 1 for it, 1 against it',
    );
    expect(jury(sample.root, ['plan', '--deliberate', '--config', config]).stdout).toMatch(
      /no\s+panel,\s+as\s+it\s+takes\s+three/,
    );
  });
});
