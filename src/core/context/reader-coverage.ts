/** Who read what: coverage of a reviewer in percent, the matrix of files and reviewers, and the weight of what a partial reviewer says. */
import picomatch from 'picomatch';
import { kindsOf, type FileKind, type ScopeFile } from '../languages/file-kinds.ts';
import { roundPercent } from './budget.ts';
import type { Role } from './triage.ts';

export interface Reader {
  /** The name that reports and `--agents` use. */
  readonly name: string;
  readonly role: Role;
  /** Globs of the domain; empty: that of the role. */
  readonly files: readonly string[];
  readonly read: ReadonlySet<string>;
}

/** `67% ⚠️` for 8 of 12, `100%`, and `-` when there was nothing to read. */
export function displayCoverage(reviewed: number, skipped: number): string {
  if (reviewed + skipped === 0) return '-';
  return `${roundPercent(reviewed, reviewed + skipped)}%${skipped > 0 ? ' ⚠️' : ''}`;
}

export const defaultPartialWeight = 0.5;

export function weightOf(isPartial: boolean, partialWeight: number = defaultPartialWeight): number {
  return isPartial ? partialWeight : 1;
}

/** Sum over supporting reviewers of the best weight of each, by the number who could have said it. `electorate` is positive. */
export function weighSupport(support: readonly { readonly reviewer: string; readonly weight: number }[], electorate: number): number {
  const best = new Map<string, number>();
  for (const { reviewer, weight } of support) best.set(reviewer, Math.max(weight, best.get(reviewer) ?? 0));
  return [...best.values()].reduce((sum, weight) => sum + weight, 0) / electorate;
}

/** `Y` reviewed, `SKIP` in the domain and not read, `-` outside it. */
export type MatrixCell = 'Y' | 'SKIP' | '-';

export interface MatrixRow {
  readonly path: string;
  /** In the order of the readers. */
  readonly cells: readonly MatrixCell[];
}

export function coverageMatrix(files: readonly ScopeFile[], readers: readonly Reader[]): MatrixRow[] {
  return files.map(file => ({ path: file.path, cells: readers.map(reader => cellOf(reader, file)) }));
}

function cellOf(reader: Reader, file: ScopeFile): MatrixCell {
  if (reader.read.has(file.path)) return 'Y';
  return isInDomain(reader, file) ? 'SKIP' : '-';
}

const domains: Readonly<Record<Role, readonly FileKind[] | 'everything'>> = {
  security: ['code', 'configuration', 'manifest'],
  'code-quality': ['code', 'configuration', 'manifest'],
  vulnerability: ['manifest', 'code'],
  documentation: ['documentation', 'public-api'],
  'user-persona': ['public-api', 'command-line', 'configuration', 'documentation'],
  language: 'everything',
  general: 'everything',
};

/** The globs of a persona say what its domain is; without any, its role does. */
function isInDomain({ role, files }: Reader, file: ScopeFile): boolean {
  if (files.length > 0) return picomatch([...files], { dot: true })(file.path);
  const domain = domains[role];
  const kinds = kindsOf(file);
  return domain === 'everything' || domain.some(kind => kinds.has(kind));
}
