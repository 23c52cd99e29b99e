/** What every reader of a subject is given and gives back. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../adapters/git/repository.ts';
import { UserError, ifUserError, inputError, usageError } from '../core/errors.ts';
import { type Service, cloneAddress, serviceOf } from '../core/github/parcel.ts';
import { type ChangeRequest, CodeHostError } from '../core/ports/repository.ts';
import type { Runner } from '../core/ports/runner.ts';
import type { Process } from '../core/process.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import {
  type PullFacts,
  type PullRequest,
  readRemote,
  RepositoryName,
  type Subject,
  titleOfPull,
} from '../core/words/change.ts';
import type { ReviewerConfig } from '../core/words/config.ts';
import type { Persona } from '../core/words/persona.ts';
import type { Plan } from '../core/words/plan.ts';
import { type Call, noteTo, tokenOf } from './call.ts';

/** All that it takes to read a subject. */
export type PlannedSubject = Pick<Plan, 'subject' | 'prompt' | 'context'>;

/** Where a subject is read from. */
export interface SubjectSource {
  readonly process: Process;
  readonly repository: GitRepository;
  readonly call: Call;
}

export interface ReadSubject {
  readonly planned: PlannedSubject;
  /** With the files that are not reviewed. */
  readonly subject: Subject;
  /** A panel that has spoken already, in place of the configured one. */
  readonly spoken?: SpokenPanel;
}

interface SpokenPanel {
  reviewers: readonly ReviewerConfig[];
  /** Of each of them. */
  persona: Persona;
  /** Gives back what they said. */
  runner: Runner;
  /** What the caller should know of how they were found. One sentence each. */
  notes: readonly string[];
}

/** Its first line, cut. */
export function titleOf(prompt: string) {
  return prompt.trim().split('\n')[0]?.slice(0, longestTitle) ?? '';
}

const longestTitle = 100;

/** Words of a caller that may be a revision, paths, or a revision and the paths it is limited to. */
interface Words {
  /** Null: none, the last commit is meant. */
  range: string | null;
  paths: readonly string[];
  /** `range` is a revision and `paths` are paths, as behind `--`: nothing is guessed, and paths need not be there any more. */
  separated: boolean;
}

interface Place {
  repository: GitRepository;
  /** Absolute folder the caller stands in. */
  cwd: string;
  /** How the command begins, for hints. */
  command: string;
}

/** Throws `UserError` where a word may be either, and where one is neither. */
export async function changeMeantBy(
  { range, paths, separated }: Words,
  place: Place,
): Promise<ChangeRequest> {
  if (range === null)
    return paths.length === 0
      ? { source: 'revision', revision: 'HEAD' }
      : { source: 'files', patterns: paths };
  if (separated) return { source: 'revision', revision: range, ...limitedTo(paths) };
  const isRevision = await namesRevision(range, place);
  if (isRevision && !range.includes('..') && (await exists(range, place.cwd)))
    throw ambiguous(range, paths, place);
  if (paths.length === 0) return { source: 'revision', revision: range };
  if (!isRevision) return { source: 'files', patterns: [range, ...paths] };
  for (const [index, word] of paths.entries()) await checkPath(word, { index, range, place });
  return { source: 'revision', revision: range, ...limitedTo(paths) };
}

/** For a request that is limited to some paths. */
export function limitedTo(paths: readonly string[]): { readonly paths?: readonly string[] } {
  return paths.length === 0 ? {} : { paths };
}

/** Could the word be a path: one that is there, or a pattern? */
export async function mayBePath(word: string, cwd: string) {
  return isPattern(word) || (await exists(word, cwd));
}

/** As git takes them without `--`: what follows the revision is there, and the first of them is no revision besides. */
async function checkPath(
  word: string,
  { index, range, place }: { index: number; range: string; place: Place },
) {
  const isFound = await mayBePath(word, place.cwd);
  const isRevision = index === 0 && !isPattern(word) && (await namesRevision(word, place));
  if (isFound && !isRevision) return;
  const shown = makeVisible(word);
  if (isRevision && !isFound)
    throw usageError(
      `"${makeVisible(range)}" and "${shown}" are two revisions.`,
      `To compare them: ${place.command} ${`${range}..${word}`.replace(/(.+)\.\.\^(.+)/, '$2..$1').replace(/^\^/, '')}`,
    );
  throw new UserError(
    isRevision
      ? `"${shown}" is a revision and a path.`
      : `"${shown}" is neither a revision nor a path that is there.`,
    {
      kind: isRevision ? 'usage' : 'input',
      hint: `Put -- before paths: ${place.command} ${range} -- ${word}`,
    },
  );
}

