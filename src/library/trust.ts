/**
 * Who has allowed what a configuration wants. One that was found may seat the built-in analysers; that it may start programs, reach
 * hosts or read variables, somebody must have said who has seen exactly these bytes.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Grant, openGrants } from '../adapters/memory/allowed-records.ts';
import {
  checkConfiguration,
  configurationCandidates,
  type ConfigurationFile,
  findConfiguration,
  parseConfiguration,
  readIfThere,
} from '../adapters/configuration/read-configuration.ts';
import { findGitFolder } from '../adapters/git/git-folder.ts';
import type { GitRepository } from '../adapters/git/repository.ts';
import { sha256 } from '../core/hash.ts';
import { userStateFolder } from '../adapters/system/disk.ts';
import { ifUserError, usageError, UserError } from '../core/errors.ts';
import { type Demand, describeDemands } from '../core/safety/demands.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { type Call, withRepository } from './call.ts';
import { type TreeView, viewDisk, viewRevision } from './tree-view.ts';
import { type Manifest, manifestOf, projectOf } from './manifest.ts';
import {
  createTrustedBase,
  isIgnored,
  isThatOfTheBase,
  noteTouched,
  readTrusted,
  sayUnused,
  type TrustedBase,
  viewDeciding,
} from './trusted-base.ts';
import type { Subject } from '../core/words/change.ts';
import { Config } from '../core/words/config.ts';
import { runnerNames } from '../core/words/runner.ts';
import type { Configured } from './seat-reviewers.ts';

export interface TrustQuestion {
  readonly found: ConfigurationFile;
  readonly ground: TrustedBase;
  /** Names of the caller's own runners, which a configuration may seat. */
  readonly runners: readonly string[];
  readonly call: TrustingCall;
}

type TrustingCall = Pick<Call, 'cwd' | 'environment' | 'trustConfig'>;

/** Throws `UserError` (kind `usage`) that names the file, what it wants and the command that allows it. */
export async function refuseUnlessAllowed(question: TrustQuestion, demands: readonly Demand[]) {
  const { found, ground, runners, call } = question;
  const given = givenTrust(call);
  if (demands.length === 0 || given.anything) return;
  const root = await projectOf(found.file);
  const manifest = await manifestOf(found, viewDeciding(root, ground), runners);
  if (manifest.hash === given.hash) return;
  const grants = await (await grantsFor(found.file, call)).read();
  if (grants.some(grant => grant.kind === 'configuration' && grant.hash === manifest.hash)) return;
  const top = await realpath(root);
  for (const grant of grants)
    if (grant.kind === 'repository' && grant.root === top)
      if (await isOnDefaultBranch(grant, manifest, question)) return;
  throw await refusal(manifest, demands, question);
}

/** `hash`: allowed for this process; null when none is. Throws `UserError` for a variable that says neither. */
function givenTrust({ environment, trustConfig = false }: TrustingCall) {
  const value = environment.JURY_TRUST_CONFIG ?? '';
  if (value === '' || value === '1') return { anything: trustConfig || value === '1', hash: null };
  if (/^[0-9a-f]{64}$/.test(value)) return { anything: trustConfig, hash: value };
  throw usageError('JURY_TRUST_CONFIG is neither 1 nor a hash that "jury trust" shows.');
}

async function grantsFor(file: string, { environment }: TrustingCall) {
  const project = (await findGitFolder(path.dirname(file)))?.root ?? null;
  return openGrants(userStateFolder(environment), project);
}

/** A change of somebody else is on no default branch, whatever it is built upon. */
async function isOnDefaultBranch(
  { root, commit }: Extract<Grant, { kind: 'repository' }>,
  { file, hash }: Manifest,
  { ground, runners, call }: TrustQuestion,
) {
  return withRepository({ ...call, cwd: root }, async repository => {
    const tip = await tipOf(repository).catch(ifUserError(null));
    if (tip === null) return false;
    if ((await repository.mergeBase(commit, tip).catch(ifUserError(null))) !== commit) return false;
    const base = (await ground.revision()) ?? (await repository.resolve('HEAD'));
    const shared = await repository.mergeBase(base, tip).catch(ifUserError(null));
    for (const revision of shared === null ? [tip] : [shared, tip]) {
      const view = viewRevision(root, repository, revision);
      const there = await manifestIn(view, file, runners).catch(ifUserError(null));
      if (there?.hash === hash) return true;
    }
    return false;
  });
}

