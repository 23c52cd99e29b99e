/** What moved a claim after its confidence was computed, as a colleague would tell it: what was looked up, who was asked, who voted. */
import type { ClaimExplanation } from '../core/printed/explanation.ts';
import { movesOf } from './claim-moves.ts';
import { type Claim, likelihood } from '../core/words/claim.ts';
import { describeVote } from './describe-vote.ts';
import { count } from './figures.ts';
import type { Page } from './page.ts';
import { hang, oneLine } from './terminal-text.ts';

type Asked = Pick<Claim, 'id' | 'confidence' | 'cases' | 'verified' | 'deliberation'>;
type Verified = NonNullable<Claim['verified']>;

const mostRecorded = 3;

/** Nothing where nothing was looked up and nobody was asked. */
export function layAsked(
  { claim, recorded }: Pick<ClaimExplanation, 'claim' | 'recorded'>,
  page: Page,
): string[] {
  const rest = recorded.length - mostRecorded;
  return [
    ...layMoves(claim, page),
    ...recorded
      .slice(0, mostRecorded)
      .flatMap(({ source, ...asked }) => [
        ...hang(
          '  ',
          `In ${oneLine(source, 200)}, where it is ${asked.id}; the figures above are worked out anew, without this.`,
          page.measure,
        ),
        ...layMoves(asked, page),
      ]),
    ...(rest > 0 ? [`  … and of ${count(rest, 'more claim')}`] : []),
  ];
}

function layMoves({ confidence, cases, verified, deliberation }: Asked, page: Page): string[] {
  const before = verified?.confidenceBefore ?? deliberation?.confidenceBefore ?? null;
  const effect =
    before === null || confidence === null
      ? []
      : hang(
          '  ',
          `Its confidence before: ${likelihood(before, cases)}. After it: ${likelihood(confidence, cases)}.`,
          page.measure,
        );
  const told = [
    ...(verified === undefined ? [] : layVerified(verified, page)),
    ...(deliberation === undefined
      ? []
      : hang('  ', `The panel voted: ${oneLine(describeVote(deliberation), 300)}.`, page.measure)),
  ];
  return told.length === 0 ? [] : [...effect, ...told];
}

function layVerified(verified: Verified, page: Page): string[] {
  const { answers, noResponse, error } = verified;
  const words = new Map(
    answers.map(({ reviewer, reasoning, concerns }) => [
      reviewer,
      [reasoning, ...concerns].filter(text => text.trim() !== '').join(' '),
    ]),
  );
  return [
    ...movesOf(verified).flatMap(({ reviewer, words: what, worth }) => {
      const who = reviewer === null ? '' : `${oneLine(reviewer, 40)}, `;
      const said = reviewer === null ? '' : (words.get(reviewer) ?? '');
      return [
        ...hang(
          worth > 0 ? '  + ' : worth < 0 ? '  − ' : '  · ',
          `${who}${oneLine(what, 300).replace(/\.$/, '')}: ${oddsAfter(worth)}`,
          page.measure,
        ),
        ...(said === '' ? [] : hang('    ', `“${oneLine(said, 240)}”`, page.measure)),
      ];
    }),
    ...noResponse.flatMap(({ reviewer, error: why }) =>
      hang('  · ', `${oneLine(reviewer, 40)} did not answer: ${oneLine(why, 240)}`, page.measure),
    ),
    ...(error === null || noResponse.length > 0
      ? []
      : hang('  · ', oneLine(error, 240), page.measure)),
  ];
}

/** Log-odds in words: `its odds become 2.3 times what they were`. */
function oddsAfter(worth: number): string {
  if (worth === 0) return 'that moves nothing';
  const times = Math.exp(worth);
  return `its odds become ${times.toFixed(times < 0.995 ? 2 : 1)} times what they were`;
}
