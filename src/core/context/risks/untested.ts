/** Code that changes while the tests that use it do not. */
import { isExamplePath, kindsOf } from '../../languages/path-kinds.ts';
import { splitIdentifier } from '../../text.ts';
import type { ChangedFile } from '../../words/change.ts';
import type { Definition } from '../../words/code-index.ts';
import { bindingAt } from '../packing/references.ts';
import { isAlone } from './callers.ts';
import { addedLines, type ChangedText, removedLines } from './changed-lines.ts';
import { countOf, listPlaces, type Risk, type RiskMaterial } from './risk.ts';

/** One risk for the whole change: it is told of the name with most tests. */
export function findUntested(
  texts: readonly (readonly [ChangedFile, ChangedText])[],
  { files, view }: RiskMaterial,
): Risk[] {
  if (files.some(({ path }) => view.isTest(path))) return [];
  const tested = texts
    .filter(([{ path, status }]) => status !== 'deleted' && isProduct(path))
    .flatMap(([{ path }, text]) => changedFunctions(path, text, view))
    .filter(one => isAlone(one, view))
    .map(definition => ({ definition, uses: testUses(definition, view) }))
    .filter(({ uses }) => uses.length > 0)
    .toSorted((one, other) => other.uses.length - one.uses.length);
  const [most] = tested;
  if (most === undefined) return [];
  const { name, path, startLine } = most.definition;
  const paths = [...new Set(most.uses.map(one => one.path))];
  return [
    {
      kind: 'untested',
      path,
      line: startLine,
      sentence:
        `${path}:${startLine} ${name} is changed and no test is; ${countOf(most.uses.length, 'line')} of ` +
        `${countOf(paths.length, 'test file')} ${most.uses.length === 1 ? 'uses' : 'use'} ` +
        `it${tested.length > 1 ? `, and ${tested.length - 1} more changed ${tested.length === 2 ? 'name is' : 'names are'} tested` : ''}`,
      evidence: most.uses.slice(0, 3).map(one => `${one.path}:${one.line}`),
      action: `Check whether the tests of ${name} would see the change: ${listPlaces(most.uses, 3)}`,
    },
  ];
}

function isProduct(path: string): boolean {
  const kinds = kindsOf({ path, changedLines: [] });
  return (
    kinds.has('code') && !kinds.has('test') && !kinds.has('documentation') && !isExamplePath(path)
  );
}

/** Innermost functions of which a line of code changes; imports and comments stand in none. */
function changedFunctions(
  path: string,
  text: ChangedText,
  view: RiskMaterial['view'],
): Definition[] {
  const [before, after] = [removedLines(text), addedLines(text)].map(
    list => new Set(list.map(({ code }) => bare(code))),
  );
  // Comments and white space do nothing.
  const lines = [
    ...addedLines(text).filter(({ code }) => before?.has(bare(code)) !== true),
    ...removedLines(text).filter(({ code }) => after?.has(bare(code)) !== true),
  ]
    .filter(({ code }) => /\w/.test(code))
    .map(({ newLine }) => newLine);
  const found = new Set<Definition>();
  for (const line of lines) {
    const around = view
      .enclosing(path, line)
      .findLast(({ kind }) => kind === 'function' || kind === 'method');
    if (around !== undefined) found.add(around);
  }
  return [...found];
}

function bare(code: string): string {
  return code.replace(/\s+/g, '');
}

/** Lines of tests that use the name and know its class or its file, those of their imports left out. */
function testUses({ name, path: own, startLine }: Definition, view: RiskMaterial['view']) {
  const owner = view.enclosing(own, startLine).findLast(({ kind }) => kind === 'class')?.name;
  const knows = (path: string): boolean =>
    owner === undefined
      ? splitIdentifier(name).length > 1 ||
        view.importsOf(path).some(({ targets }) => targets.includes(own))
      : view.linesUsing(path, owner).length > 0 || splitIdentifier(name).length > 2;
  return view
    .referencesTo(name)
    .filter(
      ({ path, line }) =>
        view.isTest(path) &&
        (bindingAt(name, path, line, view)?.startLine ?? 0) === 0 &&
        knows(path) &&
        !view
          .importsOf(path)
          .some(({ startLine: first, endLine }) => first <= line && line <= endLine),
    );
}
