/** The encoder of XML 1.0: text and the values of attributes in quotes. */
import { codeOf, makeVisible } from './visible-text.ts';

/**
 * What HTML escapes by name or number XML reads as well. The two code points that no XML document may hold and Unicode gives no
 * category of their own are shown like the others, and what a log of GitHub Actions takes for a command is written as a number.
 */
export function escapeXml(text: string) {
  return escapeHtml(text)
    .replace(/[\uFFFE\uFFFF]/g, character => `⟦${codeOf(character)}⟧`)
    .replaceAll('##[', '##&#91;');
}

/** The same of an attribute, in which a parser makes a blank of every line end and tab that is not written as a number. */
export function escapeXmlAttribute(text: string) {
  return escapeXml(text).replace(/[\t\n\r]/g, blank => `&#${blank.charCodeAt(0)};`);
}

// The encoder of HTML: text and the values of attributes in quotes.

/** What is invisible is shown; a tag, an entity or the end of a value is text, and so is a workflow command where the page is a log. */
export function escapeHtml(text: string) {
  return makeVisible(text.replaceAll('\r\n', '\n'))
    .replace(/[&<>"']/g, character => entities[character] ?? '')
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1&#58;');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
