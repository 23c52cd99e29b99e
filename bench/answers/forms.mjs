// The forms in which tools write a list of comments. A comment is `{ level, place, text }`; the level is one of critical,
// high, medium and low, the place `path:line` or null.
/**
 * @typedef {{ readonly level: 'critical' | 'high' | 'medium' | 'low', readonly place: string | null, readonly text: string }} Comment
 * @typedef {(comments: readonly Comment[]) => string} Form
 */

const upper = { critical: 'CRITICAL', high: 'HIGH', medium: 'MEDIUM', low: 'LOW' };
const levels = { critical: 'P0', high: 'P1', medium: 'P2', low: 'P3' };
const headings = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' };

/**
 * @param {(comment: Comment, index: number) => string} write
 * @returns {Form}
 */
const each =
  (write, between = '\n') =>
  comments =>
    comments.map(write).join(between);
const at = (/** @type {string | null} */ place) => (place === null ? '' : ` (\`${place}\`)`);
const pathOf = (/** @type {string | null} */ place) =>
  place === null ? '' : place.slice(0, place.lastIndexOf(':'));
const lineOf = (/** @type {string | null} */ place) =>
  place === null ? '' : place.slice(place.lastIndexOf(':') + 1);

const lines = each(({ level, place, text }) =>
  [upper[level], place, text].filter(Boolean).join('|'),
);

/** @type {Form} */
const json = comments =>
  JSON.stringify({
    findings: comments.map(({ level, place, text }) => ({
      severity: upper[level],
      ...(place !== null && { file: pathOf(place), line: Number(lineOf(place)) }),
      issue: text,
    })),
  });

/** @type {Readonly<Record<string, Form>>} */
export const forms = {
  lines,
  'lines in a fence': comments => `Here it is:\n\n\`\`\`\n${lines(comments)}\n\`\`\``,
  'numbered, bold': each(
    ({ level, place, text }, index) => `${index + 1}. **${upper[level]}**: ${text}${at(place)}`,
  ),
  'dashed, in brackets': each(
    ({ level, place, text }) =>
      `- [${levels[level]}] ${text}${place === null ? '' : ` — ${place}`}`,
  ),
  headed: each(
    ({ level, place, text }, index) =>
      `### ${index + 1}. [${upper[level]}] ${text}${place === null ? '' : `\n\n**File:** \`${pathOf(place)}\`, line ${lineOf(place)}`}`,
    '\n\n',
  ),
  sections: comments =>
    Object.entries(headings)
      .map(([level, heading]) => ({
        heading,
        those: comments.filter(comment => comment.level === level),
      }))
      .filter(({ those }) => those.length > 0)
      .map(
        ({ heading, those }) =>
          `## ${heading} issues\n\n${those.map(({ place, text }) => `- ${text}${at(place)}`).join('\n')}`,
      )
      .join('\n\n'),
  'severity in a field': each(
    ({ level, place, text }, index) =>
      `### ${index + 1}. ${text}\n\n- **Severity:** ${headings[level]}${place === null ? '' : `\n- **Location:** ${place}`}`,
    '\n\n',
  ),
  table: comments =>
    [
      '| Severity | File | Line | Issue |',
      '| --- | --- | --- | --- |',
      ...comments.map(
        ({ level, place, text }) =>
          `| ${headings[level]} | ${pathOf(place)} | ${lineOf(place)} | ${text.replaceAll('|', String.raw`\|`)} |`,
      ),
    ].join('\n'),
  json,
  'json with comments': comments =>
    `\`\`\`json\n// what I found\n${json(comments).replace('"findings":', '"findings": /* all */ ')}\n\`\`\``,
  index: comments =>
    [
      '### Findings Index',
      ...comments.map(
        ({ level, place, text }, index) =>
          `- ${levels[level]} | C-${index + 1} | "Code" | ${text.replaceAll('|', String.raw`\|`)}${place === null ? '' : ` | ${place}`}`,
      ),
      'Verdict: needs-changes',
    ].join('\n'),
};
