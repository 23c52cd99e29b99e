// Votes whose members would say what is known beforehand, so that the outcome by a sample stands beside the outcome by all.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readDefaultRoster } from '../dist/adapters/motions/rule-files.js';
import { readSessionFolder } from '../dist/adapters/motions/session-folder.js';
import { systemClock } from '../dist/adapters/system/clock.js';
import { nameBasedUuid, sha256 } from '../dist/adapters/system/ids.js';
import { MotionsSettings } from '../dist/core/vote/motions-settings.js';
import { decideFirstPass, tallyOf } from '../dist/core/vote/ratification.js';
import { createAskedSoFar, decideSample, savedBySampling } from '../dist/core/vote/sampling.js';
import { readSession } from '../dist/core/vote/session-input.js';
import { buildPackets, triage } from '../dist/core/vote/triage.js';
import { askInLooks, wantSample } from '../dist/engine/vote/ask-in-looks.js';
import { runMotions } from '../dist/engine/vote/run-motions.js';

const stances = ['ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN'];
export const batch = 5;
export const ruleNames = ['explicit', 'seed', 'quorum', 'guarded'];
const rules = new Map(
  ruleNames.map(name => [
    name,
    JSON.parse(readFileSync(new URL(`../rules/${name}.json`, import.meta.url), 'utf8')),
  ]),
);

