/** Paints a description as Markdown that can be pasted into a pull request. */
import { codePath, quoteBlock, tableOf, words } from '../core/safety/markdown-text.ts';
import { type Line, numbered, type Section, type Span } from './section.ts';
import { cut } from './figures.ts';
import { htmlOf } from './to-html.ts';

export function paintMarkdown(sections: readonly Section[]) {
  return `${sections.map(section => paint(section).join('\n')).join('\n\n')}\n`;
}

function paint(section: Section): readonly string[] {
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
      return paintGroup(section);
  }
}

/** A folded group is one that GitHub and GitLab fold. What stands between tags is read as HTML, and so is its head. */
function paintGroup({
  head,
  body,
  folded,
}: Extract<Section, { kind: 'group' }>): readonly string[] {
  const inner = body.flatMap(section => ['', ...paint(section)]);
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
    .map(piece => (typeof piece === 'string' ? piece : paintSpan(piece)))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function paintSpan({ text, kind, tone, cap }: Span) {
  const isStrong =
    tone !== null && tone !== 'faint' && tone !== 'good' && tone !== 'poor' && tone !== 'bad';
  if (kind === 'ours') return isStrong ? `**${text}**` : text;
  return kind === 'literal' ? codePath(text) : words(cap === null ? text : cut(text, cap));
}
