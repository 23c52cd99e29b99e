/** What is risky about a change, from the change itself and the tree behind it: each with its place and what it was read from. */
import { groupBy } from '../groups.ts';
import { isLockfile, isManifestOf, kindsOf } from '../languages/path-kinds.ts';
import { folderOf } from '../text.ts';
import type { ChangedFile } from '../words/change.ts';
import type { ChangedName } from './changed-names.ts';
import { isImportLine, testsLast } from './packing/code-view.ts';
import {
  countOf,
  findLineRisks,
  functionAround,
  isMigration,
  isProgram,
  listNames,
  listPlaces,
  quote,
  readHunks,
  type Risk,
  type RiskMaterial,
  type SideLine,
} from './risk-lines.ts';
import table from './risks.json' with { type: 'json' };
import { judgeSensitivity, triageFiles } from './scope.ts';

type Hunks = ReturnType<typeof readHunks>;

/** Gravest kind first, within a kind in the order of the change. */
export function computeRisks(material: RiskMaterial): readonly Risk[] {
  const hunks = material.files
    .filter(({ content, path }) => content === 'text' && !material.skipped.has(path))
    .flatMap(file => readHunks(file, material));
  const lines = findLineRisks(hunks, material);
  return [
    ...material.secrets.map(({ path, line }) => ({
      kind: 'secret',
      path,
      sentence: `${path}:${line} adds a secret`,
      action: `Have the secret of ${path}:${line} withdrawn where it was issued; taking the line out does not help`,
    })),
    ...lines,
    ...findMigrations(hunks, lines),
    ...findChangedNames(material),
    ...findGenerated(material),
    ...findSensitive(material.files),
    ...findDependencies(hunks, material),
    ...findLargeDeletions(hunks, material),
    ...findUntested(hunks, material),
  ].toSorted((one, other) => table.kinds.indexOf(one.kind) - table.kinds.indexOf(other.kind));
}

/** One that was there before has run somewhere, whatever of it changes. */
function findMigrations(hunks: Hunks, told: readonly Risk[]): Risk[] {
  const seen = new Set(told.filter(({ kind }) => kind === 'migration').map(({ path }) => path));
  return hunks.flatMap(({ file: { path, status }, removed: [first] }) => {
    if (!isMigration(path) || status !== 'modified' || seen.has(path) || first === undefined)
      return [];
    seen.add(path);
    return [
      {
        kind: 'migration',
        path,
        sentence: `${path}:${first.line} changes a migration that was there before: ${quote(first.text)}`,
        action: `Check what becomes of databases where ${path} has run`,
      },
    ];
  });
}

/** Names that are gone or are called in another way, with who still uses them, and what of it others see. */
function findChangedNames({ names, view }: RiskMaterial): Risk[] {
  const own = names.filter(({ path }) => !view.isTest(path));
  const unused = own.filter(({ users, ...one }) => users.length === 0 && isPublic(one));
  return [
    ...own.filter(({ users }) => users.length > 0).map(one => usedRisk(one, view)),
    ...[...groupBy(unused, ({ path, change }) => `${change} ${path}`).values()].map(publicRisk),
  ];
}

function isPublic({ path, before }: Pick<ChangedName, 'path' | 'before'>): boolean {
  return isProgram(path) && kindsOf({ path, changedLines: [before] }).has('public-api');
}

function usedRisk(changed: ChangedName, view: RiskMaterial['view']): Risk {
  const { name, path, line, change, before, after } = changed;
  const users = changed.users.toSorted(testsLast(view));
  const now = view.definitionsIn(path).find(one => one.name === name)?.startLine ?? line;
  const what =
    change === 'removed'
      ? `${name} is gone from ${path} (was line ${line})`
      : `${path}:${now} ${name} has another signature: ${quote(before)} is now ${quote(after ?? '')}`;
  return {
    kind: change === 'removed' ? 'removed-name' : 'signature',
    path,
    sentence: `${what}${isPublic(changed) ? '; it is public' : ''}; ${countOf(users.length, 'use')} outside of the change: ${listPlaces(users)}`,
    action: `Check the ${countOf(users.length, 'use')} of ${name}: ${listPlaces(users)}`,
  };
}

/** What others may use and nobody here does: one risk for each file. */
function publicRisk(group: readonly [ChangedName, ...ChangedName[]]): Risk {
  const [first] = group;
  const { path, line, change, before } = first;
  const names = listNames(group.map(({ name }) => name));
  const became = change === 'removed' ? 'gone' : 'given another signature';
  return {
    kind: 'public-api',
    path,
    sentence: `${path}:${line} ${countOf(group.length, 'public name')} ${group.length === 1 ? 'is' : 'are'} ${became}: ${names} (${quote(before)})`,
    action: `Check who outside of the project uses ${names}`,
  };
}

