/** Every Markdown file that Jury writes, rendered as a host renders it, with hostile text in every place that data can stand. */
import { describe, expect, it } from 'vitest';
import { renderContextSnapshots, renderTeamPanel } from '../../src/core/run-files/run-page.ts';
import { renderReviewFile } from '../../src/core/run-files/review-file.ts';
import { renderSynthesis } from '../../src/core/run-files/synthesis-report.ts';
import type { Review } from '../../src/core/words/review.ts';
import { modes } from '../../src/core/words/mode.ts';
import { inlineBody } from '../../src/core/publish/settle.ts';
import { packer } from '../packer.ts';
import { publicationTexts } from '../../src/render/publish/comments.ts';
import { renderConsensusReport } from '../../src/render/consensus-report.ts';
import { renderConsensusReview } from '../../src/render/consensus-review.ts';
import { renderers } from '../../src/render/formats.ts';
import { renderMotionsMarkdown } from '../../src/render/motions-markdown.ts';
import { actingWords, showMarkdown } from './gfm.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { sampleTriage, sampleVote } from './sample-vote.ts';

const width = { color: false, width: 80 };

const alone = (payload: string) => payload;
const amid = (payload: string) => `before ${payload} after`;
/** Of what takes long to render only the form that begins and ends its places. */
const long: ReadonlySet<string> = new Set([
  'report.md and --format markdown',
  'the result of a vote',
]);

const sinks: Readonly<Record<string, (data: string) => string | Promise<string>>> = {
  'report.md and --format markdown': data => renderers.markdown(poisonedRun(data, data), width),
  'reviews/*.md': data =>
    poisonedRun(data, data)
      .reviews.map(review => renderReviewFile(review, { runId: 'r-1', answer: data }))
      .join('\n'),
  'reviews/*.md of research': data =>
    renderReviewFile(research(data), { runId: null, answer: null }),
  'reviews/synthesis.md': data => {
    const run = poisonedRun(data, data);
    return renderSynthesis(run);
  },
  'journal.md': data =>
    renderTeamPanel({
      assumptions: [data, `Nobody read ${data}.`],
      openQuestions: [data],
      proposedSpikes: [`spike/1: ${data}`],
    }) +
    renderContextSnapshots([
      { uri: `resources://${data}`, tokenEstimate: 1, rung: 1, stopReason: data },
    ]),
  '.jury/reviews/*': data => renderConsensusReview(poisonedRun(data, data)),
  'the report of consensus': data => {
    const { record, reviews } = poisonedRun(data, data);
    return renderConsensusReport({
      mode: 'code-review',
      scale: modes['code-review'].scale,
      commits: { base: data, head: data },
      reviews,
      strategy: record.strategy,
      quorum: record.quorum,
      claims: record.claims,
      verification: {
        result: 'fail',
        criteria: [{ criterion: 1, result: 'fail', pass: [data], fail: [`a ${data}`] }],
      },
      folder: `/run/${data}`,
    });
  },
  'the result of a vote': async data => renderMotionsMarkdown(await sampleVote(data)),
  'a summary in a pull request': data => {
    const { record } = poisonedRun(data, data);
    const fixed = [
      { id: 'c-0', severity: 'low' as const, text: data, location: null, reason: data },
    ];
    return publicationTexts.summary(
      { record, head: data, atLines: new Set(), fixed, beyond: 1, deleted: 1, troubles: [data] },
      60_000,
    );
  },
  'a comment at a line': data => {
    const { record } = poisonedRun(data, data);
    const [claim] = record.claims;
    if (claim === undefined) throw new Error('The sample has no claim.');
    const marker = { claim: claim.id, standing: 'dismissed' as const, known: null };
    const dismissed = {
      id: '',
      by: '',
      verdict: 'rejected' as const,
      scope: 'claim' as const,
      until: null,
    };
    return inlineBody(
      marker,
      publicationTexts.dismissed({ ...dismissed, reason: data }),
      publicationTexts.inline(claim, record),
      packer,
    );
  },
  'motions before the vote': async data => renderMotionsMarkdown(await sampleTriage(data)),
};

function research(data: string): Review {
  const [review] = poisonedRun(data, data).reviews;
  if (review === undefined) throw new Error('The sample has no review.');
  return {
    ...review,
    research: {
      sources: [{ rank: 'official', id: data, title: data, address: data }],
      confidence: 'low',
      gaps: [data],
      missing: [],
    },
  };
}

/** Of the payloads each sink is given one of `stride`, the next one others. */
export function describeSinks(stride: number): void {
  describe.each(Object.entries(sinks).map(([name, write], at) => ({ name, write, at })))(
    '$name',
    ({ name, write, at }) => {
      const chosen = payloads.filter((_, index) => (index + at) % stride === 0);

      it('has no element, link, mention or reference that comes from data', async () => {
        for (const form of long.has(name) ? [alone] : [alone, amid]) {
          const ours = showMarkdown(await write(form('harmless'))).elements;
          // What was said in several lines stands in a block.
          const inLines = showMarkdown(await write(form('harm\nless'))).elements;
          expect(ours.length).toBeGreaterThan(3);
          // What is blank is left out, and its place with it.
          for (const data of chosen.map(form).filter(text => text.trim() !== '')) {
            const { elements, words } = showMarkdown(await write(data));
            expect(elements, JSON.stringify(data)).toEqual(data.includes('\n') ? inLines : ours);
            expect(actingWords(words), JSON.stringify(data)).toEqual([]);
          }
        }
      });
    },
  );
}