function tipOf(repository: GitRepository) {
  return repository.resolve('refs/remotes/origin/HEAD');
}

/** Throws `UserError` where the configuration is not there, or is no file. */
async function manifestIn(view: TreeView, file: string, runners: readonly string[]) {
  const place = await view.placeOf(file);
  const text = place === null ? null : await readTrusted(file, await view.find(place));
  if (text === null) throw usageError(`There is no configuration ${makeVisible(file)}.`);
  return manifestOf({ file, text }, view, runners);
}

async function refusal(
  manifest: Manifest,
  demands: readonly Demand[],
  { ground, runners, call }: TrustQuestion,
) {
  const root = await projectOf(manifest.file);
  const onDisk = await manifestIn(viewDisk(root), manifest.file, runners).catch(ifUserError(null));
  const base = onDisk?.hash === manifest.hash ? null : await ground.revision();
  const name = path.relative(call.cwd, manifest.file);
  const command = `jury trust ${asWord(name)}${base === null ? '' : ` --at ${base.slice(0, 12)}`}`;
  return new UserError(
    makeVisible(
      `${name} was found here and wants to ${describeDemands(demands)}, which nobody has allowed.`.replaceAll(
        /\s+/g,
        ' ',
      ),
    ),
    { kind: 'usage', code: 'not-allowed', hint: `To look at it and allow it: ${command}` },
  );
}

/** For a shell. Single quotes keep whatever a folder is called from being run. */
function asWord(file: string) {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(file)
    ? file
    : `'${makeVisible(file).replaceAll("'", String.raw`'\''`)}'`;
}

/** Of a configuration that somebody named and the base does not have. */
function broughtByChange(file: string) {
  return usageError(
    makeVisible(`The configuration ${file} comes with the change under review.`),
    `To look at it and allow it: jury trust ${asWord(file)}`,
  );
}

/** Absolute, with the links of its folder resolved and its own kept. */
async function realPlaceOf(file: string) {
  const folder = path.dirname(file);
  return path.join(await realpath(folder).catch(() => folder), path.basename(file));
}

// What a person asks for: to look at a configuration, to allow it, to see and take back what was allowed.

export interface TrustRequest {
  /** Path of a configuration; null: the one that is found upwards. */
  readonly file: string | null;
  /** Revision at which it and its files are looked at; null: on disk. */
  readonly at: string | null;
}

/** A configuration as somebody must see it before allowing it. */
export interface Examined extends Omit<Manifest, 'config'> {
  readonly isGranted: boolean;
}

/** Nothing is allowed by it. Throws `UserError` for a configuration that is missing or cannot be used. */
export async function examineConfiguration(
  { file: named, at }: TrustRequest,
  call: Call,
): Promise<Examined> {
  const file =
    named === null
      ? (await findConfiguration(call.cwd, null))?.file
      : path.resolve(call.cwd, named);
  if (file === undefined)
    throw usageError(
      'There is no configuration here.',
      'Name one: jury trust FILE. "jury init" writes one.',
    );
  const root = await projectOf(file);
  const runners = Object.keys(call.runners ?? {});
  const { config: _, ...manifest } =
    at === null
      ? await manifestIn(viewDisk(root), file, runners)
      : await withRepository({ ...call, cwd: root }, async repository =>
          manifestIn(viewRevision(root, repository, await repository.resolve(at)), file, runners),
        );
  const grants = await (await grantsFor(file, call)).read();
  return { ...manifest, isGranted: grants.some(({ id }) => id === manifest.hash) };
}

