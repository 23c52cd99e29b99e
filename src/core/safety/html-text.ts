/** The encoder of HTML: text and the values of attributes in quotes. */
import { makeVisible } from './visible-text.ts';

/** What is invisible is shown; a tag, an entity or the end of a value is text, and so is a workflow command where the page is a log. */
export function escapeHtml(text: string): string {
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
