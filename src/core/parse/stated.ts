/** Makes a stated finding, and finds the place a reviewer names: a path, and a line if there is one. Paths are hints here; `anchor.ts` resolves them. */
import type { StatedFinding } from '../words/finding.ts';
import { unstatedSeverity } from '../words/severity.ts';
import { cut, showEscaped, textLimit, toLine } from '../text.ts';

/** A place as a reviewer names it. `notes` say what was corrected. */
export type Place = Pick<StatedFinding, 'line' | 'endLine'> & {
  readonly path: string;
  readonly notes: readonly string[];
};

/** What a format knows of a finding: everything that is not given is null. `originalId` stays empty where the reviewer gave none. */
type Pieces = Pick<StatedFinding, 'label' | 'severity' | 'text' | 'raw'> & Partial<StatedFinding>;

/** Lengths capped, text on one line. Positions are counted once the whole answer is known. */
export function stateFinding(pieces: Pieces, place: Place | null): StatedFinding {
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
} satisfies Partial<StatedFinding>;

/** Stands for a stated line that cannot exist: beyond the end of every file, so that the place stays unanchored. */
export const impossibleLine = Number.MAX_SAFE_INTEGER;

const pathLimit = 4_096;

const noUnits: ReadonlySet<string> = new Set();

/** The first `path:line` in running text; null when there is none. Linear: a colon is no part of a path. */
export function placeIn(text: string): Place | null {
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    const lines = /^:(\d{1,9})(?:[-–](\d{1,9}))?(?![\w/])/.exec(text.slice(colon, colon + 22));
    if (!lines?.[1]) continue;
    const path = pathBefore(text, colon);
    if (path !== null) return toPlace(path, lines[1], lines[2]);
  }
  return null;
}

/**
 * A field that is only a place: `path`, `path:line`, `path:line-line`, `path:line:column`. Null when it is something
 * else. `units` are paths known to be under review: they need not look like one.
 */
export function placeOf(field: string, units: ReadonlySet<string> = noUnits): Place | null {
  if (field.length > 2 * pathLimit) return null;
  const bare = field.trim().replace(/^[`"'[(<]+|[`"'\])>]+$/g, '');
  if (bare === '') return null;
  if (units.has(bare)) return toPlace(bare);
  const withLine = /^(.+?):L?(-?\d{1,20})(?:[-–]L?(\d{1,20}))?(?::\d{1,9})?$/su.exec(bare);
  const path = withLine?.[1] ?? bare;
  if (!units.has(path) && !looksLikePath(path, withLine !== null)) return null;
  return toPlace(path, withLine?.[2], withLine?.[3]);
}

/** A place from a path and line as separate fields of a record. Whatever was meant as a path is kept. */
export function placeFrom(path: string, line: unknown, endLine: unknown): Place {
  const inPath =
    line === undefined || line === null ? /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(path) : null;
  if (inPath?.[1] !== undefined) return toPlace(inPath[1], inPath[2], inPath[3] ?? endLine);
  return toPlace(path, line, endLine);
}

function toPlace(path: string, line?: unknown, endLine?: unknown): Place {
  const notes: string[] = [];
  const start = toLineNumber(line, notes);
  const range =
    typeof line === 'string'
      ? /^\s*(?:lines?\s*)?L?\d+\s*[-–]\s*L?(\d+)\s*$/i.exec(line.slice(0, 60))?.[1]
      : undefined;
  const end =
    start === null || start === impossibleLine ? null : toLineNumber(endLine ?? range, []);
  const shown = cut(showEscaped(path), pathLimit);
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

function toLineNumber(line: unknown, notes: string[]): number | null {
  if (line === undefined || line === null || line === '') return null;
  const text =
    typeof line === 'string'
      ? line.slice(0, 60).trim()
      : typeof line === 'number'
        ? String(line)
        : typeof line;
  const digits = /^(?:lines?\s*)?L?(\d+)(?:\s*[-–]\s*L?\d+)?$/i.exec(text)?.[1];
  const number = digits === undefined ? Number.NaN : Number(digits);
  if (Number.isSafeInteger(number) && number > 0) {
    if (typeof line === 'string' && text !== digits)
      notes.push(`The line was stated as "${cut(text, 40)}".`);
    return number;
  }
  notes.push(`The stated line ${cut(JSON.stringify(text), 40)} is no line number.`);
  return impossibleLine;
}

/** Names of hosts look like file names; these endings are never ones of source files. */
const hostEndings: ReadonlySet<string> = new Set([
  'com',
  'net',
  'org',
  'io',
  'dev',
  'local',
  'localhost',
]);

function looksLikePath(text: string, hasLine: boolean): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return !/\s/.test(text);
  const ending = /\.([A-Za-z][A-Za-z0-9_-]{0,15})$/.exec(text)?.[1];
  if (/\s/.test(text)) return hasLine && ending !== undefined && text.length <= 300;
  return (
    /[/\\]/.test(text) ||
    (ending !== undefined && !hostEndings.has(ending.toLowerCase())) ||
    (hasLine && /^[\w.-]+$/.test(text))
  );
}

const pathCharacter = /[\p{L}\p{N}_./@+~$()[\]-]/u;

/** The path that ends at `end` in running text; null when what stands there is none. */
function pathBefore(text: string, end: number): string | null {
  let start = end;
  while (start > 0 && end - start < pathLimit && pathCharacter.test(text.charAt(start - 1)))
    start -= 1;
  const path = withoutOpener(text.slice(start, end));
  const before = text.charAt(end - path.length - 1);
  if (path.startsWith('//') || before === '\\' || before === ':') return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending =
    /[^/]\.([A-Za-z][A-Za-z0-9_-]{0,15})$/.exec(name)?.[1] ??
    /^\.([A-Za-z][\w-]*)$/.exec(name)?.[1];
  if (ending !== undefined)
    return hostEndings.has(ending.toLowerCase()) && !path.includes('/') ? null : path;
  return path.includes('/') && /\p{L}/u.test(name) ? path : null;
}

/** Cuts behind the last bracket that is opened and not closed: `see (src/a.ts` is `src/a.ts`. */
function withoutOpener(path: string): string {
  let open = 0;
  for (let at = path.length - 1; at >= 0; at -= 1) {
    const character = path.charAt(at);
    if (character === ')' || character === ']') open += 1;
    if ((character === '(' || character === '[') && --open < 0) return path.slice(at + 1);
  }
  return path;
}
