/**
 * Conditions that refuse, and calls that check, which a change takes away while the code they stood before stays. What moved,
 * was rewritten or left together with its function is no removed guard.
 */
import type { Family } from '../../languages/languages.ts';
import { identifiersOf } from '../../text.ts';
import {
  type FoundGuard,
  givesUp,
  type Guard,
  guardAt,
  longestBlock,
  namesIn,
  opening,
  refuses,
  words,
} from './guards.ts';
import {
  type ChangedText,
  hasCode,
  indentOf,
  isProgram,
  keyOf,
  type SideLine,
} from './changed-lines.ts';
import { countOf, quote, type Risk, type RiskMaterial } from './risk.ts';
import { callersAction, functionAround } from './callers.ts';

export function findRemovedGuards(texts: readonly ChangedText[], material: RiskMaterial): Risk[] {
  const added = texts.flatMap(text => text.added);
  const addedKeys = new Set(added.map(({ text }) => keyOf(text)));
  const everywhere: Everywhere = {
    keys: addedKeys,
    joined: added.map(({ text }) => keyOf(text)).join('\n'),
    names: identifiersOf(added.map(({ code }) => code).join('\n')),
  };
  return texts.flatMap(text =>
    // Assertions of tests are told apart; documents and samples guard nothing.
    text.status === 'deleted' || text.family === null || !isProgram(text)
      ? []
      : grouped(guardsOf(text, everywhere, material)).map(guards =>
          riskOf(guards, text.path, material),
        ),
  );
}

type Guards = readonly [Guard, ...Guard[]];

/** Those that stood one below the other are one risk. */
function grouped(guards: readonly Guard[]): Guards[] {
  const groups: [Guard, ...Guard[]][] = [];
  for (const guard of guards) {
    const last = groups.at(-1);
    if (last?.[0].line.newLine === guard.line.newLine) last.push(guard);
    else groups.push([guard]);
  }
  return groups;
}

function riskOf([first, ...others]: Guards, path: string, material: RiskMaterial): Risk {
  const { line, shown, what } = first;
  const { view } = material;
  const at = Math.min(line.newLine, Math.max(1, material.linesOf(path).length));
  const around = functionAround(path, at, view);
  return {
    kind: 'removed-guard',
    path,
    line: at,
    sentence:
      `${path}:${at} ${what} is gone${around === undefined ? '' : ` from ${around.name}`} (was line ` +
      `${line.number}): ${quote(shown)}${others.length === 0 ? '' : `, and ${countOf(others.length, 'more check')} there`}`,
    evidence: [first, ...others].map(one => one.line.text),
    action:
      (around === undefined ? null : callersAction(around, view)) ??
      `Check what now holds at ${path}:${at} without ${quote(shown)}`,
  };
}

interface Everywhere {
  readonly keys: ReadonlySet<string>;
  readonly joined: string;
  readonly names: ReadonlySet<string>;
}

function guardsOf(text: ChangedText, everywhere: Everywhere, material: RiskMaterial): Guard[] {
  const family = text.family;
  if (family === null) return [];
  // A check that is gone itself is told with those who still call it.
  const left = new Set(
    material.names.filter(({ change }) => change === 'removed').map(({ name }) => name),
  );
  return text.before.flatMap((hunk, index) => {
    const after = text.after[index] ?? [];
    const replaced = replacementsIn(after, family);
    return hunk.flatMap((line, at) => {
      if (!line.isChanged) return [];
      const guard = guardAt(hunk, at, family);
      return guard === null ||
        isKept(guard, { everywhere, replaced }) ||
        leftWithItsBlock(hunk, at, everywhere) ||
        isTyped(guard, after, family) ||
        isSaidShorter(guard, after) ||
        isTurnedRound(guard, after) ||
        isEndedAlike(guard, after) ||
        isAskedElsewhere(guard, hunk, at, everywhere) ||
        left.has(guard.call ?? '') ||
        !standsBeforeSomething(hunk, at, after, family) ||
        !(isStillInUse(guard, text.path, material) || standsAlone(guard, hunk[at + 1]))
        ? []
        : [guard];
    });
  });
}