/** Written by a program, and changed while nothing else is that may be its source. */
function findGenerated({ files, skipped }: RiskMaterial): Risk[] {
  const isWritten = ({ path, status }: ChangedFile): boolean =>
    status === 'modified' &&
    !isLockfile(path) &&
    /^(?:generated|minified|vendored)$/.test(skipped.get(path) ?? '');
  const isSource = (file: ChangedFile): boolean =>
    !(isWritten(file) || kindsOf(file).has('documentation') || kindsOf(file).has('test'));
  return files.some(isSource)
    ? []
    : files.filter(isWritten).map(({ path, hunks }) => ({
        kind: 'generated',
        path,
        sentence: `${path}:${hunks[0]?.newStart ?? 1} is changed, and nothing it is made of: it is ${skipped.get(path) ?? ''}`,
        action: `Check what writes ${path}, and change that`,
      }));
}

/** Programs by the rule that asks for a security reviewer, and what programs take from their surroundings. */
function findSensitive(files: readonly ChangedFile[]): Risk[] {
  const found = triageFiles(files, []).flatMap(({ path, reason, changedLines = [] }) =>
    reason !== null &&
    changedLines.length > 0 &&
    (isProgram(path) || /^path matches \*\.(?:pem|key)|\.env/.test(reason))
      ? [{ path, reason, changed: lineBehind(reason, changedLines) }]
      : [],
  );
  const groups = groupBy(found, ({ reason }) => /"(\w+)"$|[^"]*$/.exec(reason)?.[0] ?? '');
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            kind: 'sensitive',
            path: first.path,
            sentence: `${first.path} is security-sensitive (${first.reason}): ${quote(first.changed)}${others.length === 0 ? '' : `; so ${others.length === 1 ? 'is' : 'are'} ${listNames(others.map(({ path }) => path))}`}`,
            action: null,
          },
        ],
  );
}

/** The line that the reason is about, as it is now where it still is; where that is the path, the first that says something. */
function lineBehind(reason: string, lines: readonly string[]): string {
  const isIt = (line: string): boolean =>
    judgeSensitivity({ path: '', changedLines: [line] }).reason === reason;
  return lines.findLast(isIt) ?? lines.find(line => /\w/.test(line)) ?? '';
}

const manifests = table.manifests.map(({ name, entry, above }) => ({
  name: new RegExp(name),
  entry: new RegExp(entry),
  above: above === undefined ? null : new RegExp(above),
}));

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly line: SideLine;
}

/** Dependencies that come, go or move: one risk for each manifest; and locks that do not go with it. */
function findDependencies(hunks: Hunks, material: RiskMaterial): Risk[] {
  const moved = [...groupBy(hunks, ({ file }) => file.path)].flatMap(([path, own]) => {
    const [old, now] = (['removed', 'added'] as const).map(
      side =>
        new Map(
          own
            .flatMap(hunk => hunk[side])
            .flatMap(line => entryIn(path, line, side, material))
            .map(entry => [entry.name, entry]),
        ),
    );
    const moves = movesBetween(old ?? new Map(), now ?? new Map());
    const lock = lockOf(path, material);
    const [first] = moves;
    return first === undefined
      ? []
      : [
          {
            kind: 'dependency',
            path,
            sentence: `${path}:${first.line} ${listNames(moves.map(({ says }) => says))}${lock === undefined ? '' : `; ${lock} is not changed with it`}`,
            action:
              lock === undefined ? null : `Check that ${lock} still holds what ${path} asks for`,
          },
        ];
  });
  return [...moved, ...locksAlone(material)];
}

function entryIn(
  path: string,
  line: SideLine,
  side: 'removed' | 'added',
  { linesOf, oldLinesOf }: RiskMaterial,
): Entry[] {
  const manifest = manifests.find(({ name }) => name.test(path.slice(path.lastIndexOf('/') + 1)));
  const [, named, ...versions] = manifest?.entry.exec(line.text) ?? [null];
  if (manifest === undefined || named === null) return [];
  const lines = side === 'removed' ? oldLinesOf(path) : linesOf(path);
  const name =
    named ??
    lines
      .slice(Math.max(0, line.at - 5), line.at)
      .flatMap(text => manifest.above?.exec(text)?.[1] ?? [])
      .at(-1);
  return name === undefined
    ? []
    : [{ name, version: versions.find(one => one !== undefined) ?? '', line }];
}

