// Votes that the engine holds in this process: sessions, rule sets, and what a member leaves who was asked.
import { systemClock } from '../../dist/adapters/system/clock.js';
import { nameBasedUuid, sha256 } from '../../dist/adapters/system/ids.js';
import { MotionsSettings } from '../../dist/core/vote/motions-settings.js';
import { RuleSet } from '../../dist/core/vote/rule-set.js';
import { readSession } from '../../dist/core/vote/session-input.js';
import { runMotions } from '../../dist/engine/vote/run-motions.js';
import { readJson } from '../program.mjs';

export const ruleNames = ['explicit', 'seed', 'quorum', 'guarded'];

export function readRules(/** @type {string} */ name) {
  return RuleSet.parse(readJson(new URL(`../../rules/${name}.json`, import.meta.url)));
}

/**
 * @param {Pick<import('../../dist/core/vote/session-input.js').SessionFiles, 'id' | 'megaMotions' | 'roster'>} files
 */
export function inputFrom(files) {
  const none = { novelProposals: undefined, deferredProposals: undefined, summary: undefined };
  return readSession(
    { ...none, positions: undefined, ...files },
    { includeDeferred: false, defaultRoster: [], uuid: nameBasedUuid },
  );
}

/**
 * @param {import('../../dist/core/vote/motion.js').Member} member
 * @param {string} motionId
 * @param {import('../../dist/core/vote/records.js').Stance} stance
 * @returns {import('../../dist/core/vote/records.js').ReviewResponse}
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
 * @param {{ readonly input: import('../../dist/core/vote/session-input.js').SessionInput, readonly rules: RuleSet,
 *   readonly settings?: object, readonly sample?: number | null }} vote
 * @param {Pick<import('../../dist/engine/vote/deliberators.js').Deliberators, 'run' | 'collectReviews' | 'holdSecondPass'>} members
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
      triageOnly: false,
    },
    {
      keepResults: () => Promise.resolve({}),
      clock: systemClock,
      hash: sha256,
      uuid: nameBasedUuid,
      signal: new AbortController().signal,
      note() {},
      deliberators: { simulated: false, holdPanels: () => Promise.resolve([]), ...members },
    },
  );
  if (run === null) throw new Error('The vote was interrupted.');
  return run;
}

/** @returns {import('../../dist/index.js').Seat} */
export function seatOf(/** @type {string} */ id) {
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
