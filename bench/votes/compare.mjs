// Compares all artifacts of two votes that should have come to the same, apart from what must differ between two runs.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What is passed over, for people. */
export const passedOver = [
  'times and durations (keys in _at, _ms, _minutes, _seconds; the line Time of report.md)',
  'the id of the run (run_id), the folder of the results (the line Results of report.md)',
  'hashes of files and of the audit trail (keys in _sha256; the line Audit trail of report.md)',
  'how often somebody was asked and what that took (attempts, calls, tokens, cost)',
  'which of the endpoints answered and with which model, not whether one did (model, endpoint)',
  'who was drawn as a neutral of a panel, by the hash of the run: the first, second and third are compared (names; attributed_to of panels_concluded and panel_vote_mismatch)',
];

const differing = /(?:_at|_ms|_minutes|_seconds|_sha256)$|^(?:run_id|attempts|calls|tokens|cost)$/;
const oneOfSeveral = new Set(['model', 'endpoint']);
const panelEvents = new Set(['panels_concluded', 'panel_vote_mismatch']);
const differingLines = /^- (?:Time|Audit trail|Results): /;

/** Null: equal; else where the first difference is, with both sides. */
export function firstDifference(/** @type {string} */ one, /** @type {string} */ other) {
  const left = readArtifacts(one);
  const right = readArtifacts(other);
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
  for (const name of names) {
    const found = differenceIn(left[name], right[name], name);
    if (found !== null) return found;
  }
  return null;
}

/** Artifacts of a folder of results. */
export function countArtifacts(/** @type {string} */ results) {
  return filesIn(results).length;
}

function filesIn(/** @type {string} */ results) {
  return readdirSync(results, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(results, path.join(entry.parentPath, entry.name)));
}

/** @returns {Readonly<Record<string, unknown>>} */
function readArtifacts(/** @type {string} */ results) {
  const names = filesIn(results);
  const texts = new Map(names.map(name => [name, readFileSync(path.join(results, name), 'utf8')]));
  /** @type {{ readonly mega_motion_id: string, readonly neutrals: string[] }[]} */
  const panels = names
    .filter(name => name.startsWith('panel_deliberations/'))
    .map(name => JSON.parse(texts.get(name) ?? ''));
  /** @type {{ readonly mega_motion_id: string }[]} */
  const motions = JSON.parse(texts.get('triage_results.json') ?? '').motions;
  const neutralsOf = new Map(
    panels.map(({ mega_motion_id: id, neutrals }) => [
      1 + motions.findIndex(({ mega_motion_id }) => mega_motion_id === id),
      neutrals,
    ]),
  );
  return Object.fromEntries(
    [...texts].map(([name, text]) => [
      name,
      name.endsWith('.json') ? alike(JSON.parse(text)) : linesOf(text, neutralsOf),
    ]),
  );
}

/** @typedef {ReadonlyMap<string, string>} Neutrals */

/** @returns {unknown} */
function alike(/** @type {unknown} */ value, /** @type {Neutrals} */ neutrals = new Map()) {
  if (typeof value === 'string') return neutrals.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inner => alike(inner, neutrals));
  const { neutrals: own, event_type: event } = /** @type {Record<string, unknown>} */ (value);
  const known = Array.isArray(own) ? numbered(own) : neutrals;
  const isOfPanels = panelEvents.has(String(event));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !differing.test(key) && !(isOfPanels && key === 'attributed_to'))
      .map(([key, inner]) => [
        known.get(key) ?? key,
        oneOfSeveral.has(key) && typeof inner === 'string' ? 'one of several' : alike(inner, known),
      ])
      .toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
  );
}

function numbered(/** @type {readonly string[]} */ names) {
  return new Map(names.map((name, index) => [name, `neutral ${index + 1}`]));
}

/** Names of neutrals stand in the section of their panel. */
function linesOf(
  /** @type {string} */ text,
  /** @type {ReadonlyMap<number, readonly string[]>} */ neutralsOf,
) {
  let neutrals = numbered([]);
  return text.split('\n').flatMap(line => {
    const panel = /^###? (?:Panel on motion (\d+))?/.exec(line);
    if (panel !== null) neutrals = numbered(neutralsOf.get(Number(panel[1])) ?? []);
    if (differingLines.test(line)) return [];
    return [line.replaceAll(/`([^`]+)`/g, (_, name) => `\`${neutrals.get(name) ?? name}\``)];
  });
}

/** @returns {string | null} */
function differenceIn(
  /** @type {unknown} */ one,
  /** @type {unknown} */ other,
  /** @type {string} */ place,
) {
  if (one === other) return null;
  if (!isRecord(one) || !isRecord(other) || Array.isArray(one) !== Array.isArray(other))
    return `${place}: ${shown(one)} and ${shown(other)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differenceIn(one[key], other[key], `${place} ${key}`);
    if (found !== null) return found;
  }
  return null;
}

/** @returns {value is Readonly<Record<string, unknown>>} */
function isRecord(/** @type {unknown} */ value) {
  return typeof value === 'object' && value !== null;
}

function shown(/** @type {unknown} */ value) {
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? '').slice(0, 120);
}
