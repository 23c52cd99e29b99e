// One session put to the vote of scripted members at three endpoints: nobody answers, 16 of 100 members answer, all answer, and
// both a ceiling and broken servers that are topped up later. Each scene is a row; a scene that is not what it should be names why.
import { countArtifacts, firstDifference } from './compare.mjs';
import { chanceOf } from './opinions.mjs';
import { runJury } from '../program.mjs';
import { formerResults, placeSession, readResult } from './places.mjs';

const share = 0.16;
/**
 * @typedef {import('./places.mjs').Place} Place
 * @typedef {import('./model-servers.mjs').Script} Script
 * @typedef {ReturnType<typeof rowOf>} Row
 */

/**
 * Resolves with a row for each scene, whether the last of them are equal to the undisturbed vote, and of how many artifacts.
 * `withFailures: false` leaves out the scenes in which servers fail: each waits for its tries. `isShort`: the undisturbed vote alone.
 * @param {{ readonly session: import('./places.mjs').SessionSource, readonly motions: object, readonly withFailures?: boolean,
 *   readonly isShort?: boolean,
 *   readonly servers: Awaited<ReturnType<typeof import('./model-servers.mjs').startModelServers>> }} setting
 */
export async function playScenes({
  session,
  servers,
  motions,
  isShort = false,
  withFailures = !isShort,
}) {
  /** @type {Place[]} */
  const places = [];
  const place = () => {
    const one = placeSession(session, motions);
    places.push(one);
    return one;
  };
  /** @type {Row[]} */
  const rows = [];
  /**
   * @param {string} scene
   * @param {Place} where
   * @param {{ readonly args?: string[], readonly script: Script, readonly expect?: (row: Row) => string[] }} played
   */
  const play = async (scene, where, { args, script, expect }) => {
    servers.set(script);
    const before = countedIn(where);
    const ended = await runJury(args ?? voting(where), where.folder);
    const row = rowOf(scene, where, { ended, seen: servers.take(), before });
    row.problems.push(...(expect?.(row) ?? []));
    rows.push(row);
    return row;
  };
  try {
    const broken = { fails: () => true };
    const few = {
      fails: (/** @type {string | null} */ member) => chanceOf(`answers|${member}`) >= share,
    };
    const works = {};
    if (withFailures)
      await play('nobody answers', place(), {
        script: broken,
        expect: ({ code, outcomes, answered }) => [
          ...unless(code === 2, `exit code ${code}`),
          ...unless(answered === 0, `${answered} answered`),
          ...unless(outcomes.ratified === 0, `${outcomes.ratified} ratified`),
        ],
      });
    const some = place();
    if (withFailures) await play('16 % answer', some, { script: few, expect: endsOpen });
    const whole = place();
    const undisturbed = await play('all answer', whole, { script: works, expect: endsWhole });
    const artifacts = countArtifacts(whole.results);
    if (isShort) return { rows, artifacts, difference: null };
    const same = (/** @type {Place} */ where) => [
      ...unless(firstDifference(where.results, whole.results) === null, 'not equal'),
    ];
    const asWhole = (/** @type {Place} */ where) => (/** @type {Row} */ row) => [
      ...endsWhole(row),
      ...same(where),
    ];
    if (withFailures)
      await play('16 %, servers mended, resume', some, {
        args: ['resume', 'latest'],
        script: works,
        expect: asWhole(some),
      });
    const capped = place();
    const ceiling = Math.round(share * undisturbed.seen.calls);
    await play(`ceiling of ${ceiling} calls`, capped, {
      args: voting(capped, ['--max-calls', String(ceiling)]),
      script: works,
      expect: row => [
        ...endsOpen(row),
        ...unless(row.seen.calls === ceiling, `${row.seen.calls} calls`),
      ],
    });
    await play('resume with a higher ceiling', capped, {
      args: ['resume', 'latest', '--max-calls', '1000000'],
      script: works,
      expect: row => [
        ...asWhole(capped)(row),
        ...unless(row.code === undisturbed.code, `exit code ${row.code}`),
      ],
    });
    const asksNobody = (/** @type {Row} */ row) =>
      unless(row.seen.calls === 0, `${row.seen.calls} calls`);
    await play('the same command again', capped, {
      script: works,
      expect: row => [...asksNobody(row), ...asWhole(capped)(row)],
    });
    const run = readResult(capped.results, 'pipeline_result.json').run_id;
    await play('--fresh', capped, {
      args: voting(capped, ['--fresh']),
      script: works,
      expect: row => [
        ...asWhole(capped)(row),
        ...unless(row.seen.calls === undisturbed.seen.calls, `${row.seen.calls} calls`),
        ...keepsFormer(capped, run, whole),
      ],
    });
    return {
      rows,
      artifacts,
      difference:
        (withFailures ? firstDifference(some.results, whole.results) : null) ??
        firstDifference(capped.results, whole.results),
    };
  } finally {
    for (const one of places) one.remove();
  }
}

