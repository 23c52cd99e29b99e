// Files of a commit that are hidden in turn: the pack of the others, made of a commit without the hidden change, has to name them.
import path from 'node:path';
import { blobAt, byHash, changeOf, commitLike, isCode } from './commits.mjs';
import { changedTogether } from './history.mjs';
import { buildGraph, rankDefinitions } from './reference-map.mjs';
import { wordsOf } from './measure-commit.mjs';

/**
 * @typedef {import('./commits.mjs').Change} Change
 * @typedef {import('./measure-commit.mjs').State} State
 * @typedef {import('./measure-commit.mjs').World} World
 */

const [fewest, most] = [2, 12];
const mostHidden = 3;

export async function measureCoChange(
  /** @type {Change} */ change,
  /** @type {State} */ state,
  /** @type {World} */ world,
) {
  const code = change.files.flatMap(({ path: own, oldPath }) =>
    own !== null && isCode(own) ? [{ path: own, oldPath }] : [],
  );
  if (code.length < fewest || code.length > most) return [];
  // What the commit adds or moves does not exist without it, so nobody could name it.
  const candidates = code.filter(file => file.path === file.oldPath && state.files.has(file.path));
  const records = [];
  for (const hidden of byHash(candidates, change.commit, file => file.path).slice(0, mostHidden))
    records.push(await measureHidden(hidden.path, change, state, world));
  return records;
}

/**
 * @param {string} hidden
 * @param {Change} change
 * @param {State} state
 * @param {World} world
 */
async function measureHidden(
  hidden,
  { commit },
  state,
  { root, scratch, product, history, known, caps },
) {
  const made = commitLike(root, {
    parent: `${commit}^`,
    tree: commit,
    files: [{ path: hidden, id: blobAt(root, `${commit}^`, hidden) }],
    index: path.join(scratch, 'index'),
  });
  const pack = await product.pack(made, { agent: 'Planner', cap: caps[0], known });
  const rest = changeOf(root, made);
  const visible = new Set(rest.files.flatMap(file => [file.path ?? [], file.oldPath ?? []].flat()));
  const named = pack.shown.paths().filter(one => !visible.has(one));
  const together = changedTogether({
    history,
    before: commit,
    paths: [...visible],
    exists: one => known.has(one),
  });
  state.graph ??= buildGraph(state);
  const ranked = rankDefinitions(state.graph, { changed: [...visible], words: wordsOf(rest) });
  const mapped = [...new Set(ranked.map(one => one.path))].filter(one => !visible.has(one));
  return {
    kind: 'co-change',
    commit,
    cap: caps[0],
    hidden,
    refusal: pack.refusal,
    paths: named.length,
    ms: pack.ms,
    hits: {
      of: 1,
      jury: Number(named.includes(hidden)),
      history: Number(together.slice(0, named.length).includes(hidden)),
      'history 10': Number(together.slice(0, 10).includes(hidden)),
      map: Number(mapped.slice(0, named.length).includes(hidden)),
    },
  };
}
