/** Opens the matcher of a strategy with what it needs of the world. A strategy that cannot run is never replaced by another. */
import path from 'node:path';
import { createSecretScanner } from '../checks/index.ts';
import { openAnswerCache } from '../adapters/store/answer-cache.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import { createMatcher, judgeAccuracyOf, mostCalls, mostPairs } from '../agreement/index.ts';
import {
  type Config,
  type EmbeddingConfig,
  type JudgeConfig,
  judgeOf,
  type Seat,
  type Strategy,
} from '../core/words/config.ts';
import { usageError } from '../core/errors.ts';
import type { JudgeSettings } from '../core/ports/judge.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import type { MatcherIdentity } from '../core/words/plan.ts';
import { redact } from '../core/safety/redaction.ts';
import { type Call, noteTo, signalOf } from './call.ts';
import { decidedHere } from './open-memory.ts';

interface Matching {
  readonly strategy: Strategy;
  /** Percent, for strategy `overlap`. */
  readonly threshold: number;
  /** Needed by the strategy of that name. */
  readonly embedding: EmbeddingConfig | null;
  readonly judge: Config['judge'] | null;
  /** The caller's own matcher, which stood in for the strategy; absent where there was none. */
  readonly matcher?: MatcherIdentity | undefined;
}

/** Throws `UserError` (kind `usage`) for a strategy that is not configured. */
export async function openMatcher(
  { strategy, threshold, embedding, matcher }: Omit<Matching, 'judge'>,
  state: StateFolder,
  call: Call,
): Promise<Matcher> {
  if (matcher !== undefined) return ownMatcher(matcher, call);
  if (strategy === 'embedding')
    return openEmbeddingMatcher(needed(embedding, strategy, 'embedding'), state, call);
  if (strategy === 'llm') {
    noteTo(call)('Strategy llm is strategy calibrated with the judge of the configuration.');
    return createMatcher('calibrated');
  }
  return createMatcher(strategy, threshold);
}

/** As plans name it; undefined where the caller brings none. */
export function matcherIdentity(matcher: Matcher | undefined): MatcherIdentity | undefined {
  return matcher && { name: matcher.name, version: matcher.version };
}

/** Claims are formed again, and explained, by the matcher that formed them. */
function ownMatcher({ name, version }: MatcherIdentity, { matcher }: Call): Matcher {
  if (matcher?.name === name && matcher.version === version) return matcher;
  throw usageError(
    `The claims of this run were matched by "${name}", version ${version}, which is none of Jury's own.`,
    'Give that matcher to createJury.',
  );
}

/** Is there what the strategy needs? Asked before anybody is paid. Throws like `openMatcher`. */
export function checkStrategy(
  { strategy, embedding, judge }: Pick<Config, 'strategy' | 'embedding' | 'judge'>,
  { matcher }: Pick<Call, 'matcher'>,
): void {
  if (matcher !== undefined) return;
  if (strategy === 'embedding') needed(embedding ?? null, strategy, 'embedding');
  if (strategy === 'llm') needed(judge ?? null, strategy, 'judge');
}

function needed<Settings>(
  settings: Settings | null,
  strategy: Strategy,
  key: keyof Config,
): Settings {
  if (settings !== null) return settings;
  throw usageError(
    `Strategy ${strategy} cannot run: the configuration has no key "${key}".`,
    'See docs/consensus.md.',
  );
}

async function openEmbeddingMatcher(
  { baseUrl, model, apiKeyEnv, cut }: EmbeddingConfig,
  state: StateFolder,
  call: Call,
): Promise<Matcher> {
  const { createEmbeddingMatcher } = await import('../adapters/matchers/embedding.ts');
  const apiKey = apiKeyEnv === undefined ? null : (call.environment[apiKeyEnv] ?? '');
  if (apiKey === '')
    throw usageError(`Strategy embedding cannot run: no key in ${apiKeyEnv ?? ''}.`);
  return createEmbeddingMatcher({
    endpoint: { baseUrl, model, apiKey, fetch: globalThis.fetch, signal: signalOf(call) },
    cut,
    openCache: cacheIn(state, 'embeddings', call),
    mask,
  });
}

/** Null where no model is asked. */
export async function openJudge(
  { strategy, judge, matcher }: Pick<Matching, 'strategy' | 'judge' | 'matcher'>,
  state: StateFolder,
  call: Call,
): Promise<JudgeSettings | null> {
  const asked = matcher === undefined ? judgeOf({ strategy, judge }) : null;
  if (asked === null) return null;
  const own = asked === 'auto' ? null : asked;
  return {
    seat: own === null ? null : seatOf(own, call),
    accuracy: judgeAccuracyOf(await decidedHere(state, call)),
    maxPairs: own?.maxPairs ?? mostPairs,
    maxCalls: own?.maxCalls ?? mostCalls,
    openAnswers: cacheIn(state, 'judgements', call),
  };
}

/** The judge sits on no panel; it borrows a seat because that is how runners are asked. */
function seatOf({ model, baseUrl, apiKeyEnv, timeout, price }: JudgeConfig, { cwd }: Call): Seat {
  return {
    id: 'judge',
    runner: 'api',
    model,
    timeout,
    required: false,
    environment: [],
    home: cwd,
    persona: {
      name: 'judge',
      role: 'general',
      focus: 'whether two findings say the same',
      veto: false,
      budget: 6144,
      capability: 'deliberation',
      files: [],
      instructions: '',
    },
    baseUrl,
    apiKeyEnv,
    price,
  };
}

function cacheIn({ root, disk }: StateFolder, name: string, call: Call) {
  return () => openAnswerCache(disk, path.join(root, `${name}.sqlite`), noteTo(call));
}

/** One scan for all of them: each text is one line, and a placeholder never breaks a line. */
async function mask(texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const whole = texts.map(text => text.replace(/[\r\n]+/g, ' ')).join('\n');
  return redact(whole, await createSecretScanner().scan(whole, 'findings.txt')).text.split('\n');
}
