/** The ledger of a reviewer as its tools see it: what is set aside for the question under way is as good as spent. */
import { consume, openLedger, remainingOf, type Ledger } from '../core/context/ledger.ts';
import { defaultThresholds, modeAt, type ProgressiveSummarization } from '../core/context/progressive-mode.ts';
import type { ToolLedger } from './reviewer-tools.ts';
import type { ReviewerLedger } from './token-ledgers.ts';

export function toolLedgerOf(ledger: ReviewerLedger, thresholds: ProgressiveSummarization): ToolLedger {
  return {
    charge: tokens => ledger.charge(tokens),
    mode: () => modeAt({ total: ledger.standing().total, used: ledger.standing().total - ledger.remaining() }, thresholds),
    remaining: () => ledger.remaining(),
  };
}

/** For a reviewer whose tokens nobody counts: its tools may tell no more than this. Throws when the total is no budget. */
export function createToolLedger(total: number, thresholds: ProgressiveSummarization = defaultThresholds): ToolLedger {
  const opened = openLedger(total);
  if (!opened.ok) throw new Error(`No ledger of ${total} tokens: ${opened.code}.`);
  let ledger: Ledger = opened.ledger;
  return {
    charge(tokens) {
      const booked = consume(ledger, '', tokens);
      if (booked.ok) ledger = booked.ledger;
      return booked.ok ? 'ok' : booked.code;
    },
    mode: () => modeAt(ledger, thresholds),
    remaining: () => remainingOf(ledger),
  };
}
