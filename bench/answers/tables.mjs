// Prints the counts as a table, and what is lost or missed by name.
import { tableOf } from '../program.mjs';

const shown = 12;

export function printTables(/** @type {readonly import('./read.mjs').Row[]} */ rows) {
  console.log(
    tableOf([
      ['form', 'answers', 'entries', 'read', 'lost', 'places', 'found', 'repeated'],
      ...rows.map(row => [
        row.form,
        row.answers,
        row.stated,
        row.read,
        row.lost.length,
        row.placesStated,
        row.placesRead,
        row.repeated.length,
      ]),
    ]),
  );
  for (const { form, lost, missed, repeated, deviations } of rows) {
    const codes = Object.entries(deviations).map(([code, count]) => `${code} ${count}`);
    if (codes.length > 0) console.log(`\n${form}, deviations: ${codes.join(', ')}`);
    for (const [what, list] of Object.entries({ lost, 'place missed': missed, repeated })) {
      if (list.length === 0) continue;
      console.log(`\n${form}, ${what}: ${list.length}`);
      for (const line of list.slice(0, shown)) console.log(`  ${line.slice(0, 200)}`);
    }
  }
}
