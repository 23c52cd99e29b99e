/**
 * What can be looked up about a claim without asking anybody: does what it quotes stand there, do the names it speaks of, is its
 * place on an added line, does the fix it asks for stand there already. Pure: the texts are handed in.
 */
import { z } from 'zod';
import { clamp } from '../words/odds.ts';
import type { Finding, Location } from '../words/finding.ts';

/**
 * - `quote`: the quoted line stands in the file; or the place was not found
 * - `name`: a name that the claim speaks of stands near its place; or none of them in the whole file
 * - `added`: the place is on a line that the change adds; or on one that it leaves as it was
 * - `fix`: the suggested code stands at the place already
 */
const checkNames = ['quote', 'name', 'added', 'fix'] as const;

export const ClaimCheck = z.object({
  check: z.enum(checkNames),
  /** Does it speak for the claim? */
  holds: z.boolean(),
  /** What was looked up, for people. */
  sentence: z.string(),
  /** Log-odds that it moves the confidence. */
  worth: z.number(),
});
export type ClaimCheck = z.infer<typeof ClaimCheck>;

/** One side of the file a finding is about. */
export interface CheckedText {
  /** Its lines from the first, without line ends; null where only the change is known. */
  readonly lines: readonly string[] | null;
  /** Numbers of the lines that the change adds; null where the subject is no change. */
  readonly added: ReadonlySet<number> | null;
}

/** Null: nothing is known of the file. */
export type TextAt = (location: Location) => CheckedText | null;

/** Log-odds, set by hand: no labelled data states quotes, places and the files they are of. What fails says more than what holds. */
const worths: Readonly<Record<ClaimCheck['check'], readonly [holds: number, fails: number]>> = {
  quote: [0.2, -0.6],
  name: [0.2, -0.4],
  added: [0.1, -0.2],
  fix: [0, -0.6],
};
/** All of them together; less than one answer of a reviewer of whom nothing is known. */
const mostMoved = 0.8;

/** A check holds when it does for one of the findings, and fails when it does for none of those it can be made of. */
export function checkClaim(findings: readonly Finding[], textAt: TextAt): ClaimCheck[] {
  return checkNames.flatMap(check => {
    const made = findings.flatMap(finding => checks[check](finding, textAt) ?? []);
    const decisive = made.find(({ holds }) => holds) ?? made[0];
    if (decisive === undefined) return [];
    return [{ check, ...decisive, worth: worths[check][decisive.holds ? 0 : 1] }].filter(
      ({ worth }) => worth !== 0,
    );
  });
}

/** Log-odds of all of them. */
export function worthOfChecks(made: readonly ClaimCheck[]): number {
  return clamp(
    made.reduce((total, { worth }) => total + worth, 0),
    -mostMoved,
    mostMoved,
  );
}

type Made = Pick<ClaimCheck, 'holds' | 'sentence'>;
type Check = (finding: Finding, textAt: TextAt) => Made | null;

const checks: Readonly<Record<ClaimCheck['check'], Check>> = {
  quote: checkQuote,
  name: checkName,
  added: checkAdded,
  fix: checkFix,
};

function checkQuote({ location }: Finding): Made | null {
  if (location === null) return null;
  if (location.anchoring === 'unanchored')
    return { holds: false, sentence: location.note ?? 'The place it names was not found.' };
  if (!location.checked) return null;
  return { holds: true, sentence: 'What it quotes stands in the file.' };
}

/** Lines around the place in which a name counts as standing there. */
const near = 15;

/** A name that the text puts into backquotes or writes as only code does; a file or a word of prose is none. */
function checkName(finding: Finding, textAt: TextAt): Made | null {
  const { location } = finding;
  const names = namesIn(`${finding.text}\n${finding.evidence ?? ''}`);
  const found = location === null || !isFound(location) ? null : textAt(location);
  if (location === null || found === null || found.lines === null || names.length === 0)
    return null;
  const { line } = location;
  const from = line === null ? 0 : Math.max(0, line - 1 - near);
  const to = line === null ? found.lines.length : (location.endLine ?? line) + near;
  const around = wordsOf(found.lines.slice(from, to));
  const there = names.find(name => around.has(name));
  if (there !== undefined)
    return {
      holds: true,
      sentence: `${there} stands ${line === null ? 'in the file' : 'near the place'}.`,
    };
  const file = wordsOf(found.lines);
  // It may be called from here and defined elsewhere in the file, or be what is missing.
  if (names.some(name => file.has(name))) return null;
  return { holds: false, sentence: `${names[0] ?? ''} stands nowhere in the file.` };
}

function checkAdded({ location }: Finding, textAt: TextAt): Made | null {
  if (location === null || location.line === null || location.side === 'old' || !isFound(location))
    return null;
  const added = textAt(location)?.added ?? null;
  if (added === null) return null;
  const last = Math.min(location.endLine ?? location.line, location.line + near);
  for (let line = location.line; line <= last; line += 1)
    if (added.has(line)) return { holds: true, sentence: 'The change adds the line it is about.' };
  return { holds: false, sentence: 'The change does not add the line it is about.' };
}

/** Only what is asked for: code that is to be replaced or removed stands there rightly. */
function checkFix({ location, recommendation }: Finding, textAt: TextAt): Made | null {
  const wanted = recommendation === null ? [] : wantedCode(recommendation);
  const lines = location === null || !isFound(location) ? null : (textAt(location)?.lines ?? null);
  if (location === null || lines === null || wanted.length === 0) return null;
  const from = location.line === null ? 0 : Math.max(0, location.line - 1 - near);
  const to = location.line === null ? lines.length : (location.endLine ?? location.line) + near;
  const standing = squeeze(lines.slice(from, to).join('\n'));
  return wanted.every(code => standing.includes(squeeze(code)))
    ? { holds: false, sentence: 'The fix it asks for stands there already.' }
    : { holds: true, sentence: 'The fix it asks for does not stand there.' };
}

function isFound({ anchoring }: Location): boolean {
  return anchoring === 'exact' || anchoring === 'moved';
}

const shortestName = 3;
const mostNames = 12;
const longestText = 20_000;

/** `readFile`, `MAX_SIZE`, `user_id`, `close()`, and every word in backquotes that could be a name. */
function namesIn(text: string): string[] {
  const shown = text.slice(0, longestText);
  const quoted = [...shown.matchAll(/`([^`\n]{1,80})`/g)].flatMap(([, code = '']) =>
    /[/\s]|\.\w{1,4}$/.test(code) ? [] : (code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
  );
  const written = shown.match(
    /(?<![\w$./-])(?:[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[A-Za-z_$][\w$]*(?=\(\)))(?![\w$/-])/g,
  );
  return [...new Set([...quoted, ...(written ?? [])])]
    .filter(name => name.length >= shortestName)
    .slice(0, mostNames);
}

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap(line => line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
}

const shortestCode = 10;
/** What comes before code that is there and shall not be. */
const leaving =
  /(?:replace|remove|drop|delete|instead of|rather than|change|rename|move|avoid|not|of|from|the)\s*$/i;

/** Code in backquotes or fences that is no mere name. Empty where the words before any of it do not ask for it. */
function wantedCode(recommendation: string): string[] {
  const text = recommendation.slice(0, longestText);
  const pieces = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)];
  return pieces.flatMap(({ index, 1: block, 2: inline }) => {
    const code = (block ?? inline ?? '').trim();
    const isCode = squeeze(code).length >= shortestCode && /[^\w\s.]/.test(code);
    return isCode && !leaving.test(text.slice(0, index)) ? [code] : [];
  });
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}
