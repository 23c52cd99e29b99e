// What the built-in panel says about real releases: `ranges.txt` names them, `judged.txt` what reading each alarm came to.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePatch } from '../../dist/adapters/git/patch.js';
import { grammarOf } from '../../dist/core/languages/languages.js';
import { askPanel } from './panel.mjs';

const mostOutput = 1024 * 1024 * 1024;

/** @typedef {{ readonly repository: string, readonly from: string, readonly to: string }} Range */

/**
 * `folder` holds each repository as `owner+name/repo` or `owner/name`. One that is not there is named and left out. `list` is a
 * file of ranges, or the ranges themselves.
 * @param {string} folder
 * @param {string | readonly Range[]} list
 */
export async function measureRanges(folder, list) {
  const judged = readJudged();
  const total = { lines: 0, alarms: 0, wrong: 0, open: 0 };
  console.log(
    'Real releases\n  range                                              added lines  alarms  false',
  );
  for (const { repository, from, to } of typeof list === 'string' ? readRanges(list) : list) {
    const git = findRepository(folder, repository);
    if (git === null) {
      console.log(`  ${repository} is not below ${folder}`);
      continue;
    }
    const asked = await askAbout(git, from, to).catch(() => null);
    if (asked === null) {
      console.log(
        `  ${repository} ${from}..${to} cannot be read: some of its contents are missing`,
      );
      continue;
    }
    const { lines, remarks } = asked;
    const alarms = remarks.map(remark => ({
      remark,
      judgement: judged.get(keyOf(repository, to, remark)),
    }));
    const wrong = alarms.filter(({ judgement }) => judgement?.startsWith('false') ?? false);
    const open = alarms.filter(({ judgement }) => judgement === undefined);
    console.log(
      `  ${`${repository} ${from}..${to}`.padEnd(50)} ${String(lines).padStart(11)}  ${String(alarms.length).padStart(6)}  ${String(wrong.length).padStart(5)}`,
    );
    for (const { remark, judgement } of alarms)
      console.log(
        `    ${keyOf(repository, to, remark)} | ${judgement ?? '?'} | ${(remark.quote ?? '').trim().slice(0, 110)}`,
      );
    total.lines += lines;
    total.alarms += alarms.length;
    total.wrong += wrong.length;
    total.open += open.length;
  }
  return total;
}

function readRanges(/** @type {string} */ list) {
  return read(list).map(line => {
    const [repository = '', range = ''] = line.split(' ');
    const [from = '', to = ''] = range.split('..');
    return { repository, from, to };
  });
}

/** `repository@to path:line rule` to the judgement. */
function readJudged() {
  return new Map(
    read(new URL('judged.txt', import.meta.url))
      .map(line => line.split(' | '))
      .map(([key = '', text = '']) => [key, text]),
  );
}

function read(/** @type {string | URL} */ file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'));
}

/**
 * @param {string} repository
 * @param {string} to
 * @param {Awaited<ReturnType<typeof askPanel>>['remarks'][number]} remark
 */
function keyOf(repository, to, { path, line, rule }) {
  return `${repository}@${to} ${path}:${line ?? '-'} ${rule}`;
}

/** Null where it is not there. */
export function findRepository(/** @type {string} */ folder, /** @type {string} */ repository) {
  return (
    [join(folder, repository.replace('/', '+'), 'repo'), join(folder, repository)].find(
      existsSync,
    ) ?? null
  );
}

/** Added lines are those in languages with rules, outside of generated code and of what an analyser says it did not read. */
async function askAbout(
  /** @type {string} */ git,
  /** @type {string} */ from,
  /** @type {string} */ to,
) {
  const patch = runGit(git, [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '--full-index',
    from,
    to,
  ]);
  const files = parsePatch(patch.toString('utf8'));
  const texts = readTexts(
    git,
    to,
    files.filter(({ status }) => status !== 'deleted').map(({ path }) => path),
  );
  const { remarks, skipped } = await askPanel(files, path => texts.get(path) ?? null);
  const unread = new Set(skipped.map(({ path }) => path));
  const lines = files
    .filter(({ path }) => grammarOf(path) !== null && !unread.has(path))
    .reduce((sum, { additions }) => sum + additions, 0);
  return { lines, remarks };
}

function runGit(/** @type {string} */ git, /** @type {readonly string[]} */ args, input = '') {
  return execFileSync('git', ['-C', git, ...args], {
    input,
    maxBuffer: mostOutput,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** All of them by one program: each answer is a line that ends with its size, the bytes, and a line end. */
/** @returns {Map<string, string>} */
function readTexts(
  /** @type {string} */ git,
  /** @type {string} */ revision,
  /** @type {readonly string[]} */ paths,
) {
  const output = runGit(
    git,
    ['cat-file', '--batch'],
    paths.map(path => `${revision}:${path}\n`).join(''),
  );
  const texts = new Map();
  let at = 0;
  for (const path of paths) {
    const end = output.indexOf('\n', at);
    const head = output.subarray(at, end).toString('utf8');
    const size = head.endsWith(' missing') ? -1 : Number(head.split(' ').at(-1));
    if (size >= 0) texts.set(path, output.subarray(end + 1, end + 1 + size).toString('utf8'));
    at = end + 1 + (size < 0 ? 0 : size + 1);
  }
  return texts;
}
