// Reads recorded answers with the parsers of the product, and holds the result against a count of its own.
import { readAnswer } from '../../dist/answers/answer.js';
import { readFindingsIndex } from '../../dist/answers/findings-index.js';
import { forms } from './forms.mjs';

/** @typedef {ReturnType<typeof emptyRow>} Row */

/** @param {ReturnType<typeof import('./recorded.mjs').indexFilesIn>} files */
export function readIndexFiles(files) {
  const row = emptyRow('Findings Index files');
  for (const { name, text } of files) {
    const { entries, improvements, deviations, unparsed } = readFindingsIndex(text);
    const lines = statedEntries(text);
    const read = [...entries, ...improvements];
    row.answers += 1;
    row.stated += lines.length;
    row.read += entries.length;
    for (const line of lines)
      if (!read.some(({ raw }) => raw.trim() === line)) row.lost.push(`${name}: ${line}`);
    for (const line of unparsed) row.lost.push(`${name}: ${line}`);
    for (const { originalId: id, evidence, path: file, text: title } of entries) {
      const said = paragraphsNaming(text, id);
      if (said !== '' && evidence === null) row.lost.push(`${name}: what is said about ${id}`);
      if (namesPlace(said)) row.placesStated += 1;
      if (namesPlace(said) && file !== null) row.placesRead += 1;
      if (namesPlace(said) && file === null) row.missed.push(`${name}: ${id}`);
      if (file !== null && title.includes(`${file}:`)) row.repeated.push(`${name}: ${id}`);
    }
    for (const code of deviations) row.deviations[code] = (row.deviations[code] ?? 0) + 1;
  }
  return files.length === 0 ? [] : [row];
}

/**
 * @typedef {{ readonly text: string, readonly path?: string | null, readonly line?: number | null, readonly severity?: string }} Comment
 * @typedef {{ readonly tool: string, readonly comments: readonly Comment[] }} Comments
 */

export function readCommentForms(/** @type {readonly Comments[]} */ answers) {
  return answers.length === 0
    ? []
    : Object.entries(forms).map(([form, write]) => readForm(form, write, answers));
}

const levels = /** @type {const} */ (['critical', 'high', 'medium', 'low']);

/**
 * @param {string} form
 * @param {import('./forms.mjs').Form} write
 * @param {readonly Comments[]} answers
 */
function readForm(form, write, answers) {
  const row = emptyRow(form);
  for (const { tool, comments } of answers) {
    const said = distinct(comments).map(({ text, path, line, severity }, index) => ({
      text: text.replaceAll(/\s+/g, ' ').trim(),
      place: typeof path !== 'string' ? null : `${path}:${line ?? 1}`,
      level: levels[['P0', 'P1', 'P2', 'P3'].indexOf(severity ?? '')] ?? levels[index % 4] ?? 'low',
    }));
    const reading = readAnswer(`${write(said)}\n`, options);
    row.answers += 1;
    row.stated += said.length;
    if (!reading.ok) {
      for (const { text } of said) row.lost.push(`${tool}: ${reading.cause}: ${text}`);
      continue;
    }
    row.read += reading.findings.length;
    for (const code of reading.repairs) row.deviations[code] = (row.deviations[code] ?? 0) + 1;
    for (const { text, place, level } of said) {
      const found = reading.findings.find(
        finding => bare(text).includes(bare(finding.text)) && bare(finding.text).length > 0,
      );
      if (found === undefined || found.severity !== level) {
        row.lost.push(
          `${tool}: ${found === undefined ? '' : `(${found.severity}, not ${level}) `}${text}`,
        );
        continue;
      }
      const isStated = place !== null || namesPlace(text);
      if (isStated) row.placesStated += 1;
      const isFound =
        place === null ? found.path !== null : place === `${found.path}:${found.line}`;
      if (isStated && isFound) row.placesRead += 1;
      else if (isStated) row.missed.push(`${tool}: ${text}`);
      if (place !== null && found.text.includes(place) && !text.includes(place))
        row.repeated.push(`${tool}: ${found.text}`);
    }
  }
  return row;
}

/** @type {Parameters<typeof readAnswer>[1]} */
const options = {
  scale: new Map([
    ['CRITICAL', 'critical'],
    ['IMPORTANT', 'high'],
    ['SUGGESTION', 'low'],
  ]),
  sent: { instructions: '', prompt: '' },
  stop: 'end',
  strict: false,
  undeclaredLabel: 'reject',
  nonce: null,
  units: [],
  voting: false,
};

function emptyRow(/** @type {string} */ form) {
  return {
    form,
    answers: 0,
    stated: 0,
    read: 0,
    lost: /** @type {string[]} */ ([]),
    placesStated: 0,
    placesRead: 0,
    missed: /** @type {string[]} */ ([]),
    repeated: /** @type {string[]} */ ([]),
    deviations: /** @type {Record<string, number>} */ ({}),
  };
}

/** Said twice in the same words, it is one finding. */
function distinct(/** @type {readonly Comment[]} */ comments) {
  const texts = new Set();
  return comments.filter(({ text }) => !texts.has(bare(text)) && texts.add(bare(text)));
}

function bare(/** @type {string} */ text) {
  // Invisible characters are shown by their number, and links by what they show.
  return text
    .replaceAll(/\]\([^()\s]+\)/g, '')
    .replaceAll(/⟦U\+\w+⟧|\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What a person would count: lines with a bullet, a level and a bar, up to the next heading. */
function statedEntries(/** @type {string} */ text) {
  const [, block = ''] = text.split(/^#{1,4}\s+findings index.*$/im);
  const [own] = block.split(/^#/m);
  return (own ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => /^[-*+]\s*\**P[0-3]\**\s*\|/i.test(line));
}

/** From the line that names the id and a level up to the next such line or section: what a person reads as being about it. */
function paragraphsNaming(/** @type {string} */ text, /** @type {string} */ id) {
  const [, issues = ''] = text.split(/^#{2,3}\s+issues found\s*$/im);
  const [own] = issues.split(/^#{2,3}\s+improvements/im);
  const lines = (own ?? '').split('\n');
  const start = lines.findIndex(line => isHead(line) && line.includes(id));
  if (start === -1) return '';
  const length = lines.slice(start + 1).findIndex(isHead);
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join('\n');
}

function isHead(/** @type {string} */ line) {
  return /\bP[0-3]\b/.test(line) && /^\s{0,3}(?:#|\d|\*\*)/.test(line);
}

/** The name of a file with a line, however it is written. */
function namesPlace(/** @type {string} */ text) {
  return /[\w/-]\.[a-z]{1,5}`?(?::\d+|#L\d+|[`)]?,? (?:[\w ]{0,30}, )?\(?(?:(?:at|around) )?lines? \d+)/i.test(
    text,
  );
}
