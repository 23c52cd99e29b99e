/** `review --verify band` through the built program: reviewers that raise claims, and answer about those of others. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Claim } from '../../src/core/words/claim.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, writePanel } from './jury.ts';

const trueOne =
  'IMPORTANT|src/sum.js:2|The reduce call throws a TypeError for an empty list since its initial value is gone';
const falseOne =
  'IMPORTANT|src/sum.js:3|An attacker can inject shell commands through the accumulator_parameter';
const trifle = 'MINOR|src/sum.js:1|The name of the list says nothing about what it holds';

/** Answers about what it is shown: against all that speaks of an attacker. */
function reviewer(
  id: string,
  raises: readonly string[],
  answers = true,
): { id: string; script: string; settings: string } {
  const judge = `const items = [...prompt.matchAll(/^motion_id: "(c-[0-9a-f]+)"\\n\\[material .*\\n> Finding: (.*)$/gm)].map(([, id, text]) => ({ motion_id: id, stance: text.includes('attacker') ? 'oppose' : 'endorse', reasoning: 'Says ${id}.', confidence: 0.9, opposition_concerns: ['There is no shell.'] }));
  console.log(JSON.stringify(items));`;
  return {
    id,
    settings: 'environment: [CALLS_FILE], price: { input: 1, output: 2 }',
    script: `const note = words => fs.appendFileSync(process.env.CALLS_FILE, '${id} ' + words + '\\n');
if (prompt.includes('# Findings')) {
  note('answers' + (/alpha|beta|gamma/.test(prompt.replace('Says', '')) ? ' and sees a name' : ''));
  ${answers ? judge : 'process.exit(1);'}
} else {
  note('reviews');
  console.log(${JSON.stringify([...raises, 'VERDICT: needs-changes'].join('\n'))});
}`,
  };
}

/** Wide enough for whatever the confidence says of three lone claims. */
const settings = 'band: { cut: 0.85, reliability: 0.9 }\n';

