/** The encoders of SARIF 2.1.0: messages, in which brackets make links, and addresses of files. */
import { makeVisible } from './visible-text.ts';

/**
 * A plain text message (3.11). A bracket that would close the words of a link is written as one that does not (3.11.6). Braces stay:
 * a message without arguments is no template to any reader known, and few would take a doubled one back.
 */
export function sarifMessage(text: string) {
  return makeVisible(text).replace(/(\\*)\]\(/g, '$1$1\\](');
}

/** Words that lead to the related location of that number. */
export function sarifLink(words: string, id: number) {
  return `[${makeVisible(words).replace(/[\\[\]]/g, '\\$&')}](${id})`;
}

/** A path of the repository as a relative URI reference (RFC 3986, 4.2). Half a surrogate pair, which no URI holds, becomes U+FFFD. */
export function sarifUri(path: string) {
  return path
    .replace(/\p{Cs}/gu, '\uFFFD')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
