// Jury through its door: `jury context COMMIT` of a built tree, and what its text shows. Works on packs of any version: headings
// `## kind path:12-20 …` over an excerpt, pointers `path:12 what`, several packs for one commit.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createShown } from './shown.mjs';
import { countTokens } from './tokens.mjs';

const timeoutMs = 180_000;
const runId = 'bench-context';
// A range without its text points at its first lines only: `file:1-400` shows nobody four hundred lines.
const mostPointed = 3;

/**
 * @typedef {import('./shown.mjs').Shown} Shown
 * @typedef {ReturnType<typeof openProduct>} Product
 * @typedef {{ readonly path: string, readonly ranges: readonly (readonly number[])[] }} NamedPlace
 */

/**
 * `dist`: folder of a built tree. `home`: where configuration and state go.
 * @param {{ readonly dist: string, readonly clone: string, readonly home: string }} where
 */
export function openProduct({ dist, clone, home }) {
  mkdirSync(home, { recursive: true });
  const main = path.resolve(dist, 'cli/main.js');
  const configurationOf = (/** @type {number} */ cap) => {
    const file = path.join(home, `cap-${cap}.yaml`);
    const caps = ['Tiny', 'Small', 'Medium', 'Large'].map(name => `${name}: ${cap}`).join(', ');
    writeFileSync(file, `packs:\n  caps: { ${caps} }\n`);
    return file;
  };
  return {
    /**
     * `cap`: tokens of a Planner's pack in every class, or `null` for the product's own.
     * @param {string} commit
     * @param {{ readonly agent: string, readonly cap: number | null, readonly known: ReadonlySet<string> }} how
     */
    async pack(commit, { agent, cap, known }) {
      forgetRun(clone, home);
      const began = performance.now();
      const flags = cap === null ? [] : ['--config', configurationOf(cap)];
      const ran = await run(main, ['context', commit, '--agent', agent, ...flags], {
        clone,
        home,
      });
      const ms = performance.now() - began;
      if (ran.code !== 0)
        return {
          refusal: ran.stderr.trim().split('\n').at(-1)?.slice(0, 200) || `exit ${ran.code}`,
          packs: 0,
          tokens: 0,
          stated: 0,
          ms,
          shown: createShown(),
          risks: '',
          stop: null,
        };
      return { refusal: null, ms, ...readPacks(ran.stdout, known) };
    },
  };
}

function forgetRun(/** @type {string} */ clone, /** @type {string} */ home) {
  rmSync(path.join(clone, '.jury/runs'), { recursive: true, force: true });
  for (const entry of readdirSync(home, { withFileTypes: true }))
    if (entry.isDirectory())
      rmSync(path.join(home, entry.name, 'runs', runId), { recursive: true, force: true });
}

/**
 * @param {string} main
 * @param {readonly string[]} words
 * @param {{ readonly clone: string, readonly home: string }} where
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
function run(main, words, { clone, home }) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [main, ...words], {
      cwd: clone,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        TMPDIR: process.env.TMPDIR ?? '/tmp',
        JURY_STATE: path.join(home, 'state'),
        XDG_STATE_HOME: path.join(home, 'state'),
        JURY_TRUST_CONFIG: '1',
        JURY_RUN_ID: runId,
        NO_COLOR: '1',
      },
    });
    const texts = { stdout: '', stderr: '' };
    for (const stream of /** @type {const} */ (['stdout', 'stderr']))
      child[stream].setEncoding('utf8').on('data', text => (texts[stream] += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal !== null) texts.stderr += `\nno answer within ${timeoutMs / 1000} s`;
      resolve({ code: signal === null ? code : 1, ...texts });
    });
  });
}