/** Numbers below 1 that look random and are the same in every run. */
export function numbersFrom(seed) {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** A motion's shares of yeas, nays, amends and abstentions. `isNear`: the yeas within 5 % of where they turn. */
export function randomShares(next, isNear) {
  const constitutional = next() < 0.2;
  const turn = constitutional ? 2 / 3 : 1 / 2;
  const yeas = isNear ? turn + (next() - 0.5) / 10 : next();
  const amends = next() < 0.3 ? (1 - yeas) * next() : 0;
  const abstaining = next() < 0.5 ? (1 - yeas - amends) * next() * 0.5 : 0;
  return { constitutional, shares: [yeas, 1 - yeas - amends - abstaining, amends, abstaining] };
}

export function randomSession(seed, isNear, motions = 17, size = 72) {
  const next = numbersFrom(seed * 7_919);
  const roster = Array.from({ length: size }, (_, index) => `member-${index}`);
  const drawn = Array.from({ length: motions }, () => randomShares(next, isNear));
  const megaMotions = drawn.map(({ constitutional }, index) => ({
    mega_motion_id: `m-${index}`,
    title: `${constitutional ? 'Constitutional motion' : 'Motion'} ${index}`,
    consolidated_text: `Matter ${index} of session ${seed}.`,
    all_supporting_archons: roster.slice(0, Math.floor(next() * 0.5 * size)),
  }));
  const session = sessionFrom({ id: `random-${seed}`, megaMotions, roster });
  const shares = new Map(drawn.map((each, index) => [`m-${index}`, each.shares]));
  return { session, sharesOf: ({ id }) => shares.get(id), rules: ruleNames[seed % 4], seed };
}

function sessionFrom({ id, megaMotions, roster }) {
  const none = { novelProposals: undefined, deferredProposals: undefined, summary: undefined };
  return readSession(
    { id, megaMotions, roster, ...none, positions: undefined },
    { includeDeferred: false, defaultRoster: [], uuid: nameBasedUuid },
  ).session;
}

/** The sessions in a folder, and what was recorded of each motion of theirs where anything was. */
export async function realSessions(folder) {
  const defaultRoster = await readDefaultRoster();
  return Promise.all(
    readdirSync(folder).map(async name => {
      const place = path.join(folder, name);
      const input = readSession(await readSessionFolder(place, place), {
        includeDeferred: false,
        defaultRoster,
        uuid: nameBasedUuid,
      });
      return {
        session: input.session,
        counts: recorded(place, 'aggregations.json', row => [
          row.explicit_endorsements,
          row.oppositions,
          row.amendments_proposed,
          row.abstentions,
        ]),
        votes: recorded(place, 'ratification_results.json', row => [
          row.yeas,
          row.nays,
          0,
          row.abstentions,
        ]),
      };
    }),
  );
}

/** Shares by motion id; null where nothing is recorded. */
function recorded(place, file, countsOf) {
  try {
    const rows = JSON.parse(readFileSync(path.join(place, 'recorded', file), 'utf8'));
    return new Map(
      rows.map(row => {
        const counts = countsOf(row);
        const sum = counts.reduce((one, other) => one + other, 0);
        return [row.mega_motion_id, counts.map(count => count / sum)];
      }),
    );
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** A vote before anybody is asked: who could be asked about what, and what each of them would say. */
export function preparePopulation({ session, sharesOf, rules: name, seed }) {
  const triaged = triage(session, new Map(), {
    low: 0.66,
    medium: 0.33,
    maxConflicts: 5,
    lowFromTier: false,
  });
  const packets = buildPackets(session, triaged, null);
  const next = numbersFrom(seed * 104_729 + 1);
  const answers = new Map(
    triaged.map(({ motion, gap }) => {
      const counts = countsBy(sharesOf(motion), gap.length);
      const list = stances.flatMap((stance, kind) => Array(counts[kind]).fill(stance));
      return [motion.id, new Map(shuffle(gap, next).map((member, index) => [member, list[index]]))];
    }),
  );
  return { session, triaged, packets, answers, rules: rules.get(name), seed };
}

/** Whole members whose shares are as near as rounding down leaves them; who is left over abstains. */
function countsBy(shares, size) {
  const counts = shares.map(share => Math.floor(Math.max(0, share) * size));
  counts[3] += size - counts.reduce((sum, count) => sum + count, 0);
  return counts;
}

function shuffle(list, next) {
  return list
    .map(item => ({ item, lot: next() }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ item }) => item);
}

const rowsOf = (packets, answers) =>
  packets.flatMap(({ member, assigned }) =>
    assigned.map(({ motionId }) => ({
      archon_id: member.id,
      archon_name: member.name,
      mega_motion_id: motionId,
      status: 'ok',
      stance: answers.get(motionId).get(member.name),
      reasoning: '',
      opposition_reason: null,
      confidence: null,
    })),
  );

/** What each motion comes to when everybody is asked. */
export function decideByAll({ session, triaged, packets, answers, rules }) {
  return new Map(
    triaged
      .filter(({ riskTier }) => riskTier !== 'low')
      .map(({ motion, contributing, riskTier }) => {
        const said = packets.flatMap(({ member, assigned }) =>
          assigned.some(({ motionId }) => motionId === motion.id)
            ? [answers.get(motion.id).get(member.name)]
            : [],
        );
        const count = stance => said.filter(each => each === stance).length;
        const tally = tallyOf(
          {
            implicit_endorsements: contributing.length,
            explicit_endorsements: count('ENDORSE'),
            oppositions: count('OPPOSE'),
            amendments_proposed: count('AMEND'),
            abstentions: count('ABSTAIN'),
          },
          rules,
        );
        const { title, constitutional } = motion;
        const voted = { title, constitutional, riskTier, tally, missing: 0 };
        return [motion.id, decideFirstPass(voted, session.roster.length, rules).at(-1).outcome];
      }),
  );
}

/** Members answer at once, in this process. */
const lookingAt = answers => ({
  batch,
  groupOf: () => '',
  recall: () => null,
  keep: () => Promise.resolve(),
  refusal: () => null,
  refuse: () => [],
  ask: packets => Promise.resolve(rowsOf(packets, answers)),
});

/** What a vote by sample comes to: outcomes of the motions that a sample decided, and what was saved. */
export async function decideBySampling(population, risk, draw = 1) {
  const { session, triaged, packets, answers, rules, seed } = population;
  const wanted = { risk, rules, runId: `run-${seed}-${draw}`, hash: sha256 };
  const sampling = wantSample(session, { triaged, packets }, wanted);
  const responses = await askInLooks({ packets, sampling, note() {} }, lookingAt(answers));
  const asked = createAskedSoFar();
  asked.add(responses);
  const decided = new Map();
  for (const [id, sample] of sampling.samples) {
    const decision = decideSample(sample, asked.on(id), sampling.terms);
    if (decision !== null) decided.set(id, decision.outcome);
  }
  return { decided, saved: savedBySampling({ triaged, packets }, responses, { batch }) };
}

export function callsForAll({ packets }) {
  return packets.reduce((sum, { assigned }) => sum + Math.ceil(assigned.length / batch), 0);
}

export function reviewsForAll({ packets }) {
  return packets.reduce((sum, { assigned }) => sum + assigned.length, 0);
}

/** The same by the engine of a whole vote, with the artifacts' own rows. */
export async function holdWholeVote(population, risk, draw = 1) {
  const { session, answers, rules, seed } = population;
  const { results, sampling } = await runMotions(
    {
      input: {
        session,
        positions: [],
        megaMotions: session.motions.length,
        novelProposals: 0,
        deferredSkipped: 0,
        unknownSupporters: [],
        warnings: [],
      },
      source: 'bench',
      rules,
      shipped: [rules],
      settings: MotionsSettings.parse({ batch, sample_risk: risk }),
      sample: null,
      triageOnly: false,
    },
    {
      clock: systemClock,
      hash: sha256,
      uuid: nameBasedUuid,
      signal: new AbortController().signal,
      note() {},
      keepResults: () => Promise.resolve({}),
      deliberators: {
        simulated: false,
        run: `run-${seed}-${draw}`,
        holdSecondPass: () => Promise.resolve({ texts: new Map(), responses: [] }),
        holdPanels: () => Promise.resolve([]),
        collectReviews: wanted => askInLooks(wanted, lookingAt(answers)),
      },
    },
  );
  const decided = results.filter(({ decided_by }) => decided_by === 'sample');
  return {
    decided: new Map(decided.map(({ mega_motion_id: id, outcome }) => [id, outcome])),
    saved: sampling.saved,
  };
}
