import { describe, expect, it } from 'vitest';
import { createCodeView } from '../../../../src/core/context/packing/references.ts';
import { computeRisks } from '../../../../src/core/context/risks/compute-risks.ts';
import type { RiskKind } from '../../../../src/core/context/risks/risk.ts';
import { buildChange, type Files } from '../../../checks/build-change.ts';

const nothing = (): readonly [] => [];

const workflow = (...lines: string[]): string => `on: push\njobs:\n${lines.join('\n')}\n`;

const migration = (quotes: string, most: number): string =>
  `class Migration(migrations.Migration):\n    operations = [\n        migrations.AddField(\n       ` +
  `     model_name=${quotes}user${quotes},\n            ` +
  `field=models.CharField(max_length=${most}),\n        ),\n    ]\n`;

const manifest = (...entries: string[]): string =>
  `{\n  "name": "own",\n  "dependencies": {\n${entries.map(one => `    ${one}`).join(',\n')}\n  }\n}\n`;

/** What is told of texts alone: nothing is indexed. */
function sentences(files: Files, kind: RiskKind): string[] {
  const change = buildChange(files);
  const textOf = (path: string, side: 'old' | 'new'): readonly string[] => {
    const sides = files[path];
    const text = typeof sides === 'string' ? (side === 'new' ? sides : '') : sides?.[side];
    return text === null || text === undefined ? [] : text.split('\n');
  };
  const view = createCodeView({
    refresh: () => Promise.reject(new Error('There is nothing to index.')),
    statistics: () => {
      throw new Error('Nothing was indexed.');
    },
    files: nothing,
    skipped: nothing,
    definitionsOf: nothing,
    definitionsIn: nothing,
    enclosing: nothing,
    referencesTo: nothing,
    usesIn: nothing,
    bindingsIn: () => null,
    importsOf: nothing,
    leadsTo: nothing,
    importersOf: nothing,
    testsOf: nothing,
    search: nothing,
    close() {},
  });
  return computeRisks({
    files: change.files,
    names: [],
    secrets: [],
    view,
    skipped: new Map(),
    linesOf: path => textOf(path, 'new'),
    oldLinesOf: path => textOf(path, 'old'),
  })
    .filter(risk => risk.kind === kind)
    .map(({ sentence }) => sentence);
}

type Row = readonly [
  what: string,
  path: string,
  before: string,
  after: string,
  told: string | null,
];

function holds(kind: RiskKind, rows: readonly Row[]): void {
  it.each(rows)('%s', (_, path, before, after, told) => {
    expect(sentences({ [path]: { old: before, new: after } }, kind)).toEqual(
      told === null ? [] : [told],
    );
  });
}

const suite = (...cases: string[]): string => `describe('sum', () => {\n${cases.join('\n')}\n});\n`;
const checksOne = "  it('adds one', () => {\n    expect(sum(1)).toBe(1);\n  });";
const checksTwo =
  "  it('adds two', () => {\n    expect(sum(1, 1)).toBe(2);\n    expect(sum(2, 0)).toBe(2);\n  });";