/** `known`: paths of the repository's files, so that a word with a dot is not taken for one. */
export function readPacks(/** @type {string} */ text, /** @type {ReadonlySet<string>} */ known) {
  const shown = createShown();
  const packs = packTexts(text);
  for (const pack of packs) readPack(pack, known, shown);
  const all = text.split('\n');
  return {
    packs: packs.length,
    tokens: packs.reduce((sum, pack) => sum + countTokens(pack), 0),
    stated: all.reduce(
      (sum, line) => sum + Number(/· (\d+) of \d+ tokens/.exec(line)?.[1] ?? 0),
      0,
    ),
    stop: /· rung \d+, (\w+)/.exec(text)?.[1] ?? null,
    risks: packs.map(risksOf).join('\n'),
    shown,
  };
}

const afterPack = /^(?:Left out|Not found|From outside|Secrets taken out|Evicted)\b.*:/;

/** The text a role gets, without what the command tells the person who called it. */
function packTexts(/** @type {string} */ text) {
  /** @type {string[][]} */
  const packs = [];
  /** @type {string[] | null} */
  let open = null;
  /** @type {string | null} */
  let fence = null;
  for (const line of text.split('\n')) {
    if (fence === null && line.startsWith('# Context pack for ')) packs.push((open = []));
    else if (fence === null && isBetweenPacks(line)) open = null;
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (line.trim().length >= fence.length) fence = null;
    }
    open?.push(line);
  }
  return packs.map(lines => lines.join('\n').trimEnd());
}

const isBetweenPacks = (/** @type {string} */ line) =>
  afterPack.test(line) || /^\w+ · \w+ · [\w-]+ · \d+ of \d+ tokens/.test(line);

function risksOf(/** @type {string} */ pack) {
  const found = /^risk_notes:([\s\S]*?)^(?:open_questions|next_actions|constraints|##)/m.exec(pack);
  return found?.[1].trim() ?? '';
}

function readPack(
  /** @type {string} */ pack,
  /** @type {ReadonlySet<string>} */ known,
  /** @type {Shown} */ shown,
) {
  /** @type {string | null} */
  let fence = null;
  /** @type {readonly NamedPlace[]} */
  let heading = [];
  for (const line of pack.split('\n')) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark !== undefined && line.trim() === fence) fence = null;
    } else if (mark !== undefined) {
      fence = mark;
      for (const place of heading) addRange(place, shown, Infinity);
    } else {
      const places = placesIn(line, known);
      // Words about an excerpt stand between its heading and its text.
      if (line.startsWith('## ')) heading = places;
      for (const place of places) {
        shown.addPath(place.path);
        addRange(place, shown, mostPointed);
      }
    }
  }
}

function addRange(
  /** @type {NamedPlace} */ { path: file, ranges },
  /** @type {Shown} */ shown,
  /** @type {number} */ most,
) {
  for (const [start, end] of ranges)
    for (let line = start; line <= Math.min(end, start + most - 1); line += 1)
      shown.addLine(file, line);
}

/**
 * Paths of the repository that a line names, each with the lines it gives: `a.ts:3`, `a.ts:3-9`, `a.ts:3, 7, 12`.
 * @returns {NamedPlace[]}
 */
function placesIn(/** @type {string} */ line, /** @type {ReadonlySet<string>} */ known) {
  return [...line.matchAll(/[^\s`'"(),;]+/g)].flatMap(({ 0: word, index }) => {
    const named = /^(.+?)(?::(\d+(?:-\d+)?))?[:.]?$/.exec(word) ?? [];
    const file = known.has(word) ? word : (named[1] ?? '');
    if (!known.has(file)) return [];
    const more = /^(?:,\s*\d+(?:-\d+)?(?![\w.]))+/.exec(line.slice(index + word.length))?.[0] ?? '';
    const ranges = named[2] === undefined || known.has(word) ? [] : `${named[2]}${more}`.split(',');
    return [{ path: file, ranges: ranges.map(rangeOf) }];
  });
}

function rangeOf(/** @type {string} */ text) {
  const [start, end] = text.trim().split('-').map(Number);
  return [start, end ?? start];
}
