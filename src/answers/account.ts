/** The account of an answer: which statements say once more what is known, and what is left over with weight. */
import type { StatedFinding } from '../core/words/finding.ts';
import { rankOf, type LabelScale } from '../core/words/severity.ts';
import { squash } from '../core/text.ts';
import { labelAtStart, labelsIn } from './heads.ts';
import type { Draft } from './reading.ts';

type Statement = Pick<StatedFinding, 'originalId' | 'severity' | 'text' | 'path' | 'line'>;

/**
 * What is said beyond what is known. A statement says something once more if it is no graver and has its id, or is as grave and has its
 * words or its place; or if one of the two has no place and no other statement is that one already.
 */
export function withoutRestated<Said extends Statement>(
  said: readonly Said[],
  known: readonly Statement[],
): Said[] {
  const byKey = new Map<string, Statement>();
  for (const each of known) for (const key of keysOf(each)) byKey.set(key, each);
  const restated = new Set<Statement>();
  const rest = said.filter(each => {
    const same = keysOf(each)
      .map(key => byKey.get(key))
      .find(found => found !== undefined && rankOf(found.severity) <= rankOf(each.severity));
    if (same !== undefined) restated.add(same);
    return same === undefined;
  });
  const free = known.filter(each => !restated.has(each));
  const pools = new Map<string, number>();
  const add = (key: string, count: number): void => {
    pools.set(key, (pools.get(key) ?? 0) + count);
  };
  for (const { severity, path } of free) add(`${severity} ${path === null}`, 1);
  return rest.filter(({ severity, path }) => {
    const pool = [`${severity} true`, ...(path === null ? [`${severity} false`] : [])].find(
      key => (pools.get(key) ?? 0) > 0,
    );
    if (pool !== undefined) add(pool, -1);
    return pool === undefined;
  });
}

function keysOf({ originalId, severity, text, path, line }: Statement): readonly string[] {
  return [
    ...(originalId === '' || originalId.startsWith('#') ? [] : [`id ${originalId}`]),
    `${severity} text ${squash(text)}`,
    ...(path === null || line === null ? [] : [`${severity} place ${path}:${line}`]),
  ];
}

/**
 * Lines with weight that belong to no finding: quoted labels; labels in the middle of a line and a verdict that say worse than anything
 * that was read.
 */
export function leftOver(draft: Draft, findings: readonly Graded[]): string[] {
  const worst = worstOf(findings);
  const isGrave = ({ severity }: Graded): boolean =>
    rankOf(severity) < Math.min(worst, rankOf('medium'));
  const isUnmet = draft.verdict?.verdict === 'risky' && worst > rankOf('high');
  return [
    ...new Set([
      ...draft.left,
      ...draft.mentions.filter(isGrave).map(({ line }) => line),
      ...(isUnmet ? [`Verdict: ${draft.verdict?.words ?? ''}`] : []),
    ]),
  ].map(line => line.trim());
}

type Graded = Pick<StatedFinding, 'severity'>;

/**
 * Lines left over of a first answer that name a severity as a label, worse than any finding of both answers: a plain "none" to the
 * question about them takes no statement back. What the prose told, and a verdict, it does.
 */
export function unanswered(
  lines: readonly string[],
  findings: readonly Graded[],
  scale: LabelScale,
): string[] {
  const worst = worstOf(findings);
  return lines.filter(line =>
    [labelAtStart(line, scale), ...labelsIn(line, scale).filter(({ isTold }) => !isTold)].some(
      label => label !== null && rankOf(label.severity) < worst,
    ),
  );
}

function worstOf(findings: readonly Graded[]): number {
  return findings.reduce((rank, { severity }) => Math.min(rank, rankOf(severity)), 9);
}
