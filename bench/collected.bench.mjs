// Is every finding that somebody's own agents wrote reachable by `jury show` with all that its file says of it, and how many
// characters reach the caller on the way? All entries of all files of the recorded folders, no sample.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inFolder, lacking, partOf, runJury } from './program.mjs';

export const title = 'entries of collected files that are not shown whole';
export const aim = 0;

const sample = `### Findings Index
- P1 | C-1 | "Coupons" | The total can fall below zero
Verdict: risky

### Issues Found

1. **C-1** (P1)

   The value is subtracted without a bound.
`;

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, data }) {
  if (size === 'small')
    return inFolder(folder => {
      mkdirSync(path.join(folder, 'agents'));
      writeFileSync(path.join(folder, 'agents/alpha.md'), sample);
      return measureAll([path.join(folder, 'agents')]);
    });
  const recorded = partOf(data, 'findings-index');
  return recorded === null
    ? lacking('files of agents')
    : measureAll(readdirSync(recorded).map(name => path.join(recorded, name)));
}

async function measureAll(/** @type {readonly string[]} */ folders) {
  let [entries, lost] = [0, 0];
  for (const folder of folders) {
    const measured = await inFolder(place => measureIn(place, folder));
    report(folder, measured);
    entries += measured.entries.length;
    lost += measured.lost.length;
  }
  // Where nothing was recorded nothing is proved.
  return {
    figure: entries === 0 ? NaN : lost,
    detail: `${entries} entries of ${folders.length} folders`,
  };
}

async function measureIn(/** @type {string} */ place, /** @type {string} */ folder) {
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.md') && !/^(?:synthesis|summary|findings)\.md$/.test(name))
    .map(name => ({
      agent: name.slice(0, -3),
      text: readFileSync(path.join(folder, name), 'utf8'),
    }));
  const collected = await runJury(['collect', folder], place);
  const entries = files.flatMap(({ agent, text }) =>
    entriesOf(text).map(entry => ({ agent, ...entry })),
  );
  const lost = [];
  for (const entry of entries) {
    const { code, stdout } = await runJury(['show', 'latest', `${entry.agent}/${entry.id}`], place);
    const shown = bare(stdout);
    const missing = [entry.title, ...entry.said].filter(line => !shown.includes(bare(line)));
    if (code !== 0 || missing.length > 0) lost.push({ ...entry, code, missing });
  }
  return {
    agents: files.length,
    written: files.reduce((sum, { text }) => sum + text.length, 0),
    caller: collected.stdout.length + collected.stderr.length,
    lines: collected.stdout.trimEnd().split('\n').length,
    code: collected.code,
    entries,
    lost,
  };
}

/**
 * Read without the parser of the product: the index by its shape, what is said of an entry from the line that heads it to the
 * next such line.
 */
function entriesOf(/** @type {string} */ text) {
  const lines = text.split('\n');
  const entries = lines.flatMap((line, index) => {
    const found = /^\s*[-*+] (P[0-3]) \| ([^|]+?) \| [^|]+ \| (.+)$/.exec(line);
    return found === null ? [] : [{ id: found[2] ?? '', title: found[3] ?? '', index }];
  });
  const last = Math.max(...entries.map(({ index }) => index));
  const end = lines.findIndex((line, index) => index > last && /^#+ improvements/i.test(line));
  const heads = entries.map(({ id }) =>
    lines.findIndex(
      (line, index) => index > last && /^(?:#|\d|\*)/.test(line) && namesIn(line).includes(id),
    ),
  );
  return entries.map(({ id, title }, number) => {
    const from = heads[number] ?? -1;
    const next = Math.min(end === -1 ? lines.length : end, ...heads.filter(head => head > from));
    return { id, title, said: from === -1 ? [] : lines.slice(from + 1, next).filter(isSaid) };
  });
}

/** @returns {readonly string[]} */
function namesIn(/** @type {string} */ line) {
  return line.match(/[\w.-]*\w/g) ?? [];
}

function isSaid(/** @type {string} */ line) {
  return bare(line) !== '';
}

/** Letters and digits, without the word that marks a line as advice: how it is broken, set off or escaped is not what it says. */
function bare(/** @type {string} */ text) {
  return text
    .replace(/^\W*(?:\w+ )?(?:recommendation|suggestion|improvement|fix)\W/i, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * @param {string} folder
 * @param {Awaited<ReturnType<typeof measureIn>>} measured
 */
function report(folder, { agents, written, caller, lines, code, entries, lost }) {
  const said = entries.filter(entry => entry.said.length > 0).length;
  console.log(
    `${path.basename(folder)}: ${agents} agents, ${entries.length} entries (${said} with prose), ` +
      `${entries.length - lost.length} shown whole, ${lost.length} not; ` +
      `${written} characters written, ${caller} to the caller in ${lines} lines, exit ${code}`,
  );
  for (const { agent, id, code: ended, missing } of lost)
    console.log(
      `  ${agent}/${id}: exit ${ended}, not shown: ${missing
        .slice(0, 2)
        .map(line => JSON.stringify(line.slice(0, 100)))
        .join(', ')}${missing.length > 2 ? ` and ${missing.length - 2} more lines` : ''}`,
    );
}
