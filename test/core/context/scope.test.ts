import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimatingCounter } from '../../../src/adapters/tokens/token-counter.ts';
import {
  addObservations,
  countWith,
  judgeSensitivity,
  learnFactor,
  measureScope,
} from '../../../src/core/context/review-plan.ts';
import { bytesOf } from '../../../src/core/text.ts';
import { buildChange, type Files } from '../../checks/build-change.ts';

function measure(files: Files, texts: Readonly<Record<string, string | null>> = {}) {
  return measureScope(
    buildChange(files).files.map(file => ({ file, text: texts[file.path] ?? null })),
    estimatingCounter,
    [],
  );
}

describe('the size of a change', () => {
  it('is the sum of its files as they stand afterwards', () => {
    const scope = measure(
      { 'a.ts': { old: 'one\n', new: 'two\n' }, 'b.ts': 'x' },
      { 'a.ts': 'two\nthree', 'b.ts': 'é'.repeat(4) },
    );
    expect(scope).toMatchObject({
      total_tokens: 3 + 2,
      counter: { name: 'bytes/4', estimated: true },
      skipped: [],
    });
    expect(scope.files[0]).toEqual({
      path: 'a.ts',
      bytes: 9,
      lines: 2,
      changed_lines: 2,
      tokens: 3,
      sensitive: false,
      reason: null,
    });
  });

  it('counts the patch of a file that is gone or cannot be read', () => {
    const { files } = measure({ 'gone.ts': { old: 'one\ntwo\n' } });
    expect(files[0]?.tokens).toBeGreaterThan(0);
  });

  it('lists what it does not count, and still knows whether it is sensitive', () => {
    const scope = measure(
      {
        'logo.png': { new: 'x', content: 'binary' },
        'large.ts': { new: 'x', content: 'too-large' },
        'vendor/a.go': 'x',
        'empty.ts': '',
        'huge.ts': 'x',
        sub: { new: 'x', content: 'submodule' },
        'server.key': { new: 'x', content: 'binary' },
      },
      { 'vendor/a.go': 'x', 'empty.ts': '', 'huge.ts': 'x'.repeat(1_000_001) },
    );
    expect(scope.files).toEqual([]);
    expect(scope.skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'logo.png: binary or not UTF-8',
      'large.ts: over 1 MB',
      'vendor/a.go: vendored folder',
      'empty.ts: empty',
      'huge.ts: over 1 MB',
      'sub: submodule',
      'server.key: binary or not UTF-8',
    ]);
    expect(scope.triaged.filter(({ sensitive }) => sensitive).map(({ path }) => path)).toEqual([
      'server.key',
    ]);
  });

  it('accounts for every file once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}\.ts$/), fc.string()), texts => {
        const { files, skipped, total_tokens: total } = measure(texts, texts);
        expect(files.length + skipped.length).toBe(Object.keys(texts).length);
        expect(total).toBe(files.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 4), 0));
      }),
    );
  });

  it('reads the changed lines for what makes a file sensitive', () => {
    expect(
      measure({ 'a.ts': { old: 'a\n', new: 'spawn("x");\n' } }, { 'a.ts': 'spawn("x");\n' })
        .files[0],
    ).toMatchObject({ sensitive: true, reason: 'a changed line starts a process' });
  });
});

const byPath = (path: string) => judgeSensitivity({ path, changedLines: [] });
const byLine = (line: string) =>
  judgeSensitivity({ path: 'src/a.ts', changedLines: ['const sum = 1;', line] }).reason;

