/** Names that are gone or are called in another way, with who still uses them, and what of it others see. */
import { identifiersOf, splitIdentifier } from '../../text.ts';
import { vocabularyOf } from '../../languages/languages.ts';
import { familyOf } from '../../languages/path-kinds.ts';
import type { ChangedName } from '../changed-names.ts';
import { stemOf } from '../packing/test-names.ts';
import { isCommon } from './callers.ts';
import { testsLast } from '../packing/references.ts';
import { type ChangedText, indentOf } from './changed-lines.ts';
import { countOf, listPlaces, quote, type Risk, type RiskMaterial } from './risk.ts';
import { isMember, linesWritten, saysIt } from './uses-meant.ts';
import { compareSignatures, differInTypesOnly } from './signature-difference.ts';

const mostPlaces = 3;

export function findChangedNames(texts: readonly ChangedText[], material: RiskMaterial): Risk[] {
  const { names, view } = material;
  const judged = names
    .filter(
      ({ path, name, change }) =>
        !view.isTest(path) && !(change === 'removed' && constructing.test(name)),
    )
    // With its type went what it had.
    .filter(one => one.change !== 'removed' || !ownerLeft(one, material))
    .map(one => judge(one, texts, material))
    .filter(one => !isWrittenAgain(one.changed, texts));
  const gone = judged.filter(({ changed, isOpen }) => changed.change === 'removed' && isOpen);
  return [
    ...judged.flatMap(one =>
      one.changed.change === 'signature' ? signatureRisk(one, material) : removalRisk(one),
    ),
    ...interfaceRisks(gone.filter(({ users }) => users.length === 0)),
  ];
}

function ownerLeft({ path, line }: ChangedName, { names, oldLinesOf }: RiskMaterial): boolean {
  const lines = oldLinesOf(path);
  const own = indentOf(lines[line - 1] ?? '');
  const around = lines
    .slice(0, line - 1)
    .findLastIndex(text => text.trim() !== '' && indentOf(text) < own && !/^\s*[{})]/.test(text));
  return names.some(
    one => one.path === path && one.change === 'removed' && one.line === around + 1,
  );
}

/** Called by the language, not by its name. */
const constructing = /^(?:__\w+__|__construct|constructor|initialize|init)$/;

interface Judged {
  readonly changed: ChangedName;
  /** Those of them that mean this name. */
  readonly users: ChangedName['users'];
  /** Others than the project itself may use it. */
  readonly isOpen: boolean;
}

function judge(
  changed: ChangedName,
  texts: readonly ChangedText[],
  material: RiskMaterial,
): Judged {
  const { view, linesOf } = material;
  const written = linesWritten(changed.name, texts);
  const { name } = changed;
  const isDistinct =
    splitIdentifier(name).length > 1 ||
    // Where no grammar tells names from words, a word says nothing.
    !(familyOf(changed.path) === null || isMember(changed) || isCommon(name, changed.path, view));
  const isAtHome = !isHandedOut(changed, material);
  const calls = new Set(
    view
      .referencesTo(name)
      .filter(({ kind }) => kind === 'call')
      .map(({ path, line }) => `${path}:${line}`),
  );
  const isCall = (user: ChangedName['users'][number]): boolean =>
    calls.has(`${user.path}:${user.line}`);
  const meant = changed.users
    .filter(({ path }) => path === changed.path || !(isAtHome || isForeign(path, changed, view)))
    .filter(user => saysIt(user, changed, { ...material, written }))
    // A common word behind any receiver is as likely the method of something else.
    .filter(
      ({ path, line }) =>
        isDistinct ||
        isOwnUse({ path, line }, (linesOf(path)[line - 1] ?? '').split(name)[0] ?? '', {
          changed,
          view,
        }),
    );
  const called = changed.change === 'signature' ? meant.filter(isCall) : meant;
  return {
    changed,
    isOpen: isPublic(changed, material),
    users: called.toSorted(testsLast(view)),
  };
}

/**
 * By what stands in front of a name: the object itself, something called like the file of the definition, or nothing where none
 * is needed.
 */
function isOwnUse(
  { path, line }: ChangedName['users'][number],
  before: string,
  { changed, view }: { readonly changed: ChangedName; readonly view: RiskMaterial['view'] },
): boolean {
  const receiver = /([\p{L}_$][\p{L}\p{N}_$]*)?(?:\(\))?\s*(?:\?\.|\.|->|::)\s*$/u.exec(before);
  const owner = receiver?.[1] ?? '';
  if (receiver !== null && plainName(owner) === plainName(stemOf(changed.path))) return true;
  const isOfObject =
    receiver === null
      ? /\.(?:java|kt|scala|swift|rb|cs)$/.test(path)
      : /^(?:self|this|cls|super|static|Self)$/.test(owner);
  return isOfObject && path === changed.path && isOfOneClass(line, changed, view);
}

function plainName(name: string): string {
  return name.replaceAll(/[_$]/g, '').toLowerCase();
}

