/** Tests that are off in one place and run in another. */
import type { LineContext } from './line-context.ts';
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
  const places = methodsOf(text).get(testNamed(text, index) ?? '') ?? [];
  const here = places.find(at => at > index);
  return (
    here !== undefined &&
    /^\s*pass\s*$/.test(text[here + 1] ?? '') &&
    places.some(at => at !== here && !skipped.test(text[at - 1] ?? ''))
  );
}

const skipped = /^\s*@(?:pytest\.mark|unittest)\.skip/;
const mostPlaces = 100;

/** By the lines of a file, which are the same array for all that is asked of it: where methods of a name begin. */
const methods = new WeakMap<readonly string[], ReadonlyMap<string, readonly number[]>>();

function methodsOf(text: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const known = methods.get(text);
  if (known !== undefined) return known;
  const places = new Map<string, number[]>();
  for (const [index, line] of text.entries()) {
    const name = /^\s+def\s+(\w{1,120})\s*\(/.exec(line)?.[1];
    if (name === undefined) continue;
    const own = places.get(name) ?? [];
    if (own.length < mostPlaces) own.push(index);
    places.set(name, own);
  }
  methods.set(text, places);
  return places;
}

const farthest = 200;

/** In a text of Ruby that runs over several lines: a program that is looked at, not one that runs. */
export function isInLongText({ text, index }: Pick<LineContext, 'text' | 'index'>): boolean {
  for (let above = index - 1; above >= Math.max(0, index - farthest); above -= 1) {
    const mark = /<<[~-]?(["'`]?)([A-Z_]{2,40})\1/.exec(text[above] ?? '')?.[2];
    if (mark !== undefined) return !text.slice(above + 1, index).some(line => line.trim() === mark);
  }
  return false;
}
