// Whole votes by the built program, of scripted members at three model servers with a model and a price each. `--data DIR` takes
// the sessions in the folders of DIR; without it, one of its own. Every row tells what the servers saw beside what the vote says.
import { readdirSync } from 'node:fs';
import path from 'node:path';
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

export async function measure(words = process.argv.slice(3)) {
  const sessions = sessionsIn(words);
  const servers = await startModelServers(models);
  const motions = {
    reviewer: { runner: 'api', timeout: 60 },
    endpoints: servers.endpoints.map(({ url, model, price }) => ({ baseUrl: url, model, price })),
  };
  let [wrong, scenes] = [0, 0];
  try {
    for (const [name, session] of sessions) {
      const { rows, artifacts, difference } = await playScenes({ session, servers, motions });
      print(name, rows);
      console.log(
        `topped up against undisturbed, ${artifacts} artifacts: ${difference ?? 'equal'}`,
      );
      scenes += rows.length;
      wrong += rows.filter(({ problems }) => problems.length > 0).length;
    }
  } finally {
    await servers.close();
  }
  console.log(`Passed over in the comparison:\n${passedOver.map(one => `  ${one}`).join('\n')}`);
  return { ratio: wrong, detail: `${scenes} scenes of ${sessions.length} sessions` };
}

function sessionsIn(words) {
  const at = words.indexOf('--data');
  if (at === -1)
    return [['own', folder => writeSession(folder, { members: 24, motions: 8, seed: 'own' })]];
  const data = path.resolve(words[at + 1] ?? '');
  return readdirSync(data, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => [name, path.join(data, name)]);
}

function print(name, rows) {
  const table = [
    [
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
    ],
    ...rows.map(row => [
      row.scene,
      ...Object.values(row.outcomes).map(String),
      String(row.code),
      `${row.answered} of ${row.answered + row.missing}`,
      String(row.seen.calls),
      row.seen.byModel.join(' '),
      String(row.counted.calls),
      `$${row.seen.cost.toFixed(4)}`,
      `$${row.counted.cost.toFixed(4)}`,
      row.seconds.toFixed(1),
      row.cpuSeconds.toFixed(1),
      row.problems.length === 0 ? 'yes' : row.problems.join('; '),
    ]),
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map(row => row[column].length)));
  console.log(`\n${name}`);
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}
