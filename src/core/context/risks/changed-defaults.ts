/** Switches and limits whose value a change sets anew while everything that reads them stays as it is. */
import { isExamplePath, isTestPath } from '../../languages/path-kinds.ts';
import type { ChangedText, SideLine } from './changed-lines.ts';
import { listNames, quote, type Risk } from './risk.ts';

/** One for each file: the first is told, the others are named. */
export function findChangedDefaults(texts: readonly ChangedText[]): Risk[] {
  return texts.flatMap(text => {
    const { path, status } = text;
    if (status === 'deleted' || status === 'added' || !mayDecide(text)) return [];
    const moves = movesIn(text);
    const [first, ...others] = moves;
    if (first === undefined) return [];
    const at = `${path}:${first.line.number}`;
    return [
      {
        kind: 'changed-default' as const,
        path,
        line: first.line.number,
        sentence:
          `${at} sets ${first.name} to ${first.to} (was ${first.from}): ` +
          `${quote(first.line.text)}${others.length === 0 ? '' : `; so it does with ${listNames([...new Set(others.map(({ name }) => name))], 3)}`}`,
        evidence: moves.slice(0, 5).map(({ line }) => line.text),
        action: `Check who relies on ${first.name} being ${first.from}`,
      },
    ];
  });
}

/** Code and settings that come with it: no tests, samples, pages or lists of packages. */
function mayDecide({ path, kinds }: ChangedText): boolean {
  return (
    (kinds.has('code') || /\.(?:ya?ml|toml|ini|cfg|conf|properties|env)$/i.test(path)) &&
    !kinds.has('test') &&
    !kinds.has('documentation') &&
    !kinds.has('manifest') &&
    !isTestPath(path) &&
    !isExamplePath(path) &&
    !/(?:^|\/)\.[^/]+|\.(?:css|scss|html?)$|(?:^|\/)(?:docker-)?compose[^/]*$|\.config\.\w+$/i.test(
      path,
    )
  );
}

interface Move {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly line: SideLine;
}

function movesIn({ removed, added: come }: ChangedText): Move[] {
  const before = new Map<string, { readonly value: string; readonly count: number }>();
  for (const { text: line, code } of removed) {
    const set = code.trim() === '' ? null : settingIn(line);
    if (set !== null)
      before.set(set.name, {
        value: set.value,
        count: (before.get(set.name)?.count ?? 0) + 1,
      });
  }
  const added = come.flatMap(line => {
    const set = line.code.trim() === '' ? null : settingIn(line.text);
    return set === null ? [] : [{ ...set, line }];
  });
  return added.flatMap(({ name, value, line }) => {
    const old = before.get(name);
    // Of several by one name nobody knows which one was which.
    if (old?.count !== 1 || added.filter(one => one.name === name).length > 1) return [];
    return old.value.toLowerCase() !== value.toLowerCase() && sortOf(old.value) === sortOf(value)
      ? [{ name, from: old.value, to: value, line }]
      : [];
  });
}

const word = /^(?:true|false|on|off|yes|no)$/i;
const limits =
  /time_?out|limit|max(?:imum)?(?![a-z])|retr(?:y|ies)|ttl|threshold|expir|_age|MaxAge|rounds|iterations|attempts|\btries/i;
/** `name = value`, `name: value`, `const Name Type = value`; alone on its line. */
const setting =
  /^\s*(?:(?:export|public|private|protected|internal|static|final|const|let|var|val|readonly|pub|define)\s+)*(?:[\w<>.]+\s+(?=[\w$]+\s*=))?["']?(@?[A-Za-z_$][\w$.-]*)["']?\s*(?:[?:]?=|:(?!:)(?:\s*[\w.<>]+\s*=)?|=>)\s*(true|false|True|False|on|off|yes|no|\d[\d_]*(?:\.\d+)?(?:\s*\*\s*[\w.]+)*)\s*[,;]?\s*(?:(?:\/\/|#).*)?$/;

function settingIn(line: string): { readonly name: string; readonly value: string } | null {
  if (line.length > 300) return null;
  const [, name, value] = setting.exec(line) ?? [];
  if (name === undefined || value === undefined) return null;
  // A local variable that begins with another value decides nothing by itself.
  const isLocal = /^\s/.test(line) && /^\s*(?:let|var)\s|^\s*[a-z][A-Za-z0-9]{0,3}\s*=/.test(line);
  return isLocal || !(word.test(value) || limits.test(name)) ? null : { name, value };
}

function sortOf(value: string): 'switch' | 'number' {
  return word.test(value) ? 'switch' : 'number';
}
