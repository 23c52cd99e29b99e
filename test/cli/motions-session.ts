/** A session folder with as many motions and members as asked for, and the program started on it. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { type Ended, endOf, startJury } from './jury.ts';
import { filesBelow } from '../files-below.ts';

export interface SessionSample {
  /** Where the program is started; holds the session and the configuration. */
  readonly folder: string;
  readonly results: string;
}

export interface SessionRequest {
  readonly members: readonly (
    string | { readonly name: string; readonly base_url?: string; readonly model?: string }
  )[];
  readonly motions: number;
  /** The `motions` key of the configuration. */
  readonly settings: object;
}

export function createSession({ members, motions, settings }: SessionRequest): SessionSample {
  const folder = createFolder();
  const session = path.join(folder, 'session');
  mkdirSync(session);
  const list = Array.from({ length: motions }, (_, index) => ({
    mega_motion_id: `m-${index}`,
    title: `Motion ${index}`,
    theme: 'Care',
    consolidated_text: `The members shall act with care in matter ${index}.`,
    source_motion_ids: ['s-1'],
    all_supporting_archons: [],
    unique_archon_count: 0,
  }));
  writeFileSync(path.join(session, 'mega-motions.json'), JSON.stringify(list));
  writeFileSync(path.join(session, 'roster.json'), JSON.stringify(members));
  writeFileSync(
    path.join(folder, 'jury.config.json'),
    JSON.stringify({ motions: { conflicts: { detector: 'off' }, ...settings } }),
  );
  return { folder, results: path.join(folder, '_bmad-output', 'review-pipeline', 'session') };
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The server that answers lives in this process, so that nothing may wait for the program in a blocking way. */
export function startIn(folder: string, args: readonly string[]): Started {
  const child = startJury(folder, args);
  return { child, ended: endOf(child) };
}

export function readResult(results: string, name: string): unknown {
  return JSON.parse(readFileSync(path.join(results, name), 'utf8'));
}

/** Every artifact by its path, without what differs between two runs: times, durations, hashes over them, and the id of the run. */
export function readArtifacts(results: string): Record<string, unknown> {
  return Object.fromEntries(
    filesBelow(results).map(file => [
      path.relative(results, file),
      contentOf(file, readFileSync(file, 'utf8')),
    ]),
  );
}

function contentOf(file: string, text: string): unknown {
  return file.endsWith('.json')
    ? withoutTimes(JSON.parse(text))
    : text.split('\n').filter(line => !/^- (?:Time|Audit trail|Results): /.test(line));
}

const timeKeys =
  /(?:_at|_ms|_minutes|_seconds|_sha256|^response_id|^vote_id|^panel_id|^run_id|^revision_of)$/;

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !timeKeys.test(key))
      .map(([key, inner]) => [key, withoutTimes(inner)]),
  );
}
