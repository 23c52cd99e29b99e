/** Rung 3: which modules lean on which, the tests of what changed, and the last commits that touched it. */
import type { Definition } from '../../../code-index.ts';
import { lineCandidate, pointer, type Candidate } from '../candidate.ts';
import type { ChangedPiece } from '../changed-lines.ts';
import type { CodeView } from '../code-view.ts';
import { longestExcerpt } from '../local-pack.ts';
import { pathsOf } from './module-view.ts';

const mostMaps = 4;
const testsPerSymbol = 3;
const mostTests = 8;
const linesOfTest = 15;

export interface Commit {
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly title: string;
  /** First sentence of the message behind its title; empty when there is none. */
  readonly sentence: string;
}

/** The import lines of each changed file, with who imports it. */
export function dependencyMaps(pieces: readonly ChangedPiece[], view: CodeView): Candidate[] {
  return pathsOf(pieces).slice(0, mostMaps).flatMap(path => {
    const imports = view.importsOf(path);
    const users = [...new Set(view.importersOf(path).map(({ path: other }) => other))];
    if (imports.length + users.length === 0) return [];
    const lines = imports.flatMap(({ startLine, endLine }) => [startLine, endLine]);
    const start = Math.max(1, Math.min(...lines, 1_000_000) === 1_000_000 ? 1 : Math.min(...lines));
    const end = Math.min(Math.max(start, ...lines), start + longestExcerpt - 1);
    const inside = [...new Set(imports.flatMap(({ targets }) => targets.slice(0, 1)))];
    return [lineCandidate(path, { start, end }, 3, { name: 'dependencies', summary: [list('imports', inside), list('imported by', users)].filter(text => text !== '').join('; ') || null })];
  });
}

function list(verb: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `${verb} ${paths.slice(0, 4).join(', ')}${paths.length > 4 ? ` and ${paths.length - 4} more` : ''}`;
}

/** Test cases that use what changed, those that call it first. */
export function testsOf(changed: readonly Definition[], view: CodeView): Candidate[] {
  const found = changed.flatMap(({ name }) => {
    const uses = view.referencesTo(name).filter(({ path }) => view.isTest(path)).slice(0, 100);
    const cases = new Map<string, Candidate>();
    for (const { path, line } of uses) {
      const around = view.enclosing(path, line);
      const whole = around.findLast(({ kind }) => kind === 'test') ?? around.findLast(({ kind }) => kind !== 'constant');
      if (whole === undefined) continue;
      const range = { start: whole.startLine, end: Math.min(whole.endLine, whole.startLine + linesOfTest - 1) };
      const key = `${path}:${range.start}`;
      if (!cases.has(key)) cases.set(key, lineCandidate(path, range, 2, { kind: 'test', name: whole.name }));
    }
    return [...cases.values()].slice(0, testsPerSymbol);
  });
  return found.slice(0, mostTests);
}

export function commitPointers(commits: readonly Commit[]): Candidate[] {
  return commits.map(({ id, date, title, sentence }) => pointer('artifact', `git:${id.slice(0, 12)}`, 6, { summary: [date, title, sentence].filter(text => text !== '').join('; ') }));
}
