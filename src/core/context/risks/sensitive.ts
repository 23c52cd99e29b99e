/** Secrets on added lines, and changed code that a security reviewer has to read, by the rules that deal files to reviewers. */
import { isExamplePath, kindsOf } from '../../languages/path-kinds.ts';
import type { ChangedFile } from '../../words/change.ts';
import { judgeSensitivity } from '../scope.ts';
import { addedLines, type ChangedText, removedLines, type SideLine } from './changed-lines.ts';
import { listPlaces, quote, type Risk, type RiskMaterial } from './risk.ts';

export function findSecrets({ secrets }: RiskMaterial): Risk[] {
  return secrets.map(({ path, line }) => ({
    kind: 'secret' as const,
    path,
    line,
    sentence: `${path}:${line} adds a secret`,
    evidence: [`${path}:${line}`],
    action: `Have the secret of ${path}:${line} withdrawn where it was issued; taking the line out does not help`,
  }));
}

/** Files that one rule names are one risk: the first is told, the others are counted. */
export function findSensitive(texts: readonly (readonly [ChangedFile, ChangedText])[]): Risk[] {
  const signs = texts.flatMap(([file, text]) => {
    const sign = signOf(file, text);
    return sign === null ? [] : [sign];
  });
  const groups = new Map<string, Sign[]>();
  for (const sign of signs) groups.set(sign.rule, [...(groups.get(sign.rule) ?? []), sign]);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [riskOf(first, others)],
  );
}

interface Sign {
  readonly path: string;
  readonly line: SideLine;
  /** The rule that names it, as people read it. */
  readonly rule: string;
}

function riskOf({ path, line, rule }: Sign, others: readonly Sign[]): Risk {
  const more =
    others.length === 0
      ? ''
      : `; so ${others.length === 1 ? 'is' : 'are'} ${listPlaces(
          others.map(one => ({ path: one.path, line: one.line.newLine })),
          2,
        )}`;
  return {
    kind: 'sensitive',
    path,
    line: line.newLine,
    sentence: `${path}:${line.newLine} is security-sensitive, ${rule}: ${quote(line.text)}${more}`,
    evidence: [line.text],
    action: null,
  };
}

/** Null for tests, documents and samples, and where no code changes. */
function signOf(file: ChangedFile, text: ChangedText): Sign | null {
  const { path, status } = file;
  const kinds = kindsOf({ path, changedLines: [] });
  if (
    status === 'deleted' ||
    kinds.has('test') ||
    kinds.has('documentation') ||
    isExamplePath(path)
  )
    return null;
  const first = [...addedLines(text), ...removedLines(text)].find(one => /\w/.test(one.code));
  if (first === undefined) return null;
  for (const line of addedLines(text)) {
    const { reason } = judgeSensitivity({
      path: '',
      changedLines: [line.text.replace(merelyNamed, '')],
    });
    if (reason !== null && /\w/.test(line.code))
      return { path, line, rule: `it ${reason.replace('a changed line ', '')}` };
  }
  const { reason } = judgeSensitivity({ path: path.replace(innocent, ''), changedLines: [] });
  return reason === null ? null : { path, line: first, rule: `its ${reason}` };
}

/** The word alone is a variable in most languages, and a module only in one. */
const merelyNamed = /(?<!import |from )\bsubprocess\b(?!\.(?:run|Popen|call|check_|get))/g;

/** Words that only look like those of the rules. */
const innocent = /authors?(?![a-z])|tokeni[sz]|oracle|miracle|obstacle|spectacle/gi;
