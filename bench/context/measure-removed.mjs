// A function that others use is deleted from a real tree: are its remaining users shown, and is there a risk note that names it?
// Few real commits do that and leave users behind, so that the commits are made here; which functions, a hash decides.
import path from 'node:path';
import { isSomethingElse } from './outside-names.mjs';
import { byHash, changeOf, commitLike, hunkTest } from './commits.mjs';
import { countHits, drawBaselines } from './measure-commit.mjs';
import { escaped, linesNaming } from './truth.mjs';

/**
 * @typedef {import('./repository-state.mjs').Place} Place
 * @typedef {import('./repository-state.mjs').State} State
 * @typedef {import('./repository-state.mjs').CommitState} CommitState
 * @typedef {import('./measure-commit.mjs').World} World
 */

const mostLines = 60;
const [fewestUsers, mostUsers] = [1, 30];

/**
 * Functions with a name of their own that code of other files uses.
 * @param {State} state
 * @param {{ readonly count: number, readonly seed: string }} choice
 */
export function chooseRemoved(state, { count, seed }) {
  const { files, definitions } = state;
  const candidates = [...definitions.values()].flatMap(places => {
    const [one] = places;
    if (places.length !== 1 || one.kind !== 'callable' || one.name.length < 4) return [];
    if (files.get(one.path)?.isTest || Number(one.end) - one.line > mostLines) return [];
    const users = usersOf(one, state);
    const isUsedElsewhere = users.some(user => user.path !== one.path);
    const isFit = isUsedElsewhere && users.length >= fewestUsers && users.length <= mostUsers;
    return isFit ? [one] : [];
  });
  return byHash(candidates, seed, one => `${one.path} ${one.name}`).slice(0, count);
}

function usersOf(/** @type {Place} */ one, /** @type {State} */ state) {
  const { name, path: file, line, end } = one;
  const { files } = state;
  return linesNaming(name, files).filter(
    user =>
      !isSomethingElse(one, user, state) &&
      !files.get(user.path)?.isTest &&
      !(user.path === file && line <= user.line && user.line <= Number(end)),
  );
}

export async function measureRemoved(
  /** @type {Place} */ removed,
  /** @type {CommitState} */ state,
  /** @type {World} */ world,
) {
  const { root, scratch, product, known, caps } = world;
  const made = commitLike(root, {
    parent: state.commit,
    tree: state.commit,
    files: [
      {
        path: removed.path,
        text: textWithout(removed, state.files.get(removed.path)?.lines ?? []),
      },
    ],
    index: path.join(scratch, 'index'),
  });
  const change = changeOf(root, made);
  // Users stand where they stood, but below the gap of their own file.
  const height = change.files[0].removed.size;
  const isInHunk = hunkTest(change);
  const users = usersOf(removed, state)
    .map(user => {
      const isBelow = user.path === removed.path && user.line > removed.line;
      return {
        name: removed.name,
        path: user.path,
        line: isBelow ? user.line - height : user.line,
      };
    })
    .filter(user => !isInHunk(user.path, user.line));
  const pack = await product.pack(made, { agent: 'Planner', cap: caps[0], known });
  const tokens = caps[0] * Math.max(1, pack.packs);
  const baselines = await drawBaselines({
    change,
    state,
    tokens,
    world,
    words: [removed.name],
    isCall: false,
  });
  const hits = countHits(
    { definitions: [], callers: users, tests: [] },
    { jury: pack.shown, ...baselines },
  );
  return {
    kind: 'removed',
    commit: state.commit,
    cap: caps[0],
    name: `${removed.name} ${removed.path}:${removed.line}`,
    refusal: pack.refusal,
    ms: pack.ms,
    isRiskNoted: new RegExp(String.raw`(?<!\w)${escaped(removed.name)}(?!\w)`).test(pack.risks),
    hits: hits.callers,
  };
}

function textWithout(/** @type {Place} */ { line, end }, /** @type {readonly string[]} */ lines) {
  let start = line;
  while (start > 1 && /^\s*(?:@|#\[)/.test(lines[start - 2])) start -= 1;
  return [...lines.slice(0, start - 1), ...lines.slice(Number(end))].join('\n');
}
