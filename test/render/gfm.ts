/** Markdown as a host shows it: read by a real parser of GitHub's dialect, and its page by a real parser of HTML. */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { parse, parseFragment, type DefaultTreeAdapterMap } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

export interface Shown {
  /** Every element in its order, by depth, with its attributes, and every comment; code spans are left out. */
  readonly elements: readonly string[];
  /** What stands in plain words, outside of code. */
  readonly words: readonly string[];
}

export function showMarkdown(markdown: string): Shown {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return shownIn(parseFragment(html));
}

export function showPage(html: string): Shown {
  return shownIn(parse(html));
}

function shownIn(root: Node) {
  const elements: string[] = [];
  const words: string[] = [];
  const visit = (node: Node, depth: number, isCode: boolean) => {
    if (node.nodeName === '#text' && 'value' in node && !isCode && node.value.trim() !== '')
      words.push(node.value);
    if (node.nodeName === '#comment' && 'data' in node)
      elements.push(`${' '.repeat(depth)}<!--${node.data}-->`);
    if ('tagName' in node && !(node.tagName === 'code' && node.attrs.length === 0))
      elements.push(
        `${' '.repeat(depth)}<${[node.tagName, ...node.attrs.map(({ name, value }) => `${name}=${value}`)].join(' ')}>`,
      );
    if (!('childNodes' in node)) return;
    for (const child of node.childNodes)
      visit(child, depth + 1, isCode || node.nodeName === 'code' || node.nodeName === 'pre');
  };
  visit(root, 0, false);
  return { elements, words };
}

/** What a host makes a mention, a reference, a link or an emoji of where it stands in plain words. */
export function actingWords(words: readonly string[]): readonly string[] {
  return words.filter(text =>
    /[@#]\w|GH-\d|:[a-z_]+:|^\s*\/\w|www\.|:\/\/|\b[0-9a-f]{7,40}\b|<\S|::\w/i.test(text),
  );
}
