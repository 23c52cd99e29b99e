/** The results of a vote in memory, every value in them, and somebody who changes one and makes all hashes fit again. */
import { sha256 } from '../../src/core/hash.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type AuditEvent, canonicalJson } from '../../src/vote/recorded-inputs.ts';
import { filesBelow } from '../files-below.ts';

/** Text by the name of the file. */
export type Results = ReadonlyMap<string, string>;

export function readResults(folder: string): Results {
  return new Map(
    filesBelow(folder).map(file => [path.relative(folder, file), readFileSync(file, 'utf8')]),
  );
}

export function writeResults(folder: string, results: Results, before: Results): void {
  for (const [name, text] of results)
    if (text !== before.get(name)) writeFileSync(path.join(folder, name), text);
}

/** One value of one file, changed. */
export interface Flip {
  readonly file: string;
  /** Keys from outside; `*` for a place in a list. */
  readonly keys: string;
  readonly text: string;
}

/** Every value of every file: numbers + 1, texts longer, truth turned, nulls 1, lists without their last element. */
export function* flipsOf(results: Results): Generator<Flip> {
  for (const [file, text] of results) {
    if (!file.endsWith('.json')) {
      const lines = text.split('\n');
      for (const [index, line] of lines.entries())
        if (line !== '')
          yield {
            file,
            keys: line.replace(/:.*$/, ''),
            text: lines.with(index, `${line}x`).join('\n'),
          };
      continue;
    }
    const root: unknown = JSON.parse(text);
    for (const { keys, put } of placesIn(root, '')) yield { file, keys, text: changed(root, put) };
  }
}

interface Place {
  readonly keys: string;
  /** Changes the value in place and returns how to undo it. */
  readonly put: () => () => void;
}

function changed(root: unknown, put: Place['put']) {
  const undo = put();
  const text = JSON.stringify(root, null, 2);
  undo();
  return `${text}\n`;
}

function* placesIn(value: unknown, keys: string): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const holder = value as Record<string, unknown>;
  for (const [key, inner] of Object.entries(holder)) {
    const place = `${keys}${isList ? '*' : key}`;
    if (typeof inner === 'object' && inner !== null) yield* placesIn(inner, `${place}.`);
    const next = flipped(inner);
    if (next === undefined) continue;
    yield {
      keys: place,
      put: () => {
        holder[key] = next;
        return () => {
          holder[key] = inner;
        };
      },
    };
  }
}

/** Undefined: an object, whose own values are changed. */
function flipped(value: unknown): unknown {
  if (value === null) return 1;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.length === 0 ? ['x'] : value.slice(0, -1);
  return undefined;
}

const [trailName, resultName, reportName] = [
  'audit_trail.json',
  'pipeline_result.json',
  'report.md',
] as const;

/** Whoever can write every file: hashes of files and of inputs, the chain and its head are those of what now stands there. */
export function forge(results: Results): Results {
  const forged = new Map(results);
  const events = JSON.parse(forged.get(trailName) ?? '') as AuditEvent[];
  const oldHead = /"head_sha256": "(\w+)"/.exec(forged.get(resultName) ?? '')?.[1] ?? '';
  const inputs = JSON.parse(forged.get('vote_inputs.json') ?? '') as Record<string, unknown>;
  const started = events[0]?.details ?? {};
  for (const part of Object.keys(inputs))
    if (`${part}_sha256` in started)
      started[`${part}_sha256`] = sha256(canonicalJson(inputs[part]));
  const drafts = new Map<string, string>(
    [resultName, reportName].map(name => [
      name,
      (forged.get(name) ?? '').replace(oldHead, '0'.repeat(64)),
    ]),
  );
  const hashes = events.at(-1)?.details['artifacts_sha256'] as Record<string, string>;
  for (const [name, text] of forged)
    if (name !== trailName) hashes[name] = sha256(drafts.get(name) ?? text);
  let head = '0'.repeat(64);
  for (const event of events) {
    event.prev_sha256 = head;
    head = sha256(canonicalJson(event));
  }
  for (const [name, text] of drafts) forged.set(name, text.replace('0'.repeat(64), head));
  return forged.set(trailName, `${JSON.stringify(events, null, 2)}\n`);
}