/** What went first, then what moves, then what came. */
function movesBetween(
  old: ReadonlyMap<string, Entry>,
  now: ReadonlyMap<string, Entry>,
): { readonly line: number; readonly says: string }[] {
  const gone = [...old.values()].filter(({ name }) => !now.has(name));
  const kept = [...now.values()].filter(
    ({ name, version }) => old.has(name) && old.get(name)?.version !== version,
  );
  const come = [...now.values()].filter(({ name }) => !old.has(name));
  return [
    ...gone.map(({ line: { line }, name, version }) => ({
      line,
      says: `takes out ${name} ${version}`.trimEnd(),
    })),
    ...kept.map(({ line: { line }, name, version }) => ({
      line,
      says: `moves ${name} from ${old.get(name)?.version ?? ''} to ${version}`,
    })),
    ...come.map(({ line: { line }, name, version }) => ({
      line,
      says: `adds ${name} ${version}`.trimEnd(),
    })),
  ];
}

/** The lock of a manifest that the change leaves as it is. */
function lockOf(manifest: string, { files, view, skipped }: RiskMaterial): string | undefined {
  const lock = [...view.paths, ...skipped.keys()].find(
    one => folderOf(one) === folderOf(manifest) && isManifestOf(manifest, one),
  );
  return files.some(({ path }) => path === lock) ? undefined : lock;
}

function locksAlone({ files, view }: RiskMaterial): Risk[] {
  return files.flatMap(({ path, status }) => {
    const manifest = view.paths.find(
      one => folderOf(one) === folderOf(path) && isManifestOf(one, path),
    );
    return status !== 'modified' ||
      !isLockfile(path) ||
      manifest === undefined ||
      files.some(one => isManifestOf(one.path, path))
      ? []
      : [
          {
            kind: 'dependency',
            path,
            sentence: `${path} changes while ${manifest} does not: what is installed becomes another`,
            action: `Check which packages ${path} moves, and from where they come`,
          },
        ];
  });
}

/** Lines of code that a file loses and puts nowhere else. */
const large = 100;

function findLargeDeletions(hunks: Hunks, { view }: RiskMaterial): Risk[] {
  const added = new Set(hunks.flatMap(hunk => hunk.added.map(({ text }) => text.trim())));
  return [...groupBy(hunks, ({ file }) => file.path)].flatMap(([path, own]) => {
    const { status } = own[0].file;
    const gone = own
      .flatMap(({ removed }) => removed)
      .filter(({ text }) => !added.has(text.trim()));
    const lost = gone.length - own.flatMap(hunk => hunk.added).length;
    if (lost < large || !isProgram(path)) return [];
    const users = view.importersOf(path);
    return [
      {
        kind: 'large-deletion',
        path,
        sentence: `${path} loses ${countOf(lost, 'line')} of code${status === 'deleted' ? ' with the file' : ''}`,
        action:
          users.length === 0 || status !== 'deleted'
            ? null
            : `Check what still imports ${path}: ${listPlaces(users)}`,
      },
    ];
  });
}

/** Functions that change while the tests that use them do not: one risk, told of the one with most tests. */
function findUntested(hunks: Hunks, { files, view }: RiskMaterial): Risk[] {
  if (files.some(({ path }) => view.isTest(path))) return [];
  const lines = hunks
    .filter(({ file: { path, status } }) => status !== 'deleted' && isProgram(path))
    .flatMap(({ added, removed }) => [...added, ...removed]);
  const changed = new Set(lines.map(({ path, line }) => functionAround(path, line, view)));
  const tested = [...changed]
    .flatMap(one =>
      one !== undefined &&
      view.definitionsOf(one.name).filter(({ path }) => !view.isTest(path)).length === 1
        ? [{ ...one, tests: testUsesOf(one.name, view) }]
        : [],
    )
    .filter(({ tests }) => tests.length > 0)
    .toSorted((one, other) => other.tests.length - one.tests.length);
  const [most] = tested;
  if (most === undefined) return [];
  const { name, path, startLine, tests } = most;
  const more = tested.length - 1;
  return [
    {
      kind: 'untested',
      path,
      sentence: `${path}:${startLine} ${name} is changed and no test is; ${countOf(tests.length, 'line')} of tests use it${more === 0 ? '' : `, and ${countOf(more, 'more changed name')} have tests`}`,
      action: `Check whether the tests of ${name} would see the change: ${listPlaces(tests)}`,
    },
  ];
}

function testUsesOf(name: string, view: RiskMaterial['view']) {
  return view
    .referencesTo(name)
    .filter(({ path, line }) => view.isTest(path) && !isImportLine(path, line, view));
}
