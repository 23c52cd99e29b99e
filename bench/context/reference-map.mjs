// Baseline in the manner of aider's repository map: files point at the files that define the names they use, a random walk that
// restarts at the changed files ranks them (Page et al., 1999), names of the change weigh ten times as much, and the definition
// lines of the best ranked names are listed until the tokens are spent. Weights as aider documents them.
import { createShown } from './shown.mjs';
import { countTokens } from './tokens.mjs';

const damping = 0.85;
const rounds = 30;
const mostColumns = 100;

/** Edges of a whole tree: built once for a commit, asked for several changes. */
export function buildGraph({ files, definitions }) {
  const paths = [...files.keys()];
  const numbers = new Map(paths.map((path, index) => [path, index]));
  const edges = [];
  for (const [path, { uses }] of files) {
    const from = numbers.get(path);
    for (const [word, lines] of uses) {
      const places = definitions.get(word);
      if (places === undefined || places.length > 50) continue;
      const targets = new Set(places.map(place => numbers.get(place.path)));
      for (const to of targets)
        edges.push({ from, to, word, weight: Math.sqrt(lines.length) * weightOf(word, targets) });
    }
  }
  return { paths, numbers, edges };
}

function weightOf(word, targets) {
  const isTelling = word.length >= 8 && /[a-z][A-Z]|\w_\w/.test(word);
  return (isTelling ? 10 : 1) * (word.startsWith('_') ? 0.1 : 1) * (targets.size > 5 ? 0.1 : 1);
}

/** Best first: `{ path, word, score }`. */
export function rankDefinitions({ paths, numbers, edges }, { changed, words }) {
  const start = new Float64Array(paths.length);
  const own = new Set(changed.flatMap(path => numbers.get(path) ?? []));
  for (const number of own) start[number] = 1 / own.size;
  const weights = Float64Array.from(
    edges,
    ({ word, weight, from }) => weight * (words.has(word) ? 10 : 1) * (own.has(from) ? 50 : 1),
  );
  const out = new Float64Array(paths.length);
  for (const [index, { from }] of edges.entries()) out[from] += weights[index];
  const rank = walk(edges, weights, out, start);
  const scores = new Map();
  for (const [index, { from, to, word }] of edges.entries()) {
    const key = `${to} ${word}`;
    scores.set(key, (scores.get(key) ?? 0) + (rank[from] * weights[index]) / out[from]);
  }
  return [...scores]
    .toSorted(([, one], [, other]) => other - one)
    .map(([key, score]) => {
      const [to, word] = key.split(' ');
      return { path: paths[Number(to)], word, score };
    });
}

function walk(edges, weights, out, start) {
  let rank = Float64Array.from(start);
  for (let round = 0; round < rounds; round += 1) {
    const next = start.map(share => share * (1 - damping));
    let spread = 0;
    for (const [index, { from, to }] of edges.entries()) {
      const share = (damping * rank[from] * weights[index]) / out[from];
      next[to] += share;
      spread += share;
    }
    // What sits in files that use nothing goes back to the start.
    const lost = damping - spread;
    for (const [index, share] of start.entries()) next[index] += lost * share;
    rank = next;
  }
  return rank;
}

/** The map: files in the order in which their best name was ranked, definition lines below. */
export function drawMap({ ranked, files, tokens }) {
  const shown = createShown();
  let left = tokens;
  for (const { path, word } of ranked) {
    const { tags, lines } = files.get(path);
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
