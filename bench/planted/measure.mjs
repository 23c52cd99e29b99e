// How many planted defects the built-in panel finds, and of how many mended ones it says anything at all.
import { readDefects } from './defects.mjs';
import { asAdded, askPanel } from './panel.mjs';

/** `{ defect, isFound, isNamed, alarms }` for each: found at its place; with its weakness named; what is said of the twin. */
export async function measureDefects() {
  const defects = readDefects();
  const planted = await ask(defects, 'text');
  const safe = await ask(defects, 'safe');
  return defects.map(defect => {
    const hits = (planted.get(defect.path) ?? []).filter(({ line }) => defect.lines.includes(line));
    return {
      defect,
      isFound: hits.length > 0,
      isNamed: hits.some(({ weakness }) => weakness === defect.weakness),
      alarms: safe.get(defect.path) ?? [],
    };
  });
}

async function ask(defects, side) {
  const texts = new Map(defects.map(defect => [defect.path, defect[side]]));
  const { remarks, skipped } = await askPanel(asAdded(texts), path => texts.get(path));
  if (skipped.length > 0)
    throw new Error(`not read: ${skipped.map(({ path }) => path).join(', ')}`);
  return groupBy(remarks, ({ path }) => path);
}

/** A row for each language, and one for all: found and named of the planted, mended ones of which something is said. */
export function tableOf(measured) {
  const groups = groupBy(measured, ({ defect }) => defect.language);
  return [...groups, ['all', measured]].map(([language, own]) => ({
    language,
    planted: own.length,
    found: own.filter(({ isFound }) => isFound).length,
    named: own.filter(({ isNamed }) => isNamed).length,
    flagged: own.filter(({ alarms }) => alarms.length > 0).length,
  }));
}

export function printTable(title, rows) {
  console.log(
    `${title}\n  ${'language'.padEnd(12)} planted  found  share  weakness named  safe twins flagged`,
  );
  for (const { language, planted, found, named, flagged } of rows)
    console.log(
      `  ${language.padEnd(12)} ${String(planted).padStart(7)}  ${String(found).padStart(5)}  ` +
        `${((100 * found) / planted).toFixed(0).padStart(4)} %  ${String(named).padStart(14)}  ${String(flagged).padStart(18)}`,
    );
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const entry of list) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return groups;
}
