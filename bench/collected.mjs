// Is every finding that somebody's own agents wrote reachable by `jury show` with all that its file says of it, and how many
// characters reach the caller on the way? All entries of all files, no sample: `node bench/collected.mjs FOLDER…`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isStale } from '../scripts/build.mjs';

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

if (process.argv.length < 3) {
  console.error('Usage: node bench/collected.mjs FOLDER…');
  process.exit(3);
}
if (isStale()) await build();
const measured = process.argv.slice(2).map(folder => measure(path.resolve(folder)));
process.exitCode = measured.every(({ lost }) => lost.length === 0) ? 0 : 1;

function measure(folder) {
  const place = mkdtempSync(path.join(tmpdir(), 'jury-collected-'));
  try {
    return report(folder, measureIn(place, folder));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function measureIn(place, folder) {
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.md') && !/^(?:synthesis|summary|findings)\.md$/.test(name))
    .map(name => ({
      agent: name.slice(0, -3),
      text: readFileSync(path.join(folder, name), 'utf8'),
    }));
  const jury = (...args) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: place,
      encoding: 'utf8',
      env: { ...process.env, JURY_STATE: path.join(place, 'state') },
    });
  const collected = jury('collect', folder);
  const entries = files.flatMap(({ agent, text }) =>
    entriesOf(text).map(entry => ({ agent, ...entry })),
  );
  const lost = entries.flatMap(entry => {
    const { status, stdout } = jury('show', 'latest', `${entry.agent}/${entry.id}`);
    const shown = bare(stdout);
    const missing = [entry.title, ...entry.said].filter(line => !shown.includes(bare(line)));
    return status === 0 && missing.length === 0 ? [] : [{ ...entry, status, missing }];
  });
  return {
    agents: files.length,
    written: files.reduce((sum, { text }) => sum + text.length, 0),
    caller: collected.stdout.length + collected.stderr.length,
    lines: collected.stdout.trimEnd().split('\n').length,
    code: collected.status,
    entries,
    lost,
  };
}

/**
 * Read without the parser of the product: the index by its shape, what is said of an entry from the line that heads it to the
 * next such line.
 */
function entriesOf(text) {
  const lines = text.split('\n');
  const entries = lines.flatMap((line, index) => {
    const found = /^\s*[-*+] (P[0-3]) \| ([^|]+?) \| [^|]+ \| (.+)$/.exec(line);
    return found === null ? [] : [{ id: found[2], title: found[3], index }];
  });
  const last = Math.max(...entries.map(({ index }) => index));
  const end = lines.findIndex((line, index) => index > last && /^#+ improvements/i.test(line));
  const heads = entries.map(({ id }) =>
    lines.findIndex(
      (line, index) => index > last && /^(?:#|\d|\*)/.test(line) && namesIn(line).includes(id),
    ),
  );
  return entries.map(({ id, title }, number) => {
    const from = heads[number];
    const next = Math.min(end === -1 ? lines.length : end, ...heads.filter(head => head > from));
    return { id, title, said: from === -1 ? [] : lines.slice(from + 1, next).filter(isSaid) };
  });
}

function namesIn(line) {
  return line.match(/[\w.-]*\w/g) ?? [];
}

function isSaid(line) {
  return bare(line) !== '';
}

/** Letters and digits, without the word that marks a line as advice: how it is broken, set off or escaped is not what it says. */
function bare(text) {
  return text
    .replace(/^\W*(?:\w+ )?(?:recommendation|suggestion|improvement|fix)\W/i, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function report(folder, measured) {
  const { agents, written, caller, lines, code, entries, lost } = measured;
  const said = entries.filter(entry => entry.said.length > 0).length;
  console.log(
    `${path.basename(folder)}: ${agents} agents, ${entries.length} entries (${said} with prose), ` +
      `${entries.length - lost.length} shown whole, ${lost.length} not; ` +
      `${written} characters written, ${caller} to the caller in ${lines} lines, exit ${code}`,
  );
  for (const { agent, id, status, missing } of lost)
    console.log(
      `  ${agent}/${id}: exit ${status}, not shown: ${missing
        .slice(0, 2)
        .map(line => JSON.stringify(line.slice(0, 100)))
        .join(', ')}${missing.length > 2 ? ` and ${missing.length - 2} more lines` : ''}`,
    );
  return measured;
}
