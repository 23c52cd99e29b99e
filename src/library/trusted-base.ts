/**
 * Which bytes of a file decide while a change is under review. What lies in the checkout may be the work of the author of the
 * change: where the change touches a file, or a link on the way to it, the file is that of the base.
 */
import path from 'node:path';
import { readIfThere } from '../adapters/configuration/read-configuration.ts';
import type { GitRepository } from '../adapters/git/repository.ts';
import { readRegularFile } from '../adapters/system/given-file.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import type { Change, Subject } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import type { FileKey } from '../core/words/runner.ts';
import type { SubjectRequest } from '../core/words/plan.ts';
import { ifUserError, usageError, UserError } from '../core/errors.ts';
import {
  AgentFileRules,
  type Asked,
  indexPaths,
  isManifestWithScripts,
  reasonsToAsk,
} from '../core/safety/agent-files.ts';
import type { Reason } from '../core/verdict/record.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { Call } from './call.ts';
import {
  firstNames,
  type Found,
  namesThrough,
  placeIn,
  type TreeView,
  viewDisk,
  viewRevision,
} from './tree-view.ts';

/** `unknown`: it is not asked for, or nobody knows it, as with a patch outside of git, or before the first commit. */
type BaseFile = Found | { kind: 'unknown' };

export type TrustedBase = ReturnType<typeof createTrustedBase>;

/** Text of a file by what decides of it; null when it is not there. Throws `UserError` for what cannot be read. */
export async function readTrusted(file: string, base: BaseFile) {
  if (base.kind === 'unknown') return readIfThere(file);
  if (base.kind === 'absent') return null;
  if (base.kind === 'outside') return readIfThere(base.path);
  if (base.kind === 'folder') throw usageError(`${file} cannot be read: it is no file.`);
  return (await base.read()).toString('utf8');
}

/** The bytes that decide: those of the base where the change under review touches a file, those on disk otherwise. */
export function viewDeciding(root: string, ground: TrustedBase): TreeView {
  const disk = viewDisk(root);
  const touchedBelow = async (place: string) => {
    const own = await ground.placeOf(path.join(root, place));
    const start = own === '' ? '' : `${own}/`;
    return own === null
      ? []
      : ground.touched.filter(name => name.startsWith(start)).map(name => name.slice(start.length));
  };
  return {
    ...disk,
    async find(place) {
      const file = path.join(root, place);
      const touched = await ground.touchedOf(file);
      const base = touched && (await ground.baseFileOf(file));
      if (base) return base.kind === 'unknown' ? { kind: 'absent', touched } : { ...base, touched };
      const found = await disk.find(place);
      return found.kind === 'folder'
        ? {
            ...found,
            files: async () => [...(await found.files()), ...(await touchedBelow(place))],
          }
        : found;
    },
    namesIn: async place => [
      ...(await disk.namesIn(place)),
      ...firstNames(await touchedBelow(place)),
    ],
  };
}

