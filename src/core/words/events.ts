/** What happens while a run goes on, in order: the lines of `events.jsonl` and the source of every progress display. */
import type { ProgressiveMode } from '../context/progressive-mode.ts';
import type { Cause, Review } from './review.ts';
import type { Outcome } from '../verdict/record.ts';

export type RunEvent =
  | {
      readonly type: 'run-start';
      readonly run: string;
      readonly folder: string;
      readonly title: string;
      readonly reviewers: readonly {
        readonly id: string;
        readonly runner: string;
        readonly required: boolean;
      }[];
    }
  | { readonly type: 'review-start'; readonly reviewer: string; readonly attempt: number }
  | {
      readonly type: 'review-progress';
      readonly reviewer: string;
      readonly outputTokens: number;
      readonly bytes: number;
    }
  | {
      readonly type: 'review-retry';
      readonly reviewer: string;
      readonly cause: Cause;
      readonly waitMs: number;
    }
  /** A ledger reached four fifths, or was asked for more than it holds: each at most once. */
  | {
      readonly type: 'warning' | 'exhausted';
      readonly ledger: string;
      readonly reviewer: string;
      readonly used: number;
      readonly total: number;
    }
  /** What a reviewer is asked for from now on. */
  | {
      readonly type: 'mode';
      readonly reviewer: string;
      readonly mode: ProgressiveMode;
      readonly used: number;
      readonly total: number;
    }
  /** `remembered`: read from the journal; nobody was called. */
  | { readonly type: 'review-end'; readonly review: Review; readonly remembered: boolean }
  | { readonly type: 'claim-form'; readonly claims: number }
  | { readonly type: 'run-end'; readonly outcome: Outcome | null }
  | { readonly type: 'note'; readonly message: string };

export type OnEvent = (event: RunEvent) => void;
