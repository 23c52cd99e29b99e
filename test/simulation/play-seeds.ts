/** Plays seeds with all that goes wrong in them, and checks what came of each. */
import { expect, it } from 'vitest';
import { checkAlike, checkStory } from './invariants.ts';
import { replayOf, settleAll, startPlay, type Playing, type Story } from './play.ts';
import { createScenario, type Scenario } from './scenario.ts';

const { SEED, SEEDS } = process.env;

/** Played together: more of them take more memory. */
const atATime = 10;

/** Of so many seeds one is played once more with nothing going wrong, and must come to the same. Every one where there is time. */
const comparedOf = SEED === undefined && SEEDS === undefined ? 4 : 1;

/** Of the seeds up to that of `SEEDS`, or up to 500, those that are chosen; or the one of `SEED`. */
export function itPlaysSeeds(isChosen: (seed: number) => boolean): void {
  const seeds = allSeeds().filter(isChosen);

  it('a seed plays the same twice', async () => {
    // What is loaded when it is first needed must not come in between later.
    await playSeeds(samples);
    const [one, other] = [await playSeeds(samples), await playSeeds(samples)];
    expect(other).toEqual(one);
  });

  it(
    `${seeds.length} seeds end as they must, whatever goes wrong`,
    { timeout: mostMs },
    async () => {
      const began = performance.now();
      const stories: Summary[] = [];
      for (let at = 0; at < seeds.length; at += atATime)
        stories.push(...(await playSeeds(seeds.slice(at, at + atATime))));
      expect(stories).toHaveLength(seeds.length);
      console.log(describeStories(stories, (performance.now() - began) / 1_000));
    },
  );
}

/** With reviewers of both kinds, and with each kind of fate; the last takes over what its own start removes. */
const samples = [1, 2, 3, 4, 5, 6, 6_740];

const mostMs = 7_200_000;

function allSeeds() {
  return SEED === undefined
    ? Array.from({ length: Number(SEEDS ?? 500) }, (_, index) => index + 1)
    : [Number(SEED)];
}

async function playSeeds(seeds: readonly number[]) {
  const plays = seeds.map(createScenario).map(scenario => ({
    scenario,
    disturbed: startPlay(scenario, 'disturbed'),
    calm: Math.floor(scenario.seed / 2) % comparedOf === 0 ? startPlay(scenario, 'calm') : null,
  }));
  await settleAll(
    plays.flatMap(({ disturbed, calm }) => (calm === null ? [disturbed] : [disturbed, calm])),
  );
  return Promise.all(plays.map(checkPlay));
}

interface Play {
  readonly scenario: Scenario;
  readonly disturbed: Playing;
  readonly calm: Playing | null;
}

/** Of a story what is counted; the rest takes memory. */
type Summary = Pick<Story, 'processes' | 'crashes' | 'steps' | 'trace'> & {
  readonly questions: number;
  readonly outcome: Story['result']['outcome'];
};

async function checkPlay({ scenario: { seed }, disturbed, calm }: Play) {
  try {
    const story = await disturbed.story;
    checkStory(story);
    if (calm !== null) {
      const undisturbed = await calm.story;
      checkStory(undisturbed);
      // Once more: the rival came, or it was killed, when a round had just ended.
      if (story.rounds <= undisturbed.rounds) checkAlike(story, undisturbed);
    }
    const { processes, crashes, steps, trace, questions, result } = story;
    return {
      processes,
      crashes,
      steps,
      trace,
      questions: questions.length,
      outcome: result.outcome,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Seed ${seed}: ${why}\n${replayOf([seed])}`, { cause: error });
  }
}

function describeStories(stories: readonly Summary[], seconds: number) {
  const sum = (key: 'processes' | 'crashes' | 'steps' | 'questions') =>
    stories.reduce((all, story) => all + story[key], 0);
  const outcomes = (['PASS', 'FAIL', 'INCOMPLETE'] as const).map(
    outcome => `${stories.filter(story => story.outcome === outcome).length} ${outcome}`,
  );
  return `${stories.length} seeds in ${seconds.toFixed(1)} s, ${(stories.length / seconds).toFixed(0)} a second: ${sum('processes')} processes, ${sum('crashes')} of them crashed, ${sum('steps')} steps, ${sum('questions')} questions; ${outcomes.join(', ')}.`;
}
