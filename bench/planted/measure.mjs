// How many planted defects the built-in panel finds, and of how many mended ones it says anything at all.
import { percent, tableOf } from '../program.mjs';
import { asAdded, askPanel } from './panel.mjs';

/** @typedef {import('./defects.mjs').PlantedDefect} PlantedDefect */

/** Of each: found at its place; with its weakness named; what is said of the twin. */
export async function measureDefects(/** @type {readonly PlantedDefect[]} */ defects) {
  const planted = await ask(defects, 'text');
  const safe = await ask(defects, 'safe');
  return defects.map(defect => {
    const hits = (planted.get(defect.path) ?? []).filter(({ line }) =>
      defect.lines.includes(line ?? 0),
    );
    return {
      defect,
      isFound: hits.length > 0,
      isNamed: hits.some(({ weakness }) => weakness === defect.weakness),
      alarms: safe.get(defect.path) ?? [],
    };
  });
}

async function ask(
  /** @type {readonly PlantedDefect[]} */ defects,
  /** @type {'text' | 'safe'} */ side,
) {
  const texts = new Map(defects.map(defect => [defect.path, defect[side]]));
  const { remarks, skipped } = await askPanel(asAdded(texts), path => texts.get(path) ?? null);
  if (skipped.length > 0)
    throw new Error(`not read: ${skipped.map(({ path }) => path).join(', ')}`);
  return groupBy(remarks, ({ path }) => path);
}

/** @typedef {Awaited<ReturnType<typeof measureDefects>>[number]} MeasuredDefect */

/** Found and named of the planted, and mended ones of which something is said. */
export function countOf(/** @type {string} */ name, /** @type {readonly MeasuredDefect[]} */ own) {
  return {
    name,
    planted: own.length,
    found: own.filter(({ isFound }) => isFound).length,
    named: own.filter(({ isNamed }) => isNamed).length,
    flagged: own.filter(({ alarms }) => alarms.length > 0).length,
  };
}

/** A row for each language, and one for all. */
export function printTable(
  /** @type {string} */ title,
  /** @type {readonly MeasuredDefect[]} */ measured,
) {
  const groups = groupBy(measured, ({ defect }) => defect.language);
  const rows = [...groups, /** @type {const} */ (['all', measured])].map(([name, own]) => {
    const { planted, found, named, flagged } = countOf(name, own);
    return [name, planted, found, percent(found / planted, 0), named, flagged];
  });
  const head = ['', 'planted', 'found', 'share', 'weakness named', 'safe twins flagged'];
  console.log(`${title}\n${tableOf([head, ...rows])}`);
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(entry: T) => string} keyOf
 */
function groupBy(list, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const entry of list) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return groups;
}
