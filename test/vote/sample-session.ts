/** Small sessions for tests: rosters of any size, motions with as many supporters as wanted. */
import { MotionsSettings } from '../../src/core/words/motions-settings.ts';
import {
  type Deliberators,
  runMotions,
  type VoteRequest,
  type VoteWorld,
} from '../../src/vote/asking/run-motions.ts';
import {
  type Aggregation,
  type RuleSet,
  inOrder as stored,
  toResponse,
} from '../../src/vote/aggregation.ts';
import type { Conflict, Motion, Session } from '../../src/vote/triage.ts';
import { memberIdOf, type Member } from '../../src/core/words/roster.ts';
import { type PanelSeating, recordPanel } from '../../src/vote/panels.ts';
import type { Answer, PanelRecord, ReviewResponse } from '../../src/vote/records.ts';
import type { Stance } from '../../src/core/words/claim.ts';
import { artifactsOf } from '../../src/vote/artifacts.ts';
import type { MotionsRun } from '../../src/vote/motions-run.ts';
import type { RatificationRow } from '../../src/vote/ratify.ts';
import { readFileSync } from 'node:fs';

/** `Member-001`, `Member-002`, … */
export function rosterOf(size: number): Member[] {
  return Array.from({ length: size }, (_, index) =>
    memberOf(`Member-${String(index + 1).padStart(3, '0')}`),
  );
}

export function memberOf(name: string): Member {
  return { name, id: memberIdOf(name), role: null, backstory: null, model: null, baseUrl: null };
}

export function motionOf(given: Partial<Motion> = {}): Motion {
  return {
    id: 'm-1',
    title: 'A motion',
    theme: 'Unknown',
    text: '',
    rationale: null,
    sourceMotionIds: [],
    supporters: [],
    unknownSupporters: [],
    consensusTier: 'low',
    isNovel: false,
    constitutional: null,
    ...given,
  };
}

export function sessionOf(size: number, motions: readonly Partial<Motion>[]): Session {
  return {
    id: 's-1',
    name: 'Session',
    motions: motions.map((motion, index) => motionOf({ id: `m-${index + 1}`, ...motion })),
    roster: rosterOf(size),
  };
}

export function firstNames(count: number): string[] {
  return rosterOf(count).map(({ name }) => name);
}

export function responseOf(
  member: Member,
  motionId: string,
  stance: Stance | null,
  rest: Partial<ReviewResponse> = {},
): ReviewResponse {
  return {
    archon_id: member.id,
    archon_name: member.name,
    mega_motion_id: motionId,
    status: stance === null ? 'no_response' : 'ok',
    error: stance === null ? 'timeout' : null,
    model: null,
    endpoint: null,
    stance,
    amendment_type: null,
    amendment_text: null,
    amendment_rationale: null,
    opposition_reason: null,
    reasoning: '',
    confidence: stance === null ? null : 0.5,
    validation: [],
    text_truncated: false,
    attempts: 1,
    review_duration_ms: 1,
    reviewed_at: '2026-01-01T00:00:00.000Z',
    ...rest,
  };
}

/** By a stance that the member stated. */
export function conflictOf(memberName: string, motionId = 'm-1'): Conflict {
  return { memberName, motionId, own: 'oppose', against: null, source: 'positions.json' };
}

export function shippedRules(name: string): RuleSet {
  return JSON.parse(
    readFileSync(new URL(`../../rules/${name}.json`, import.meta.url), 'utf8'),
  ) as RuleSet;
}

/** All of them. */
export const everyRuleSet = ['explicit', 'seed', 'quorum', 'guarded'].map(shippedRules);

export function aggregationOf(rest: Partial<Aggregation>): Aggregation {
  return {
    mega_motion_id: 'm-1',
    mega_motion_title: 'A motion',
    implicit_endorsements: 0,
    explicit_endorsements: 0,
    total_endorsements: 0,
    oppositions: 0,
    amendments_proposed: 0,
    abstentions: 0,
    no_response: 0,
    engaged_count: 0,
    endorsement_ratio: 0,
    opposition_ratio: 0,
    consensus_reached: false,
    contested: false,
    needs_amendment_synthesis: false,
    status: 'under_review',
    amendment_texts: [],
    opposition_reasons: [],
    endorsing_archons: [],
    opposing_archons: [],
    aggregated_at: '',
    not_assigned: 0,
    not_drawn: undefined,
    risk_tier: 'high',
    constitutional: null,
    ...rest,
  };
}

export const thresholds = {
  low: 0.66,
  medium: 0.33,
  max_conflicts: 5,
  triage: { low_from_tier: false },
};

/** As they are stored. */
export function inOrder(session: Session, answers: readonly Answer[], shown = 3000) {
  const texts = new Map(session.motions.map(({ id, text }) => [id, text]));
  return stored(answers, session).map(answer =>
    toResponse(answer, texts.get(answer.mega_motion_id) ?? '', shown),
  );
}

/** Holds a vote of these members on all that the session asks for, by the settings that ship. */
export function holdVote(
  session: Session,
  deliberators: Deliberators | null,
  {
    rules,
    sample = null,
    source = 'dir',
    unknownSupporters = [],
  }: Partial<Pick<VoteRequest, 'rules' | 'sample' | 'source'>> & {
    readonly unknownSupporters?: readonly string[];
  },
  world: Partial<VoteWorld> & Pick<VoteWorld, 'clock'>,
) {
  return runMotions(
    {
      input: {
        session,
        positions: [],
        megaMotions: session.motions.length,
        novelProposals: 0,
        deferredSkipped: 0,
        unknownSupporters,
        warnings: [],
      },
      source,
      rules: rules ?? shippedRules('guarded'),
      shipped: everyRuleSet,
      settings: MotionsSettings.parse({}),
      sample,
      isSimulated: false,
      triageOnly: false,
    },
    {
      deliberators,
      signal: new AbortController().signal,
      note: () => {},
      keepResults: () => Promise.resolve({}),
      ...world,
    },
  );
}

/** A panel that recommends to pass the motion, and of which nothing else is known. */
export function panelOf(seating: PanelSeating, more: Partial<PanelRecord> = {}): PanelRecord {
  const at = new Date('2026-01-01T00:00:00Z');
  return {
    ...recordPanel(seating, { said: [], report: null, error: null, began: at, concluded: at }),
    status: 'concluded',
    recommendation: 'pass',
    votes_agree: true,
    arguments: [],
    ...more,
  };
}

/** The rows of a file of the results; one that is no list is a row. */
export function fileOf(run: MotionsRun, wanted: string) {
  for (const { name, pieces } of artifactsOf(run, filing))
    if (name === wanted)
      return [JSON.parse([...pieces()].join(''))].flat() as Record<string, unknown>[];
  throw new Error(`There is no ${wanted}.`);
}

export const filing = { compact: true, report: '' };

/** Names of those who cast such votes. */
export function votersOf(row: RatificationRow | undefined, vote: string): string[] {
  const cast = row?.votes_by_archon ?? [];
  return cast.flatMap(([name, own]) => (own === vote ? name : []));
}
