// What the built-in panel finds of planted defects. `--open` prints what is missed of the open part, never of the part set aside.
// `--fixes DIR` says what it tells of the code before the fixes in `planted/fixes.txt`.
import { readDefects } from './planted/defects.mjs';
import { measureFixes } from './planted/fixes.mjs';
import { countOf, measureDefects, printTable } from './planted/measure.mjs';

export const title = 'planted defects that the built-in panel misses, of those set aside';
export const aim = 0.15;

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, open: isListing, fixes }) {
  const defects = readDefects();
  const measured = await measureDefects(
    size === 'full' ? defects : defects.filter(({ language }) => language === 'javascript'),
  );
  const open = measured.filter(({ defect }) => !defect.isAside);
  const aside = measured.filter(({ defect }) => defect.isAside);
  printTable('Planted defects, open', open);
  if (isListing) printMisses(open);
  else printTable('Planted defects, set aside', aside);
  if (fixes !== undefined) await measureFixes(fixes);
  const { planted, found } = countOf('all', aside);
  return { figure: (planted - found) / planted, detail: `${found} of ${planted} found` };
}

/** @param {Awaited<ReturnType<typeof measureDefects>>} open */
function printMisses(open) {
  for (const { defect, isFound, isNamed, alarms } of open) {
    if (!isFound) console.log(`  missed   ${defect.id} ${defect.weakness} (${defect.origin})`);
    else if (!isNamed) console.log(`  unnamed  ${defect.id} ${defect.weakness}`);
    for (const { rule, line } of alarms) console.log(`  flagged  ${defect.id} ${rule}:${line}`);
  }
}
