// One commit: what Jury's pack shows of what a reviewer would want, and what each baseline shows for the same tokens.
import { buildGraph, drawMap, rankDefinitions } from './reference-map.mjs';
import { filesByNearness, packWholeFiles } from './whole-files.mjs';
import { hunkTest } from './commits.mjs';
import { searchNames } from './name-search.mjs';
import { countTokens } from './tokens.mjs';
import { truthOf } from './truth.mjs';

/**
 * @typedef {import('./commits.mjs').Change} Change
 * @typedef {import('./repository-state.mjs').State} State
 * @typedef {import('./shown.mjs').Shown} Shown
 * @typedef {{ readonly root: string, readonly scratch: string, readonly product: import('./product.mjs').Product,
 *   readonly caps: readonly number[], readonly repomix: import('./repomix.mjs').Repomix | null,
 *   readonly history: ReturnType<typeof import('./history.mjs').readHistory>, known: ReadonlySet<string> }} World
 * @typedef {Readonly<Record<string, number | null>>} Hits
 */

/**
 * Returns plain records.
 * @param {Change} change
 * @param {State} state
 * @param {World} world
 */
export async function measureCommit(change, state, world) {
  const truth = truthOf(change, state, hunkTest(change));
  const records = [];
  for (const cap of world.caps) {
    const pack = await world.product.pack(change.commit, {
      agent: 'Planner',
      cap,
      known: world.known,
    });
    const tokens = cap * Math.max(1, pack.packs);
    const shown = {
      jury: pack.shown,
      ...(await drawBaselines({ change, state, tokens, world, words: truth.functions })),
    };
    const { refusal, packs, stop, ms } = pack;
    records.push({
      kind: 'commit',
      commit: change.commit,
      cap,
      refusal,
      packs,
      tokens: pack.tokens,
      stated: pack.stated,
      stop,
      ms,
      hits: countHits(truth, shown),
      missed: truth.definitions
        .concat(truth.callers)
        .filter(({ path, line }) => !pack.shown.hasLine(path, line))
        .map(({ name, path, line }) => `${name} ${path}:${line}`)
        .slice(0, 20),
    });
  }
  return records;
}

/**
 * What everybody else shows of a change for that many tokens. A map or a search says nothing of the change itself, which a pack
 * holds and nobody can review without: its added lines are taken off what these two may spend.
 * @param {{ readonly change: Change, readonly state: State, readonly tokens: number, readonly world: World,
 *   readonly words: readonly string[], readonly isCall?: boolean }} wanted
 */
export async function drawBaselines({ change, state, tokens, world, words, isCall = true }) {
  const { files } = state;
  const changed = change.files.flatMap(({ path }) => (path === null ? [] : [path]));
  const order = filesByNearness(changed, files);
  const left = tokens - tokensOfChange(change);
  const ranked = rankFor(change, changed, state);
  const repomix = async (/** @type {boolean} */ compress) =>
    world.repomix === null ? null : await world.repomix({ order, files, tokens, compress });
  return {
    files: packWholeFiles({ order, files, tokens }),
    repomix: await repomix(false),
    compressed: await repomix(true),
    map: drawMap({ ranked, files, tokens: left }),
    search: searchNames({ words, files, tokens: left, isCall }),
  };
}

/**
 * The same for each number of tokens.
 * @param {Change} change
 * @param {readonly string[]} changed
 * @param {State} state
 */
function rankFor(change, changed, state) {
  state.graph ??= buildGraph(state);
  if (state.ranked === undefined || state.rankedFor !== change.commit) {
    state.ranked = rankDefinitions(state.graph, { changed, words: wordsOf(change) });
    state.rankedFor = change.commit;
  }
  return state.ranked;
}

function tokensOfChange(/** @type {Change} */ { files }) {
  const texts = files.map(({ path, added }) => `${path}\n${[...added.values()].join('\n')}\n`);
  return countTokens(texts.join(''));
}

/** Every name on the lines that a change adds or removes. */
export function wordsOf(/** @type {Pick<Change, 'files'>} */ { files }) {
  return new Set(
    files.flatMap(({ added, removed }) =>
      [...added.values(), ...removed.values()].flatMap(
        line => line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [],
      ),
    ),
  );
}

/**
 * For each measure how many there are and how many each one shows. A pack that was refused shows nothing and its commit counts;
 * what was not measured is `null`.
 * @param {Pick<ReturnType<typeof truthOf>, 'definitions' | 'callers' | 'tests'>} truth
 * @param {Readonly<Record<string, Shown | null>>} shown
 */
export function countHits(truth, shown) {
  /**
   * @template T
   * @param {readonly T[]} wanted
   * @param {(one: Shown, item: T) => boolean} isHit
   * @returns {Hits}
   */
  const count = (wanted, isHit) => ({
    of: wanted.length,
    ...Object.fromEntries(
      Object.entries(shown).map(([method, one]) => [
        method,
        one && wanted.filter(item => isHit(one, item)).length,
      ]),
    ),
  });
  const definitions = count(truth.definitions, (one, { path, line }) => one.hasLine(path, line));
  const callers = count(truth.callers, (one, { path, line }) => one.hasLine(path, line));
  const tests = count(truth.tests, (one, path) => one.hasPath(path));
  return {
    definitions,
    'definition files': count(truth.definitions, (one, { path }) => one.hasPath(path)),
    callers,
    tests,
    together: addUp([definitions, callers, tests]),
  };
}

/** Whoever lists one kind alone has all of that kind: a reviewer wants them in one text. */
/** @returns {Hits} */
function addUp(/** @type {readonly Hits[]} */ counts) {
  return Object.fromEntries(
    Object.keys(counts[0]).map(key => [
      key,
      counts.some(one => one[key] === null)
        ? null
        : counts.reduce((sum, one) => sum + Number(one[key]), 0),
    ]),
  );
}
