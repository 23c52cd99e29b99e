// Prints the counts as a table, and what is lost or missed by name.
const shown = 12;

export function printTables(rows) {
  console.log('| form | answers | entries | read | lost | places | found | repeated |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { form, answers, stated, read, lost, placesStated, placesRead, repeated } of rows)
    console.log(
      `| ${form} | ${answers} | ${stated} | ${read} | ${lost.length} | ${placesStated} | ${placesRead} | ${repeated.length} |`,
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
