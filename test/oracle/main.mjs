/**
 * Compares two builds by what they do: each case (`cases/`) is played with both, with clock and ids given, in a fresh copy of its
 * repository and with a fresh state; exit codes, what is printed, what models are asked and the files that contracts name are put
 * into canonical form and compared.
 *
 *   node test/oracle/main.mjs OLD NEW [--only WORD] [--jobs N] [--data DIR] [--save DIR] [--again]
 *
 * OLD and NEW are checkouts, each built with `npm run build -- --comparison`; cases and this program are those of the checkout it is
 * started in. `--only` takes the cases whose name holds the word (repeatable), `--jobs` so many at once (2), `--data` a folder of recorded data for
 * the cases that need it, `--save` writes both trees for a tool that compares folders. What a build did is kept by its commit and
 * its bundle, so that OLD is played once; `--again` plays it anew.
 *
 * Ends with 1 where a difference is in none of the classes of `classes.mjs`, which are written down before a change is made.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { allCases } from './cases/all-cases.mjs';
import { classes } from './classes.mjs';
import { compareTrees } from './compare-trees.mjs';
import { openBuild } from './build.mjs';
import { openPlace } from './place.mjs';

const mostLines = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
    data: { type: 'string' },
    save: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
});
const [oldFolder, newFolder] = positionals;
if (newFolder === undefined) throw new Error('Name two checkouts: OLD NEW.');
process.exitCode = await main(openBuild(oldFolder), openBuild(newFolder));

async function main(...builds) {
  const began = performance.now();
  const chosen = allCases(values.data).filter(
    ({ name }) => values.only.length === 0 || values.only.some(word => name.includes(word)),
  );
  const waiting = chosen.entries();
  const counts = { different: [], inClasses: new Map(), broken: [] };
  const work = async () => {
    const place = await openPlace();
    try {
      for (const [, one] of waiting) {
        const trees = [];
        for (const build of builds) trees.push(await treeOf(build, one, place));
        if (values.save !== undefined) save(one, trees);
        report(one, trees, counts);
      }
    } finally {
      await place.close();
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  for (const [name, lines] of counts.inClasses) console.log(`In class ${name}: ${lines} lines.`);
  console.log(
    `${chosen.length} cases, ${counts.different.length} with a difference in no class, ` +
      `in ${Math.round((performance.now() - began) / 1000)} s.`,
  );
  return counts.different.length === 0 && chosen.length > 0 ? 0 : 1;
}

async function treeOf(build, one, place) {
  const kept = build.kept(one);
  const known = values.again ? null : kept.read();
  if (known !== null) return known;
  const tree = await place.play(one, build);
  kept.write(tree);
  return tree;
}

function report(one, trees, counts) {
  const differences = compareTrees(one.name, trees, classes, counts.inClasses);
  if (differences.length === 0) return;
  counts.different.push(one.name);
  const texts = differences.map(
    ({ file, lines }) =>
      `  ${file}${commandOf(one, file)}\n${lines
        .slice(0, mostLines)
        .map(line => `    ${line.slice(0, 300)}\n`)
        .join(
          '',
        )}${lines.length > mostLines ? `    … ${lines.length - mostLines} more lines\n` : ''}`,
  );
  console.log(`${one.name}\n${texts.join('')}`);
}

/** The command that printed it. */
function commandOf({ steps }, file) {
  const number = /^step-(\d+)\./.exec(file)?.[1];
  return number === undefined ? '' : ` of: ${steps[number - 1].words.join(' ').slice(0, 150)}`;
}

function save({ name }, trees) {
  for (const [side, tree] of trees.entries())
    for (const [file, text] of Object.entries(tree)) {
      const target = path.join(values.save, ['old', 'new'][side], name, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
}