/** Without a change, or with whole files to review, nothing is touched. */
export function createTrustedBase(subject: Subject | null, repository: GitRepository | null) {
  const change = subject?.kind === 'change' ? subject : null;
  const top = repository?.root ?? null;
  const root = !change || change.source === 'files' ? null : top;
  const touched =
    !change || root === null
      ? []
      : [
          ...new Set(
            change.files.flatMap(({ path: name, oldPath, status }) =>
              oldPath === null || status === 'copied' ? [name] : [name, oldPath],
            ),
          ),
        ];
  const touchedAt = indexPaths(touched);
  let base: Promise<string | null> | undefined;
  // A patch says nothing about what it stands on: the last commit is what its reader has.
  const find = async () =>
    change && repository
      ? (change.base ?? repository.resolve('HEAD').catch(ifUserError(null)))
      : null;
  const revision = () => (base ??= find());
  const viewOfBase = async () => {
    const id = await revision();
    return id === null || top === null || !repository ? null : viewRevision(top, repository, id);
  };
  const accepted = new Set<string>();
  return {
    /** What of a file, absolute, the change touches; null: nothing. */
    async touchedOf(file: string) {
      const place = await placeIn(root, file);
      if (place === null || root === null || accepted.has(place)) return null;
      const { trail } = await viewDisk(root).walk(place);
      if (trail.every(name => touchedAt(name).length === 0)) return null;
      const atBase = await (await viewOfBase())?.walk(place);
      return [...new Set([...trail, ...(atBase?.trail ?? [])].flatMap(touchedAt))];
    },
    /**
     * What the base has of a file, absolute, whether the change touches it or not: what lies in the checkout and nobody committed may
     * be anybody's. `unknown` where it lies in no repository, where nobody knows the base, and where it was accepted.
     */
    async baseFileOf(file: string): Promise<BaseFile> {
      const place = await placeIn(top, file);
      const view = place === null || accepted.has(place) ? null : await viewOfBase();
      return place === null || !view ? { kind: 'unknown' } : view.find(place);
    },
    /** Top of the repository, whatever is under review; null outside of one. */
    root: top,
    /** From now on these files, absolute, are what they are on disk: somebody has looked at exactly these bytes and allowed them. */
    async accept(files: readonly { readonly file: string }[]) {
      for (const { file } of files) {
        const place = await placeIn(top, file);
        if (place !== null) accepted.add(place);
      }
    },
    /** Paths of the repository that were accepted. */
    accepted: accepted as ReadonlySet<string>,
    /** The commit or tree that decides; null where nobody knows it. */
    revision,
    /** Paths that the change touches. */
    touched: touched as readonly string[],
    /** Those of them that are this path of the repository, lie in it or hold it. */
    touchedAt,
    /** Path of a file relative to the top of the repository, with slashes; null when it lies elsewhere, or nothing is under review. */
    placeOf: (file: string) => placeIn(root, file),
    /** A new private folder outside of every repository. */
    makeFolder: () =>
      repository?.makeFolder() ?? Promise.reject(new Error('Nothing is under review.')),
    /** Sentences about what was touched, each with the paths: each keeps the run from being proof. */
    gaps: new Map<string, readonly string[]>(),
    /** What a reviewer is asked through instead of what its seat says. */
    standIns: new Map<string, Pick<Seat, FileKey>>(),
  };
}

/**
 * What the change makes of its own judges, in one order, whoever was looked at first; then of files that programs obey, and what
 * lies elsewhere.
 */
export async function inspectChange(
  { gaps, accepted, revision }: TrustedBase,
  { subject, source }: { subject: Subject; source: SubjectRequest },
  repository: GitRepository,
  call: Call,
) {
  const own = [...gaps]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([sentence, touched]): Reason => ({
      rule: 'require-human',
      effect: 'INCOMPLETE',
      subject: touched.join(', '),
      sentence: `require-human: ${sentence}`,
    }));
  if (subject.kind !== 'change') return { gaps: own, told: [] };
  const linked = await namesOfChanged(subject, repository, revision);
  const isManifest = (name: string) => {
    const others = linked.names.get(name) ?? [];
    return [name, ...(others === 'many' ? [] : others)].some(isManifestWithScripts);
  };
  const manifests = await Promise.all(
    subject.files
      .filter(({ path: name }) => isManifest(name))
      .map(
        async file =>
          [
            file.path,
            {
              before: await repository.read(file, 'old'),
              after: await repository.read(file, 'new'),
            },
          ] as const,
      ),
  );
  const agentFiles = AgentFileRules.parse(
    JSON.parse(await readRegularFile(path.join(packageRoot, 'rules', 'agent-files.json'))),
  );
  const ask = (by: Asked['by']) =>
    reasonsToAsk(subject, {
      agentFiles,
      settled: new Set([...accepted, ...[...gaps.values()].flat()]),
      manifests: new Map(manifests),
      names: linked.names,
      by,
    });
  const strict = ask('others');
  // Few changes ask for a person, and git is asked for the sake of those alone.
  const { reasons, told } = strict.reasons.some(({ rule }) => rule === 'require-human')
    ? ask(await whoseWork(subject, source, { repository, agentFiles, call }))
    : strict;
  return { gaps: [...own, ...linked.unknown, ...reasons], told };
}