describe('tests that check less', () => {
  holds('removed-assertion', [
    [
      'a test that goes is named with its assertions',
      'test/sum.test.ts',
      suite(checksOne, checksTwo),
      suite(checksOne),
      'test/sum.test.ts:5 the test `adds two` is gone with 2 assertions (was line 5)',
    ],
    [
      'an assertion that goes out of a test is quoted',
      'test/sum.test.ts',
      suite(checksTwo),
      suite(checksTwo.replace('    expect(sum(2, 0)).toBe(2);\n', '')),
      'test/sum.test.ts:4 `adds two` loses 1 of 2 assertions, first (was line 4): `expect(sum(2, 0)).toBe(2);`',
    ],
    [
      'one in other words is no loss',
      'test/sum.test.ts',
      suite(checksTwo),
      suite(
        checksTwo.replace(
          / {4}expect.*\n {4}expect.*\n/,
          '    expect([sum(1, 1), sum(2, 0)]).toEqual([2, 2]);\n',
        ),
      ),
      null,
    ],
    [
      'a table in place of many lines is no loss',
      'test/sum.test.ts',
      suite(checksOne, checksTwo),
      suite(
        "  it.each([\n    [1, 1],\n    [2, 2],\n    [2, 0],\n    [3, 3],\n  ])('adds %s', (one, two) => {\n    check(one, two);\n  });",
      ),
      null,
    ],
  ]);

  it('with the code they tested are no loss', () => {
    const code = 'export const one = 1;\nexport function sum(a, b) {\n  return a + b;\n}\n';
    const files = {
      'src/sum.ts': { old: code, new: 'export const one = 1;\n' },
      'test/sum.test.ts': { old: suite(checksOne, checksTwo), new: suite() },
    };
    expect(sentences(files, 'removed-assertion')).toEqual([]);
    expect(
      sentences(
        { ...files, 'src/sum.ts': { old: code, new: `${code}// more\n` } },
        'removed-assertion',
      ),
    ).toHaveLength(1);
  });
});

describe('tests that are switched off', () => {
  holds('skipped-test', [
    [
      'are named',
      'test/sum.test.ts',
      suite(checksOne),
      suite(checksOne.replace('it(', 'it.skip(')),
      "test/sum.test.ts:2 switches `adds one` off: `it.skip('adds one', () => {`",
    ],
    [
      'by a mark are named by what stands below it',
      'tests/test_sum.py',
      'def test_one():\n    assert sum(1) == 1\n',
      '@pytest.mark.skip\ndef test_one():\n    assert sum(1) == 1\n',
      'tests/test_sum.py:1 switches `test_one` off: `@pytest.mark.skip`',
    ],
    [
      'by one that runs alone are told',
      'test/sum.test.ts',
      suite(checksOne),
      suite(checksOne.replace('it(', 'it.only(')),
      "test/sum.test.ts:2 lets only this test run: `it.only('adds one', () => {`",
    ],
    [
      'only where the system lacks something are not',
      'test/sum.test.ts',
      suite(checksOne),
      `const where = global.x ? describe : describe.skip;\n${suite(checksOne)}`,
      null,
    ],
  ]);
});

describe('what automation may do', () => {
  const path = '.github/workflows/ci.yml';
  const checkout = '      - uses: actions/checkout@v4';
  const pin = `      - uses: other/deploy@${'a'.repeat(40)}`;
  holds('workflow', [
    [
      'a right to write is told',
      path,
      workflow(checkout),
      workflow('    permissions:', '      contents: write', checkout),
      '.github/workflows/ci.yml:4 gives the workflow the right to write: `contents: write`',
    ],
    [
      'a foreign step without a commit is told',
      path,
      workflow(checkout),
      workflow(checkout, '      - uses: other/deploy@v1'),
      '.github/workflows/ci.yml:4 runs a foreign step that its owner can change: `- uses: other/deploy@v1`',
    ],
    [
      'one that is no longer pinned is told',
      path,
      workflow(checkout, pin),
      workflow(checkout, '      - uses: other/deploy@v1'),
      '.github/workflows/ci.yml:4 no longer pins a foreign step to one commit: `- uses: other/deploy@v1`',
    ],
    ['one that is pinned is not', path, workflow(checkout), workflow(checkout, pin), null],
    [
      'a check that no longer runs is told',
      path,
      workflow(checkout, '      - run: npm test'),
      workflow(checkout),
      '.github/workflows/ci.yml:4 no longer runs (was line 4): `- run: npm test`',
    ],
    [
      'another version of what runs is not told',
      path,
      workflow('        node: [20]', checkout),
      workflow('        node: [22]', checkout.replace('v4', 'v5')),
      null,
    ],
  ]);
});

