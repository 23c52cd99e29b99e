// One commit: what Jury's pack shows of what a reviewer would want, and what each baseline shows for the same tokens.
import { buildGraph, drawMap, rankDefinitions } from './reference-map.mjs';
import { filesByNearness, packWholeFiles } from './whole-files.mjs';
import { hunkTest } from './commits.mjs';
import { searchNames } from './name-search.mjs';
import { countTokens } from './tokens.mjs';
import { truthOf } from './truth.mjs';

/** `world`: `{ product, repomix, caps }`; `change` and `state` of the commit. Returns plain records. */
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
 */
export async function drawBaselines({ change, state, tokens, world, words, isCall = true }) {
  const { files } = state;
  const changed = change.files.flatMap(({ path }) => (path === null ? [] : [path]));
  const order = filesByNearness(changed, files);
  const left = tokens - tokensOfChange(change);
  const ranked = rankFor(change, changed, state);
  const repomix = async compress =>
    world.repomix === null ? null : await world.repomix({ order, files, tokens, compress });
  return {
    files: packWholeFiles({ order, files, tokens }),
    repomix: await repomix(false),
    compressed: await repomix(true),
    map: drawMap({ ranked, files, tokens: left }),
    search: searchNames({ words, files, tokens: left, isCall }),
  };
}

/** The same for each number of tokens. */
function rankFor(change, changed, state) {
  state.graph ??= buildGraph(state);
  if (state.rankedFor !== change.commit) {
    state.ranked = rankDefinitions(state.graph, { changed, words: wordsOf(change) });
    state.rankedFor = change.commit;
  }
  return state.ranked;
}

function tokensOfChange({ files }) {
  const texts = files.map(({ path, added }) => `${path}\n${[...added.values()].join('\n')}\n`);
  return countTokens(texts.join(''));
}

/** Every name on the lines that a change adds or removes. */
export function wordsOf({ files }) {
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
 */
export function countHits({ definitions, callers, tests }, shown) {
  const measures = {
    definitions: [definitions, (one, { path, line }) => one.hasLine(path, line)],
    'definition files': [definitions, (one, { path }) => one.hasPath(path)],
    callers: [callers, (one, { path, line }) => one.hasLine(path, line)],
    tests: [tests, (one, path) => one.hasPath(path)],
  };
  const hits = Object.fromEntries(
    Object.entries(measures).map(([measure, [wanted, isHit]]) => [
      measure,
      {
        of: wanted.length,
        ...Object.fromEntries(
          Object.entries(shown).map(([method, one]) => [
            method,
            one === null ? null : wanted.filter(item => isHit(one, item)).length,
          ]),
        ),
      },
    ]),
  );
  return { ...hits, together: addUp([hits.definitions, hits.callers, hits.tests]) };
}

/** Whoever lists one kind alone has all of that kind: a reviewer wants them in one text. */
function addUp(counts) {
  return Object.fromEntries(
    Object.keys(counts[0]).map(key => [
      key,
      counts.some(one => one[key] === null) ? null : counts.reduce((sum, one) => sum + one[key], 0),
    ]),
  );
}
