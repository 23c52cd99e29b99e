/** What is risky about a change, from the change itself and the tree behind it: each with its place and what it was read from. */
import { by, groupBy, groupsBy } from '../groups.ts';
import { isLockfile, isManifestOf, kindsOf } from '../languages/languages.ts';
import { folderOf, countOf, lastOf } from '../text.ts';
import type { ChangedFile } from '../words/change.ts';
import type { ChangedName } from './changed-names.ts';
import { isImportLine, testsLast } from './packing/code-view.ts';
import {
  andSo,
  findLineRisks,
  functionAround,
  isMigration,
  isProgram,
  listNames,
  listPlaces,
  quote,
  readHunks,
  type SideLine,
  type Risk,
  type RiskMaterial,
} from './risk-lines.ts';
import table from './risks.json' with { type: 'json' };
import { judgeSensitivity, triageFiles } from './review-plan.ts';

interface ReadChange extends RiskMaterial {
  readonly hunks: ReturnType<typeof readHunks>;
  readonly lines: readonly Risk[];
}

type Told = readonly [path: string, sentence: string, action: string | null];

/** Gravest kind first, within a kind in the order of the change. */
export function computeRisks(material: RiskMaterial): readonly Risk[] {
  const hunks = material.files
    .filter(({ content, path }) => content === 'text' && !material.skipped.has(path))
    .flatMap(file => readHunks(file, material));
  const read: ReadChange = { ...material, hunks, lines: findLineRisks(hunks, material) };
  return table.kinds.flatMap(kind => [
    ...read.lines.filter(risk => risk.kind === kind),
    ...(finders[kind]?.(read) ?? []).map(([path, sentence, action]) => ({
      kind,
      path,
      sentence,
      action,
    })),
  ]);
}

const finders: Readonly<Record<string, (read: ReadChange) => readonly Told[]>> = {
  secret: ({ secrets }) =>
    secrets.map(({ path, line }) => [
      path,
      `${path}:${line} adds a secret`,
      `Have the secret of ${path}:${line} withdrawn where it was issued; taking the line out does not help`,
    ]),
  sensitive: findSensitive,
  migration: findMigrations,
  'removed-name': read => findUsed(read, 'removed'),
  signature: read => findUsed(read, 'signature'),
  'public-api': findPublic,
  generated: findGenerated,
  dependency: read => [...findDependencies(read), ...locksAlone(read)],
  'large-deletion': findLargeDeletions,
  untested: findUntested,
};

