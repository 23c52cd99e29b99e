/**
 * Compares two builds by what they do. Each case (`cases/`) is played with both, with clock and ids given, in a fresh copy of its
 * repository and with a fresh state: exit codes, what is printed, what models are asked and the files that contracts name are put into
 * canonical form and compared line by line.
 *
 *   node test/oracle/main.mjs OLD NEW [--only WORD]… [--jobs N] [--data DIR] [--save DIR] [--again]
 *
 * OLD and NEW are checkouts, each built with `npm run build -- --comparison`; cases are those of the checkout this is started in.
 * `--only` takes the cases whose name holds one of the words, `--jobs` so many at once (2), `--data` recorded sessions for cases that
 * need them, and `--save` writes both trees for a tool that compares folders. What a build did is kept by its commit and its bundle, so
 * that OLD is played once; `--again` plays it anew: with one checkout as OLD and NEW there must be no difference.
 *
 * Ends with 1 where a difference is in none of the classes of `classes.mjs`, which are written down before a change is made.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { diffArrays } from 'diff';
import picomatch from 'picomatch';
import { allCases } from './cases/all-cases.mjs';
import { classes } from './classes.mjs';
import { openBuild, openPlace } from './place.mjs';

const mostLines = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    jobs: { type: 'string', default: '2' },
    data: { type: 'string' },
    save: { type: 'string' },
    again: { type: 'boolean' },
  },
});
const builds = positionals.map(openBuild);
if (builds.length !== 2) throw new Error('Name two checkouts: OLD NEW.');
const chosen = allCases(values.data).filter(({ name }) =>
  values.only.some(word => name.includes(word)),
);
const inClasses = Object.fromEntries(classes.map(({ name }) => [name, 0]));
let different = 0;

const began = performance.now();
const waiting = chosen.values();
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(inClasses);
console.log(
  `${chosen.length} cases, ${different} with a difference in no class, in ${Math.round((performance.now() - began) / 1000)} s.`,
);
process.exitCode = different > 0 || chosen.length === 0 ? 1 : 0;

async function work() {
  const place = await openPlace();
  try {
    for (const one of waiting) {
      try {
        const trees = [];
        for (const build of builds) trees.push(await treeOf(one, build, place));
        report(one, trees);
      } catch (error) {
        different += 1;
        console.log(`${one.name} cannot be played: ${error.message}`);
      }
    }
  } finally {
    await place.close();
  }
}

async function treeOf(one, build, place) {
  const kept = build.kept(one);
  const known = values.again ? null : kept.read();
  const tree = known ?? (await place.play(one, build));
  if (known === null) kept.write(tree);
  if (values.save !== undefined)
    for (const [name, text] of Object.entries(tree)) {
      const side = build === builds[0] ? 'old' : 'new';
      const file = path.join(values.save, side, one.name, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  return tree;
}

function report(one, [before, after]) {
  const files = Object.keys({ ...before, ...after }).sort();
  const differences = files.flatMap(file => {
    const lines = before[file] === after[file] ? [] : changedLines(before[file], after[file]);
    const told = lines.filter(line => !isWanted(one.name, file, line));
    const more = told.length > mostLines && `    … ${told.length - mostLines} more lines`;
    const shown = told.slice(0, mostLines).map(line => `    ${line.slice(0, 300)}`);
    return told.length === 0 ? [] : [file, ...shown, more];
  });
  if (differences.length === 0) return;
  different += 1;
  const commands = one.steps.flatMap(({ words }, at) =>
    words === undefined ? [] : [`  ${at + 1}: ${words.join(' ')}`],
  );
  console.log([one.name, ...commands, ...differences].filter(Boolean).join('\n'));
}

function changedLines(before = '(no such file)', after = '(no such file)') {
  const changes = diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: 3_000 });
  if (changes === undefined) return ['+ nothing is as it was'];
  return changes.flatMap(({ added, removed, value }) =>
    added || removed ? value.map(line => `${added ? '+' : '-'} ${line}`) : [],
  );
}

function isWanted(name, file, text) {
  const found = classes.find(
    one =>
      picomatch.isMatch(name, one.case ?? '**') &&
      picomatch.isMatch(file, one.file ?? '**', { dot: true }) &&
      (one.line?.test(text) ?? true),
  );
  if (found !== undefined) inClasses[found.name] += 1;
  return found !== undefined;
}
