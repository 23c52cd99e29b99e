/**
 * Paints a description as one HTML page that needs nothing else: no network, no script. All that is not ours is escaped, and
 * a policy in the page forbids whatever an error of ours might let through.
 */
import { codePath, escapeHtml, quoteBlock, tableOf, words } from '../core/safety/visible-text.ts';
import type { CodeFrame } from '../core/words/code-index.ts';
import { cut, pathText } from './figures.ts';
import { type Line, type Section, type Span, numbered } from './section.ts';

export function paintHtml(name: string, sections: readonly Section[]) {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(name)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...sections.map(paint),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function paint(section: Section): string {
  switch (section.kind) {
    case 'title':
      return `<h${section.level}>${htmlOf(section.line)}</h${section.level}>`;
    case 'list':
      if (!section.bullets) return section.items.map(item => `<p>${htmlOf(item)}</p>`).join('\n');
      return `<ul>${section.items.map(item => `<li>${htmlOf(item)}</li>`).join('')}</ul>`;
    case 'table':
      return paintTable(section);
    case 'quote':
      return `<pre>${escapeHtml(section.text)}</pre>`;
    case 'frame':
      return `<pre>${paintFrame(section.frame)}</pre>`;
    case 'group':
    default:
      return paintGroup(section);
  }
}

function paintGroup({ head, body, folded }: Extract<Section, { kind: 'group' }>): string {
  const inner = body.map(paint).join('\n');
  return folded
    ? `<details><summary>${htmlOf(head)}</summary>\n${inner}\n</details>`
    : `<section><h4>${htmlOf(head)}</h4>\n${inner}\n</section>`;
}

function paintTable({ columns, rows }: Extract<Section, { kind: 'table' }>) {
  const sideOf = (index: number): string =>
    columns[index]?.align === 'right' ? ' class="right"' : '';
  // What a terminal may not shrink further, a narrow window may not either: the table then scrolls.
  const titles = columns
    .map(
      ({ title, least }, index) =>
        `<th scope="col"${sideOf(index)}${least === undefined ? '' : ` style="min-width: ${least}ch"`}>${escapeHtml(title)}</th>`,
    )
    .join('');
  const body = rows.map(
    cells =>
      `<tr>${cells.map((cell, index) => `<td${sideOf(index)}>${htmlOf(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="wide"><table><thead><tr>${titles}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

function paintFrame(frame: CodeFrame) {
  return numbered(frame)
    .map(({ lead, text, isMeant }) => {
      const line = `${lead}${escapeHtml(text)}`;
      return isMeant ? `<mark>${line}</mark>` : line;
    })
    .join('\n');
}

/** The inside of an element. */
function htmlOf(line: Line) {
  return line
    .map(piece => (typeof piece === 'string' ? escapeHtml(piece) : paintSpan(piece)))
    .join('');
}

function paintSpan({ text, kind, tone, cap }: Span) {
  const shown = kind === 'literal' ? pathText(text) : cap === null ? text : cut(text, cap);
  const element = kind === 'literal' ? 'code' : 'span';
  return `<${element}${tone === null ? '' : ` class="${tone}"`}>${escapeHtml(shown)}</${element}>`;
}

const style = `
:root { color-scheme: light dark; --faint: #6b7280; --line: #d1d5db; --mark: #fef3c7; --bad: #b91c1c; --poor: \
#a16207; --good: #15803d; --low: #0e7490 }
@media (prefers-color-scheme: dark) { :root { --faint: #9ca3af; --line: #374151; --mark: #422006; --bad: #f87171; \
--poor: #facc15; --good: #4ade80; --low: #22d3ee } }
html { background: Canvas; color: CanvasText }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid var(--line) } \
h4 { margin: 1.2rem 0 .3rem; font-size: 1rem }
p { margin: .2rem 0 } ul { padding-left: 1.2rem; margin: .3rem 0 } section p, section pre { margin-left: 1.2rem }
code, pre { font: 13px/1.5 ui-monospace, monospace } \
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; padding: .5rem }
.wide { overflow-x: auto } table { border-collapse: collapse; overflow-wrap: break-word } td code { overflow-wrap: anywhere }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line) \
} th { white-space: nowrap } .right { text-align: right; white-space: nowrap }
details { margin: .5rem 0 } summary { cursor: pointer } details details { margin-left: 1rem }
mark { background: var(--mark); color: inherit } .faint { color: var(--faint) } \
.strong, .critical, .FAIL, .PASS, .INCOMPLETE { font-weight: 700 }
.critical, .high, .bad, .FAIL { color: var(--bad) } .medium, .poor, .INCOMPLETE { color: var(--poor) } \
.low { color: var(--low) } .good, .PASS { color: var(--good) }
`;

// Paints a description as Markdown that can be pasted into a pull request.

export function paintMarkdown(sections: readonly Section[]) {
  return `${sections.map(section => paintMarkdownSection(section).join('\n')).join('\n\n')}\n`;
}

function paintMarkdownSection(section: Section): readonly string[] {
  switch (section.kind) {
    case 'title':
      return [`${'#'.repeat(section.level)} ${markdownOf(section.line.map(withoutTone))}`];
    case 'list':
      if (section.bullets) return section.items.map(item => `- ${markdownOf(item)}`);
      // Two blanks end a line without ending the paragraph.
      return section.items.map(
        (item, index) => `${markdownOf(item)}${index === section.items.length - 1 ? '' : '  '}`,
      );
    case 'table':
      return tableOf(
        section.columns.map(column => ({
          ...column,
          // Names of reviewers are titles, too; behind the bar of a table this mark begins nothing.
          title: column.title === '#' ? '#' : words(column.title),
        })),
        section.rows.map(cells => cells.map(cell => markdownOf(cell))),
      );
    case 'quote':
      return quoteBlock(section.text);
    case 'frame':
      return quoteBlock(
        numbered(section.frame)
          .map(({ lead, text }) => lead + text)
          .join('\n'),
      );
    case 'group':
    default:
      return paintMarkdownGroup(section);
  }
}

/** A folded group is one that GitHub and GitLab fold. What stands between tags is read as HTML, and so is its head. */
function paintMarkdownGroup({
  head,
  body,
  folded,
}: Extract<Section, { kind: 'group' }>): readonly string[] {
  const inner = body.flatMap(section => ['', ...paintMarkdownSection(section)]);
  if (!folded) return [`**${markdownOf(head.map(withoutTone))}**`, ...inner];
  return [
    '<details>',
    `<summary>${htmlOf(head.map(inCode))}</summary>`,
    ...inner,
    '',
    '</details>',
  ];
}

/** Where the whole line is strong, no part of it is stronger. */
function withoutTone(piece: string | Span): string | Span {
  return typeof piece === 'string' ? piece : { ...piece, tone: null };
}

/** Hosts look for mentions and references in any text but code. */
function inCode(piece: string | Span): string | Span {
  return typeof piece === 'string' || piece.kind === 'ours' ? piece : { ...piece, kind: 'literal' };
}

function markdownOf(line: Line) {
  return line
    .map(piece => (typeof piece === 'string' ? piece : paintMarkdownSpan(piece)))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function paintMarkdownSpan({ text, kind, tone, cap }: Span) {
  const isStrong =
    tone !== null && tone !== 'faint' && tone !== 'good' && tone !== 'poor' && tone !== 'bad';
  if (kind === 'ours') return isStrong ? `**${text}**` : text;
  return kind === 'literal' ? codePath(text) : words(cap === null ? text : cut(text, cap));
}
