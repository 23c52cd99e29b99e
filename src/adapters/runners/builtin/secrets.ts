/** Credentials on changed lines. Reads every text file in full, and never repeats what it found. */
import type { SecretSpan } from '../../../core/ports.ts';
import { createSecretScanner } from '../../secrets/scanner.ts';
import { isExampleToken } from '../../secrets/placeholder.ts';
import { perFile, type Remark } from './analyser.ts';
import { isDocumentPath, isExamplePath, isGeneratedPath, isTestPath } from '../../syntax/path-kinds.ts';
import type { Source } from './source.ts';

const scanner = createSecretScanner();

/** Kinds that go by names and looks. */
const guesses: ReadonlySet<string> = new Set(['password', 'basic-auth', 'env']);

export const secrets = perFile({
  outside: () => null,
  isContentWithHunks: false,
  async examine(source) {
    if (source.text === '') return [];
    const spans = await scanner.scan(source.text, source.path);
    const lineAt = createLineFinder(source.text);
    return spans.flatMap(span => {
      const line = source.touched(lineAt(span.start), lineAt(span.end - 1));
      return line === null ? [] : toRemark(source, span, line);
    });
  },
});

function toRemark(source: Source, span: SecretSpan, line: number): Remark[] {
  const isExample = isExampleToken(source.text.slice(span.start, span.end));
  const isSheltered = isTestPath(source.path) || isExamplePath(source.path) || isDocumentPath(source.path) || isGeneratedPath(source.path);
  const isGuess = guesses.has(span.kind);
  if (isSheltered && (isExample || isGuess)) return [];
  const severity = isExample || isSheltered ? 'low' : 'critical';
  const doubt = isExample ? ' It looks like an example value.' : isSheltered ? ' The file looks like a test, an example or documentation.' : '';
  return [
    {
      rule: `secrets/${span.kind}`,
      severity,
      category: 'secrets',
      path: source.path,
      line,
      quote: null,
      issue: `${span.message.replace(/\.$/, '')} (${span.end - span.start} characters, value withheld), committed in plain text.${doubt}`,
      recommendation: 'Revoke and replace the credential, take it out of the history, and read it from the environment or a secret store.',
    },
  ];
}

/** Line numbers of ascending or descending offsets, by bisection over the line starts. */
function createLineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(match => match.index + match[0].length)];
  return offset => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