/** A terminal at which an agent or CI works is nobody's own. What comes by a pull request is its author's, whatever its commits say. */
async function whoseWork(
  change: Change,
  source: SubjectRequest,
  {
    repository,
    agentFiles: { updaters, unattended },
    call,
  }: { repository: GitRepository; agentFiles: AgentFileRules; call: Call },
) {
  const authors = await repository.authorsOf(change);
  if (!authors) return 'others';
  if (authors.length > 0 && authors.every(author => updaters.includes(author))) return 'update';
  const isPull = source.kind === 'change' && source.request.source === 'pull';
  if (isPull || !call.isAttended || unattended.some(name => call.environment[name]))
    return 'others';
  const own = authors.length === 0 ? null : await repository.addressOf(call);
  return authors.every(author => author === own) ? 'own' : 'others';
}

/**
 * By the links of the base and of the change: what a link led to until now is obeyed until the change is taken, and the other way
 * round.
 */
async function namesOfChanged(
  change: Change,
  { links, root }: GitRepository,
  revision: TrustedBase['revision'],
) {
  const names = new Map<string, readonly string[] | 'many'>();
  if (change.source === 'files' || root === null) return { names, unknown: [] };
  const paths = change.files.flatMap(({ path: name, oldPath }) => [name, oldPath ?? name]);
  try {
    for (const state of [await revision(), change.head]) {
      const found = state === null ? [] : await links(state);
      if (found.length === 0) continue;
      const byPath = await namesThrough(root, found, paths);
      for (const { path: name, oldPath } of change.files) {
        const all = [names.get(name), byPath.get(name), byPath.get(oldPath ?? name)];
        names.set(
          name,
          all.includes('many')
            ? 'many'
            : [...new Set(all.flatMap(some => (Array.isArray(some) ? some : [])))],
        );
      }
    }
    return { names, unknown: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const unknown: Reason = {
      rule: 'require-human',
      effect: 'INCOMPLETE',
      subject: 'links',
      sentence:
        'require-human: Whether a link makes a changed file one that programs obey cannot be said. ' +
        `${error.message} A person must look.`,
    };
    return { names, unknown: [unknown] };
  }
}

/**
 * Notes that the change touches files that decide, and what becomes of them: that keeps the run from being proof. Returns the sentence
 * about it.
 */
export function noteTouched(
  { gaps }: TrustedBase,
  touched: readonly string[],
  consequence: string,
) {
  const sentence = `The change touches ${nameAll(touched)}: ${consequence}.`;
  gaps.set(sentence, touched);
  return sentence;
}

/** That what decides lies otherwise in the working tree, without the change. Null: it does not, but for line ends, which git may set. */
export function sayUnused(name: string, here: string | null, base: string | null) {
  const how =
    base === null
      ? `here and not at the base: ${isIgnored}`
      : `not the same here as at the base: ${isThatOfTheBase}`;
  return here?.replaceAll('\r\n', '\n') === base?.replaceAll('\r\n', '\n')
    ? null
    : `${makeVisible(name)} is ${how}.`;
}

/** What becomes of most files that decide and that the change touches. */
export const isThatOfTheBase = 'its version at the base is used';
export const isIgnored = 'it is ignored';

function nameAll(touched: readonly string[]) {
  const [first = '', ...others] = touched;
  return others.length < 3
    ? touched.map(makeVisible).join(', ')
    : `${makeVisible(first)} and ${others.length} more`;
}
