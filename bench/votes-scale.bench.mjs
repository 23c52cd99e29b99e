// How a vote grows, by the built program: simulated votes of 100 members on more and more motions, with supporters and without any,
// when everybody is asked about everything (a million rows at most), and 1,886 reviews by scripted members at three model servers,
// 16 at a time: of the data the session that takes most reviews; without data, one of its own.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { partOf, runJury } from './program.mjs';
import { startModelServers } from './votes/model-servers.mjs';
import { chanceOf, endorseAll, motionsIn } from './votes/opinions.mjs';
import { placeSession, readResult } from './votes/places.mjs';
import { writeLargeSession, writeSession } from './votes/session.mjs';

export const title =
  'a vote at scale, over 500 MB, over 5 s for 10,000 motions of 100 members, over 1.25 of the seconds a row takes in the smallest, or over 1.10 of the ideal wall, whichever is worst';
export const aim = 1;

/** `supports`: of the roster, at most, behind a motion. */
const choices = {
  full: { sizes: [2_500, 5_000, 10_000], supports: [0.75, 0], members: 100, repeats: 3 },
  small: { sizes: [20], supports: [0.75], members: 5, repeats: 1 },
};
const lanes = 16;

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, data }) {
  const { sizes, supports, members, repeats } = choices[size];
  const series = [];
  for (const support of supports) {
    const votes = [];
    for (const motions of sizes) votes.push(await holdSimulated({ members, motions, support }));
    printSimulated(votes, support, members);
    series.push(votes);
  }
  const session = size === 'full' ? sessionIn(data) : ownSession(4, 2);
  const runs = [];
  for (let turn = 0; turn < repeats; turn++) runs.push(await holdReviews(session));
  printReviews(runs);
  const growth = Math.max(
    ...series.flatMap(([smallest, ...rest]) =>
      [smallest, ...rest].map(vote => perRow(vote) / perRow(smallest)),
    ),
  );
  const memory = Math.max(...series.flat().map(({ megabytes }) => megabytes));
  const seconds = Math.max(...series.map(votes => votes.at(-1)?.seconds ?? NaN));
  const wall = Math.min(...runs.map(({ seconds, ideal }) => seconds / ideal));
  return {
    figure: Math.max(memory / 500, seconds / 5, growth / 1.25, wall / 1.1),
    detail: `peak ${Math.round(memory)} MB, ${seconds.toFixed(1)} s at most, ${growth.toFixed(2)} of the time of a row, wall ${wall.toFixed(3)} of the ideal at best`,
  };
}

/** @param {Parameters<typeof writeLargeSession>[1]} vote */
async function holdSimulated(vote) {
  const place = placeSession(folder => writeLargeSession(folder, vote));
  try {
    const ended = await runJury(['motions', place.name, '--simulate', '--compact'], place.folder);
    if (ended.code !== 0) throw new Error(`exit code ${ended.code}: ${ended.stderr}`);
    /** @type {{ readonly assignments: { readonly total: number } }} */
    const { assignments } = readResult(place.results, 'pipeline_result.json');
    return { motions: vote.motions, rows: assignments.total, ...ended };
  } finally {
    place.remove();
  }
}

/** @typedef {Awaited<ReturnType<typeof holdSimulated>>} SimulatedVote */

function perRow(/** @type {SimulatedVote | undefined} */ vote) {
  return vote === undefined ? NaN : vote.seconds / vote.rows;
}

function printSimulated(
  /** @type {readonly SimulatedVote[]} */ votes,
  /** @type {number} */ support,
  /** @type {number} */ members,
) {
  console.log(
    `\nsimulated votes of ${members} members, up to ${support * 100} % of them behind a motion`,
  );
  for (const { motions, rows, seconds, cpuSeconds, megabytes } of votes)
    console.log(
      `${motions} motions: ${rows} rows, ${seconds.toFixed(1)} s wall, ${cpuSeconds.toFixed(1)} s of processor, peak ${Math.round(megabytes)} MB, ` +
        `${((seconds / rows) * 1e6).toFixed(1)} s wall and ${((cpuSeconds / rows) * 1e6).toFixed(1)} s of processor a million rows`,
    );
}

function sessionIn(/** @type {string | undefined} */ data) {
  const folder = partOf(data, 'motions');
  if (folder === null) return ownSession(73, 26);
  const sizeOf = (/** @type {string} */ name) =>
    ['mega-motions.json', 'novel-proposals.json'].reduce(
      (sum, file) => sum + readResult(path.join(folder, name), file).length,
      0,
    );
  const [largest = ''] = readdirSync(folder).toSorted((one, other) => sizeOf(other) - sizeOf(one));
  return path.join(folder, largest);
}

/** Motions that hardly anybody supports. */
function ownSession(/** @type {number} */ members, /** @type {number} */ motions) {
  return (/** @type {string} */ folder) =>
    writeSession(folder, { members, motions, seed: 'e', support: 0.02 });
}

/** 200 ms a call, a quarter more or less. Everybody endorses, so that nothing but reviews is asked for. */
async function holdReviews(/** @type {Parameters<typeof placeSession>[0]} */ session) {
  const price = { input: 1, output: 4 };
  const servers = await startModelServers(
    ['large', 'middle', 'small'].map(model => ({ model, price })),
  );
  servers.set({
    answer: endorseAll,
    delayOf: (member, { prompt }) =>
      200 * (0.75 + 0.5 * chanceOf(`${member}|${motionsIn(prompt)[0]}|delay`)),
  });
  const place = placeSession(session, {
    reviewer: { runner: 'api', price, timeout: 60 },
    endpoints: servers.endpoints.map(({ url, model }) => ({ baseUrl: url, model })),
  });
  const args = ['--real-agent', '--concurrency', String(lanes), '--batch', '1'];
  try {
    const start = await runJury(['--version'], place.folder);
    const own = process.cpuUsage();
    const ended = await runJury(['motions', place.name, ...args], place.folder);
    if (ended.code !== 0) throw new Error(`exit code ${ended.code}: ${ended.stderr}`);
    const { user, system } = process.cpuUsage(own);
    const { calls, delayMs } = servers.take();
    return {
      ...ended,
      calls,
      ideal: delayMs / 1000 / lanes,
      start: start.seconds,
      serverSeconds: (user + system) / 1e6,
    };
  } finally {
    place.remove();
    await servers.close();
  }
}

/** @param {readonly Awaited<ReturnType<typeof holdReviews>>[]} runs */
function printReviews(runs) {
  console.log(`\nreviews by scripted members at three servers, ${lanes} at a time, one in a call`);
  for (const { calls, ideal, seconds, start, cpuSeconds, serverSeconds, megabytes } of runs)
    console.log(
      `${calls} calls: ${seconds.toFixed(2)} s wall over ${ideal.toFixed(2)} s ideal: ${(seconds / ideal).toFixed(3)} ` +
        `(without ${start.toFixed(2)} s to start a process: ${((seconds - start) / ideal).toFixed(3)}), ` +
        `${cpuSeconds.toFixed(1)} s of processor, ${serverSeconds.toFixed(1)} s of the servers', peak ${Math.round(megabytes)} MB`,
    );
}
