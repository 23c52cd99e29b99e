/** Protection that a change takes off while what it protected stays: locks, limits of time, errors that are swallowed. */
import type { Family } from '../../languages/languages.ts';
import { isExamplePath, isTestPath } from '../../languages/path-kinds.ts';
import { identifiersOf } from '../../text.ts';
import { type ChangedText, hasCode, type SideLine } from './changed-lines.ts';
import { quote, type Risk } from './risk.ts';

/** One for each file and rule. */
export function findLoosened(texts: readonly ChangedText[]): Risk[] {
  const product = texts.filter(
    text => text.status !== 'deleted' && text.family !== null && !isElsewhere(text),
  );
  const added = product.flatMap(text => text.added.map(({ code }) => code));
  return product.flatMap(text => [...takenOff(text, added), ...swallowed(text)]);
}

function isElsewhere({ path, kinds }: ChangedText): boolean {
  return kinds.has('test') || kinds.has('documentation') || isTestPath(path) || isExamplePath(path);
}

const protections: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'the lock',
    /^\s*(?:defer\s+)?[\w.$@>-]*\b\w*(?:mu|mutex|lock|mtx)\w*\.(?:R?Lock|lock|acquire|synchronize)\b|^\s*with\s+[\w.]*lock\w*\s*:|^\s*synchronized\s*\(|^\s*lock\s*\(\w/i,
  ],
  [
    'the limit of time',
    /\b(?:timeout|Timeout|deadline|Deadline)\w*\s*(?:=(?!=)|:|\()\s*\(?\s*[\w.]/,
  ],
];

/** Nothing like it comes, and a line that it stood next to stays. */
function takenOff(text: ChangedText, added: readonly string[]): Risk[] {
  return protections.flatMap(([what, pattern]) => {
    if (
      added.some(
        code => pattern.test(code) || (what !== 'the lock' && /timeout|deadline/i.test(code)),
      )
    )
      return [];
    for (const hunk of text.before)
      for (const [index, line] of hunk.entries())
        if (line.isChanged && pattern.test(line.code) && stays(hunk, index))
          return [riskOf(text.path, line, `${what} is gone (was line ${line.number})`, what)];
    return [];
  });
}

function stays(hunk: readonly SideLine[], at: number): boolean {
  const behind = hunk.slice(at + 1).find(hasCode);
  return behind !== undefined && !behind.isChanged;
}

const swallows: Readonly<Partial<Record<Family, RegExp>>> = {
  python: /^\s*except(?:\s+(?:Base)?Exception(?:\s+as\s+\w+)?)?\s*:/,
  ruby: /^\s*rescue\s*(?:(?:Exception|StandardError)?\s*(?:=>\s*\w+)?)?\s*$|\brescue\s+(?:nil|false)\s*$/,
  java: /\bcatch\s*\(\s*(?:final\s+)?(?:Throwable|Exception)\s+\w+\s*\)/,
  csharp: /^\s*\}?\s*catch\s*(?:\(\s*Exception(?:\s+\w+)?\s*\))?\s*\{?\s*$/,
  php: /\bcatch\s*\(\s*\\?(?:Throwable|Exception)\s+\$\w+\s*\)/,
  javascript:
    /\bcatch\s*(?:\(\s*\w+\s*\)\s*)?\{\s*\}|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:\{\s*\}|null|undefined)\s*\)/,
};
const tellsOn =
  /\b(?:raise|throw|log\w*|logger|warn\w*|error\w*|print\w*|abort|fail\w*|exit|reject|panic|emit|trace|capture\w*|report\w*|notify\w*)\b/i;

/** What catches everything and neither passes it on nor tells of it. Where it caught as much before, nothing has changed. */
function swallowed(text: ChangedText): Risk[] {
  const pattern = text.family === null ? undefined : swallows[text.family];
  if (pattern === undefined) return [];
  const had = text.removed.filter(({ code }) => pattern.test(code)).length;
  const found = text.after.flatMap(hunk =>
    hunk.flatMap((line, index) =>
      line.isChanged && pattern.test(line.code) && !tells(line, hunk.slice(index + 1, index + 8))
        ? [line]
        : [],
    ),
  );
  const [first] = found;
  return first === undefined || found.length <= had
    ? []
    : [riskOf(text.path, first, 'catches every error and tells nobody', null)];
}

function tells(line: SideLine, behind: readonly SideLine[]): boolean {
  const caught = /(?:as|=>|Throwable|Exception)\s+\$?(\w+)\s*\)?\s*[:{]?\s*$/.exec(line.code)?.[1];
  return behind.some(
    ({ code }) =>
      tellsOn.test(code) ||
      (caught !== undefined && [caught, `$${caught}`].some(name => identifiersOf(code).has(name))),
  );
}

function riskOf(path: string, line: SideLine, what: string, gone: string | null): Risk {
  const number = line.newLine;
  return {
    kind: 'loosened',
    path,
    line: number,
    sentence: `${path}:${number} ${what}: ${quote(line.text)}`,
    evidence: [line.text],
    action:
      gone === null
        ? `Check at ${path}:${number} which errors are meant`
        : `Check what happens at ${path}:${number} without ${gone}`,
  };
}
