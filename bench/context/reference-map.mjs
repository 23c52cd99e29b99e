// Baseline in the manner of aider's repository map: files point at the files that define the names they use, a random walk that
// restarts at the changed files ranks them (Page et al., 1999), names of the change weigh ten times as much, and the definition
// lines of the best ranked names are listed until the tokens are spent. Weights as aider documents them.
import { createShown } from './shown.mjs';
import { countTokens } from './tokens.mjs';

const damping = 0.85;
const rounds = 30;
const mostColumns = 100;
const mostPlaces = 50;

/**
 * @typedef {ReturnType<typeof buildGraph>} Graph
 * @typedef {ReturnType<typeof rankDefinitions>} Ranked
 * @typedef {import('./repository-state.mjs').State} State
 */

/** Edges of a whole tree in flat arrays, built once for a commit and asked for several changes. `names`: what an edge leads to. */
export function buildGraph(
  /** @type {Pick<State, 'files' | 'definitions'>} */ { files, definitions },
) {
  const paths = [...files.keys()];
  const numbers = new Map(paths.map((path, index) => [path, index]));
  const targets = targetsByName(definitions, numbers);
  /** @type {number[]} */
  const from = [];
  /** @type {number[]} */
  const name = [];
  /** @type {number[]} */
  const weight = [];
  for (const [path, { uses }] of files)
    for (const [word, lines] of uses) {
      const target = targets.get(word);
      if (target === undefined) continue;
      for (const number of target.names) {
        from.push(numbers.get(path) ?? 0);
        name.push(number);
        weight.push(Math.sqrt(lines.length) * target.weight);
      }
    }
  const names = [...targets.values()].flatMap(target => target.all);
  return {
    paths,
    numbers,
    names,
    from: Int32Array.from(from),
    name: Int32Array.from(name),
    weight: Float64Array.from(weight),
  };
}

/**
 * For each defined name, the files that define it; a name that everybody defines tells nothing.
 * @param {State['definitions']} definitions
 * @param {ReadonlyMap<string, number>} numbers
 */
function targetsByName(definitions, numbers) {
  const targets = new Map();
  let count = 0;
  for (const [word, places] of definitions) {
    const files = [...new Set(places.map(place => numbers.get(place.path) ?? 0))];
    if (places.length > mostPlaces) continue;
    const all = files.map(to => ({ word, to }));
    targets.set(word, {
      all,
      names: all.map((_, index) => count + index),
      weight: weightOf(word, files.length),
    });
    count += all.length;
  }
  return targets;
}

function weightOf(/** @type {string} */ word, /** @type {number} */ files) {
  const isTelling = word.length >= 8 && /[a-z][A-Z]|\w_\w/.test(word);
  return (isTelling ? 10 : 1) * (word.startsWith('_') ? 0.1 : 1) * (files > 5 ? 0.1 : 1);
}

/**
 * Best first.
 * @param {Graph} graph
 * @param {{ readonly changed: readonly (string | null)[], readonly words: ReadonlySet<string> }} change
 */
export function rankDefinitions(graph, { changed, words }) {
  const { paths, numbers, names, from, name } = graph;
  const start = new Float64Array(paths.length);
  const own = new Set(changed.flatMap(path => numbers.get(path ?? '') ?? []));
  for (const number of own) start[number] = 1 / own.size;
  // A change of nothing that is code starts anywhere.
  if (own.size === 0) start.fill(1 / paths.length);
  const weights = graph.weight.map(
    (weight, edge) =>
      weight * (words.has(names[name[edge]].word) ? 10 : 1) * (own.has(from[edge]) ? 50 : 1),
  );
  const out = new Float64Array(paths.length);
  for (let edge = 0; edge < from.length; edge += 1) out[from[edge]] += weights[edge];
  const rank = walk(graph, weights, out, start);
  const scores = new Float64Array(names.length);
  for (let edge = 0; edge < from.length; edge += 1)
    scores[name[edge]] += (rank[from[edge]] * weights[edge]) / out[from[edge]];
  return names
    .map(({ word, to }, index) => ({ path: paths[to], word, score: scores[index] }))
    .toSorted((one, other) => other.score - one.score);
}

/**
 * @param {Graph} graph
 * @param {Float64Array} weights
 * @param {Float64Array} out
 * @param {Float64Array} start
 */
function walk({ from, name, names }, weights, out, start) {
  const to = Int32Array.from(name, number => names[number].to);
  let rank = Float64Array.from(start);
  for (let round = 0; round < rounds; round += 1) {
    const next = start.map(share => share * (1 - damping));
    let spread = 0;
    for (let edge = 0; edge < from.length; edge += 1) {
      const share = (damping * rank[from[edge]] * weights[edge]) / out[from[edge]];
      next[to[edge]] += share;
      spread += share;
    }
    // What sits in files that use nothing goes back to the start.
    const lost = damping - spread;
    for (let file = 0; file < start.length; file += 1) next[file] += lost * start[file];
    rank = next;
  }
  return rank;
}

/**
 * The map: files in the order in which their best name was ranked, definition lines below.
 * @param {{ readonly ranked: Ranked, readonly files: State['files'], readonly tokens: number }} wanted
 */
export function drawMap({ ranked, files, tokens }) {
  const shown = createShown();
  let left = tokens;
  for (const { path, word } of ranked) {
    const { tags = [], lines = [] } = files.get(path) ?? {};
    for (const { name, line } of tags) {
      if (name !== word || shown.hasLine(path, line)) continue;
      if (!shown.hasPath(path)) left -= countTokens(`\n${path}:\n⋮\n`);
      left -= countTokens(`│${lines[line - 1].slice(0, mostColumns)}\n`);
      if (left < 0) return shown;
      shown.addLine(path, line);
    }
  }
  return shown;
}
