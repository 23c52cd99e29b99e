/** What a process that brings knowledge comes to, as sections of `synthesis.md`: nothing in it is a defect that somebody has to mend. */
import { readable, tableOf } from '../safety/markdown-text.ts';
import { cut } from '../text.ts';
import type { Claim } from '../words/claim.ts';
import type { ResearchResult } from '../words/research-result.ts';
import type { Review } from '../words/review.ts';

interface Knowledge {
  /** Null where ideas were asked for. */
  readonly research: ResearchResult | null;
  readonly claims: readonly Claim[];
  readonly reviews: readonly Review[];
  /** The ids as people type them, by claim. */
  readonly names: ReadonlyMap<string, string>;
}

const textLimit = 400;

/** The answer with its sources, the sources by rank, who is how sure, what nobody found out, and what contradicts what. */
export function renderKnowledge({ research, claims, reviews, names }: Knowledge): string[] {
  const nameOf = (id: string): string => readable(names.get(id) ?? id);
  if (research === null)
    return ['### Ideas', '', ...listOr(claims.map(claim => line(claim, nameOf)))];
  const byId = new Map(claims.map(claim => [claim.id, claim]));
  return [
    '### Answer',
    '',
    ...listOr(research.answer.flatMap(id => byId.get(id) ?? []).map(claim => line(claim, nameOf))),
    '',
    '### Sources',
    '',
    ...(research.sources.length === 0
      ? ['None.']
      : tableOf(
          ['Rank', 'Source', 'Address', 'Agents'],
          research.sources.map(({ rank, title, address, agents }) => [
            rank,
            readable(title),
            readable(address),
            agents.map(readable).join(', '),
          ]),
        )),
    '',
    '### Confidence',
    '',
    `The lowest that is stated: ${research.confidence ?? 'none'}`,
    '',
    ...reviews.map(
      review =>
        `- ${readable(review.reviewer)}: ${review.status === 'failed' ? 'no answer' : (review.research?.confidence ?? 'not stated')}`,
    ),
    '',
    '### Gaps',
    '',
    ...listOr(gapsOf(reviews)),
    '',
    '### Conflicts',
    '',
    ...listOr(
      research.conflicts.map(
        ({ claims: [one, other], preferred, why }) =>
          `- ${nameOf(one)} against ${nameOf(other)}: ${preferred === null ? '' : `${nameOf(preferred)} is preferred, `}${readable(why)}`,
      ),
    ),
  ];
}

function line(
  { id, text, supporters, electorate, findings }: Claim,
  nameOf: (id: string) => string,
) {
  const sources = new Set(findings.flatMap(({ evidence }) => (evidence ?? '').split(', ')));
  const cited = [...sources].filter(source => source !== '');
  return (
    `- ${nameOf(id)}: ${readable(cut(text, textLimit))} — ${supporters.map(readable).join(', ')} ` +
    `(${supporters.length}/${electorate})${cited.length === 0 ? '' : `; sources ${cited.map(readable).join(', ')}`}`
  );
}

/** Each once, with everybody who names it. */
function gapsOf(reviews: readonly Review[]): string[] {
  const agents = new Map<string, string[]>();
  for (const { reviewer, research } of reviews)
    for (const gap of research?.gaps ?? []) agents.set(gap, [...(agents.get(gap) ?? []), reviewer]);
  return [...agents].map(
    ([gap, named]) =>
      `- ${readable(cut(gap, textLimit))} (${[...new Set(named)].map(readable).join(', ')})`,
  );
}

function listOr(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['None.'] : lines;
}