/** Exactly what was examined may do from now on what it wants; when a file of it changes, it is asked for again. */
export async function grantConfiguration(
  { file, hash, demands }: Pick<Examined, 'file' | 'hash' | 'demands'>,
  call: Call,
): Promise<Grant> {
  const grant: Grant = {
    schema: 'jury.grant/1',
    id: hash,
    granted: call.clock.now().toISOString(),
    kind: 'configuration',
    hash,
    file: await realPlaceOf(file),
    demands: demands.map(demand => describeDemands([demand])),
  };
  await (await grantsFor(file, call)).write(grant);
  return grant;
}

/** The repository of `cwd`, for what its remote's default branch holds now and later. Throws `UserError` where none is known. */
export async function grantRepository(call: Call): Promise<Grant> {
  return withRepository(call, async repository => {
    const { root } = repository;
    if (root === null) throw usageError('There is no repository here.');
    const commit = await tipOf(repository).catch((error: unknown) => {
      throw usageError(
        'This clone does not say which branch of origin is the default one.',
        'Let git look it up: git remote set-head origin --auto',
        error,
      );
    });
    const grant: Grant = {
      schema: 'jury.grant/1',
      id: sha256(root),
      granted: call.clock.now().toISOString(),
      kind: 'repository',
      root,
      commit,
    };
    await (await grantsFor(path.join(root, 'any'), call)).write(grant);
    return grant;
  });
}

export async function listGrants(call: Call) {
  return (await grantsFor(path.join(call.cwd, 'any'), call)).read();
}

/** By id or its beginning. Throws `UserError` where none, or more than one, is meant. */
export async function revokeGrant(wanted: string, call: Call) {
  const grants = await grantsFor(path.join(call.cwd, 'any'), call);
  const [id, other] = (await grants.names()).filter(each => each.startsWith(wanted));
  if (wanted === '' || id === undefined || other !== undefined)
    throw usageError(
      `${other === undefined || wanted === '' ? 'Nothing' : 'More than one thing'} that was allowed has the id ${makeVisible(wanted)}.`,
      'See "jury trust --list".',
    );
  await grants.remove(id);
  return id;
}

interface ConfigurationRequest {
  named?: string | null | undefined;
  /** Under review; default: none is. */
  subject?: Subject | null;
  repository?: GitRepository | null;
  /** What this call would make of a configuration: refused where it was found and nobody has allowed it. Default: nothing. */
  wants?: (config: Config) => readonly Demand[];
}

/**
 * The configuration of the caller. One that was merely found and that the change under review touches is that of the base of the
 * change, which must not choose its own judges: what it brings is not there, and what it takes away still is.
 */
export async function configure(
  call: Pick<Call, 'config' | 'runners' | 'signal'> & TrustingCall,
  { named: asked, subject = null, repository = null, wants = () => [] }: ConfigurationRequest = {},
): Promise<Configured> {
  const ground = createTrustedBase(subject, repository);
  const runners = ownRunners(call);
  const named = asked ?? (typeof call.config === 'string' ? call.config : null);
  if (call.config !== undefined && typeof call.config !== 'string' && named === null)
    return { config: checkConfiguration(call.config, runners), home: call.cwd, notes: [], ground };
  const finding = { ground, runners, call };
  const { decides, unused } =
    named === null
      ? await findTrusted(configurationCandidates(call.cwd), finding, () =>
          findConfiguration(call.cwd, null),
        )
      : await findTrustedNamed(path.resolve(call.cwd, named), finding, call.signal);
  const notes = [...ground.gaps.keys(), ...unused.map(each => each.unused)].map(
    sentence => `${sentence} To use it as it stands, look at it and allow it with "jury trust".`,
  );
  const allowing = async (each: ConfigurationFile) => {
    const config = await parseConfiguration(each, runners);
    if (named === null) await refuseUnlessAllowed({ ...finding, found: each }, wants(config));
    return config;
  };
  // Whoever has just written one is told how to allow it before others are asked in its place.
  for (const { file, here } of unused) if (here !== null) await allowing({ file, text: here });
  const config = decides ? await allowing(decides) : Config.parse({});
  return { config, home: decides ? path.dirname(decides.file) : call.cwd, notes, ground };
}

