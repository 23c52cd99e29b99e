/** Secrets on added lines, and changed code that a security reviewer has to read, by the rules that deal files to reviewers. */
import { kindsOf } from '../../languages/path-kinds.ts';
import type { ChangedFile } from '../../words/change.ts';
import { judgeSensitivity } from '../scope.ts';
import { addedLines, type ChangedText, removedLines, type SideLine } from './changed-lines.ts';
import { quote, type Risk, type RiskMaterial } from './risk.ts';

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

export function findSensitive(texts: readonly (readonly [ChangedFile, ChangedText])[]): Risk[] {
  return texts.flatMap(([file, text]) => {
    const kinds = kindsOf({ path: file.path, changedLines: [] });
    if (file.status === 'deleted' || kinds.has('test') || kinds.has('documentation')) return [];
    const code = [...addedLines(text), ...removedLines(text)].filter(one => /\w/.test(one.code));
    const [first] = code;
    if (first === undefined) return [];
    return bySign(file.path, first, code);
  });
}

/** Words that only look like those of the rules. */
const innocent = /authors?(?![a-z])|tokeni[sz]|syntax.?token|tokenstream|sessionstorage.?mock/i;

function bySign(path: string, first: SideLine, code: readonly SideLine[]): Risk[] {
  const added = code.filter(({ isChanged }) => isChanged);
  for (const line of added) {
    const { reason } = judgeSensitivity({ path: '', changedLines: [line.text] });
    if (reason !== null)
      return [
        riskOf(
          path,
          line.newLine,
          `${path}:${line.newLine} ${reason.replace('a changed line ', '')}: ${quote(line.text)}`,
        ),
      ];
  }
  const { reason } = judgeSensitivity({ path: innocentPart(path), changedLines: [] });
  return reason === null
    ? []
    : [riskOf(path, first.newLine, `${path}:${first.newLine} is changed: ${reason}`)];
}

function riskOf(path: string, line: number, sentence: string): Risk {
  return { kind: 'sensitive', path, line, sentence, evidence: [sentence], action: null };
}

function innocentPart(path: string): string {
  return path
    .split('/')
    .map(segment => (innocent.test(segment) ? segment.replace(innocent, '') : segment))
    .join('/');
}
