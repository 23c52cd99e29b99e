/**
 * Makes a stated finding, and finds the place a reviewer names: a path, and a line if there is one. Paths are hints here;
 * `anchor.ts` resolves them.
 */
import { type StatedFinding, nameApart, unstatedSeverity } from './finding.ts';
import { visibleName } from '../safety/visible-text.ts';
import { cut, textLimit, toLine } from '../text.ts';

/** A place as a reviewer names it. `notes` say what was corrected. */
export type Place = Pick<StatedFinding, 'line' | 'endLine'> & {
  readonly path: string;
  readonly notes: readonly string[];
};

/** Lengths capped, text on one line. Positions are counted once the whole answer is known. */
export function stateFinding(
  pieces: Pick<StatedFinding, 'label' | 'severity' | 'text' | 'raw'> & Partial<StatedFinding>,
  place: Place | null,
): StatedFinding {
  const line = toLine(pieces.text);
  const text = cut(line, textLimit);
  const notes = [...(pieces.notes ?? []), ...(place?.notes ?? [])];
  if (text !== line) notes.push(`The text had ${line.length} characters and was cut.`);
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000\u001B]/.test(pieces.text))
    notes.push('Control characters were removed from the text.');
  return {
    ...nothingStated,
    ...pieces,
    ...place,
    originalId: cut(toLine(pieces.originalId ?? ''), 100),
    label: pieces.label.trim(),
    text,
    notes,
  };
}

/** By the reviewer's id, or `#n` by position; a second use of an id becomes `<id>#2`. */
export function nameInOrder(stated: readonly StatedFinding[]) {
  return nameApart(
    stated.map((finding, index) =>
      finding.originalId === '' ? { ...finding, originalId: `#${index + 1}` } : finding,
    ),
  );
}

/** The label of a finding whose severity nobody stated: read as medium where an order is needed. */
export const unstatedLabel = 'UNSTATED';

export function isSeverityStated({ label }: Pick<StatedFinding, 'label'>) {
  return label !== '' && label !== unstatedLabel;
}

const nothingStated = {
  originalId: '',
  label: '',
  severity: unstatedSeverity,
  text: '',
  path: null,
  line: null,
  endLine: null,
  section: null,
  quote: null,
  category: null,
  evidence: null,
  recommendation: null,
};

/** Stands for a stated line that cannot exist: beyond the end of every file, so that the place stays unanchored. */
export const impossibleLine = Number.MAX_SAFE_INTEGER;

export const pathLimit = 4_096;

const noUnits: ReadonlySet<string> = new Set();

/**
 * A field that is only a place: `path`, `path:line`, `path:line-line`, `path:line:column`, `path#L3-L9`, `path (lines 3-9)`,
 * a link to one, in any dress. Null when it is something else. `units` are paths known to be under review: they need not look
 * like one.
 */
export function placeOf(field: string, units: ReadonlySet<string> = noUnits): Place | null {
  if (field.length > 2 * pathLimit) return null;
  const bare = undressed(unlinked(field));
  if (bare === '') return null;
  if (units.has(bare)) return toPlace(bare);
  const withLine = fieldLines.map(pattern => pattern.exec(bare)).find(found => found !== null);
  const path = undressed(withLine?.[1] ?? bare);
  const linked = blobPath(path);
  if (linked !== null) return toPlace(linked, withLine?.[2], withLine?.[3]);
  if (!units.has(path) && !looksLikePath(path, withLine !== undefined)) return null;
  return toPlace(path, withLine?.[2], withLine?.[3]);
}