/** Their names. Throws `UserError` for one that would hide a built-in runner, whose answers are judged by what they are. */
function ownRunners({ runners = {} }: Pick<Call, 'runners'>) {
  const names = Object.keys(runners);
  const taken = names.find(name => runnerNames.some(known => known === name));
  if (taken !== undefined)
    throw usageError(`runners: "${taken}" is a built-in runner.`, 'Give yours another name.');
  return names;
}

type Finding = Omit<TrustQuestion, 'found'>;

/** Every place is looked at, also behind the one that counts: whatever the change touches is named. */
async function findTrusted(
  files: readonly string[],
  finding: Finding,
  onDisk: () => Promise<ConfigurationFile | null>,
) {
  const before = await lookAt(files, finding);
  const candidates = (await acceptAllowed(
    onDisk,
    before.some(({ text }) => text !== null),
    finding,
  ))
    ? await lookAt(files, finding)
    : before;
  const decides = candidates.findIndex(({ text }) => text !== null);
  for (const [index, { touched }] of candidates.entries())
    if (touched)
      noteTouched(
        finding.ground,
        touched,
        index === decides
          ? isThatOfTheBase
          : decides === -1 || index < decides
            ? isIgnored
            : 'another one is used',
      );
  const { file, text = null } = candidates[decides] ?? { file: '' };
  return {
    decides: text === null ? null : { file, text },
    unused: candidates.filter(({ unused }) => unused !== null),
  };
}

/** A person named it, but not what a change makes of it: inside the repository it is that of the base, as one that is found. */
async function findTrustedNamed(file: string, finding: Finding, signal: AbortSignal | undefined) {
  const { ground } = finding;
  const onDisk = () => findConfiguration('/', file, signal);
  const isInside = (await ground.placeOf(file)) !== null;
  const found = isInside ? await findTrusted([file], finding, onDisk) : null;
  if (found?.decides) return found;
  if (await ground.touchedOf(file)) throw broughtByChange(file);
  return { decides: await onDisk(), unused: [] };
}

/**
 * True: the very bytes on disk are what somebody allowed, and count as they stand although the base has them otherwise. Where
 * something else decided there (`displaces`), only what was allowed last for this very file takes its place: nobody must bring back
 * what was allowed once, or elsewhere. Whoever lets in anything does not mean what a change makes of it.
 */
async function acceptAllowed(
  onDisk: () => Promise<ConfigurationFile | null>,
  displaces: boolean,
  { ground, runners, call }: Finding,
) {
  const found = await onDisk().catch(ifUserError(null));
  if (!found) return false;
  const { file } = found;
  const { hash, anything } = givenTrust(call);
  const view = viewDisk(await projectOf(file));
  const manifest = await manifestOf(found, view, runners).catch(ifUserError(null));
  const place = await realPlaceOf(file);
  const counting = (await (await grantsFor(file, call)).read())
    .filter(grant => grant.kind === 'configuration' && (!displaces || grant.file === place))
    .slice(displaces ? -1 : 0);
  const isAllowed = [hash, ...counting.map(({ id }) => id)].includes(manifest?.hash ?? '');
  const named = isAllowed ? manifest?.files : anything && !(await ground.touchedOf(file)) && [];
  if (!named) return false;
  await ground.accept([found, ...named]);
  return true;
}

/** Of those behind the first that is there no text is read; null where one is not there. */
async function lookAt(files: readonly string[], { ground, call }: Finding) {
  const candidates = [];
  let isDecided = false;
  for (const file of files) {
    const touched = await ground.touchedOf(file);
    const base: string | null = isDecided
      ? null
      : await readTrusted(file, await ground.baseFileOf(file));
    const here = isDecided || touched ? base : await readIfThere(file);
    const unused = sayUnused(path.relative(call.cwd, file), here, base);
    candidates.push({ file, touched, text: unused === null ? here : base, here, unused });
    isDecided ||= base !== null;
  }
  return candidates;
}