/** Programs by the rule that asks for a security reviewer, and what programs take from their surroundings. */
function findSensitive({ files }: ReadChange): Told[] {
  const found = triageFiles(files, []).flatMap(({ path, reason, changedLines = [] }) =>
    reason !== null &&
    changedLines.length > 0 &&
    (isProgram(path) || /^path matches \*\.(?:pem|key)|\.env/.test(reason))
      ? { path, reason, changed: lineBehind(reason, changedLines) }
      : [],
  );
  const groups = groupsBy(found, ({ reason }) => /"(\w+)"$|[^"]*$/.exec(reason)?.[0]);
  return groups.map(([{ path, reason, changed }, ...others]) => [
    path,
    `${path} is security-sensitive (${reason}): ${quote(changed)}${andSo(
      others.map(one => one.path),
      'is',
      'are',
    )}`,
    null,
  ]);
}

/** The line that the reason is about, as it is now where it still is; where that is the path, the first that says something. */
function lineBehind(reason: string, lines: readonly string[]) {
  const isIt = (line: string) =>
    judgeSensitivity({ path: '', changedLines: [line] }).reason === reason;
  return lines.findLast(isIt) ?? lines.find(line => /\w/.test(line)) ?? '';
}

/** One that was there before has run somewhere, whatever of it changes. */
function findMigrations({ hunks, lines }: ReadChange): Told[] {
  const isTold = (path: string) =>
    lines.some(({ kind, path: told }) => kind === 'migration' && told === path);
  const changed = hunks
    .filter(({ file: { path, status } }) => status === 'modified' && isMigration(path))
    .flatMap(({ removed }) => removed)
    .filter(({ path }) => !isTold(path));
  return groupsBy(changed, ({ path }) => path).map(([{ path, line, text }]) => [
    path,
    `${path}:${line} changes a migration that was there before: ${quote(text)}`,
    `Check what becomes of databases where ${path} has run`,
  ]);
}

function isPublic({ path, before }: ChangedName) {
  return isProgram(path) && kindsOf({ path, changedLines: [before] }).has('public-api');
}

/** Names that are gone or are called in another way, with who still uses them. */
function findUsed({ names, view }: ReadChange, kind: ChangedName['change']): Told[] {
  const own = names.filter(
    ({ path, users, change }) => change === kind && users.length > 0 && !view.isTest(path),
  );
  return own.map(changed => {
    const { name, path, line, before, after } = changed;
    const now = view.definitionsIn(path).find(one => one.name === name)?.startLine ?? line;
    const what =
      kind === 'removed'
        ? `${name} is gone from ${path} (was line ${line})`
        : `${path}:${now} ${name} has another signature: ${quote(before)} is now ${quote(after ?? '')}`;
    const uses = countOf(changed.users.length, 'use');
    const places = listPlaces(changed.users.toSorted(testsLast(view)));
    return [
      path,
      `${what}${isPublic(changed) ? '; it is public' : ''}; ${uses} outside of the change: ${places}`,
      `Check the ${uses} of ${name}: ${places}`,
    ];
  });
}

/** What others may use and nobody here does: one risk for each file. */
function findPublic({ names, view }: ReadChange): Told[] {
  const unused = names.filter(
    one => one.users.length === 0 && !view.isTest(one.path) && isPublic(one),
  );
  return groupsBy(unused, ({ path, change }) => `${change} ${path}`).map(group => {
    const [{ path, line, change, before }] = group;
    const told = listNames(group.map(({ name }) => name));
    const became = change === 'removed' ? 'gone' : 'given another signature';
    return [
      path,
      `${path}:${line} ${countOf(group.length, 'public name')} ${group.length === 1 ? 'is' : 'are'} ${became}: ${told} (${quote(before)})`,
      `Check who outside of the project uses ${told}`,
    ];
  });
}

/** Written by a program, and changed while nothing else is that may be its source. */
function findGenerated({ files, skipped }: ReadChange): Told[] {
  const isWritten = ({ path, status }: ChangedFile) =>
    status === 'modified' &&
    !isLockfile(path) &&
    /^(?:generated|minified|vendored)$/.test(skipped.get(path) ?? '');
  const isSource = (file: ChangedFile) =>
    !isWritten(file) && !kindsOf(file).has('documentation') && !kindsOf(file).has('test');
  return files.some(isSource)
    ? []
    : files
        .filter(isWritten)
        .map(({ path, hunks }) => [
          path,
          `${path}:${hunks[0]?.newStart ?? 1} is changed, and nothing it is made of: it is ${skipped.get(path) ?? ''}`,
          `Check what writes ${path}, and change that`,
        ]);
}

const manifests = table.manifests.map(({ name, entry, above }) => ({
  name: new RegExp(name),
  entry: new RegExp(entry),
  above: above === undefined ? null : new RegExp(above),
}));

/** Dependencies that come, go or move: one risk for each manifest. What went is told first, then what moves, then what came. */
function findDependencies(read: ReadChange): Told[] {
  const { hunks, linesOf, oldLinesOf, files, view, skipped } = read;
  return [...groupBy(hunks, ({ file }) => file.path)].flatMap(([path, own]): Told[] => {
    const entriesOf = (side: 'removed' | 'added', lines: readonly string[]) =>
      new Map(
        own
          .flatMap(hunk => hunk[side])
          .flatMap(line => entryIn(path, line, lines))
          .map(one => [one.name, one]),
      );
    const old = entriesOf('removed', oldLinesOf(path));
    const now = entriesOf('added', linesOf(path));
    const moves = [...new Map([...now, ...old]).values()]
      .flatMap(({ name, ...was }) => {
        const is = now.get(name);
        if (!is) return { ...was, rank: 0, says: `takes out ${name} ${was.version}` };
        if (!old.has(name)) return { ...is, rank: 2, says: `adds ${name} ${is.version}` };
        const says = `moves ${name} from ${was.version} to ${is.version}`;
        return is.version === was.version ? [] : { ...is, rank: 1, says };
      })
      .toSorted(by(({ rank }) => rank));
    const [first] = moves;
    if (first === undefined) return [];
    const lock = [...view.paths, ...skipped.keys()].find(
      one => folderOf(one) === folderOf(path) && isManifestOf(path, one),
    );
    const told = `${path}:${first.line} ${listNames(moves.map(({ says }) => says.trimEnd()))}`;
    return lock === undefined || files.some(one => one.path === lock)
      ? [[path, told, null]]
      : [
          [
            path,
            `${told}; ${lock} is not changed with it`,
            `Check that ${lock} still holds what ${path} asks for`,
          ],
        ];
  });
}

/** `lines`: of its side. */
function entryIn(path: string, { text, at, line }: SideLine, lines: readonly string[]) {
  const manifest = manifests.find(({ name }) => name.test(lastOf(path)));
  const found = manifest?.entry.exec(text);
  if (!found) return [];
  const [, named, ...versions] = found;
  const name =
    named ??
    lines
      .slice(Math.max(0, at - 5), at)
      .flatMap(one => manifest?.above?.exec(one)?.[1] ?? [])
      .at(-1);
  return name === undefined
    ? []
    : [{ name, version: versions.find(one => one !== undefined) ?? '', line }];
}

function locksAlone({ files, view }: ReadChange): Told[] {
  return files
    .filter(({ path, status }) => status === 'modified' && isLockfile(path))
    .flatMap(({ path }): Told[] => {
      const manifest = view.paths.find(
        one => folderOf(one) === folderOf(path) && isManifestOf(one, path),
      );
      return manifest === undefined || files.some(one => isManifestOf(one.path, path))
        ? []
        : [
            [
              path,
              `${path} changes while ${manifest} does not: what is installed becomes another`,
              `Check which packages ${path} moves, and from where they come`,
            ],
          ];
    });
}

/** Lines of code that a file loses and puts nowhere else. */
const large = 100;

function findLargeDeletions({ hunks, view }: ReadChange): Told[] {
  const added = new Set(hunks.flatMap(hunk => hunk.added.map(({ text }) => text.trim())));
  return [...groupBy(hunks, ({ file }) => file.path)].flatMap(([path, own]): Told[] => {
    const isDeleted = own[0].file.status === 'deleted';
    const gone = own
      .flatMap(({ removed }) => removed)
      .filter(({ text }) => !added.has(text.trim()));
    const lost = gone.length - own.flatMap(hunk => hunk.added).length;
    if (lost < large || !isProgram(path)) return [];
    const users = isDeleted ? view.importersOf(path) : [];
    return [
      [
        path,
        `${path} loses ${countOf(lost, 'line')} of code${isDeleted ? ' with the file' : ''}`,
        users.length === 0 ? null : `Check what still imports ${path}: ${listPlaces(users)}`,
      ],
    ];
  });
}

/** Functions that change while the tests that use them do not: one risk, told of the one with most tests. */
function findUntested({ hunks, files, view }: ReadChange): Told[] {
  if (files.some(({ path }) => view.isTest(path))) return [];
  const lines = hunks
    .filter(({ file: { path, status } }) => status !== 'deleted' && isProgram(path))
    .flatMap(({ added, removed }) => [...added, ...removed]);
  const changed = new Set(lines.flatMap(one => functionAround(one.path, one.line, view) ?? []));
  const tested = [...changed]
    .filter(
      ({ name }) => view.definitionsOf(name).filter(one => !view.isTest(one.path)).length === 1,
    )
    .map(one => ({
      ...one,
      tests: view
        .referencesTo(one.name)
        .filter(({ path, line }) => view.isTest(path) && !isImportLine(path, line, view)),
    }))
    .filter(({ tests }) => tests.length > 0)
    .toSorted(by(one => -one.tests.length));
  return tested.slice(0, 1).map(({ name, path, startLine, tests }) => {
    const more = tested.length - 1;
    return [
      path,
      `${path}:${startLine} ${name} is changed and no test is; ${countOf(tests.length, 'line')} of tests use it` +
        (more === 0 ? '' : `, and ${countOf(more, 'more changed name')} have tests`),
      `Check whether the tests of ${name} would see the change: ${listPlaces(tests)}`,
    ];
  });
}
