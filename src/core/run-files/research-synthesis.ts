/** What a process that brings knowledge comes to, as sections of `synthesis.md`: nothing in it is a defect that somebody has to mend. */
import { groupBy } from '../group-by.ts';
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

/** A part of the file, which says so where there is nothing in it. */
export function block(heading: string, lines: readonly string[]): readonly string[] {
  return [`### ${heading}`, '', ...(lines.length === 0 ? ['None.'] : lines), ''];
}

export function namesOf(names: readonly string[]): string {
  return names.map(readable).join(', ');
}

/** The answer with its sources, the sources by rank, who is how sure, what nobody found out, and what contradicts what. */
export function renderKnowledge({ research, claims, reviews, names }: Knowledge): string[] {
  const nameOf = (id: string): string => readable(names.get(id) ?? id);
  const line = ({ id, text, supporters, electorate, findings }: Claim): string => {
    const sources = findings.flatMap(({ evidence }) => (evidence ?? '').split(', '));
    const cited = [...new Set(sources)].filter(source => source !== '');
    return (
      `- ${nameOf(id)}: ${readable(cut(text, textLimit))} — ${namesOf(supporters)} (${supporters.length}/${electorate})` +
      (cited.length === 0 ? '' : `; sources ${namesOf(cited)}`)
    );
  };
  if (research === null) return [...block('Ideas', claims.map(line))];
  const byId = new Map(claims.map(claim => [claim.id, claim]));
  const gaps = groupBy(
    reviews.flatMap(({ reviewer, research: own }) =>
      (own?.gaps ?? []).map(gap => ({ gap, reviewer })),
    ),
    ({ gap }) => gap,
  );
  return [
    ...block('Answer', research.answer.flatMap(id => byId.get(id) ?? []).map(line)),
    ...block(
      'Sources',
      research.sources.length === 0
        ? []
        : tableOf(
            ['Rank', 'Source', 'Address', 'Agents'],
            research.sources.map(({ rank, title, address, agents }) => [
              rank,
              readable(title),
              readable(address),
              namesOf(agents),
            ]),
          ),
    ),
    ...block('Confidence', [
      `The lowest that is stated: ${research.confidence ?? 'none'}`,
      '',
      ...reviews.map(
        ({ reviewer, status, research: own }) =>
          `- ${readable(reviewer)}: ${status === 'failed' ? 'no answer' : (own?.confidence ?? 'not stated')}`,
      ),
    ]),
    ...block(
      'Gaps',
      [...gaps].map(([gap, those]) => {
        const agents = new Set(those.map(({ reviewer }) => reviewer));
        return `- ${readable(cut(gap, textLimit))} (${namesOf([...agents])})`;
      }),
    ),
    ...block(
      'Conflicts',
      research.conflicts.map(({ claims: [one, other], preferred, why }) => {
        const chosen = preferred === null ? '' : `${nameOf(preferred)} is preferred, `;
        return `- ${nameOf(one)} against ${nameOf(other)}: ${chosen}${readable(why)}`;
      }),
    ),
  ];
}