function ambiguous(word: string, paths: readonly string[], { command }: Place) {
  const rest = paths.map(other => ` ${other}`).join('');
  return usageError(
    `"${makeVisible(word)}" is a revision and a path.`,
    `Say which with --: ${command} ${word} --${rest} for the revision, ${command} -- ${word}${rest} for the path.`,
  );
}

async function namesRevision(word: string, { repository }: Place) {
  if (word.includes('..'))
    return !word.includes('/../') && !word.startsWith('../') && word !== '..';
  return (await repository.resolve(word).catch(ifUserError(null))) !== null;
}

async function exists(word: string, cwd: string) {
  return (await lstat(path.resolve(cwd, word)).catch(() => null)) !== null;
}

/** A glob, or what git calls magic. */
function isPattern(word: string) {
  return word.startsWith(':') || /[*?[]/.test(word);
}

// Which pull request a number means, and how its commits are found: its repository, what GitHub says of it, where git fetches it.

/** Asks GitHub. Throws `UserError` where nobody knows which repository is meant, and for what GitHub refuses. */
export async function findPull(
  number: number,
  repository: GitRepository,
  call: Call,
): Promise<PullRequest> {
  const service = serviceOf(call.environment);
  const name = await repositoryNameOf(repository, service, call);
  const facts = await readPull({ repository: name, number }, call);
  noteClosed(facts, call);
  // A person who asks by hand is nearer to the change than a machine that does at every push.
  return requestOf(facts, service, { pack: null, isStranger: false });
}

/** As GitHub tells it now. Throws `UserError` for whatever is no answer. */
export async function readPull(pull: Pick<PullFacts, 'repository' | 'number'>, call: Call) {
  const { environment, signal } = call;
  const { createGithub } = await import('../adapters/github/code-host.ts');
  const host = await createGithub({
    repository: pull.repository,
    pull: pull.number,
    apiUrl: serviceOf(environment).api,
    token: tokenOf(call),
    clock: call.clock,
    signal,
    mostWaitMs: 0,
  });
  return host.readPull().catch((cause: unknown) => {
    if (!(cause instanceof CodeHostError)) throw cause;
    const message = `What ${titleOfPull(pull)} is, is not known. ${cause.message}`;
    throw inputError(message, ways[cause.code], cause);
  });
}

const ways = {
  auth: 'Set GITHUB_TOKEN (or GH_TOKEN) to one that is valid.',
  forbidden: 'The token needs the right to read pull requests.',
  'rate-limited': 'Try again later, or set GITHUB_TOKEN: more is answered to those who are known.',
  missing:
    'Look at the number, and at the name of the repository (GITHUB_REPOSITORY, or the remote origin). ' +
    'If it is private, set GITHUB_TOKEN (or GH_TOKEN).',
  refused: 'Try again later.',
  unreadable: 'Does GITHUB_API_URL name the API of GitHub?',
  provider: 'Try again later.',
  unreachable: 'Try again later.',
};

export function noteClosed(facts: PullFacts, call: Call) {
  if (!facts.isOpen) noteTo(call)(`${titleOfPull(facts)} is closed; it is reviewed all the same.`);
}

/** `pack`: absolute path of the file that holds its commits; null: they are fetched. */
export function requestOf(
  { repository, number, base, head }: PullFacts,
  service: Service,
  { pack, isStranger }: Pick<PullRequest, 'pack' | 'isStranger'>,
): PullRequest {
  return {
    source: 'pull',
    repository,
    number,
    url: cloneAddress(service, repository),
    base,
    head,
    pack,
    isStranger,
  };
}

/** `owner/name`: as GitHub Actions says it, else as the remote `origin` does. */
async function repositoryNameOf(
  repository: GitRepository,
  { server }: Service,
  { environment }: Call,
) {
  const set = environment.GITHUB_REPOSITORY?.trim() ?? '';
  if (set !== '') {
    const named = RepositoryName.safeParse(set);
    if (named.success) return named.data;
    throw usageError(`GITHUB_REPOSITORY: "${makeVisible(set)}" is not owner/name.`);
  }
  const address = await repository.originAddress();
  const remote = address === null ? null : readRemote(address);
  const host = new URL(server).hostname;
  // What lies in a folder of somebody else's must not choose who is sent the token.
  if (remote && (remote.host === host || remote.host === `ssh.${host}`)) return remote.repository;
  throw usageError(
    address === null
      ? 'In which repository --pr looks is not known: there is no remote origin.'
      : `The remote origin (${makeVisible(address.replace(/\/\/[^@/]*@/, '//'))}) names no repository at ${host}.`,
    'Set GITHUB_REPOSITORY to owner/name, and GITHUB_SERVER_URL for a server other than github.com.',
  );
}
