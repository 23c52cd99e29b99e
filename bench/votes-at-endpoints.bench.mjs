// Whole votes by the built program, of scripted members at three model servers with a model and a price each: the sessions of the
// data, without data one of its own. Every row tells what the servers saw beside what the vote says.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { partOf, tableOf } from './program.mjs';
import { passedOver } from './votes/compare.mjs';
import { startModelServers } from './votes/model-servers.mjs';
import { playScenes } from './votes/scenes.mjs';
import { writeSession } from './votes/session.mjs';

export const title =
  'scenes of votes at three endpoints whose outcomes, calls or money are not what they should be';
export const aim = 0;

const models = [
  { model: 'large', price: { input: 3, output: 15 } },
  { model: 'middle', price: { input: 0.8, output: 4 } },
  { model: 'small', price: { input: 0.1, output: 0.4 } },
];

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, data }) {
  const servers = await startModelServers(models);
  const motions = {
    reviewer: { runner: 'api', timeout: 60 },
    endpoints: servers.endpoints.map(({ url, model, price }) => ({ baseUrl: url, model, price })),
  };
  let [wrong, scenes] = [0, 0];
  const sessions = size === 'full' ? sessionsIn(data) : [ownSession(3, 2)];
  try {
    for (const { name, session } of sessions) {
      const { rows, artifacts, difference } = await playScenes({
        session,
        servers,
        motions,
        isShort: size === 'small',
      });
      console.log(
        `\n${name}\n${tableOf([head, ...rows.map(cellsOf)])}topped up against undisturbed, ${artifacts} artifacts: ${difference ?? 'equal'}`,
      );
      scenes += rows.length;
      wrong += rows.filter(({ problems }) => problems.length > 0).length;
    }
  } finally {
    await servers.close();
  }
  console.log(`Passed over in the comparison:\n${passedOver.map(one => `  ${one}`).join('\n')}`);
  return { figure: wrong, detail: `${scenes} scenes of ${sessions.length} sessions` };
}

function sessionsIn(/** @type {string | undefined} */ data) {
  const folder = partOf(data, 'motions');
  if (folder === null) return [ownSession(24, 8)];
  return readdirSync(folder).map(name => ({ name, session: path.join(folder, name) }));
}

function ownSession(/** @type {number} */ members, /** @type {number} */ motions) {
  const session = (/** @type {string} */ folder) =>
    writeSession(folder, { members, motions, seed: 'own' });
  return { name: 'own', session };
}

const head = [
  'scene',
  'ratified',
  'rejected',
  'deferred',
  'incomplete',
  'exit',
  'reviews',
  'calls seen',
  'of each model',
  'counted',
  'money seen',
  'counted',
  'wall s',
  'cpu s',
  'as it should',
];

/** @param {import('./votes/scenes.mjs').Row} row */
function cellsOf(row) {
  return [
    row.scene,
    ...Object.values(row.outcomes),
    row.code,
    `${row.answered} of ${row.answered + row.missing}`,
    row.seen.calls,
    row.seen.byModel.join(' '),
    row.counted.calls,
    `$${row.seen.cost.toFixed(4)}`,
    `$${row.counted.cost.toFixed(4)}`,
    row.seconds.toFixed(1),
    row.cpuSeconds.toFixed(1),
    row.problems.length === 0 ? 'yes' : row.problems.join('; '),
  ];
}