const fieldLines: readonly RegExp[] = [
  /^(\S{1,1000}\.\w{1,8}): (\d{1,9})$/u,
  /^(.+?)(?::L?|#L)(-?\d{1,20})(?:[-–—]L?(\d{1,20}))?(?::\d{1,9})?$/su,
  /^(\S{1,1000}?),?\s{1,2}\(?(?:at\s)?(?:lines?\s{1,2}|L)(\d{1,9})(?:\s?[-–—]\s?L?(\d{1,9}))?\)?$/iu,
];

/** Without quotes, brackets and emphasis, around it or around a part of it. */
function undressed(field: string) {
  return field
    .replaceAll('`', '')
    .replace(/\*\*([^*]{1,4000})\*\*/g, '$1')
    .trim()
    .replace(/^["'[(<]+|["'\])>]+$/g, '');
}

/** A link as what it shows, or as its target where only that names lines; `【F:src/a.ts†L3】` and `src\a.ts:3` as others write them. */
export function unlinked(text: string) {
  const plain = text
    .replace(/【F:([^†【】\n]{1,300})†(L\d{1,9}(?:-L\d{1,9})?)】/g, '($1#$2)')
    .replace(/(?<![\w\\/.-])[\w.-]{1,60}(?:\\[\w.-]{1,60}){1,20}(?=:\d)/g, path =>
      path.replaceAll('\\', '/'),
    );
  return plain.replace(
    /\[([^[\]\n]{1,300})\]\(([^()\s]{1,1000})\)/g,
    (_, shown: string, target: string) =>
      !/(?::|#L)\d/.test(shown) && /#L\d/.test(target) ? target : shown,
  );
}

/** The path in the address of a file on a forge: `https://host/owner/name/blob/main/src/a.ts`. Null for any other text. */
export function blobPath(address: string) {
  return (
    /^(?:https?:)?\/\/[^/\s]{1,200}\/[^\s]{1,300}?\/(?:-\/)?blob\/[^/\s]{1,200}\/([^\s?]{1,1000})$/.exec(
      address.slice(0, pathLimit),
    )?.[1] ?? null
  );
}

/** The place that fields such as `File: src/a.ts` and `Line: 3` name together; null when none names a path. */
export function placeOfFields(fields: readonly string[]): Place | null {
  const value = (name: RegExp) => {
    const found = fields
      .map(
        field => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)] as const,
      )
      .find(([key]) => name.test(key))?.[1];
    return found?.replace(/^[\s*_`]+|[\s*_`]+$/g, '');
  };
  const file = value(/^\W*(?:file|path|location|place|where|file ?\/ ?line)\W*$/i);
  const line = value(/^\W*(?:lines?(?:\(s\))?|line ?numbers?)\W*$/i);
  return file === undefined
    ? null
    : ((line === undefined ? null : placeOf(`${file}:${line}`)) ?? placeOf(file));
}

/** A place from a path and line as separate fields of a record. Whatever was meant as a path is kept. */
export function placeFrom(path: string, line: unknown, endLine: unknown): Place {
  const inPath =
    line === undefined || line === null ? /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(path) : null;
  if (inPath?.[1] !== undefined) return toPlace(inPath[1], inPath[2], inPath[3] ?? endLine);
  return toPlace(path, line, endLine);
}

export function toPlace(path: string, line?: unknown, endLine?: unknown): Place {
  const notes: string[] = [];
  const start = toLineNumber(line, notes);
  const range =
    typeof line === 'string'
      ? /^\s*(?:lines?\s*)?L?\d+\s*[-–]\s*L?(\d+)\s*$/i.exec(line.slice(0, 60))?.[1]
      : undefined;
  const end =
    start === null || start === impossibleLine ? null : toLineNumber(endLine ?? range, []);
  const shown = cut(visibleName(path), pathLimit);
  if (shown !== path) notes.push('Characters of the path were escaped or cut.');
  if (start !== null && end !== null && end < start) {
    notes.push('The stated range ended before it began.');
    return { path: shown, line: end, endLine: start, notes };
  }
  return {
    path: shown,
    line: start,
    endLine: end === impossibleLine || end === start ? null : end,
    notes,
  };
}

function toLineNumber(line: unknown, notes: string[]) {
  if (line === undefined || line === null || line === '') return null;
  const text =
    typeof line === 'string'
      ? line.slice(0, 60).trim()
      : typeof line === 'number'
        ? String(line)
        : typeof line;
  const digits = /^(?:lines?\s*)?L?(\d+)(?:\s*[-–]\s*L?\d+)?$/i.exec(text)?.[1];
  const number = digits === undefined ? NaN : Number(digits);
  if (Number.isSafeInteger(number) && number > 0) {
    if (typeof line === 'string' && text !== digits)
      notes.push(`The line was stated as "${cut(text, 40)}".`);
    return number;
  }
  notes.push(`The stated line ${cut(JSON.stringify(text), 40)} is no line number.`);
  return impossibleLine;
}

/** Names of hosts look like file names; these endings are never ones of source files. */
export const hostEndings: ReadonlySet<string> = new Set(
  'com net org io dev local localhost'.split(' '),
);

function looksLikePath(text: string, hasLine: boolean) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return !/\s/.test(text);
  const ending = /\.([A-Za-z][A-Za-z0-9_-]{0,15})$/.exec(text)?.[1];
  if (/\s/.test(text)) return hasLine && ending !== undefined && text.length <= 300;
  return (
    /[/\\]/.test(text) ||
    (ending !== undefined && !hostEndings.has(ending.toLowerCase())) ||
    (hasLine && /^[\w.-]+$/.test(text))
  );
}
