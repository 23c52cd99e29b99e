// Everything about one repository: `node measure-repository.mjs SETTINGS`, a process of its own. Each finished question is a line of
// JSON in the folder of results, so that a run that was broken off goes on where it stopped.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { changeOf, chooseCommits } from './commits.mjs';
import { git, openStates } from './repository-state.mjs';
import { measureCoChange } from './measure-co-change.mjs';
import { measureCommit } from './measure-commit.mjs';
import { chooseRemoved, measureRemoved } from './measure-removed.mjs';
import { openProduct } from './product.mjs';
import { nameOf, openResults } from './results.mjs';
import { openRepomix } from './repomix.mjs';
import { readHistory } from './history.mjs';

const settings = JSON.parse(process.argv[2]);
await measureRepository(settings);

/**
 * @param {{ readonly repo: string, readonly dist: string, readonly results: string, readonly cache: string, readonly minutes: number,
 *   readonly from: string | null, readonly commits: number, readonly mostFiles: number, readonly seed: string | null,
 *   readonly caps: readonly number[], readonly removed: number, readonly repomix: string | null }} settings
 */
async function measureRepository({ repo, dist, results, cache, minutes, ...choice }) {
  const began = performance.now();
  const name = nameOf(repo);
  const key = createHash('sha256')
    .update(`${path.resolve(repo)}\0${path.resolve(dist)}`)
    .digest('hex');
  const scratch = path.join(cache, `${name}-${key.slice(0, 8)}`);
  const root = cloneOf(path.resolve(repo), path.join(scratch, 'clone'));
  const answers = openResults(results);
  const product = openProduct({ dist, clone: root, home: path.join(scratch, 'home') });
  // Asked of the repository: the head of the clone is whatever was checked out last.
  const from = git(path.resolve(repo), ['rev-parse', `${choice.from ?? 'HEAD'}^{commit}`]).trim();
  const ids = chooseCommits(root, { ...choice, from });
  const states = openStates(root);
  const world = {
    root,
    scratch,
    product,
    caps: choice.caps,
    repomix: await openRepomix(choice.repomix, root),
    history: readHistory(root, from),
    known: /** @type {ReadonlySet<string>} */ (new Set()),
  };
  const say = (/** @type {string} */ text) => console.error(`${name}: ${text}`);
  const isLate = () => (performance.now() - began) / 60_000 > minutes;
  await answers.once('cold', async () => {
    const cold = await product.pack(from, {
      agent: 'Planner',
      cap: choice.caps[0],
      known: world.known,
    });
    return [{ kind: 'cold', ms: cold.ms }];
  });
  const prepare = (/** @type {string} */ id) => {
    const state = states.at(id);
    world.known = new Set(git(root, ['ls-tree', '-r', '-z', '--name-only', id]).split('\0'));
    return state;
  };
  if (choice.removed > 0 && ids.length > 0) {
    const state = prepare(ids[0]);
    for (const one of chooseRemoved(state, { count: choice.removed, seed: 'removed' })) {
      if (isLate()) break;
      await answers.once(`removed ${one.path} ${one.name}`, async () => [
        await measureRemoved(one, state, world),
      ]);
    }
    say('removed names done');
  }
  for (const [index, id] of ids.entries()) {
    if (isLate()) break;
    await answers.once(id, async () => {
      const change = changeOf(root, id);
      const state = prepare(id);
      const records = [
        ...(await measureCommit(change, state, world)),
        await measureOwnDoor(id, world),
        ...(await measureCoChange(change, state, world)),
      ];
      say(`${index + 1} of ${ids.length} commits`);
      return records;
    });
  }
  if (isLate()) say(`stopped after ${Math.round(minutes)} minutes; the same command goes on`);
}

/** What a caller gets who asks for nothing special: the role and the sizes that the product has by itself. */
async function measureOwnDoor(
  /** @type {string} */ commit,
  /** @type {Pick<import('./measure-commit.mjs').World, 'product' | 'known'>} */ { product, known },
) {
  const { refusal, packs, tokens, stated, stop, ms, risks } = await product.pack(commit, {
    agent: 'Reviewer',
    cap: null,
    known,
  });
  const hasRisk = risks !== '' && risks !== 'none';
  return { kind: 'own', commit, refusal, packs, tokens, stated, stop, ms, hasRisk };
}

/** A clone that shares the objects, so that checkouts and made commits leave the repository alone. */
function cloneOf(/** @type {string} */ repo, /** @type {string} */ folder) {
  if (!existsSync(path.join(folder, '.git'))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.dirname(folder), { recursive: true });
    git('/', ['clone', '--quiet', '--shared', repo, folder]);
  }
  return folder;
}
