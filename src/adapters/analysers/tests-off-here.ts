/** Tests that are off in one place and run in another. */
import type { LineContext } from './line-rules.ts';
import { testNamed } from './tests-off-before.ts';

const longestHead = 20;
const system =
  '(?:linux|windows|darwin|freebsd|openbsd|netbsd|plan9|solaris|js|wasm|cgo|unix|amd64|arm64)';
const constraint = new RegExp(`^//\\s*(?:go:build|\\+build)\\b.*\\b${system}\\b`);

/** The head of a Go file says which systems it is compiled for: on the others the test has a file of its own. */
export function isForOneSystem({ text }: Pick<LineContext, 'text'>): boolean {
  return text.slice(0, longestHead).some(line => constraint.test(line));
}

/** A class of Python puts `pass` in place of a test that it has from another class, where it runs. */
export function isPutAside({ text, index }: Pick<LineContext, 'text' | 'index'>): boolean {
  const name = testNamed(text, index) ?? '';
  const own = new RegExp(`^\\s+def\\s+${name}\\s*\\(`);
  if (name === '') return false;
  const places = text.flatMap((line, at) => (own.test(line) ? [at] : []));
  const here = places.find(at => at > index) ?? -1;
  return (
    /^\s*pass\s*$/.test(text[here + 1] ?? '') &&
    places.some(
      at => at !== here && !/^\s*@(?:pytest\.mark|unittest)\.skip/.test(text[at - 1] ?? ''),
    )
  );
}
