/** Code that changes while the tests that use it do not. */
import { isExamplePath } from '../../languages/path-kinds.ts';
import { splitIdentifier } from '../../text.ts';
import type { Definition } from '../../words/code-index.ts';
import { bindingAt, isImportLine, remember } from '../packing/references.ts';
import { functionAround, isAlone } from './callers.ts';
import { type ChangedText, hasCode, isProgram } from './changed-lines.ts';
import { countOf, listPlaces, type Risk, type RiskMaterial } from './risk.ts';

/** One risk for the whole change: it is told of the name with most tests. */
export function findUntested(texts: readonly ChangedText[], { files, view }: RiskMaterial): Risk[] {
  if (files.some(({ path }) => view.isTest(path))) return [];
  const tested = texts
    .filter(text => text.status !== 'deleted' && isProgram(text) && !isExamplePath(text.path))
    .flatMap(text => changedFunctions(text, view))
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

/** Innermost functions of which a line of code changes; imports and comments stand in none. */
function changedFunctions(
  { path, added, removed }: ChangedText,
  view: RiskMaterial['view'],
): Definition[] {
  const [before, after] = [removed, added].map(list => new Set(list.map(({ code }) => bare(code))));
  // Comments and white space do nothing.
  const lines = [
    ...added.filter(({ code }) => before?.has(bare(code)) !== true),
    ...removed.filter(({ code }) => after?.has(bare(code)) !== true),
  ].filter(hasCode);
  const found = lines.map(({ newLine }) => functionAround(path, newLine, view));
  return [...new Set(found.filter(around => around !== undefined))];
}

function bare(code: string): string {
  return code.replace(/\s+/g, '');
}

/** Lines of tests that use the name and know its class or its file, those of their imports left out. */
function testUses({ name, path: own, startLine }: Definition, view: RiskMaterial['view']) {
  const owner = view.enclosing(own, startLine).findLast(({ kind }) => kind === 'class')?.name;
  const knows = remember(
    (path: string): boolean =>
      view.isTest(path) &&
      (owner === undefined
        ? splitIdentifier(name).length > 1 ||
          view.importsOf(path).some(({ targets }) => targets.includes(own))
        : view.linesUsing(path, owner).length > 0 || splitIdentifier(name).length > 2),
  );
  return view
    .referencesTo(name)
    .filter(
      ({ path, line }) =>
        knows(path) &&
        !isImportLine(path, line, view) &&
        (bindingAt(name, path, line, view)?.startLine ?? 0) === 0,
    );
}
