/**
 * What the engine itself finds in a change, whoever is seated: text that is not what it looks like, and credentials, which
 * are masked before any reviewer sees them. Nobody's silence clears it.
 */
import { z } from 'zod';
import type { Change, ChangedFile } from '../words/change.ts';
import type { Claim } from '../words/claim.ts';
import { hiddenIn, lookAlikeIn, mediumOf } from './hidden-text.ts';
import { addedLinesOf } from '../integrity/added-lines.ts';
import type { SecretSpan } from '../ports/secret-scanner.ts';
import { isSecretCategory } from './security-category.ts';
import { makeVisible } from './visible-text.ts';
import { Text, Whole } from '../words/fields.ts';

export const EngineFinding = z.object({
  rule: z.enum(['hidden-text', 'look-alike', 'secret']),
  path: Text,
  /** 1-based, on the new side; null when it is the name of the file. */
  line: Whole.positive().nullable(),
  /** One sentence that begins with the place. */
  text: Text,
});
export type EngineFinding = z.infer<typeof EngineFinding>;

/** A credential on lines that the change adds. It holds the value: kept in memory only, never stored, never printed. */
export interface AddedSecret {
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly message: string;
  readonly value: string;
}

interface Searched {
  readonly change: Change;
  /** Those that are no examples. */
  readonly secrets: readonly AddedSecret[];
  readonly claims: readonly Claim[];
  /** Ids of the built-in analysers on the panel. */
  readonly analysers: ReadonlySet<string>;
  /** Ids of the claims that fail the gate anyway. */
  readonly blocking: readonly string[];
}

/** Counts what is looked for: a run that looked for less is no answer to a later one. */
export const engineRules = 4;

const mostListed = 50;

/** In the order of the change; of very many the rest is counted. */
export function findInChange(searched: Searched): EngineFinding[] {
  const found = [...searched.change.files.flatMap(findHidden), ...findSecrets(searched)];
  const [next] = found.slice(mostListed);
  if (!next) return found;
  return [
    ...found.slice(0, mostListed),
    { ...next, text: `${placeOf(next)} is the first of ${found.length - mostListed} more.` },
  ];
}

function findHidden(file: ChangedFile): EngineFinding[] {
  if (file.status === 'deleted') return [];
  const medium = mediumOf(file.path);
  const named =
    file.oldPath === null && file.status !== 'added'
      ? []
      : judgeText(file.path, { path: file.path, line: null }, 'code');
  return [
    ...named,
    ...addedLinesOf(file).flatMap(({ path, line, text }) =>
      judgeText(line === 1 ? text.replace(/^\uFEFF/, '') : text, { path, line }, medium),
    ),
  ];
}

type Place = Pick<EngineFinding, 'path' | 'line'>;

function judgeText(
  text: string,
  place: Place,
  medium: Parameters<typeof hiddenIn>[1],
): EngineFinding[] {
  const subject = `${placeOf(place)}${place.line === null ? ' has a name that' : ''}`;
  const hidden = hiddenIn(text, medium);
  const twin = medium === 'code' ? lookAlikeIn(text) : null;
  return [
    ...(hidden.length === 0
      ? []
      : [
          {
            ...place,
            rule: 'hidden-text' as const,
            text:
              `${subject} holds characters that hide what it says: ` +
              `${hidden.join(', ')}.${place.line === null ? '' : ' If they are meant, write them as escapes.'}`,
          },
        ]),
    ...(twin
      ? [
          {
            ...place,
            rule: 'look-alike' as const,
            text:
              `${subject} holds "${makeVisible(twin.name).slice(0, 60)}", in which letters of another script ` +
              `look like Latin ones: ${twin.letters.join(', ')}.`,
          },
        ]
      : []),
  ];
}

/** One that somebody dismissed as a claim of an analyser is settled; one that such a claim blocks for already is not said twice. */
function findSecrets({ secrets, claims, analysers, blocking }: Searched): EngineFinding[] {
  const settled = claims.filter(
    ({ id, state, findings }) =>
      (state === 'dismissed' || blocking.includes(id)) &&
      findings.some(
        ({ reviewer, category }) => analysers.has(reviewer) && isSecretCategory(category),
      ),
  );
  const isSettled = ({ path, line }: AddedSecret) =>
    settled.some(({ location }) => location?.path === path && location.line === line);
  const open = new Map(
    secrets
      .filter(secret => !isSettled(secret))
      .map(secret => [`${secret.path}\n${secret.line}`, secret]),
  );
  return [...open.values()].map(({ path, line, message }) => ({
    rule: 'secret' as const,
    path,
    line,
    text: `${placeOf({ path, line })} adds a secret: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
  }));
}

function placeOf({ path, line }: Place) {
  return `${makeVisible(path)}${line === null ? '' : `:${line}`}`;
}

/** Of the spans found in a file's patch as `renderPatch` prints it, sorted and disjoint, those that touch an added line. */
export function secretsAddedBy(
  file: ChangedFile,
  patch: string,
  spans: readonly SecretSpan[],
): AddedSecret[] {
  if (spans.length === 0) return [];
  const added = addedStretches(file, patch);
  let next = 0;
  return spans.flatMap(({ start, end, kind, message }) => {
    while ((added[next]?.end ?? end) <= start) next += 1;
    const stretch = added[next];
    return !stretch || stretch.start >= end
      ? []
      : [{ path: file.path, line: stretch.line, kind, message, value: patch.slice(start, end) }];
  });
}

/** Where in the patch each added line stands. The hunks are its tail: whatever names stand before them are none. */
function addedStretches({ hunks }: ChangedFile, patch: string) {
  const lines = patch.split('\n');
  let index = lines.length - 1 - hunks.reduce((sum, hunk) => sum + 1 + hunk.lines.length, 0);
  let start = lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0);
  const stretches: { line: number; start: number; end: number }[] = [];
  for (const hunk of hunks) {
    start += (lines[index] ?? '').length + 1;
    index += 1;
    let line = hunk.newStart;
    for (const text of hunk.lines) {
      const end = start + text.length + 1;
      if (text.startsWith('+')) stretches.push({ line, start, end });
      if (text.startsWith('+') || text.startsWith(' ')) line += 1;
      start = end;
      index += 1;
    }
  }
  return stretches;
}
