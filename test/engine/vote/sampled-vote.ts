/** A vote whose members answer in this process and whose motions a sample may decide. */
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { nameBasedUuid } from '../../../src/adapters/system/ids.ts';
import type { Motion } from '../../../src/core/vote/motion.ts';
import { defaultLimits, MotionsSettings } from '../../../src/core/vote/motions-settings.ts';
import type { MotionsRun } from '../../../src/core/vote/motions-run.ts';
import type { Stance } from '../../../src/core/vote/records.ts';
import { simulatePanels } from '../../../src/core/vote/simulation.ts';
import { collectInLooks } from '../../../src/engine/vote/collect-in-looks.ts';
import { collectReviews, type Reviewing } from '../../../src/engine/vote/collect-reviews.ts';
import { runMotions } from '../../../src/engine/vote/run-motions.ts';
import { everyRuleSet, sessionOf, sha256, shippedRules } from '../../core/vote/sample-session.ts';
import { askingOf, idsIn, noLimits, scriptMembers, seatOf } from './scripted-members.ts';

export interface SampledVote {
  readonly motions: readonly Partial<Motion>[];
  readonly size?: number;
  readonly rules?: string;
  /** Null: everybody is asked. */
  readonly risk?: number | null;
  readonly batch?: number;
  readonly run?: string;
  /** Null: no answer. `member` from 1. */
  readonly say?: (member: number, motion: string) => Stance | null;
  readonly steps?: Parameters<typeof askingOf>[0]['steps'];
  readonly round?: number;
  readonly maxCalls?: number;
  /** Stops the vote at the call of this number, from 0. */
  readonly abortAt?: number;
}

export interface HeldVote {
  /** Null: it was interrupted. */
  readonly run: MotionsRun | null;
  /** Each call: who was asked about which motions. */
  readonly calls: readonly { readonly member: string; readonly ids: readonly string[] }[];
  readonly notes: readonly string[];
}

export async function holdSampled(vote: SampledVote): Promise<HeldVote> {
  const { motions, size = 40, rules = 'explicit', risk = 0.01, run = 'run-1' } = vote;
  const session = sessionOf(size, motions);
  const controller = new AbortController();
  const { asked, reviewing } = reviewingOf(vote, controller);
  const notes: string[] = [];
  const held = await runMotions(
    {
      input: {
        session,
        positions: [],
        megaMotions: motions.length,
        novelProposals: 0,
        deferredSkipped: 0,
        unknownSupporters: [],
        warnings: [],
      },
      source: 'dir',
      rules: shippedRules(rules),
      shipped: everyRuleSet,
      settings: MotionsSettings.parse({
        batch: reviewing.batch,
        ...(risk === null ? {} : { sample_risk: risk }),
      }),
      sample: null,
      triageOnly: false,
    },
    {
      clock: systemClock,
      hash: sha256,
      uuid: nameBasedUuid,
      signal: controller.signal,
      note: message => void notes.push(message),
      keepResults: () => Promise.resolve({}),
      deliberators: {
        simulated: false,
        run,
        holdSecondPass: null,
        holdPanels: ({ panels }) => Promise.resolve(simulatePanels(panels, 'now')),
        collectReviews: ({ sampling, ...wanted }) =>
          (sampling === null
            ? collectReviews(wanted, reviewing)
            : collectInLooks({ ...wanted, sampling }, reviewing)
          ).catch((error: unknown) => {
            if (!controller.signal.aborted) throw error;
            return [];
          }),
      },
    },
  );
  const calls = asked.map(({ member, prompt }) => ({ member, ids: idsIn(prompt) }));
  return { run: held, calls, notes };
}

function reviewingOf(
  { say = () => 'ENDORSE', batch = 5, steps, round = 1, maxCalls, abortAt }: SampledVote,
  controller: AbortController,
): { readonly asked: ReturnType<typeof scriptMembers>['asked']; readonly reviewing: Reviewing } {
  const { runner, asked } = scriptMembers(({ seat, prompt }, number) => {
    if (number === abortAt) controller.abort();
    const member = Number(seat.id.slice(-3));
    const answers = idsIn(prompt).map(id => ({ id, stance: say(member, id) }));
    return answers.some(({ stance }) => stance === null)
      ? { fails: 'empty' }
      : JSON.stringify(
          answers.map(({ id, stance }) => ({ motion_id: id, stance, reasoning: `On ${id}.` })),
        );
  });
  const asking = askingOf({
    runner,
    round,
    signal: controller.signal,
    limits: { ...noLimits, maxCalls: maxCalls ?? null },
    ...(steps === undefined ? {} : { steps }),
  });
  return {
    asked,
    reviewing: {
      asking,
      batch,
      concurrency: 4,
      lanes: 4,
      panelConcurrency: 2,
      limits: noLimits,
      textLimits: defaultLimits,
      fence: '0123456789abcdef0123456789abcdef',
      hash: sha256,
      seatFor: member => ({ seat: seatOf(member.id), endpoint: null }),
    },
  };
}
