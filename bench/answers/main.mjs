// `npm run bench:answers -- --data DIR`: whether the parsers lose anything of what real reviewers wrote. DIR holds recorded
// answers: folders with Findings Index files (`<agent>.md`), and JSON files with the comments of tools, which are put into
// every form in which tools write them. Counted against a count that knows nothing of the parsers.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build, isStale } from '../../scripts/build.mjs';

const {
  values: { data },
} = parseArgs({ options: { data: { type: 'string' } } });
if (data === undefined) {
  console.error('Usage: npm run bench:answers -- --data DIR');
  process.exit(3);
}
if (!existsSync(data)) {
  console.error(`${data}: no such folder.`);
  process.exit(2);
}
if (isStale()) await build();

const { commentsIn, indexFilesIn } = await import('./recorded.mjs');
const { readCommentForms, readIndexFiles } = await import('./read.mjs');
const { printTables } = await import('./tables.mjs');
const rows = [...readIndexFiles(indexFilesIn(data)), ...readCommentForms(commentsIn(data))];
if (rows.length === 0) {
  console.error(`${data}: no recorded answers.`);
  process.exit(2);
}
printTables(rows);
process.exitCode = rows.some(({ lost }) => lost.length > 0) ? 1 : 0;