describe('protection that is taken off', () => {
  holds('loosened', [
    [
      'a lock',
      'store.go',
      'package a\n\nfunc (s *Store) Put(k string) {\n\ts.mu.Lock()\n\ts.keys[k] = true\n}\n',
      'package a\n\nfunc (s *Store) Put(k string) {\n\ts.keys[k] = true\n}\n',
      'store.go:4 the lock is gone (was line 4): `s.mu.Lock()`',
    ],
    [
      'a limit of time',
      'load.py',
      'def load(url):\n    return get(\n        url,\n        timeout=10,\n        stream=True,\n    )\n',
      'def load(url):\n    return get(\n        url,\n        stream=True,\n    )\n',
      'load.py:4 the limit of time is gone (was line 4): `timeout=10,`',
    ],
    [
      'an error that nobody hears of',
      'load.py',
      'def load(url):\n    try:\n        return get(url)\n    except KeyError:\n        return None\n',
      'def load(url):\n    try:\n        return get(url)\n    except Exception:\n        return None\n',
      'load.py:4 catches every error and tells nobody: `except Exception:`',
    ],
    [
      'not one that is logged',
      'load.py',
      'def load(url):\n    return get(url)\n',
      'def load(url):\n    try:\n        return get(url)\n    except Exception:\n        logger.warning(url)\n        return None\n',
      null,
    ],
  ]);
});

describe('switches and limits', () => {
  holds('changed-default', [
    [
      'are told with both values',
      'src/settings.py',
      'DEBUG = False\nNAME = 1\n',
      'DEBUG = True\nNAME = 2\n',
      'src/settings.py:1 sets DEBUG to True (was False): `DEBUG = True`',
    ],
    [
      'of time are told',
      'src/client.ts',
      'export const defaults = {\n  timeoutMs: 1000,\n};\n',
      'export const defaults = {\n  timeoutMs: 0,\n};\n',
      'src/client.ts:2 sets timeoutMs to 0 (was 1000): `timeoutMs: 0,`',
    ],
    [
      'are not told where several are called so',
      'src/settings.ts',
      'a = {\n  strict: true,\n};\nb = {\n  strict: true,\n};\n',
      'a = {\n  strict: false,\n};\nb = {\n  strict: false,\n};\n',
      null,
    ],
  ]);
});

describe('code that a security reviewer reads', () => {
  holds('sensitive', [
    [
      'is told by what it does',
      'src/page.ts',
      'export const show = (node, text) => {\n  node.textContent = text;\n};\n',
      'export const show = (node, text) => {\n  node.innerHTML = text;\n};\n',
      'src/page.ts:2 writes markup that is not escaped: `node.innerHTML = text;`',
    ],
    [
      'is not told where the line was like that before',
      'src/page.ts',
      'export const show = (node, text) => {\n  node.innerHTML = text;\n};\n',
      'export const show = (node, words) => {\n  node.innerHTML = words;\n};\n',
      null,
    ],
    [
      'is told by its path, with the line that matters',
      'src/session.ts',
      "import { a } from './a.ts';\nexport const open = () => {\n  cookie.secure = true;\n};\n",
      "import { b } from './b.ts';\nexport const open = () => {\n  cookie.secure = isOpen;\n};\n",
      'src/session.ts:3 changes what is security-sensitive by its name (session): `cookie.secure = isOpen;`',
    ],
    [
      'is not told of imports',
      'src/session.ts',
      "import { a } from './a.ts';\nopen();\n",
      "import { b } from './b.ts';\nopen();\n",
      null,
    ],
    [
      'is not told of a secret that is compared with nothing',
      'src/key.ts',
      'export const a = 1;\n',
      'export const a = 1;\nif (apiKey === null) stop();\n',
      null,
    ],
  ]);
});

