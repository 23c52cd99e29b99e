// How a vote grows, by the built program: simulated votes of 100 members on more and more motions, with supporters and without any,
// when everybody is asked about everything (a million rows at most), and 1,886 reviews by scripted members at three model servers,
// 16 at a time. `--data DIR`: the session in DIR that takes most reviews; else one of its own.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { startModelServers } from './votes/model-servers.mjs';
import { chanceOf, endorseAll, motionsIn } from './votes/opinions.mjs';
import { placeSession, readResult, runJury } from './votes/program.mjs';
import { writeLargeSession, writeSession } from './votes/session.mjs';

export const title =
  'a vote at scale, over 1 GiB, over 1.25 of the seconds a row takes in the smallest, or over 1.10 of the ideal wall, whichever is worst';
export const aim = 1;

const sizes = [2_500, 5_000, 10_000];
/** Of the roster, at most, behind a motion. */
const supports = [0.75, 0];
const members = 100;
const lanes = 16;
const repeats = 3;

export async function measure(words = process.argv.slice(3)) {
  const series = [];
  for (const support of supports) {
    const votes = [];
    for (const motions of sizes) votes.push(await holdSimulated(motions, support));
    printSimulated(votes, support);
    series.push(votes);
  }
  const runs = [];
  for (let turn = 0; turn < repeats; turn++) runs.push(await holdReviews(sessionIn(words)));
  printReviews(runs);
  const growth = Math.max(
    ...series.flatMap(votes => votes.map(vote => perRow(vote) / perRow(votes[0]))),
  );
  const memory = Math.max(...series.flat().map(({ megabytes }) => megabytes));
  const wall = Math.min(...runs.map(({ seconds, ideal }) => seconds / ideal));
  return {
    ratio: Math.max(memory / 1024, growth / 1.25, wall / 1.1),
    detail: `peak ${Math.round(memory)} MB, ${growth.toFixed(2)} of the time of a row, wall ${wall.toFixed(3)} of the ideal at best`,
  };
}

async function holdSimulated(motions, support) {
  const place = placeSession(folder => writeLargeSession(folder, { members, motions, support }));
  try {
    const ended = await runJury(place, ['motions', place.name, '--simulate', '--compact']);
    if (ended.code !== 0) throw new Error(`exit code ${ended.code}: ${ended.stderr}`);
    const { assignments } = readResult(place.results, 'pipeline_result.json');
    return { motions, rows: assignments.total, ...ended };
  } finally {
    place.remove();
  }
}

function perRow({ seconds, rows }) {
  return seconds / rows;
}

function printSimulated(votes, support) {
  console.log(
    `\nsimulated votes of ${members} members, up to ${support * 100} % of them behind a motion`,
  );
  for (const { motions, rows, seconds, cpuSeconds, megabytes } of votes)
    console.log(
      `${motions} motions: ${rows} rows, ${seconds.toFixed(1)} s wall, ${cpuSeconds.toFixed(1)} s of processor, peak ${Math.round(megabytes)} MB, ` +
        `${((seconds / rows) * 1e6).toFixed(1)} s wall and ${((cpuSeconds / rows) * 1e6).toFixed(1)} s of processor a million rows`,
    );
}

function sessionIn(words) {
  const at = words.indexOf('--data');
  // 26 motions that hardly anybody supports.
  if (at === -1)
    return folder => writeSession(folder, { members: 73, motions: 26, seed: 'e', support: 0.02 });
  const data = path.resolve(words[at + 1] ?? '');
  const named = readdirSync(data, { withFileTypes: true }).filter(entry => entry.isDirectory());
  const sizeOf = ({ name }) =>
    ['mega-motions.json', 'novel-proposals.json'].reduce(
      (sum, file) => sum + readResult(path.join(data, name), file).length,
      0,
    );
  const [largest] = named.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  return path.join(data, largest.name);
}

/** 200 ms a call, a quarter more or less. Everybody endorses, so that nothing but reviews is asked for. */
async function holdReviews(session) {
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
    const start = await runJury(place, ['--version']);
    const own = process.cpuUsage();
    const ended = await runJury(place, ['motions', place.name, ...args]);
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

function printReviews(runs) {
  console.log(`\nreviews by scripted members at three servers, ${lanes} at a time, one in a call`);
  for (const { calls, ideal, seconds, start, cpuSeconds, serverSeconds, megabytes } of runs)
    console.log(
      `${calls} calls: ${seconds.toFixed(2)} s wall over ${ideal.toFixed(2)} s ideal: ${(seconds / ideal).toFixed(3)} ` +
        `(without ${start.toFixed(2)} s to start a process: ${((seconds - start) / ideal).toFixed(3)}), ` +
        `${cpuSeconds.toFixed(1)} s of processor, ${serverSeconds.toFixed(1)} s of the servers', peak ${Math.round(megabytes)} MB`,
    );
}