/** The only class of its file that has such a member, or the one around both lines. */
function isOfOneClass(
  line: number,
  { name, path }: ChangedName,
  view: RiskMaterial['view'],
): boolean {
  const owners = view
    .membersIn(path)
    .filter(one => one.name === name)
    .map(one => classAround(one.startLine, path, view));
  return (
    owners.length < 2 || owners.filter(one => one !== classAround(line, path, view)).length === 0
  );
}

function classAround(line: number, path: string, view: RiskMaterial['view']): string | null {
  return view.enclosing(path, line).findLast(({ kind }) => kind === 'class')?.name ?? null;
}

/** A value by that name which a file does not import is another one, where names are imported. */
function isForeign(user: string, { path, kind }: ChangedName, view: RiskMaterial['view']): boolean {
  return (
    kind === 'constant' &&
    view.has(path) &&
    vocabularyOf(view.languageOf(path))?.importsNames === true &&
    !view.importsOf(user).some(({ targets }) => targets.includes(path))
  );
}

/** False for a value of a script that its file keeps for itself. */
function isHandedOut(
  { name, path, kind, before, line }: ChangedName,
  { oldLinesOf }: RiskMaterial,
): boolean {
  if (kind !== 'constant' || familyOf(path) !== 'javascript') return true;
  return (
    /^export\b/.test(before) ||
    oldLinesOf(path).some(
      (text, index) =>
        index !== line - 1 &&
        text.includes(name) &&
        (/\bexports?\b/.test(text) || text.trim().replace(/,$/, '') === name),
    )
  );
}

/** The definition only went to another place of the file, or the name is brought in from elsewhere now. */
function isWrittenAgain(
  { name, path, change }: ChangedName,
  texts: readonly ChangedText[],
): boolean {
  if (change !== 'removed') return false;
  return texts.some(
    ({ oldPath, path: own, added }) =>
      (oldPath ?? own) === path &&
      added.some(({ code }) => identifiersOf(code).has(name) && brings(code, name)),
  );
}

function brings(code: string, name: string): boolean {
  const [before = '', ...behind] = code.split(name);
  return (
    /\b(?:import|from|export|require|use|using|def|class|function|const|let|var|val|type|struct|enum|interface|trait|fn|func|fun|alias|alias_method|attr_\w+|delegate|define|define_method|define_singleton_method|module_function|def_delegators?)\b/.test(
      before,
    ) || /^\s*(?::[^:]|=(?!=))/.test(behind.join(name))
  );
}

function signatureRisk({ changed, users, isOpen }: Judged, material: RiskMaterial): Risk[] {
  const { name, path, line, before, after } = changed;
  const told = compareSignatures(name, before, after ?? '', path);
  if (isRenaming(changed, material.names)) return [];
  if (!isOpen && compiled.test(path) && differInTypesOnly(name, before, after ?? '', path))
    return [];
  if (told === null || (users.length === 0 && !isOpen)) return [];
  const now = lineOf(changed, material) ?? line;
  return [
    {
      kind: users.length === 0 ? 'public-api' : 'signature',
      path,
      line: now,
      sentence: `${path}:${now} ${name} ${told}${isOpen ? '; it is public' : ''}${used(users, 'call')}`,
      evidence: [before, after ?? ''],
      action:
        users.length === 0
          ? `Check what callers outside of the project pass to ${name}`
          : `Check the ${countOf(users.length, 'caller')} of ${name}: ${listPlaces(users, mostPlaces)}`,
    },
  ];
}

