/**
 * What single lines of a change tell: a guard or an assertion that is gone, what automation may do, what becomes of a database. The
 * table beside this file says which lines. What stands on the other side as often, or anywhere else in the change, was written anew
 * or moved; where more lines come than go nothing was taken away.
 */
import { numberedLines } from '../change/patch.ts';
import { isCodeLine } from '../change/patch.ts';
import { familyOf, isExamplePath, isTestPath, kindsOf, maskText } from '../languages/languages.ts';
import { groupsBy } from '../groups.ts';
import type { ChangedFile } from '../words/change.ts';
import type { Definition } from '../words/code-index.ts';
import type { ChangedName, Place } from './changed-names.ts';
import type { CodeView } from './packing/code-view.ts';
import type { LinesOf } from './packing/line-range.ts';
import { isWorkflow } from './review-plan.ts';
import table from './risks.json' with { type: 'json' };
import { countOf } from '../text.ts';

/** A risk that a change carries by what stands in it. */
export interface Risk {
  /** One of `kinds` in the table. */
  readonly kind: string;
  readonly path: string;
  /** Begins with the place and quotes the change: mask it before it leaves the machine. */
  readonly sentence: string;
  /** What to look at next, with places; null when nothing beyond the place itself. */
  readonly action: string | null;
}

export interface RiskMaterial {
  readonly files: readonly ChangedFile[];
  /** Names that the change removes or whose signature it changes. */
  readonly names: readonly ChangedName[];
  /** Added lines of which a secret was taken out. */
  readonly secrets: readonly Place[];
  /** The tree after the change. */
  readonly view: CodeView;
  /** Why files of that tree are not read, by path. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Lines of a changed file on its new side; empty when it was not read. */
  readonly linesOf: LinesOf;
  /** As it was, by the path it had; empty when it lost nothing or was not read. */
  readonly oldLinesOf: LinesOf;
}

type ChangedHunk = ReturnType<typeof readHunks>[number];

/** A line of code that one side has and the other has not. */
export type SideLine = ChangedHunk['added'][number];

/**
 * The hunks of a file as lines of code. `at`: on its own side, 1-based; `line`: on the new side, of a line that is gone the one that
 * stands in its place; `code`: without comments, and with strings left empty.
 */
export function readHunks(file: ChangedFile, { linesOf, oldLinesOf }: RiskMaterial) {
  const { path } = file;
  const [before = [], after = []] = [oldLinesOf(file.oldPath ?? path), linesOf(path)].map(lines =>
    maskText(lines.join('\n'), familyOf(path)).code.split('\n'),
  );
  return file.hunks.map(hunk => {
    const lines = numberedLines(hunk).map(({ mark, text, old, new: line }) => {
      const at = mark === '-' ? old : line;
      const code = (mark === '-' ? before : after)[at - 1] ?? text;
      return { mark, path, at, line: Math.max(1, line), text, code };
    });
    // What tells nothing is no code.
    const told = lines.filter(
      ({ text, code }) => /\w/.test(code) && text.length < 1_000 && isCodeLine(text),
    );
    return {
      file,
      removed: told.filter(({ mark }) => mark === '-'),
      added: told.filter(({ mark }) => mark === '+'),
    };
  });
}

const inMigrations = new RegExp(table.migrations, 'i');

/** Programs are neither tests nor examples nor prose. */
export function isProgram(path: string) {
  const kinds = kindsOf({ path });
  return (
    kinds.has('code') && !(isTestPath(path) || kinds.has('documentation')) && !isExamplePath(path)
  );
}

export function isMigration(path: string) {
  return inMigrations.test(path) && !isTestPath(path);
}

const places = {
  program: isProgram,
  test: isTestPath,
  workflow: isWorkflow,
  migration: isMigration,
};

const rules = table.lines.map(rule => ({
  ...rule,
  isIn: places[rule.in as keyof typeof places],
  isGuard: rule.kind === 'removed-guard',
  pattern: new RegExp(rule.pattern, rule.in === 'migration' ? 'i' : ''),
}));
type Rule = (typeof rules)[number];

type Sign = ReturnType<typeof signsIn>[number];

/** Of each rule the first place is told and the others are counted; of guards for each function. */
export function findLineRisks(hunks: readonly ChangedHunk[], material: RiskMaterial): Risk[] {
  const keys = {
    added: new Set(hunks.flatMap(({ added }) => added.map(keyOf))),
    removed: new Set(hunks.flatMap(({ removed }) => removed.map(keyOf))),
  };
  return rules.flatMap(rule => {
    const elsewhere = rule.side === 'added' ? keys.removed : keys.added;
    const signs = hunks
      .filter(({ file }) => file.status !== 'deleted' || rule.in === 'test')
      .filter(({ file }) => rule.isIn(file.path))
      .flatMap(hunk => signsIn(hunk, rule, elsewhere, material));
    return groupsBy(signs, ({ around }) => around?.name).map(group =>
      tell(rule, group, material.view),
    );
  });
}