function voting(/** @type {Place} */ { name }, /** @type {string[]} */ flags = []) {
  return ['motions', name, '--real-agent', '--concurrency', '16', ...flags];
}

/** What the run before has counted in this place; a run that is topped up counts on. */
function countedIn(/** @type {Place} */ { results }) {
  try {
    const { run_id, calls, cost } = readResult(results, 'pipeline_result.json');
    return { run_id, calls, cost };
  } catch {
    return { run_id: null, calls: 0, cost: 0 };
  }
}

/**
 * @param {string} scene
 * @param {Place} where
 * @param {{ readonly ended: Awaited<ReturnType<typeof runJury>>, readonly seen: import('./model-servers.mjs').Seen,
 *   readonly before: ReturnType<typeof countedIn> }} told
 */
function rowOf(scene, where, { ended, seen, before }) {
  const { code, seconds, cpuSeconds, megabytes } = ended;
  const result = readResult(where.results, 'pipeline_result.json');
  const goesOn = result.run_id === before.run_id;
  const counted = {
    calls: result.calls - (goesOn ? before.calls : 0),
    cost: result.cost - (goesOn ? before.cost : 0),
  };
  const { ratified, rejected, deferred, incomplete, votes } = result.ratification;
  const outcomes = { ratified, rejected, deferred, incomplete };
  const problems = [
    ...unless(seen.calls === counted.calls, `${counted.calls} calls counted`),
    ...unless(Math.abs(seen.cost - counted.cost) < 1e-6, `$${counted.cost.toFixed(6)} counted`),
    ...unless(
      votes.length === ratified + rejected + deferred + incomplete,
      'outcomes of another kind',
    ),
  ];
  return {
    scene,
    code,
    outcomes,
    seen,
    counted,
    seconds,
    cpuSeconds,
    megabytes,
    answered: result.reviews.response_count,
    missing: result.reviews.no_response_count,
    problems,
  };
}

function endsOpen(/** @type {Row} */ { code, outcomes, missing }) {
  return [
    ...unless(code === 2, `exit code ${code}`),
    ...unless(outcomes.incomplete > 0, 'no motion is incomplete'),
    ...unless(missing > 0, 'no answer is missing'),
  ];
}

function endsWhole(/** @type {Row} */ { code, outcomes, missing }) {
  return [
    ...unless(code === 0, `exit code ${code}`),
    ...unless(outcomes.incomplete === 0, `${outcomes.incomplete} incomplete`),
    ...unless(missing === 0, `${missing} answers missing`),
  ];
}

function keepsFormer(
  /** @type {Place} */ where,
  /** @type {string} */ run,
  /** @type {Place} */ whole,
) {
  const [former, ...others] = formerResults(where).filter(folder => folder.endsWith(`.${run}`));
  if (former === undefined || others.length > 0) return ['the results of the run before are gone'];
  return unless(firstDifference(former, whole.results) === null, 'those before were changed');
}

function unless(/** @type {boolean} */ isFine, /** @type {string} */ problem) {
  return isFine ? [] : [problem];
}
