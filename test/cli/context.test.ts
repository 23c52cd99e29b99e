import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalPack, SideFile } from '../../src/core/context/packing/local-pack.ts';
import { createHistory, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { jury } from './jury.ts';
import { runsOf, stateOf } from '../state-of.ts';

const environment = { JURY_RUN_ID: 'run-1' };
const uri = 'resources://runs/run-1/context/Reviewer.lcp.json';

const price = (line: string) =>
  `import { rateOf } from './rates.ts';\n\nexport function priceOf(net: number): number {\n  const rate = 2;\n${line}  return net * rate;\n}\n`;

function createSample() {
  const rates =
    '/** Rates by country. */\nexport function rateOf(country: string): number {\n  return country === "de" ? 19 : 20;\n}\n';
  return createHistory(
    { 'src/rates.ts': rates, 'src/price.ts': price('') },
    { 'src/price.ts': price('  console.log(rateOf("de"));\n') },
  );
}

function readPack(sample: SampleRepository, name = 'Reviewer.lcp.json') {
  return LocalPack.parse(
    JSON.parse(readFileSync(join(runsOf(sample.root), 'run-1/context', name), 'utf8')),
  );
}

function readSide(sample: SampleRepository) {
  return SideFile.parse(
    JSON.parse(readFileSync(join(runsOf(sample.root), 'run-1/context/Reviewer.meta.json'), 'utf8')),
  );
}

describe('jury context', () => {
  it('writes the pack and its side file, and prints the pack', () => {
    const sample = createSample();
    const { code, stdout, stderr } = jury(sample.root, ['context', '--json', '--task', 'task-1'], {
      environment,
    });
    expect([code, stderr]).toEqual([0, `jury: ${uri}\n`]);
    expect(readPack(sample)).toEqual(JSON.parse(stdout));
    expect(readSide(sample)).toMatchObject({
      pack_uri: uri,
      run_id: 'run-1',
      budget: 833,
      scope: { files: 1, changed_lines: 1, modules: 1 },
      rung_reached: 2,
      stop_reason: 'satisfied',
      refreshed: [],
      redactions: 0,
      counter: { name: 'o200k_base' },
    });
    expect(readFileSync(join(stateOf(sample.root), 'run-memory/task-1.json'), 'utf8')).toContain(
      'task-1/reviewer/context_pack_uri',
    );
    expect(jury(sample.root, ['context', 'check', uri]).code).toBe(0);
  });

  it('forgets what a task was given more than an hour ago, whatever task is worked on next', () => {
    const sample = createSample();
    const memory = join(stateOf(sample.root), 'run-memory');
    const context = (task: string) => {
      expect(jury(sample.root, ['context', '--task', task]).code).toBe(0);
    };
    const age = (task: string, minutes: number) => {
      const file = join(memory, `${task}.json`);
      const text = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        text.replace(/"usedAt": \d+/, `"usedAt": ${Date.now() - minutes * 60_000}`),
      );
    };
    for (const task of ['old', 'young']) context(task);
    age('old', 61);
    age('young', 50);
    context('other');
    expect(readdirSync(memory).toSorted()).toEqual(['other.json', 'young.json']);
  });

  it('never writes over a pack of the same run', () => {
    const sample = createSample();
    for (const _ of [1, 2]) jury(sample.root, ['context'], { environment });
    expect(readdirSync(join(runsOf(sample.root), 'run-1/context')).toSorted()).toEqual([
      'Reviewer.2.lcp.json',
      'Reviewer.2.meta.json',
      'Reviewer.lcp.json',
      'Reviewer.meta.json',
    ]);
  });

  it('tells a person what the pack is and what was left out', () => {
    const { stdout } = jury(createSample().root, ['context', '--capability', 'fast_code'], {
      environment,
    });
    expect(stdout).toMatch(
      /^Reviewer · Tiny · fast_code · \d+ of 666 tokens \(o200k_base\)\n1 file, 1 changed line, 1 module · rung 2, satisfied/,
    );
    expect(stdout).toContain('From outside: console, log');
  });

  it('follows lines that moved and says so', () => {
    const sample = createSample();
    jury(sample.root, ['context'], { environment });
    const before = readPack(sample).anchors.find(({ path }) => path === 'src/rates.ts');
    sample.write(
      'src/rates.ts',
      `// one\n// two\n// three\n${readFileSync(join(sample.root, 'src/rates.ts'), 'utf8')}`,
    );
    const checked = jury(sample.root, ['context', 'check', uri]);
    expect([checked.code, checked.stdout.split('\n')[0]]).toEqual([
      1,
      'src/rates.ts:2-2 is stale: its lines have moved.',
    ]);
    expect(jury(sample.root, ['context', 'show', uri]).stderr).toBe(
      'jury: src/rates.ts:2-2 was shifted.\n',
    );
    expect(readPack(sample).anchors).toContainEqual({ ...before, lines: '5-5' });
    expect(readSide(sample).refreshed).toEqual([
      { anchor: 'src/rates.ts:2-2', old_rev: before?.rev, new_rev: before?.rev, action: 'shifted' },
    ]);
    expect(jury(sample.root, ['context', 'check', uri]).code).toBe(0);
  });

  it('takes lines that changed anew and counts the pack again', () => {
    const sample = createSample();
    jury(sample.root, ['context'], { environment });
    const before = readPack(sample);
    sample.write(
      'src/rates.ts',
      '/** Rates by country and year. */\nexport function rateOf(country: string, year: number): number {\n  return year;\n}\n',
    );
    jury(sample.root, ['context', 'show', uri]);
    expect(readPack(sample).token_estimate).toBeGreaterThan(before.token_estimate);
    expect(readSide(sample).refreshed).toMatchObject([
      { anchor: 'src/rates.ts:2-2', action: 'retaken' },
    ]);
    expect(jury(sample.root, ['context', 'check', uri]).code).toBe(0);
  });

  it('drops an anchor whose file is gone and asks about it', () => {
    const sample = createSample();
    jury(sample.root, ['context'], { environment });
    sample.remove('src/rates.ts');
    jury(sample.root, ['context', 'show', uri]);
    expect(readPack(sample).open_questions).toEqual([
      'src/rates.ts:2-2 is gone: what stood there?',
    ]);
    expect(readPack(sample).anchors.map(({ path }) => path)).not.toContain('src/rates.ts');
  });

  it('drops lines whose file became a link out of the tree or far too large, and reads neither', () => {
    const sample = createSample();
    jury(sample.root, ['context'], { environment });
    sample.write('../outside.ts', 'export const outsideWord = 1;\n'.repeat(9));
    sample.remove('src/rates.ts');
    symlinkSync(join(sample.root, '../outside.ts'), join(sample.root, 'src/rates.ts'));
    sample.write('src/price.ts', Buffer.alloc(50 << 20, 'word '));
    const { code, stdout } = jury(sample.root, ['context', 'show', uri]);
    expect([code, stdout.includes('outsideWord'), stdout.length < 2_000]).toEqual([0, false, true]);
    expect(readPack(sample)).toMatchObject({
      anchors: [],
      open_questions: expect.arrayContaining([
        'src/rates.ts:2-2 is gone: what stood there?',
      ]) as string[],
    });
  });

  it('is no pack when the changed lines alone are more than the largest class holds: exit 2 and both figures', () => {
    const sample = createHistory(
      { 'a.txt': 'x\n' },
      {
        'a.txt': `${Array.from({ length: 600 }, (_, index) => `line ${index} with a good many words, more than a pack of any size may have`).join('\n')}\n`,
      },
    );
    const { code, stdout, stderr } = jury(sample.root, ['context'], { environment });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^Error: pack for Reviewer cannot fit: changed lines need \d+ tokens, budget 5400; split the scope\n$/,
    );
    expect(() => readPack(sample)).toThrow('ENOENT');
  });

  it('wants to know what a model is good at when it is asked by model', () => {
    const sample = createSample();
    expect(jury(sample.root, ['context', '--model', 'vendor/some'], { environment })).toMatchObject(
      {
        code: 3,
        stderr: expect.stringContaining(
          'does not say what model "vendor/some" is good at',
        ) as string,
      },
    );
    sample.write('../jury.config.yaml', 'packs:\n  capabilities:\n    vendor/some: cheap_batch\n');
    expect(
      jury(sample.root, ['context', '--model', 'vendor/some', '--config', '../jury.config.yaml'], {
        environment,
      }).stdout,
    ).toContain('cheap_batch');
  });

  it('refuses caps that break the order of capabilities', () => {
    const sample = createSample();
    sample.write('../jury.config.yaml', 'packs:\n  multipliers:\n    reasoning_ultra: 0.9\n');
    expect(
      jury(sample.root, ['context', '--config', '../jury.config.yaml'], { environment }).code,
    ).toBe(3);
  });

  it.each([
    'resources://runs/../x/context/Reviewer.lcp.json',
    'resources:///etc/passwd',
    'nowhere.json',
    'src/price.ts',
  ])('cannot read %s: exit 2', named =>
    expect(jury(createSample().root, ['context', 'check', named]).code).toBe(2),
  );
});
