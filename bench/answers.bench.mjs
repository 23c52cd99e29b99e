// Whether the parsers lose anything of what real reviewers wrote. The data are recorded answers: folders with Findings Index files
// (`<agent>.md`), and JSON files with the comments of tools, which are put into every form in which tools write them. Counted
// against a count that knows nothing of the parsers.
import { readCommentForms, readIndexFiles } from './answers/read.mjs';
import { commentsIn, indexFilesIn } from './answers/recorded.mjs';
import { printTables } from './answers/tables.mjs';
import { lacking, partOf } from './program.mjs';

export const title = 'entries of recorded answers that the parsers lose';
export const aim = 0;

const sample = [{ text: 'an empty list throws', path: 'sum.js', line: 1, severity: 'P1' }];

/** @type {import('./main.mjs').Measure} */
export function measure({ size, data }) {
  const folder = partOf(data, '.');
  if (size === 'full' && folder === null) return lacking('answers');
  const rows =
    size === 'small' || folder === null
      ? readCommentForms([{ tool: 'sample', comments: sample }])
      : [...readIndexFiles(indexFilesIn(folder)), ...readCommentForms(commentsIn(folder))];
  printTables(rows);
  const stated = rows.reduce((sum, row) => sum + row.stated, 0);
  // Where nothing was recorded nothing is proved.
  return {
    figure: stated === 0 ? NaN : rows.reduce((sum, { lost }) => sum + lost.length, 0),
    detail: `${stated} entries in ${rows.length} forms`,
  };
}
