/** Opens whoever answers for the members: a simulation, or real reviewers. */
import { sha256 } from '../../adapters/system/ids.ts';
import type { Config } from '../../core/words/config.ts';
import type { MotionsSettings } from '../../core/vote/motions-settings.ts';
import type { RuleSet } from '../../core/vote/rule-set.ts';
import type { SessionInput } from '../../core/vote/session-input.ts';
import { simulatePanels, simulateReviews } from '../../core/vote/simulation.ts';
import type { MotionsRequest } from '../../core/request.ts';
import type { Deliberators } from '../../engine/vote/run-motions.ts';
import type { Limits } from '../../engine/ceiling.ts';
import { clockOf, type Call } from '../call.ts';
import { openMotionsRun, type MotionsEnd } from './motions-run.ts';
import { deliberateWith, openReviewers } from './real-reviewers.ts';
import { repositoryRootOf, stateRootIn } from '../root.ts';

export interface DeliberationOpening {
  /** As it was asked for: what a resumed run asks for again. */
  readonly request: MotionsRequest;
  readonly input: SessionInput;
  readonly rules: RuleSet;
  /** With `concurrency`, `panel_concurrency` and `batch` settled: flag, environment, configuration, default. */
  readonly settings: SettledSettings;
  readonly config: Config;
  /** Folder that paths of the configuration refer to. */
  readonly home: string;
  /** Id of the run that is gone on with; null for a new vote. */
  readonly resumes: string | null;
}

export type SettledSettings = MotionsSettings &
  Readonly<Record<'concurrency' | 'panel_concurrency' | 'batch', number>>;

export interface OpenedDeliberators extends Deliberators {
  /** Notes that the results are written: the vote has come to its end. */
  end(result: MotionsEnd): Promise<void>;
  close(): Promise<void>;
}

export function simulateDeliberators(call: Call): OpenedDeliberators {
  const now = (): string => clockOf(call).now().toISOString();
  return {
    simulated: true,
    collectReviews: ({ packets, motions }) =>
      Promise.resolve(simulateReviews(packets, motions, now())),
    holdPanels: ({ panels }) => Promise.resolve(simulatePanels(panels, now())),
    end: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/**
 * Throws `UserError` (kind `usage`) when they cannot start: nothing is simulated in their place. What they answer is in the
 * journal of a run; one that was begun with the same input and never ended is gone on with.
 */
export async function openRealDeliberators(
  opening: DeliberationOpening,
  call: Call,
): Promise<OpenedDeliberators> {
  const {
    request,
    input: { session },
    settings,
    config,
    home,
    resumes,
  } = opening;
  const checkout = await repositoryRootOf(call);
  const reviewers = await openReviewers(
    { config, home, checkout, roster: session.roster, concurrency: settings.concurrency },
    call,
  );
  const limits: Limits = {
    maxCalls: request.maxCalls ?? config.maxCalls ?? null,
    maxTokens: request.maxTokens ?? config.maxTokens ?? null,
    maxCost: request.maxCost ?? config.maxCost ?? null,
  };
  const run = await openMotionsRun(
    {
      root: stateRootIn(checkout, call),
      checkout,
      retentionDays: config.retentionDays,
      title: session.name,
      request,
      inputHash: hashOf(opening),
      resumes,
    },
    call,
  );
  const {
    plan: { fence },
    steps,
  } = run;
  return {
    ...deliberateWith(reviewers, {
      batch: settings.batch,
      panelConcurrency: settings.panel_concurrency,
      limits,
      fence,
      steps,
    }),
    end: result => run.end(result),
    close: () => run.close(),
  };
}

/** Of everything that decides the answers: how many are asked at a time, what may be spent and how results are written do not. */
function hashOf({ request, input, rules, settings, config }: DeliberationOpening): string {
  const { concurrency: _, panel_concurrency: __, ...decisive } = settings;
  const { reviewer, endpoints } = config.motions ?? {};
  return sha256(
    JSON.stringify([
      request.out,
      request.includeDeferred,
      request.sample,
      input,
      rules,
      decisive,
      reviewer,
      endpoints,
    ]),
  );
}
