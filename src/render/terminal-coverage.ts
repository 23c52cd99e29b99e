/** The coverage certificate in short: how many files were read in full by how many, and by name what nobody read. */
import type { RunRecord } from '../core/run.ts';
import type { Coverage } from '../core/verdict/record.ts';
import { count } from './figures.ts';
import { layHeading, type Page } from './page.ts';
import { hang, oneLine, pathText, wrap } from './terminal-text.ts';

const mostFiles = 10;

export function layCoverage(record: RunRecord, page: Page): string[] {
  const { files, excluded } = record.coverage;
  const unread = files.filter(file => file.by.length === 0);
  return [
    ...layHeading(page, 'Coverage', wholeOf(record)),
    ...layReaders(record, page),
    ...unread.slice(0, mostFiles).flatMap(file => layUnread(file, page)),
    ...(unread.length > mostFiles ? [`  … and ${count(unread.length - mostFiles, 'more file')} read in full by nobody`] : []),
    ...layExcluded(excluded, page),
  ];
}

function wholeOf({ coverage, subject }: RunRecord): string {
  const read = coverage.files.filter(file => file.by.length > 0).length;
  return coverage.files.length === 0 ? 'nothing to read' : `${read} of ${count(coverage.files.length, nounOf(subject.kind))} read in full · ${shareOf(coverage)}`;
}

/** A question has no files, but it too can be read in full or not. */
function nounOf(kind: string): string {
  return kind === 'change' ? 'file' : 'part';
}

/** Rounded down, so that 100% means all of it. */
function shareOf({ bytes, accounted }: Coverage): string {
  return bytes === 0 ? 'no bytes' : `${Math.floor((Math.min(accounted, bytes) / bytes) * 100)}% of bytes`;
}

function layReaders({ coverage: { files }, subject }: RunRecord, page: Page): string[] {
  const tally = new Map<number, number>();
  for (const file of files) tally.set(file.by.length, (tally.get(file.by.length) ?? 0) + 1);
  const parts = [...tally].sort(([one], [other]) => other - one).map(([readers, amount]) => `${count(amount, nounOf(subject.kind))} by ${readers === 0 ? 'nobody' : count(readers, 'reviewer')}`);
  return parts.length === 0 ? [] : hang('  ', parts.join(' · '), page.measure);
}

function layUnread(file: Coverage['files'][number], page: Page): string[] {
  const byReason = new Map<string, string[]>();
  const partial = file.partiallyBy.map(reviewer => ({ reviewer, why: 'read in part' }));
  for (const { reviewer, why } of [...partial, ...file.skippedBy]) byReason.set(why, [...(byReason.get(why) ?? []), reviewer]);
  const reasons = [...byReason].flatMap(([why, names]) => hang('    ', `${names.map(name => oneLine(name, 40)).join(', ')}: ${oneLine(why, 160)}`, page.measure));
  const lines = reasons.length === 0 ? ['    no reviewer got it'] : reasons;
  return [`  ${page.colors.yellow('unread')} ${pathText(file.path)}`, ...lines.map(line => page.colors.dim(line))];
}

function layExcluded(excluded: Coverage['excluded'], page: Page): string[] {
  if (excluded.length === 0) return [];
  const patterns = [...new Set(excluded.map(entry => entry.pattern))].slice(0, 5).map(pattern => oneLine(pattern, 60));
  return wrap(`${count(excluded.length, 'file')} excluded by configuration: ${patterns.join(', ')}`, page.measure - 2).map(line => `  ${page.colors.dim(line)}`);
}
