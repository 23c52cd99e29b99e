import { expect, it } from 'vitest';
import { judgePackage } from '../../scripts/check-package.mjs';

/** One of every kind. */
const whole = (
  'dist/cli/main.js dist/cli/parts/start-run-v-IBBI4-.js dist/analysers.sha256 dist/package/index.d.ts ' +
  'dist/grammars/tree-sitter-scala.wasm dist/tokens/o200k_base.ranks dist/THIRD-PARTY-NOTICES.txt ' +
  'action/action.yml demo/after/src/sales.js.txt personas/advisor.md rules/outcome/review.json ' +
  'rules/checks/python.yaml rules/queries/python.scm schema/jury.config.schema.json ' +
  'plugin/.claude-plugin/plugin.json man/jury.1 docs/decisions/0004-no-framework.md README.md'
)
  .split(' ')
  .map(path => ({ path, bytes: 10 }));

it('a package of the known kinds is well', () => expect(judgePackage(whole, 1000)).toEqual([]));

it.each(
  (
    'src/index.ts test/index.test.ts bench/main.mjs scripts/build.mjs examples/review.mjs plugin/source/server.json ' +
    'dist/built-in.json dist/core/claim.js.map dist/cli/main.d.ts dist/core/words/claim.js .env package-lock.json ' +
    'docs/picture.png'
  ).split(' '),
)('%s has no business in it', path =>
  expect(judgePackage([...whole, { path, bytes: 1 }], 1000)).toEqual([
    `${path} is of no kind that a user needs.`,
  ]),
);

it('a kind that is missing, has too many files or one too large is named', () =>
  expect(
    judgePackage(
      [
        ...whole.filter(({ path }) => path !== 'man/jury.1'),
        { path: 'dist/grammars/tree-sitter-go.wasm', bytes: 6_000_000 },
        { path: 'dist/grammars/tree-sitter-c.wasm', bytes: 6 },
      ],
      10_000_000,
    ),
  ).toEqual([
    'There are 3 files of grammars, above 2.',
    'dist/grammars/tree-sitter-go.wasm has 6,000,000 bytes, above 5,000,000.',
    'No file is of the kind "manual".',
    'The tarball has 10,000,000 bytes, above 9,000,000.',
  ]));