/** Of the signature as it is; a class is called by its own name, whatever its constructor is called. */
function lineOf(
  { name, path, after }: ChangedName,
  { view, linesOf }: RiskMaterial,
): number | null {
  const all = view.definitionsIn(path);
  const owner = all.find(one => one.name === name);
  const called = all.filter(
    one =>
      (one.kind === 'function' || one.kind === 'method' || one.kind === 'macro') &&
      (one.name === name ||
        (constructing.test(one.name) &&
          owner !== undefined &&
          owner.startLine < one.startLine &&
          one.endLine <= owner.endLine)),
  );
  const lines = linesOf(path);
  const exact = called.find(one =>
    lines
      .slice(one.startLine - 1, one.startLine + 3)
      .some(
        text =>
          text.trim() !== '' && (after ?? '').startsWith(text.trim().replace(/\s*[{:(]?$/, '')),
      ),
  );
  return (exact ?? called[0] ?? owner)?.startLine ?? null;
}

/** Nothing that calls it wrongly there can be built. */
const compiled = /\.(?:[cm]?tsx?|java|cs|go|rs|kt|swift|scala)$/i;

/** What it takes or gives back is called otherwise now, and that is another risk. */
function isRenaming({ before, after }: ChangedName, names: readonly ChangedName[]): boolean {
  const gone = new Set(names.filter(({ change }) => change === 'removed').map(({ name }) => name));
  const old = identifiersOf(before);
  if (![...old].some(name => gone.has(name))) return false;
  const shape = (text: string): string =>
    text.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, word =>
      gone.has(word) || (text === after && !old.has(word)) ? '' : word,
    );
  return shape(before) === shape(after ?? '');
}

function removalRisk({ changed, users, isOpen }: Judged): Risk[] {
  const { name, path, line, before } = changed;
  if (users.length === 0) return [];
  return [
    {
      kind: 'removed-name',
      path,
      line,
      sentence: `${name} is gone from ${path} (was line ${line})${isOpen ? '; it was public' : ''}${used(users, 'use')}`,
      evidence: [before],
      action: `Check the ${countOf(users.length, 'use')} of ${name}: ${listPlaces(users, mostPlaces)}`,
    },
  ];
}

function used(users: ChangedName['users'], what: string): string {
  return users.length === 0
    ? ''
    : `; ${countOf(users.length, what)} outside of the change ` +
        `${users.length === 1 ? 'remains' : 'remain'}: ${listPlaces(users, mostPlaces)}`;
}

/** What others may use and nobody here does any more: one risk for each file. */
function interfaceRisks(gone: readonly Judged[]): Risk[] {
  const byPath = new Map<string, Judged[]>();
  for (const one of gone)
    byPath.set(one.changed.path, [...(byPath.get(one.changed.path) ?? []), one]);
  return [...byPath].flatMap(([path, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { name, line, before } = first.changed;
    const others = all.slice(1, 5).map(({ changed }) => changed.name);
    const more = all.length - 1 - others.length;
    return [
      {
        kind: 'public-api' as const,
        path,
        line,
        sentence:
          all.length === 1
            ? `${name} is gone from ${path} (was line ${line}) and was public: ${quote(before)}`
            : `${countOf(all.length, 'public name')} are gone from ${path}: ` +
              `${[name, ...others].join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        evidence: all.map(({ changed }) => changed.before),
        action: `Check who outside of the project uses ${[name, ...others].join(', ')}`,
      },
    ];
  });
}

const kept =
  /(?:^|\/)(?:internals?|_[^/]+|private|examples?|samples?|scripts?|bench(?:marks?)?|tools?|docs?)\//;

/** What a type keeps to its own package, its public members are kept to as well. */
function isWithinPublic(lines: readonly string[], line: number): boolean {
  const own = indentOf(lines[line - 1] ?? '');
  const around = lines
    .slice(0, line - 1)
    .findLast(
      text =>
        text.trim() !== '' &&
        indentOf(text) < own &&
        /^\s*(?:\[[^\]]*\]\s*)?(?:[a-z]+\s+)*(?:class|struct|interface|record|enum)\s+\w/.test(
          text,
        ),
    );
  return around === undefined || /\bpublic\b/.test(around);
}

/** A program that stands alone: nobody imports it. */
function isProgram(path: string, view: RiskMaterial['view']): boolean {
  return (
    (path.endsWith('.go') && view.has('main.go')) || (path.endsWith('.py') && view.has('manage.py'))
  );
}

/** By what the languages write in front of what others may use, and the folders they keep to themselves. */
function isPublic(
  { name, path, before, kind, line }: ChangedName,
  { oldLinesOf, view }: RiskMaterial,
): boolean {
  if (isProgram(path, view) || /\.config\.\w+$/.test(path)) return false;
  if (kind === 'test' || kept.test(path) || name.startsWith('_')) return false;
  const isNested = /^\s/.test(oldLinesOf(path)[line - 1] ?? '');
  if (path.endsWith('.go')) return /^[A-Z]/.test(name) && !/(?:^|\/)cmd\//.test(path);
  if (path.endsWith('.py'))
    return (
      !/(?:^|\/)_/.test(path) &&
      /^(?:async\s+def|def|class)\b/.test(before) &&
      (!isNested || /\(\s*(?:self|cls)\b/.test(before))
    );
  if (path.endsWith('.rb')) return /^def\b/.test(before) && !isBelowPrivate(oldLinesOf(path), line);
  if (path.endsWith('.rs')) return /^pub\s+(?!\()/.test(before);
  if (/\.(?:java|cs)$/.test(path))
    return /\bpublic\b/.test(before) && isWithinPublic(oldLinesOf(path), line);
  if (path.endsWith('.php')) return /\bpublic\b/.test(before);
  return /^export\b|^(?:module\.)?exports\b/.test(before);
}

/** In Ruby everything below `private` is, until its class ends or says otherwise. */
function isBelowPrivate(lines: readonly string[], line: number): boolean {
  const own = depthOf(lines[line - 1] ?? '');
  for (let at = line - 2; at >= 0; at -= 1) {
    const text = lines[at] ?? '';
    if (text.trim() === '') continue;
    if (depthOf(text) < own && /^\s*(?:class|module)\b/.test(text)) return false;
    if (depthOf(text) <= own && /^\s*(?:private|protected|public)\s*(?:#.*)?$/.test(text))
      return !text.includes('public');
  }
  return false;
}

function depthOf(text: string): number {
  return text.search(/\S/);
}
