/** The questions a reviewer would be asked if its answers cost nothing: what a plan counts and a dry run shows. */
import type { Pack } from '../core/context/pack.ts';
import { modeAt } from '../core/context/progressive-mode.ts';
import type { Seat } from '../core/words/config.ts';
import type { RunTokens } from './review/open-tokens.ts';

export async function previewQuestions(seat: Seat, tokens: RunTokens): Promise<readonly Pack[]> {
  const { pack, source } = await tokens.waysOf(seat);
  if (source === undefined) return [pack('full')];
  const ledger = await tokens.ledgerOf(seat);
  const questions: Pack[] = [];
  const { used, total } = ledger?.standing() ?? { used: 0, total: Number.MAX_SAFE_INTEGER };
  for (let spent = 0; ;) {
    const mode = modeAt({ used: used + spent, total });
    const next =
      mode === 'force_return'
        ? null
        : source.propose(mode, ledger === null ? Number.POSITIVE_INFINITY : ledger.room() - spent);
    if (next === null) return questions;
    questions.push(source.take(next));
    spent += next.tokens;
  }
}