/** `x ?? throw …`, `x || raise …`, or a call that throws for a name of the guard. */
function isSaidShorter({ names }: FoundGuard, after: readonly SideLine[]): boolean {
  return after.some(
    ({ isChanged, code }) => isChanged && shorter.test(code) && shares(namesIn(code), names),
  );
}

/** The same error is handed back in one step: `return call()`, or `return err` behind the call. */
function isEndedAlike({ exit }: FoundGuard, after: readonly SideLine[]): boolean {
  const end = exit.replace(/[;{}\s]+$/, '');
  return (
    /\berr\b/.test(end) &&
    after.some(({ isChanged, text }) => isChanged && keyOf(text).replace(/[;{}\s]+$/, '') === end)
  );
}

/** What it called to know is called on lines that come, or what it did before it ended is done there. */
function isAskedElsewhere(
  guard: FoundGuard,
  hunk: readonly SideLine[],
  at: number,
  { names, keys }: Everywhere,
): boolean {
  if (guard.call !== null) return false;
  const called = [...guard.condition.matchAll(/([\p{L}_$][\p{L}\p{N}_$]{3,})\s*[!?]?\(/gu)]
    .map(([, name = '']) => name)
    .filter(
      name => !words.has(name) && !/^(?:isset|empty|count|typeof|len|length|size)$/.test(name),
    );
  const done = hunk
    .slice(at + 1, at + 1 + longestBlock)
    .filter(
      ({ isChanged, text, code }) =>
        isChanged &&
        keyOf(text) !== guard.exit &&
        /\w.{11}/.test(code) &&
        indentOf(text) > indentOf(guard.line.text),
    );
  return called.some(name => names.has(name)) || done.some(({ text }) => keys.has(keyOf(text)));
}

/** What was refused is what a branch is for now: another condition asks for all that the guard asked for. */
function isTurnedRound({ names, call }: FoundGuard, after: readonly SideLine[]): boolean {
  return (
    call === null &&
    names.size > 0 &&
    after.some(({ isChanged, code }) => {
      if (!isChanged || !(opening.test(code) || /\?|&&|\|\||\band\b/.test(code))) return false;
      const asked = namesIn(code);
      return [...names].every(name => asked.has(name));
    })
  );
}

const shorter =
  /(?:\?\?|\|\||\bor)\s*(?:throw|raise|die|panic)\b|\bThrowIf\w*|\brequireNonNull|\borElseThrow|\bok_or|\bbail!|\bensure!|\b(?:Preconditions|Guard|Guards|Validate|Assert|Assertions|Objects)\.\w+/;

/** In PHP a parameter with a type refuses what is of another one. */
function isTyped({ names }: FoundGuard, after: readonly SideLine[], family: Family): boolean {
  return (
    family === 'php' &&
    after.some(
      ({ isChanged, code }) =>
        isChanged &&
        /\bfunction\b/.test(code) &&
        [...names].some(name =>
          new RegExp(`[\\w\\\\|?]+ \\$${name.replace(/^\$/, '')}\\b`).test(code),
        ),
    )
  );
}

/** What it stood before is there still, as it was or in other words: the rest was not written anew. */
function standsBeforeSomething(
  hunk: readonly SideLine[],
  at: number,
  after: readonly SideLine[],
  family: Family,
): boolean {
  const behind = hunk
    .slice(at + 1)
    .filter((line, index) => hasCode(line) && guardAt(hunk, at + 1 + index, family) === null)
    .filter(({ code }) => !refuses.test(code) && !givesUp.test(code) && !opening.test(code));
  const [next] = behind;
  if (next === undefined || behind.slice(0, 2).some(({ isChanged }) => !isChanged)) return true;
  const names = namesIn(next.code);
  return after.some(({ isChanged, code }) => {
    const common = isChanged ? [...namesIn(code)].filter(name => names.has(name)).length : 0;
    return common > 0 && common * 2 >= names.size;
  });
}

/** Guards that a hunk has on its new side and are new there: each may stand for one that is gone. */
function replacementsIn(after: readonly SideLine[], family: Family): FoundGuard[] {
  return after.flatMap((line, at) => {
    const guard = guardAt(after, at, family, false);
    const isNew = line.isChanged || after.slice(at, at + longestBlock).some(one => one.isChanged);
    return guard !== null && isNew ? [guard] : [];
  });
}

function isKept(
  guard: FoundGuard,
  {
    everywhere,
    replaced,
  }: { readonly everywhere: Everywhere; readonly replaced: readonly FoundGuard[] },
): boolean {
  if (everywhere.keys.has(keyOf(guard.line.text))) return true;
  // What it says to whom it refuses is said in another way.
  if (textsIn(guard.shown).some(text => everywhere.joined.includes(text))) return true;
  if (guard.call !== null)
    return (
      everywhere.names.has(guard.call) ||
      replaced.some(({ call, names }) => call !== null || shares(names, guard.names))
    );
  // The same error under another condition, or the same condition in another form.
  if (
    guard.exit.length >= 16 &&
    everywhere.joined.includes(guard.exit.replace(/[;{}]+$/, '').trim())
  )
    return true;
  const bare = guard.condition
    .replace(/^\}?\s*(?:else\s+)?(?:if|elif|elsif|unless|guard)\b\s*/, '')
    .replace(/^\((.*)\)\s*\{?$/, '$1')
    .replace(/[{:]\s*$/, '')
    .trim();
  if (bare.length >= 8 && everywhere.joined.includes(bare)) return true;
  return replaced.some(({ names }) => shares(names, guard.names));
}

/** Texts that a refusal quotes, without what is put into them. */
function textsIn(shown: string): readonly string[] {
  return [...shown.matchAll(/(["'`])((?:(?!\1).){0,200})\1/g)].flatMap(([, , text = '']) =>
    text.split(/%\w|\$?\{[^}]*\}|#\{[^}]*\}/).filter(part => part.trim().length >= 8),
  );
}

function shares(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0 || other.size === 0) return one.size === other.size;
  const common = [...one].filter(name => other.has(name)).length;
  return common > 0;
}

const block =
  /^\s*(?:\}\s*)?(?:.*\b(?:function|def|func|fn|fun|class|module|impl|if|else|elif|elsif|for|while|switch|case|try|catch|except|with|unless|until|begin|do|describe|it)\b.*|.*=>\s*[{(]?|.*\)\s*(?::\s*[\w<>[\]|, ]+)?\s*(?:throws [\w., ]+)?\{|.*\{|.*:)\s*$/;

/** True when the function, or the branch, in which it stood went away as well. */
function leftWithItsBlock(hunk: readonly SideLine[], at: number, { keys }: Everywhere): boolean {
  let indent = indentOf(hunk[at]?.text ?? '');
  for (let above = at - 1; above >= 0 && indent > 0; above -= 1) {
    const line = hunk[above];
    if (line === undefined || line.code.trim() === '') continue;
    const own = indentOf(line.text);
    if (own >= indent) continue;
    indent = own;
    if (line.isChanged && block.test(line.code) && !keys.has(keyOf(line.text))) return true;
    if (!line.isChanged) return false;
  }
  return false;
}

/** A check that names nothing but itself holds for what stands behind it. */
function standsAlone({ names, call }: FoundGuard, next: SideLine | undefined): boolean {
  return [...names].every(name => name === call) && next?.isChanged === false && next.code !== '';
}

const near = 40;

/** A check of something that the code no longer speaks of has lost its object. */
function isStillInUse(
  { line, names, call }: FoundGuard,
  path: string,
  { linesOf }: RiskMaterial,
): boolean {
  const lines = linesOf(path);
  if (lines.length === 0) return false;
  // `if err := call(); …` is the call itself.
  const asked = /:=\s*([\w.]+)\(/.exec(line.code)?.[1]?.split('.').at(-1);
  if (asked !== undefined && !identifiersOf(lines.join('\n')).has(asked)) return false;
  const around = identifiersOf(
    lines.slice(Math.max(0, line.newLine - near), line.newLine + near).join('\n'),
  );
  return [...names].some(name => name !== call && around.has(name));
}
