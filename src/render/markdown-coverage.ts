/** The coverage certificate: for every file and reviewer whether it was read in full, and if not, why. */
import type { FileReading } from '../core/review.ts';
import type { Run } from '../core/run.ts';
import { count } from './figures.ts';
import { code, codeCell, tableOf } from './markdown-text.ts';
import { pathText } from './terminal-text.ts';

export function listCoverage({ record, reviews }: Run): string[] {
  const { files, excluded, bytes, accounted } = record.coverage;
  const read = files.filter(file => file.by.length > 0).length;
  const readings = reviews.map(review => new Map(review.coverage.map(reading => [reading.path, reading])));
  const rows = files.map(file => [codeCell(pathText(file.path)), String(file.by.length), ...readings.map(byPath => byPath.get(file.path)?.extent ?? 'not given')]);
  const gaps = reviews.flatMap(review => review.coverage.filter(reading => reading.extent !== 'full').map(reading => listGap(review.reviewer, reading)));
  return [
    `${read} of ${count(files.length, 'file')} read in full by a reviewer that completed; ${accounted} of ${count(bytes, 'byte')} accounted for.`,
    ...(files.length === 0 ? [] : ['', ...tableOf(['File', 'Read in full by', ...reviews.map(review => codeCell(review.reviewer))], rows)]),
    ...(gaps.length === 0 ? [] : ['', '### Not read in full', '', ...gaps]),
    ...(excluded.length === 0 ? [] : ['', '### Excluded by configuration', '', ...excluded.map(entry => `- ${code(pathText(entry.path))} by ${code(entry.pattern)}`)]),
  ];
}

function listGap(reviewer: string, reading: FileReading): string {
  return `- ${code(reviewer)}, ${code(pathText(reading.path))}: ${reading.extent}${reading.why === null ? '' : `, ${code(reading.why)}`}`;
}
