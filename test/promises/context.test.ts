/**
 * Changed lines are never left out of a context pack: not for the number of its anchors, not for its size, and not when it is
 * brought up to date. What does not fit its class rises to the next one and says so; beyond the largest there is no pack.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createHistory,
  type Files,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury } from '../cli/jury.ts';

interface Made {
  /** As it is printed: a head for people, then what the role receives. */
  readonly text: string;
  readonly uri: string;
  readonly scopeClass: string;
  readonly tokens: number;
  readonly budget: number;
  readonly anchors: number;
}

function makePack(sample: SampleRepository, ...words: readonly string[]): Made {
  const { code, stdout, stderr } = jury(sample.root, ['context', ...words]);
  expect([code, stderr]).toEqual([0, '']);
  const [, scopeClass = '', tokens, budget] =
    /^\w+ · (\w+) · \w+ · (\d+) of (\d+) tokens/.exec(stdout) ?? [];
  return {
    text: stdout,
    uri: /resources:\/\/\S+/.exec(stdout)?.[0] ?? '',
    scopeClass,
    tokens: Number(tokens),
    budget: Number(budget),
    anchors: stdout.match(/^## (?:code|test|kb|decision|artifact) /gm)?.length ?? 0,
  };
}

function check(sample: SampleRepository, { uri }: Pick<Made, 'uri'>): number | null {
  return jury(sample.root, ['context', 'check', uri]).code;
}

const textOf = (length: number, line: (number: number) => string): string =>
  Array.from({ length }, (_, index) => `${line(index + 1)}\n`).join('');
const wordy =
  (words: number) =>
  (number: number): string =>
    `line ${number} ${'of a long text '.repeat(words)}`.trim();
const file = (name: string, words = ''): string =>
  textOf(24, number => `export const ${name}${number} = 'value ${number}${words}';`);
/** Twenty calls of a function of another file. */
const price = (words: string): string =>
  `import { rateOf } from './rates.ts';\n\nexport const price = [\n${textOf(20, number => `  rateOf('country ${number}${words}'),`)}];\n`;
/** One of thirty functions in a ring. */
const body = (index: number): string => `return f${(index + 1) % 30}(n - ${index + 100});`;
/** Thirteen files, each of which imports three helpers. */
const users = (used: (index: number) => string): Files =>
  Object.fromEntries(
    Array.from({ length: 13 }, (_, index) => [
      `src/user${index}.ts`,
      `${textOf(3, number => `import { helper${index * 3 + number - 1} } from './helper${index * 3 + number - 1}.ts';`)}\nexport ` +
        `const used = [${used(index)}];\n`,
    ]),
  );
const missing = (text: string, lines: readonly string[]): readonly string[] =>
  lines.filter(line => line.trim() !== '' && !text.includes(line));
/** A file in which every fortieth of 1,200 lines is changed: thirty places, too far apart to be shown as one. */
const places = (word: string, prefix = 'value'): string =>
  textOf(1_200, number =>
    number % 40 === 20
      ? `const ${prefix}${number} = '${word} ${number}';`
      : `// ${prefix} ${number}`,
  );
const changedPlaces = (prefix = 'value'): string[] =>
  places('after', prefix)
    .split('\n')
    .filter(line => line.includes('after'));

describe('changed lines that need more than their class has', () => {
  it.each<[title: string, lines: number, words: number, agent: string]>([
    ['a critic of a tiny change', 60, 3, 'Critical'],
    ['a reviewer of a tiny change with long lines', 79, 12, 'Reviewer'],
    ['a planner of a small change', 150, 6, 'Planner'],
  ])('give %s a pack of a larger class that says so', (_title, lines, words, agent) => {
    const after = textOf(lines, wordy(words));
    const sample = createHistory({ 'notes.txt': 'x\n' }, { 'notes.txt': after });
    const made = makePack(sample, '--agent', agent);
    const ownClass = lines < 80 ? 'Tiny' : 'Small';
    expect(missing(made.text, after.split('\n'))).toEqual([]);
    expect(made.scopeClass).not.toBe(ownClass);
    expect(made.text).toMatch(new RegExp(`^- .*\\b${made.scopeClass}\\b.*\\b${ownClass}\\b`, 'm'));
    expect(made.tokens).toBeLessThanOrEqual(made.budget);
    expect(check(sample, made)).toBe(0);
  });

  it('are refused, and nothing is written, when the largest class does not hold them either', () => {
    const sample = createHistory({ 'notes.txt': 'x\n' }, { 'notes.txt': textOf(600, wordy(5)) });
    const { code, stdout, stderr } = jury(sample.root, ['context']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('resources://');
  });
});

describe('more changed places than a pack has anchors', () => {
  it('are all in the pack: thirty in one file', () => {
    const sample = createHistory(
      { 'src/all.ts': places('before') },
      { 'src/all.ts': places('after') },
    );
    const made = makePack(sample);
    expect(missing(made.text, changedPlaces())).toEqual([]);
    expect(made.anchors).toBeGreaterThan(24);
    expect(made.tokens).toBeLessThanOrEqual(made.budget);
    expect(check(sample, made)).toBe(0);
  });

  it('are all in the pack: thirty files of fifteen folders, which call one another', () => {
    const names = Array.from({ length: 30 }, (_, index) => `pkg${index % 15}/part${index}`);
    const filesOf = (bodyOf: (index: number) => string): Files =>
      Object.fromEntries(
        names.map((name, index) => [
          `${name}.ts`,
          `import { f${(index + 1) % 30} } from '../${names[(index + 1) % 30] ?? ''}.ts';\n\nexport ` +
            `function f${index}(n: number): number {\n  ${bodyOf(index)}\n}\n`,
        ]),
      );
    const made = makePack(
      createHistory(
        filesOf(() => 'return n;'),
        filesOf(body),
      ),
    );
    expect(
      missing(
        made.text,
        names.map((_, index) => body(index)),
      ),
    ).toEqual([]);
    expect(made.tokens).toBeLessThanOrEqual(made.budget);
  });

  it('are all in the pack when a test changes as well: no kind of anchor goes for another', () => {
    const before = { 'src/all.ts': places('before'), 'test/all.test.ts': places('before', 'case') };
    const after = { 'src/all.ts': places('after'), 'test/all.test.ts': places('after', 'case') };
    expect(
      missing(makePack(createHistory(before, after)).text, [
        ...changedPlaces(),
        ...changedPlaces('case'),
      ]),
    ).toEqual([]);
  });
});

describe('a pack that is brought up to date', () => {
  it('keeps every changed line when both files need more tokens than before', () => {
    const sample = createHistory(
      { 'one.ts': 'export {};\n', 'two.ts': 'export {};\n' },
      { 'one.ts': file('first'), 'two.ts': file('second') },
    );
    const { uri, scopeClass } = makePack(sample);
    const long = {
      'one.ts': file('first', ' and a good many words more than before'),
      'two.ts': file('second', ' and a good many words more than before'),
    };
    for (const [path, text] of Object.entries(long)) sample.write(path, text);
    const { code, stdout } = jury(sample.root, ['context', 'show', uri]);
    expect([
      code,
      missing(
        stdout,
        Object.values(long).flatMap(text => text.split('\n')),
      ),
    ]).toEqual([0, []]);
    expect(stdout).not.toContain(`scope_class: ${scopeClass};`);
    expect(check(sample, { uri })).toBe(0);
  });

  it('keeps the last of the changed lines when others are written between them', () => {
    const sample = createHistory(
      { 'one.ts': 'export {};\n', 'two.ts': 'export {};\n' },
      { 'one.ts': file('first'), 'two.ts': file('second') },
    );
    const { uri } = makePack(sample);
    const between = textOf(50, number => `// line ${number} between`);
    for (const [path, name] of [
      ['one.ts', 'first'],
      ['two.ts', 'second'],
    ] as const)
      sample.write(
        path,
        file(name).replace(`export const ${name}10 `, `${between}export const ${name}10 `),
      );
    const { code, stdout } = jury(sample.root, ['context', 'show', uri]);
    expect([
      code,
      missing(stdout, [...file('first').split('\n'), ...file('second').split('\n')]),
      check(sample, { uri }),
    ]).toEqual([0, [], 0]);
  });

  it('keeps thirty changed places that moved down', () => {
    const sample = createHistory(
      { 'src/all.ts': places('before') },
      { 'src/all.ts': places('after') },
    );
    const { uri } = makePack(sample);
    sample.write('src/all.ts', `// one line more\n${places('after')}`);
    const { code, stdout } = jury(sample.root, ['context', 'show', uri]);
    expect([code, missing(stdout, changedPlaces()), check(sample, { uri })]).toEqual([0, [], 0]);
  });

  it('gives up what only stands near the change first', () => {
    const sample = createHistory(
      {
        'rates.ts':
          'export function rateOf(country: string): number {\n  return country.length;\n}\n',
        'price.ts': 'export {};\n',
      },
      { 'price.ts': price('') },
    );
    const { uri, text } = makePack(sample);
    expect(text).toContain('function rateOf');
    const long = price(
      ' with a long name that has to be written out in full, because somebody asked for it',
    );
    sample.write('price.ts', long);
    const { code, stdout } = jury(sample.root, ['context', 'show', uri]);
    expect([code, missing(stdout, long.split('\n'))]).toEqual([0, []]);
  });

  it('is refused and stays as it was when the largest class does not hold the changed lines any more', () => {
    const sample = createHistory(
      { 'one.ts': 'export {};\n', 'two.ts': 'export {};\n' },
      { 'one.ts': file('first'), 'two.ts': file('second') },
    );
    const { uri } = makePack(sample);
    const text = jury(sample.root, ['context', 'show', uri]).stdout;
    for (const name of ['one', 'two'])
      sample.write(`${name}.ts`, file(name, ' and more'.repeat(100)));
    expect(jury(sample.root, ['context', 'show', uri])).toMatchObject({ code: 2, stdout: '' });
    for (const [path, name] of [
      ['one.ts', 'first'],
      ['two.ts', 'second'],
    ] as const)
      sample.write(path, file(name));
    expect(jury(sample.root, ['context', 'show', uri]).stdout).toBe(text);
  });
});

describe('what holds as before', () => {
  it('a small change stays in its class and is all there is in its pack', () => {
    const { scopeClass, budget, anchors } = makePack(
      createHistory({ 'a.ts': 'export const one = 1;\n' }, { 'a.ts': 'export const one = 2;\n' }),
    );
    expect([scopeClass, budget, anchors]).toEqual(['Tiny', 833, 1]);
  });

  it('what is not changed fills a pack up to 24 anchors and no further', () => {
    const helpers = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `src/helper${index}.ts`,
        `export function helper${index}() {\n  return ${index};\n}\n`,
      ]),
    );
    expect(
      makePack(
        createHistory(
          { ...helpers, ...users(() => '') },
          users(index => [0, 1, 2].map(number => `helper${index * 3 + number}()`).join(', ')),
        ),
      ).anchors,
    ).toBe(24);
  });

  it('a pack of more than 24 anchors that nobody proved to be the change is no pack', () => {
    const sample = createHistory(
      { 'a.ts': 'export const one = 1;\n' },
      { 'a.ts': 'export const one = 2;\n' },
    );
    const pack = JSON.parse(jury(sample.root, ['context', '--json']).stdout) as Readonly<
      Record<string, unknown>
    >;
    const anchors = Array.from({ length: 25 }, (_, index) => ({
      kind: 'kb',
      ref: `resources://kb/page${index}.md`,
    }));
    writeFileSync(
      join(sample.root, 'foreign.lcp.json'),
      JSON.stringify({ ...pack, anchors, micro_summaries: [] }),
    );
    expect(check(sample, { uri: 'foreign.lcp.json' })).toBe(2);
  });
});