describe('jury review --verify band', () => {
  let sample: SampleRepository;
  let config: string;
  let record: RunRecord;
  let stderr: string;
  const callsFile = (): string => path.join(sample.root, '../calls.txt');
  const squeezed = (...args: string[]): string =>
    jury(sample.root, args).stdout.replace(/\s+/g, ' ');
  const calls = (): string[] =>
    existsSync(callsFile()) ? readFileSync(callsFile(), 'utf8').trim().split('\n') : [];
  const review = (...args: string[]) =>
    juryJson(sample.root, ['review', ...args, '--config', config], {
      environment: { CALLS_FILE: callsFile() },
    });
  const claimOf = (words: string, claims: readonly Claim[] = record.claims): Claim => {
    const claim = claims.find(({ text }) => text.includes(words));
    if (!claim) throw new Error(`There is no claim about ${words}.`);
    return claim;
  };

  beforeAll(() => {
    sample = createChangedRepository();
    config = writePanel(
      sample,
      [reviewer('alpha', [trueOne]), reviewer('beta', [falseOne]), reviewer('gamma', [trifle])],
      settings,
    );
    ({ record, stderr } = review('--verify', 'band'));
  });

  test('the plan tells calls, tokens and cost, and asks nobody', () => {
    const before = calls().length;
    const text = jury(sample.root, ['plan', '--verify', 'band', '--config', config]).stdout;
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /Verify: band, usually 3 calls beside the reviews, at most 6, 74100 tokens and \$0\.08/,
    );
    const drawn = (args: readonly string[]) =>
      JSON.parse(jury(sample.root, ['plan', ...args, '--config', config, '--json']).stdout) as {
        verify: unknown;
        ceiling: { calls: number };
      };
    const plain = drawn([]);
    expect(plain.verify).toBeNull();
    expect(drawn(['--verify', 'band']).ceiling.calls).toBe(plain.ceiling.calls + 6);
    expect(calls()).toHaveLength(before);
  });

  test('puts each lone claim to somebody who did not say it, blind, and moves its confidence by the answer', () => {
    const [real, wrong] = [claimOf('TypeError'), claimOf('attacker')];
    expect(real.verified?.answers.map(({ stance }) => stance)).toContain('ENDORSE');
    expect(wrong.verified?.answers.map(({ stance }) => stance)).toContain('OPPOSE');
    expect(real.verified?.answers.map(({ reviewer: id }) => id)).not.toContain('alpha');
    expect(real.confidence).toBeGreaterThan(real.verified?.confidenceBefore ?? 1);
    expect(wrong.confidence).toBeLessThan(wrong.verified?.confidenceBefore ?? 0);
    expect(real.supporters).toEqual(['alpha']);
    expect(calls().filter(call => call.includes('sees a name'))).toEqual([]);
    expect(record.usage.calls).toBe(calls().length);
    expect(stderr).toMatch(/Claims are put to those who have not spoken\. Plan: /);
  });

  test('looks up first what needs nobody: a name that stands nowhere speaks against the claim', () => {
    expect(claimOf('attacker').verified?.checks).toContainEqual({
      check: 'name',
      holds: false,
      sentence: 'accumulator_parameter stands nowhere in the file.',
      worth: -0.4,
    });
    expect(claimOf('TypeError').verified?.checks).toContainEqual(
      expect.objectContaining({ check: 'added', holds: true }),
    );
  });

  test('is shown with what moved it', () => {
    const shown = jury(sample.root, ['report', 'latest', '--format', 'terminal']).stdout.replace(
      /\s+/g,
      ' ',
    );
    expect(shown).toContain('accumulator_parameter stands nowhere in the file');
    expect(shown).toMatch(/asked about: \d for and \d against, confidence before: likely/);
    const markdown = jury(sample.root, ['report', 'latest', '--format', 'markdown']).stdout;
    expect(markdown).toContain('There is no shell.');
  });

  test('is explained with what moved it, from the run and from its file', () => {
    const { id } = claimOf('attacker');
    const told = squeezed('explain', id);
    expect(told).toMatch(
      /That it is true is unlikely, after what was looked up and asked about it \(too few judged/,
    );
    for (const words of [
      /confidence before: likely, after: unlikely/,
      /checked: accumulator_parameter stands nowhere in the file\. \(odds × 0\.67\)/,
      /(?:alpha|gamma), asked about it, says it is not so; 9 of 10 of its answers are expected to be right \(odds × 0\.11\): “Says (?:alpha|gamma)\. There is no shell\.”/,
    ]) {
      expect(told).toMatch(words);
      expect(squeezed('consensus', 'latest', '--explain', id)).toMatch(words);
    }
    expect(told).not.toContain('In the run it was');
  });

  test('the same review is answered from the run, and without it nobody is asked again', () => {
    const before = calls().length;
    expect(review('--verify', 'band').record.run).toBe(record.run);
    const plain = review().record;
    expect(plain.claims.every(({ verified }) => verified === undefined)).toBe(true);
    const [without, asked] = [plain, record].map(({ claims }) => claimOf('TypeError', claims));
    expect(asked?.worth).toBeGreaterThan(without?.worth ?? 1);
    // Moved once: of claims as likely true, as many are worth acting on as before.
    expect((asked?.worth ?? 0) / (asked?.confidence ?? 1)).toBeCloseTo(
      (without?.worth ?? 0) / (without?.confidence ?? 1),
      9,
    );
    const { claims, usage } = review('--verify', 'checks').record;
    expect(claims.every(({ verified }) => verified?.answers.length === 0)).toBe(true);
    expect([usage.calls, calls().length]).toEqual([3, before]);
  });

  test('with a vote, the vote is used, and one sentence says so', () => {
    const { record: voted, stderr: told } = review('--verify', 'band', '--deliberate');
    expect(told.replace(/\s+/g, ' ')).toContain('--deliberate is used and not --verify band');
    expect(voted.claims.some(({ deliberation }) => deliberation !== undefined)).toBe(true);
    expect(voted.claims.every(({ verified }) => verified?.answers.length === 0)).toBe(true);
  });

  test('the key of the configuration does the same, and under a ceiling that the reviews have reached nobody is asked', () => {
    rmSync(callsFile());
    const own = writePanel(
      sample,
      [reviewer('alpha', [trueOne]), reviewer('beta', [falseOne]), reviewer('gamma', [trifle])],
      `verify: band\nmaxCalls: 3\n${settings}`,
    );
    const { record: limited } = juryJson(sample.root, ['review', '--fresh', '--config', own], {
      environment: { CALLS_FILE: callsFile() },
    });
    expect(calls()).toHaveLength(3);
    expect(claimOf('attacker', limited.claims).verified?.error).toBe(
      'Nobody answered: The ceiling of 3 calls is reached.',
    );
  });

  test('when all of them fail the claims stay as they are, and it is told', () => {
    const own = writePanel(
      sample,
      [
        reviewer('alpha', [trueOne], false),
        reviewer('beta', [falseOne], false),
        reviewer('gamma', [trifle], false),
      ],
      settings,
    );
    const { record: failed } = juryJson(
      sample.root,
      ['review', '--fresh', '--verify', 'band', '--config', own],
      { environment: { CALLS_FILE: callsFile() } },
    );
    const { verified, confidence } = claimOf('TypeError', failed.claims);
    const { confidence: checked } = claimOf(
      'TypeError',
      review('--verify', 'checks').record.claims,
    );
    expect(verified?.error).toMatch(/^Nobody answered: /);
    expect(verified?.noResponse.length).toBeGreaterThan(0);
    expect(confidence).toBe(checked);
  });

  test('a word that is none, and a ceiling of 0, are refused before anybody is asked', () => {
    const before = calls().length;
    const wrong = jury(sample.root, ['review', '--verify', 'everything', '--config', config]);
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('verify')]);
    const none = jury(sample.root, [
      'review',
      '--verify',
      'band',
      '--max-calls',
      '0',
      '--config',
      config,
    ]);
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('max-calls')]);
    expect(calls()).toHaveLength(before);
  });
});