function signsIn(
  { file, added, removed }: ChangedHunk,
  rule: Rule,
  elsewhere: ReadonlySet<string>,
  { names, view }: RiskMaterial,
) {
  const { isGuard, side } = rule;
  const [own, other] = side === 'added' ? [added, removed] : [removed, added];
  if (side === 'removed' && other.length >= own.length) return [];
  const kept = other.filter((_, index) => shownBy(rule, other, index) !== null).length;
  // What left with its function, or with what it tested.
  const gone = names.filter(
    ({ path, change }) =>
      side === 'removed' && change === 'removed' && path === (file.oldPath ?? file.path),
  );
  const found = own.flatMap((line, index) => {
    const shown = shownBy(rule, own, index);
    const around = isGuard ? functionAround(line.path, line.line, view) : undefined;
    const isLeft = gone.some(({ name, line: at }) =>
      isGuard ? at <= line.at && own.some(one => one.at === at) : line.text.includes(name),
    );
    return shown === null || elsewhere.has(keyOf(line)) || isLeft || (isGuard && !around)
      ? []
      : // Of a condition with its exit both are quoted.
        { ...line, shown, around };
  });
  return found.slice(0, Math.max(0, found.length - kept));
}

/** A condition and its exit may stand on three lines. Null where the rule is not about the line. */
function shownBy(rule: Rule, lines: readonly SideLine[], index: number) {
  const first = lines[index]?.at ?? 0;
  for (let most = 1; most <= (rule.isGuard ? 3 : 1); most += 1) {
    const part = lines.slice(index, index + most).filter(({ at }, step) => at - first <= step + 1);
    const isCode = rule.in === 'program' || rule.in === 'test';
    if (rule.pattern.test(part.map(one => (isCode ? one.code : one.text)).join(' ')))
      return part.map(one => one.text.trim()).join(' ');
  }
  return null;
}

/** The same line in another form is the same line. */
function keyOf({ text }: SideLine) {
  return text.replace(/[\s"'`,;{}]/g, '');
}

function tell(
  { kind, says, action, side }: Rule,
  [first, ...others]: readonly [Sign, ...Sign[]],
  view: CodeView,
): Risk {
  const { path, line, at, shown, around } = first;
  const place = `${path}:${line}`;
  const where = `${around === undefined ? '' : ` from ${around.name}`}${side === 'removed' ? ` (was line ${at})` : ''}`;
  return {
    kind,
    path,
    sentence: `${place} ${says}${where}: ${quote(shown)}${andSo(others.map(nameOf), 'does', 'do')}`,
    action:
      (around === undefined ? null : callersAction(around, view)) ??
      (action === null ? null : `${action}: ${place}`),
  };
}

/** The innermost function around a line. */
export function functionAround(path: string, line: number, view: CodeView) {
  return view
    .enclosing(path, line)
    .findLast(({ kind }) => kind === 'function' || kind === 'method');
}

/** Null when nobody calls it, or several things are called so. */
function callersAction({ name }: Definition, view: CodeView) {
  const isAlone = view.definitionsOf(name).filter(({ path }) => !view.isTest(path)).length === 1;
  const calls = view
    .referencesTo(name)
    .filter(({ kind, path }) => kind === 'call' && !view.isTest(path));
  return isAlone && calls.length > 0
    ? `Check the ${countOf(calls.length, 'caller')} of ${name}: ${listPlaces(calls)}`
    : null;
}

const longestQuote = 100;

/** One line of code as it is quoted in a sentence. */
export function quote(text: string) {
  const line = text.replace(/\s+/g, ' ').trim();
  return `\`${line.length <= longestQuote ? line : `${line.slice(0, longestQuote - 1)}…`}\``;
}

export const mostListed = 3;

/** `one, other, third and 3 more` */
export function listNames(names: readonly string[], most = mostListed) {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export function listPlaces(found: readonly Place[]) {
  return listNames(found.map(nameOf));
}

function nameOf({ path, line }: Place) {
  return `${path}:${line}`;
}

/** `; so does a.ts:1`, `; so do a.ts:1, b.ts:2` */
export function andSo(others: readonly string[], one: string, many: string) {
  return others.length === 0 ? '' : `; so ${others.length === 1 ? one : many} ${listNames(others)}`;
}
