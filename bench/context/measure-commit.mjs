// One commit: its packs at the cap of a small scope, and what the baselines show for the same tokens.
import { parseRange, piecesOf, splitChange } from '../../dist/core/context/packing/line-range.js';
import { symbolsUsed } from '../../dist/core/context/packing/references.js';
import { resolveAll } from '../../dist/core/context/packing/requirements.js';
import { assembleContext, openSources } from '../../dist/engine/context/assemble-context.js';
import { openContext } from '../../dist/library/context/open-context.js';
import { packWholeFiles } from './whole-files.mjs';
import { drawMap } from './repository-map.mjs';

const budget = 3000;

export async function measureCommit({ id, repository, scratch, other, totals }) {
  const change = await repository.change({ source: 'revision', revision: id }).catch(() => null);
  if (change === null) return;
  const context = await openContext(change, repository, scratch, { cwd: scratch, environment: {} });
  try {
    const sources = openSources(context);
    const pieces = change.files.flatMap(piecesOf).filter(({ path }) => !sources.skipped.has(path));
    await sources.texts.load(pieces.map(({ path }) => path));
    const world = {
      ...context,
      history: () => Promise.resolve([]),
      pointers: () => Promise.resolve([]),
    };
    const tokensOf = (path, { start, end }) =>
      context.counter.count(
        sources.texts
          .linesOf(path)
          .slice(start - 1, end)
          .join('\n'),
      );
    const request = {
      agent: 'Planner',
      taskId: id.slice(0, 12),
      goal: `Review ${id.slice(0, 12)}`,
      acceptanceCriteria: [],
      constraints: [],
      nextActions: [],
      capability: 'reasoning_high',
      scopeClass: 'Small',
      scope: { files: change.files.length, changed_lines: 0, modules: 1 },
      budget,
      files: change.files,
    };
    const packs = [];
    for (const group of splitChange(pieces, { tokens: budget / 2, pieces: 8 }, tokensOf))
      await packGroup(group, 2, { request, world, sources, packs, totals });
    const tokens = packs.reduce((sum, { assembled }) => sum + assembled.pack.token_estimate, 0);
    totals.tokens += tokens;
    for (const { assembled } of packs) checkPack(assembled, other, totals);
    const baselines = [
      await packWholeFiles({ pieces, tokens, sources, context }),
      drawMap({ pieces, tokens, sources, context }),
    ];
    for (const { group, assembled } of packs)
      compare({ group, assembled, baselines, sources, totals, id });
  } finally {
    context.close();
  }
}

/** As a review does it: halves have room for more of what they refer to. */
async function packGroup(group, halvings, setting) {
  const { request, world, sources, packs, totals } = setting;
  const assembled = await assembleContext({ ...request, pieces: group }, world, sources).catch(
    error => {
      if (!String(error.message).includes('cannot fit')) throw error;
      return null;
    },
  );
  const isWhole = assembled !== null && !['budget', 'anchors'].includes(assembled.side.stop_reason);
  if (assembled !== null && (isWhole || group.length < 2 || halvings === 0))
    packs.push({ group, assembled });
  else if (group.length < 2) totals.refused += 1;
  else
    for (const half of [
      group.slice(0, Math.ceil(group.length / 2)),
      group.slice(Math.ceil(group.length / 2)),
    ])
      await packGroup(half, Math.max(0, halvings - 1), setting);
}

function checkPack({ pack, rendered }, other, totals) {
  const counted = other.count(rendered);
  totals.packs += 1;
  if (counted > budget) totals.over += 1;
  totals.worst = Math.max(totals.worst, (100 * Math.abs(pack.token_estimate - counted)) / counted);
}

function compare({ group, assembled, baselines, sources: { view, texts }, totals, id }) {
  const { requirements, external } = resolveAll(
    symbolsUsed(group, view, texts.linesOf),
    [],
    view,
    texts.linesOf,
  );
  const ranges = assembled.pack.anchors.map(({ path, lines }) => ({
    path,
    range: parseRange(lines ?? ''),
  }));
  const isShown = ({ path, line }) =>
    ranges.some(
      one =>
        one.path === path && one.range !== null && one.range.start <= line && line <= one.range.end,
    );
  totals.symbols += external.length + requirements.length;
  for (const key of ['ours', 'files', 'map']) totals[key] += external.length;
  for (const { symbol, at, definition, reason } of requirements) {
    if (definition !== null && isShown(definition)) totals.ours += 1;
    else {
      const why = definition === null ? `${symbol} (unknown)` : `${symbol} (no room)`;
      totals.missing.set(why, (totals.missing.get(why) ?? 0) + 1);
      if (process.env.BENCH_MISSES)
        console.error(
          id.slice(0, 9),
          symbol,
          at,
          definition === null ? reason : `${definition.path}:${definition.line}`,
          assembled.side.stop_reason,
          assembled.pack.anchors.length,
          assembled.pack.token_estimate,
        );
    }
    if (definition !== null && baselines[0].shows(definition)) totals.files += 1;
    if (definition !== null && baselines[1].shows(definition)) totals.map += 1;
  }
}
