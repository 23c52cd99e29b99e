// What the built-in panel finds of planted defects, and with `--ranges DIR` how often it is wrong on real releases. `--open` prints
// what is missed of the open part, never of the part set aside. `--list FILE` reads other ranges than those in `planted/ranges.txt`.
// `--fixes DIR` says what it tells of the code before the fixes in `planted/fixes.txt`.
import { measureFixes } from './planted/fixes.mjs';
import { measureDefects, printTable, tableOf } from './planted/measure.mjs';
import { measureRanges } from './planted/ranges.mjs';

export const title = 'planted defects that the built-in panel misses, of those set aside';
export const aim = 0.15;

export async function measure() {
  const measured = await measureDefects();
  const open = measured.filter(({ defect }) => !defect.isAside);
  const aside = tableOf(measured.filter(({ defect }) => defect.isAside));
  printTable('Planted defects, open', tableOf(open));
  if (process.argv.includes('--open')) printMisses(open);
  else printTable('Planted defects, set aside', aside);
  const folder = argumentOf('--ranges');
  if (folder !== undefined) await measureRanges(folder, argumentOf('--list'));
  const fixes = argumentOf('--fixes');
  if (fixes !== undefined) await measureFixes(fixes);
  const { planted, found } = aside.at(-1);
  return { ratio: (planted - found) / planted, detail: `${found} of ${planted} found` };
}

function argumentOf(flag) {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}

function printMisses(open) {
  for (const { defect, isFound, isNamed, alarms } of open) {
    if (!isFound) console.log(`  missed   ${defect.id} ${defect.weakness} (${defect.origin})`);
    else if (!isNamed) console.log(`  unnamed  ${defect.id} ${defect.weakness}`);
    for (const { rule, line } of alarms) console.log(`  flagged  ${defect.id} ${rule}:${line}`);
  }
}
