/** What the rungs 4, 5 and 6 point at: the knowledge base, earlier journals, and stubs of outside systems. */
import { join } from 'node:path';
import { namesIn } from '../../adapters/store/file-names.ts';
import { readResource } from '../../adapters/store/resources.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { lineCandidate, pointer, type Candidate } from '../../core/context/packing/candidate.ts';
import type { CodeView } from '../../core/context/packing/code-view.ts';
import { revisionOf, splitLines } from '../../core/context/packing/line-range.ts';
import { runResourceUri } from '../../core/run-files/resource-uri.ts';
import type { OwnState } from '../own-state.ts';

/** Pinned, in this order: what every role has to know. */
const pinned = [/definition[-_ ]?of[-_ ]?done|^dod\b/i, /rubric/i, /style/i, /security|checklist/i];
const mostDecisions = 3;
const mostStubs = 6;

export async function knowledgePointers(state: StateFolder): Promise<readonly Candidate[]> {
  const names = [
    ...new Set([
      ...(await namesIn(state.disk, join(state.root, '.jury', 'kb'))),
      ...(await namesIn(state.disk, join(state.root, 'resources', 'kb'))),
    ]),
  ].filter(name => name.endsWith('.md'));
  const chosen = pinned.flatMap(pattern => names.filter(name => pattern.test(name)).toSorted());
  const found = await Promise.all(
    [...new Set(chosen)].map(name => pointTo('kb', `resources://kb/${name}`, 5, state)),
  );
  return found.flat();
}

/** Journals of the user's latest runs. */
export async function decisionPointers(state: OwnState): Promise<readonly Candidate[]> {
  const runs = (await state.listRuns()).slice(0, mostDecisions);
  const found = await Promise.all(
    runs.map(run => pointTo('decision', runResourceUri(run, 'journal.md'), 6, state)),
  );
  return found.flat();
}

/** Interfaces that stand for outside systems, and the tests of their contracts. */
export function stubAnchors(view: CodeView): readonly Candidate[] {
  const stubs = view.paths
    .filter(path =>
      /(?:^|\/)stubs?\/|(?:^|[/._-])contracts?[._-](?:test|spec)|[._-]stub\.[a-z]+$/i.test(path),
    )
    .slice(0, mostStubs);
  return stubs.map(path =>
    lineCandidate(path, { start: 1, end: Math.max(1, Math.min(20, view.linesOf(path))) }, 4, {
      kind: view.isTest(path) ? 'test' : 'code',
    }),
  );
}

/** Revision of what a pointer names; null when it is gone. */
export async function revisionOfResource(state: StateFolder, uri: string): Promise<string | null> {
  const text = await readResource(state, uri);
  return text === null ? null : revisionOf({ original: splitLines(text) }, null, sha256);
}

async function pointTo(
  kind: 'kb' | 'decision',
  uri: string,
  distance: number,
  state: StateFolder,
): Promise<Candidate[]> {
  const text = await readResource(state, uri);
  if (text === null) return [];
  const lines = splitLines(text);
  const heading = lines.find(line => line.startsWith('#'))?.replace(/^#+\s*/, '') ?? '';
  const sentence =
    /^.*?[.!?](?=\s|$)/.exec(
      lines.find(line => line.trim() !== '' && !/^[#*>-]/.test(line.trim()))?.trim() ?? '',
    )?.[0] ?? '';
  return [
    pointer(kind, uri, distance, {
      rev: revisionOf({ original: lines }, null, sha256),
      summary: [dateIn(uri), heading, sentence].filter(part => part !== '').join('; ') || null,
    }),
  ];
}

/** Run ids start with their day. */
function dateIn(uri: string): string {
  const [, year, month, day] = /\/(\d{4})(\d\d)(\d\d)T/.exec(uri) ?? [];
  return year === undefined ? '' : `${year}-${month}-${day}`;
}