describe('migrations', () => {
  const path = 'app/migrations/0002_name.py';
  holds('migration', [
    ['in another form say the same', path, migration("'", 10), migration('"', 10), null],
    [
      'that were there before are told',
      path,
      migration("'", 10),
      migration("'", 20),
      'app/migrations/0002_name.py:5 changes a migration that was there before: `field=models.CharField(max_length=20),`',
    ],
  ]);

  it('of one sort are one risk', () => {
    const files = { [path]: migration("'", 10), 'app/migrations/0003_other.py': migration("'", 9) };
    expect(sentences(files, 'migration')).toEqual([
      "app/migrations/0002_name.py:3 changes the database: `migrations.AddField( model_name='user', " +
        'field=models.CharField(max_length=10), ),`; so does app/migrations/0003_other.py:3',
    ]);
  });
});

describe('dependencies', () => {
  holds('dependency', [
    [
      'say what went and what may break first',
      'package.json',
      manifest('"a": "^1.0.0"', '"b": "^1.0.0"', '"c": "1.0.0"'),
      manifest('"a": "^1.1.0"', '"b": "^2.0.0"'),
      'package.json:4 takes out c 1.0.0, moves b from ^1.0.0 to ^2.0.0 (another major version), moves a from ^1.0.0 to ^1.1.0',
    ],
    [
      'say where a version is no longer pinned',
      'package.json',
      manifest('"a": "1.0.0"'),
      manifest('"a": "*"'),
      'package.json:4 moves a from 1.0.0 to * (no longer pinned)',
    ],
    [
      'leave the own version of a project out',
      'pom.xml',
      '<project>\n  <version>1.0</version>\n  <dependencies>\n    <dependency>\n      ' +
        '<artifactId>junit</artifactId>\n      <version>4.0</version>\n    </dependency>\n  ' +
        '</dependencies>\n</project>\n',
      '<project>\n  <version>2.0</version>\n  <dependencies>\n    <dependency>\n      ' +
        '<artifactId>junit</artifactId>\n      <version>5.0</version>\n    </dependency>\n  ' +
        '</dependencies>\n</project>\n',
      'pom.xml:6 moves junit from 4.0 to 5.0 (another major version)',
    ],
  ]);
});

describe('guards', () => {
  holds('removed-guard', [
    [
      'that stood together are one risk',
      'a.ts',
      'export function pay(user, sum) {\n  if (!user) throw new Error();\n  if (!sum) throw new Error();\n  return user.pay(sum);\n}\n',
      'export function pay(user, sum) {\n  return user.pay(sum);\n}\n',
      'a.ts:2 the condition that refuses is gone (was line 2): `if (!user) throw new Error();`, and 1 more check there',
    ],
    [
      'with the same words in a call are there still',
      'a.go',
      'package a\n\nfunc Pay(users []string) {\n\tif len(users) == 0 {\n\t\tpanic("there must be a user")\n\t}\n\tpay(users)\n}\n',
      'package a\n\nfunc Pay(users []string) {\n\tdemand(len(users) > 0, "there must be a user")\n\tpay(users)\n}\n',
      null,
    ],
    [
      'in a shorter form are there still',
      'A.cs',
      'class A\n{\n    void Set(Sink sink)\n    {\n        if (sink == null) throw new ' +
        'ArgumentNullException(nameof(sink));\n        _sink = sink;\n    }\n}\n',
      'class A\n{\n    void Set(Sink sink)\n    {\n        _sink = sink ?? throw new ArgumentNullException(nameof(sink));\n    }\n}\n',
      null,
    ],
    [
      'whose parameter has a type now are there still',
      'A.php',
      '<?php\nclass A\n{\n    public function add($next)\n    {\n        if (!is_callable($next)) {\n   ' +
        '         throw new Problem();\n        }\n        $this->next = $next;\n    }\n}\n',
      '<?php\nclass A\n{\n    public function add(callable $next)\n    {\n        $this->next = $next;\n    }\n}\n',
      null,
    ],
  ]);
});
