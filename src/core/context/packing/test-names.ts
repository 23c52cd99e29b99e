/** What a file is called apart from being a test: `parse` for `parse.ts`, `parse.test.ts`, `test_parse.py` and `ParseTest.java`. */

/** Without case and signs. The folder speaks for a file that is called like every other one. */
export function stemOf(path: string): string {
  const segments = path.split('/');
  const stem = (segments.at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/[._-](?:tests?|specs?)$|Tests?$|^Test(?=[A-Z])|^(?:tests?|specs?)[_-]/i, '')
    .replace(/\..*$/, '');
  const name = /^(?:|index|__init__|mod|lib|main|tests?|specs?)$/i.test(stem)
    ? (segments.at(-2) ?? stem)
    : stem;
  return name.toLowerCase().replace(/[-_]/g, '');
}