describe('security-sensitive files', () => {
  it.each([
    ['src/auth/cache.go', 'path segment "auth" contains "auth"'],
    ['src/LoginForm.tsx', 'path segment "LoginForm.tsx" contains "login"'],
    ['certs/server.pem', 'path matches *.pem'],
    ['.env.production', 'path matches .env*'],
    ['deep/.env', 'path matches .env*'],
    ['plugin/plugin.json', 'path matches plugin.json'],
    ['mcp-servers.yaml', 'path matches mcp-*.{json,yaml,yml}'],
    ['.githooks/pre-commit.sh', 'path matches .{husky,*hooks,*/hooks}/**'],
    [
      'config/capability-map.json',
      'path matches *{authorization,capability,interlock}*.{json,yaml,yml}',
    ],
    ['.github/workflows/ci.yml', 'path is a CI workflow'],
    ['.gitlab-ci.yml', 'path is a CI workflow'],
  ])('%s: %s', (path, reason) => {
    expect(byPath(path)).toEqual({ sensitive: true, reason });
  });

  it.each([
    ['const child = spawn("git", args);', 'starts a process'],
    ['out, err := exec.Command("git", "log").Output()', 'starts a process'],
    ['db.query(`select * from users where id = ${id}`);', 'builds SQL'],
    ['cursor.execute("DELETE FROM t WHERE id=%s" % id)', 'builds SQL'],
    ['subject = ["bash", "-c", line]', 'builds shell text'],
    ['const body = JSON.parse(text);', 'parses untrusted input'],
    ['name = request.args["name"]', 'parses untrusted input'],
    ['if (given === apiKey) return true;', 'compares secrets'],
    ['if (signature() == expected) {', 'compares secrets'],
  ])('a changed line %s %s', (line, reason) => {
    expect(byLine(line)).toBe(`a changed line ${reason}`);
  });

  it.each(['src/sum.ts', 'docs/guide.md', 'README.md', 'mcp.ts', 'data/list.json'])(
    '%s is not one',
    path => {
      expect(byPath(path)).toEqual({ sensitive: false, reason: null });
    },
  );

  it.each([
    'const found = pattern.exec(line);',
    'db.query("select a from b where c = ?", [c]);',
    'return left + right;',
    'it("selects the file system", work)',
  ])('a line like %s is none of the rules', line => {
    expect(byLine(line)).toBeNull();
  });

  it('can be extended by globs', () => {
    expect(judgeSensitivity({ path: 'ledger/x.ts', changedLines: [] }, ['ledger/**'])).toEqual({
      sensitive: true,
      reason: 'path matches ledger/** of the configuration',
    });
  });

  it.each(['select ', 'token', 'insert ', '== a', 'update set ', 'sh ', 'select from ', '"'])(
    'are told in a line of a million characters of %j, too',
    piece => {
      // Ends in time or not at all: no pattern may be quadratic.
      expect(byLine(piece.repeat(1_000_000 / piece.length))).toSatisfy(
        reason => reason === null || typeof reason === 'string',
      );
    },
  );
});

const observation = fc.record({
  family: fc.constantFrom('anthropic', 'openai', '__proto__'),
  counted: fc.integer({ min: 1, max: 1e6 }),
  reported: fc.integer({ min: 1, max: 1e6 }),
});
const plain = () => 7;
const observed = (family: string, ...reports: number[]) =>
  reports.map(reported => ({ family, counted: 1000, reported }));

describe('the factor of a family', () => {
  it.each([
    ['anthropic', 1.1],
    ['openai', 1],
    ['nobody', 1],
    [null, 1],
  ] as const)('of %s is %d before anything was observed', (family, factor) => {
    expect(learnFactor(family, [])).toBe(factor);
  });

  it('stays with what is known beforehand until the third observation, whatever other families report', () => {
    expect(
      learnFactor('anthropic', [
        ...observed('anthropic', 1500, 1500),
        ...observed('openai', 1500, 1500, 1500),
      ]),
    ).toBe(1.1);
    expect(learnFactor('anthropic', observed('anthropic', 1500, 1500, 1500))).toBe(1.5);
  });

  it.each([
    [[1300, 900, 1200], 1.2],
    [[1300, 900, 1200, 1100], 1.15],
    [[1, 1, 9], 0.5],
    [[9000, 9000, 1], 2],
  ])('is the median of %j a thousand, within its range: %d', (reports, factor) => {
    expect(learnFactor('openai', observed('openai', ...reports))).toBe(factor);
  });

  it('is in its range, and the same in whatever order the observations came', () => {
    fc.assert(
      fc.property(fc.array(observation), observations => {
        const factor = learnFactor('openai', observations);
        expect(factor).toBeGreaterThanOrEqual(0.5);
        expect(factor).toBeLessThanOrEqual(2);
        expect(learnFactor('openai', observations.toReversed())).toBe(factor);
      }),
    );
  });

  it('finds what providers really count by, however many reports up to a half are about something else', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 2000 }),
        fc.integer({ min: 3, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 1e6 }), { maxLength: 2 }),
        (real, count, strays) => {
          expect(
            learnFactor('openai', [
              ...observed('openai', ...strays),
              ...observed('openai', ...Array.from({ length: count }, () => real)),
            ]),
          ).toBe(real / 1000);
        },
      ),
    );
  });
});

describe('observations', () => {
  it('are kept in their order, the last of each family only', () => {
    fc.assert(
      fc.property(
        fc.array(observation, { maxLength: 200 }),
        fc.array(observation, { maxLength: 60 }),
        (known, further) => {
          const kept = addObservations(known, further);
          for (const name of ['anthropic', 'openai', '__proto__']) {
            expect(kept.filter(({ family }) => family === name)).toEqual(
              [...known, ...further].filter(({ family }) => family === name).slice(-50),
            );
          }
        },
      ),
    );
  });
});

describe('a count for a family', () => {
  it('is never more than the bytes, and otherwise the count by the factor', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (text, factor) => {
          const count = countWith(() => Math.ceil(bytesOf(text) * 0.8), factor)(text);
          expect(count).toBe(
            Math.min(bytesOf(text), Math.ceil(Math.ceil(bytesOf(text) * 0.8) * factor)),
          );
        },
      ),
    );
  });

  it('by the factor 1 is the plain count', () => {
    expect(countWith(plain, 1)).toBe(plain);
    expect(countWith(plain, 1.1)('ten letters')).toBe(8);
  });
});
