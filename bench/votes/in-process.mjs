// Votes that the engine holds in this process: sessions, rule sets, and what a member leaves who was asked.
import { systemClock } from '../../dist/adapters/system/clock.js';
import { defaultLimits, MotionsSettings } from '../../dist/core/words/motions-settings.js';
import { RuleSet } from '../../dist/vote/aggregation.js';
import { readSession } from '../../dist/vote/session-input.js';
import { noUsage, nothingSpent } from '../../dist/core/words/review.js';
import { createCeiling, createEndpoints } from '../../dist/engine/asking/limits.js';
import { collectReviews } from '../../dist/vote/asking/hold-panels.js';
import { runMotions } from '../../dist/vote/asking/run-motions.js';
import { readJson } from '../program.mjs';
import { endorseAll } from './opinions.mjs';

export const ruleNames = ['explicit', 'seed', 'quorum', 'guarded'];

export function readRules(/** @type {string} */ name) {
  return RuleSet.parse(readJson(new URL(`../../rules/${name}.json`, import.meta.url)));
}

/**
 * @param {Pick<import('../../dist/vote/session-input.js').SessionFiles, 'id' | 'megaMotions' | 'roster'>} files
 */
export function inputFrom(files) {
  const none = { novelProposals: undefined, deferredProposals: undefined, summary: undefined };
  return readSession(
    { ...none, positions: undefined, ...files },
    { includeDeferred: false, defaultRoster: [] },
  );
}

/**
 * @param {import('../../dist/core/words/roster.js').Member} member
 * @param {string} motionId
 * @param {import('../../dist/core/words/claim.js').Stance} stance
 * @returns {import('../../dist/vote/records.js').ReviewResponse}
 */
export function responseOf(member, motionId, stance) {
  return {
    archon_id: member.id,
    archon_name: member.name,
    mega_motion_id: motionId,
    status: 'ok',
    error: null,
    model: null,
    endpoint: null,
    stance,
    amendment_type: null,
    amendment_text: null,
    amendment_rationale: null,
    opposition_reason: null,
    reasoning: '',
    confidence: 0.5,
    validation: [],
    text_truncated: false,
    attempts: 1,
    review_duration_ms: 0,
    reviewed_at: '2026-01-01T00:00:00.000Z',
  };
}

/**
 * @param {{ readonly input: import('../../dist/vote/session-input.js').SessionInput, readonly rules: RuleSet,
 *   readonly settings?: object, readonly sample?: number | null }} vote
 * @param {Pick<import('../../dist/vote/asking/run-motions.js').Deliberators, 'run' | 'collectReviews' | 'holdSecondPass'>} members
 */
export async function holdVote({ input, rules, settings = {}, sample = null }, members) {
  const run = await runMotions(
    {
      input,
      source: 'bench',
      rules,
      shipped: [rules],
      settings: MotionsSettings.parse(settings),
      sample,
      isSimulated: false,
      triageOnly: false,
    },
    {
      keepResults: () => Promise.resolve({}),
      clock: systemClock,
      signal: new AbortController().signal,
      note() {},
      deliberators: { holdPanels: () => Promise.resolve([]), ...members },
    },
  );
  if (run === null) throw new Error('The vote was interrupted.');
  return run;
}

/**
 * The reviews that are assigned, by members who endorse everything. `onPrompt` is awaited before each answer.
 * @param {import('../../dist/vote/triage.js').Session} session
 * @param {import('../../dist/vote/asking/run-motions.js').DrawnVote} drawn
 * @param {{ readonly steps: import('../../dist/core/ports/steps.js').Steps, readonly batch: number,
 *   readonly concurrency: number, readonly onPrompt: (prompt: string) => unknown }} how
 */
export function collectEndorsements(session, drawn, { steps, batch, concurrency, onPrompt }) {
  /** @type {import('../../dist/index.js').Runner} */
  const runner = {
    name: 'scripted',
    fingerprint: () => Promise.resolve('scripted'),
    async ask({ prompt, instructions }) {
      await onPrompt(`${instructions}\n\n${prompt}`);
      const text = endorseAll(null, { prompt, instructions });
      return {
        status: 'answered',
        text,
        stop: 'end',
        usage: { ...noUsage, calls: 1, inputTokens: 900, outputTokens: 60 },
        model: null,
        coverage: null,
        transcript: text,
      };
    },
  };
  const signal = new AbortController().signal;
  const ceilings = { maxCalls: null, maxTokens: null, maxCost: null };
  const world = { clock: systemClock, mostCalls: concurrency, note() {} };
  const endpoints = [{ key: 'scripted', limit: concurrency, weight: 1 }];
  return collectReviews(drawn, {
    session,
    note() {},
    asking: {
      steps,
      signal,
      round: 1,
      clock: systemClock,
      ceiling: createCeiling(ceilings, nothingSpent),
      endpoints: createEndpoints(endpoints, concurrency, world),
      runnerFor: () => Promise.resolve(runner),
      seatAt: seat => seat,
    },
    settings: { batch, concurrency, panel_concurrency: 2 },
    ceilings,
    lanes: concurrency,
    fence: '0'.repeat(32),
    textLimits: defaultLimits,
    seatFor: member => ({ seat: seatOf(member?.id ?? 'facilitator'), endpoint: null }),
  });
}

/** @returns {import('../../dist/index.js').Seat} */
function seatOf(/** @type {string} */ id) {
  return {
    id,
    runner: 'command',
    required: false,
    environment: [],
    timeout: 60,
    home: '/',
    persona: {
      name: 'member',
      role: 'general',
      focus: 'motions',
      veto: false,
      budget: 1,
      capability: 'deliberation',
      files: [],
      instructions: '',
    },
  };
}
