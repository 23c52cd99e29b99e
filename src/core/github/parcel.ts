/**
 * What one job of a workflow hands to another: a folder with a manifest and the files that it names, each with size and hash. Whoever
 * reads it believes nothing in it: repository and commit are told by the event of the base, which pull request that is by the API.
 */
import { z } from 'zod';
import { sha256 } from '../hash.ts';
import { inputError, usageError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { PrintedRun } from '../printed/reports.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { exitCodeOf, isFounded } from '../verdict/outcome.ts';
import {
  BranchName,
  CommitId,
  type PullFacts,
  PullNumber,
  RepositoryName,
  ToldPull,
  factsOfPull,
} from '../words/change.ts';
import { isOnLoopback } from '../words/isolation.ts';
import { Count, Flag, Text } from '../words/fields.ts';

interface ParcelKind {
  readonly title: string;
  readonly schema: Parcel['schema'];
  readonly manifest: string;
  /** Names of what it may hold; the first one is never missing. */
  readonly files: readonly [string, ...string[]];
}

/** `pack`: the commits of a stranger's pull request, from a job without keys. `handover`: what the review came to. */
export const parcels = {
  pack: {
    title: 'The packed change',
    schema: 'jury.pack/1',
    manifest: 'pack.json',
    files: ['change.pack'],
  },
  handover: {
    title: 'The handover',
    schema: 'jury.handover/1',
    manifest: 'handover.json',
    files: ['report.json', 'report.sarif'],
  },
} as const;

const Parcel = z.strictObject({
  schema: z.enum(['jury.pack/1', 'jury.handover/1']),
  repository: RepositoryName,
  pull: PullNumber,
  /** The branch that it asked to be merged into. */
  branch: BranchName,
  /** The tip of that branch then, not where the branches meet. */
  base: CommitId,
  head: CommitId,
  isFork: Flag,
  version: Text.max(100),
  /** ISO time. */
  created: z.iso.datetime(),
  files: z.array(
    z.strictObject({
      name: Text,
      bytes: Count,
      sha256: Text.regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
type Parcel = z.infer<typeof Parcel>;

type Files = ReadonlyMap<string, Uint8Array>;

interface Sealing extends Pick<Parcel, 'version' | 'created'> {
  readonly pull: PullFacts;
}

/** The files of the folder, in the order in which they are to be written: the manifest last, so that half a folder is none. */
export function sealParcel(
  { schema, manifest }: ParcelKind,
  files: Files,
  { pull, version, created }: Sealing,
): Files {
  const { repository, number, branch, base, head, isFork } = pull;
  const parcel: Parcel = {
    schema,
    repository,
    pull: number,
    branch,
    base,
    head,
    isFork,
    version,
    created,
    files: [...files].map(([name, bytes]) => ({
      name,
      bytes: bytes.length,
      sha256: sha256(bytes),
    })),
  };
  const text = `${JSON.stringify(Parcel.parse(parcel), null, 2)}\n`;
  return new Map([...files, [manifest, new TextEncoder().encode(text)]]);
}

/** Bytes of a file of a parcel, at most. */
export function mostBytesOf(name: string, { manifest }: ParcelKind) {
  return name === manifest ? 65_536 : 67_108_864;
}

interface FoundParcel {
  /** Every name in the folder. */
  readonly names: readonly string[];
  /** Those that are known by name, plain files and not too long. */
  readonly files: Files;
}

/** What the reader knows from the host, never from the folder. */
interface ExpectedParcel {
  readonly repository: string;
  readonly head: string;
}

/** Throws `UserError` (kind `input`) for what is no such parcel of this commit. What it quotes of the folder has passed a pattern. */
export function openParcel(
  kind: ParcelKind,
  { names, files }: FoundParcel,
  expected: ExpectedParcel,
) {
  const known = new Set([kind.manifest, ...kind.files]);
  if (names.some(name => !known.has(name)))
    throw refuseParcel(kind, 'it holds files that are no part of one');
  const find = (name: string) => {
    const bytes = files.get(name);
    if (bytes) return bytes;
    const why = `${name} is missing, no plain file, or longer than ${mostBytesOf(name, kind)} bytes`;
    throw refuseParcel(kind, why);
  };
  const parcel = Parcel.safeParse(parseJson(new TextDecoder().decode(find(kind.manifest)))).data;
  const told = parcel?.files.map(({ name }) => name) ?? [];
  if (parcel?.schema !== kind.schema || told.some(name => !known.has(name)))
    throw refuseParcel(kind, `${kind.manifest} is not what this version of Jury writes`);
  if (parcel.repository.toLowerCase() !== expected.repository.toLowerCase())
    throw refuseParcel(kind, `it is of ${parcel.repository}, not of ${expected.repository}`);
  if (parcel.head !== expected.head)
    throw refuseParcel(kind, `it is of commit ${parcel.head}, not of ${expected.head}`);
  for (const name of [kind.files[0], ...files.keys()])
    if (name !== kind.manifest && !told.includes(name))
      throw refuseParcel(kind, `${name} is not named in ${kind.manifest}`);
  for (const { name, bytes, sha256: digest } of parcel.files)
    if (find(name).length !== bytes || sha256(find(name)) !== digest)
      throw refuseParcel(kind, `${name} is not the file that it was made with`);
  return parcel;
}

function refuseParcel({ title }: ParcelKind, why: string) {
  return inputError(`${title} is refused: ${why}.`);
}

// What the job that reviews hands to the job that publishes: the run as `--format json` prints it and as SARIF. The one who reads
// it has a token that writes and trusts nothing in it: the outcome must be the one that its reasons come to.

/** Every text in its record is untrusted. */
export type Handover = ReturnType<typeof openHandover>;

/** Throws `UserError` (kind `input`) for what is no handover of this commit of this pull request. */
export function openHandover(
  found: FoundParcel,
  expected: ExpectedParcel & { readonly pull: number },
) {
  const kind = parcels.handover;
  const parcel = openParcel(kind, found, expected);
  const { pull, head } = parcel;
  if (pull !== expected.pull)
    throw refuseParcel(kind, `it is of pull request ${pull}, not of ${expected.pull}`);
  const [report = '', sarif = null] = kind.files.map(name => {
    const bytes = found.files.get(name);
    return bytes && new TextDecoder().decode(bytes);
  });
  const record = PrintedRun.safeParse(parseJson(report)).data;
  if (!record) throw refuseParcel(kind, 'its report is none that this version of Jury prints');
  if (![null, head].includes(record.subject.head))
    throw refuseParcel(kind, 'its report is of another commit');
  const { outcome, exitCode } = record;
  // 130: it was interrupted, which no outcome has.
  if (!isFounded(record) || (exitCode !== exitCodeOf(outcome) && exitCode !== 130))
    throw refuseParcel(kind, 'the outcome of its report is not what its reasons come to');
  return { parcel, record, sarif };
}

/** The pull request that the API tells of must be the one of the event, whatever the pack says of itself. */
export function checkPull(
  { number, repository, head, from }: PullFacts,
  expected: ExpectedParcel & { readonly headRepository: string | null },
) {
  const pull = `pull request ${number}`;
  const why = isOther(repository, expected.repository)
    ? `${pull} is one of ${repository}`
    : head !== expected.head
      ? `${pull} stands at ${head}, and the event is of ${expected.head}: it was pushed to since, or is another one`
      : isOther(from, expected.headRepository)
        ? `${pull} comes from ${from}, and the event from ${expected.headRepository}`
        : null;
  if (why !== null) throw refuseParcel(parcels.pack, why);
}

function isOther(one: string | null, other: string | null) {
  return one !== null && other !== null && one.toLowerCase() !== other.toLowerCase();
}

// Where GitHub is: github.com, or the server that the environment names, as GitHub Actions sets it.

/** Without a slash at the end: `https://github.com`, `https://api.github.com`. */
export type Service = ReturnType<typeof serviceOf>;

/** Throws `UserError` (kind `usage`) for an address that no token may be sent to. */
export function serviceOf({
  GITHUB_SERVER_URL,
  GITHUB_API_URL,
}: Readonly<Record<string, string | undefined>>) {
  const api = addressOf('GITHUB_API_URL', GITHUB_API_URL);
  const ofCloud = cloudApi.exec(api ?? '')?.[1];
  const server =
    addressOf('GITHUB_SERVER_URL', GITHUB_SERVER_URL) ??
    (api === null
      ? 'https://github.com'
      : (ofCloud && `https://${ofCloud}`) || new URL(api).origin);
  return {
    server,
    api:
      api ?? (cloud.test(server) ? server.replace('https://', 'https://api.') : `${server}/api/v3`),
  };
}

/** github.com, and the subdomains of ghe.com where companies keep their data, have the API at a host of its own. */
const cloud = /^https:\/\/(?:github\.com|[\w-]+\.ghe\.com)$/;
const cloudApi = /^https:\/\/api\.(github\.com|[\w-]+\.ghe\.com)$/;

/** Null where nothing is set. */
function addressOf(name: string, text: string | undefined) {
  if (text === undefined || text.trim() === '') return null;
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isOnLoopback(url.href));
  if (url && isSafe && url.username === '' && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '');
  throw usageError(
    `${name}: "${makeVisible(text)}" is no address by https.`,
    'Set it as GitHub Actions does, such as https://github.example.org/api/v3.',
  );
}

/** Where git finds a repository of the service. */
export function cloneAddress({ server }: Service, repository: string) {
  return `${server}/${repository}.git`;
}

// What GitHub tells a workflow of the event that began it, as far as Jury believes it: ids, numbers, names; no words of anybody.

const Named = z.object({ full_name: RepositoryName });

const PullEvent = z.object({ pull_request: ToldPull, repository: Named });

const WorkflowRunEvent = z.object({
  workflow_run: z.object({
    event: Text.max(100),
    head_sha: CommitId,
    /** Null where the fork is gone. */
    head_repository: Named.nullable(),
  }),
  repository: Named,
});

export type WorkflowEvent =
  | { readonly kind: 'pull_request'; readonly pull: PullFacts }
  /** Another workflow has ended, which ran for this commit. Which pull request that is of, the event does not say for a fork. */
  | {
      readonly kind: 'workflow_run';
      readonly repository: string;
      readonly head: string;
      readonly headRepository: string | null;
    };

interface EventSource {
  /** `GITHUB_EVENT_NAME` */
  readonly name: string | undefined;
  /** `GITHUB_REPOSITORY` */
  readonly repository: string | undefined;
  /** What stands in the file `GITHUB_EVENT_PATH`. */
  readonly text: string;
}

/** Throws `UserError` for an event of another kind, and for one that is not what GitHub would write. */
export function readEvent({ name, repository, text }: EventSource): WorkflowEvent {
  const value = parseJson(text);
  if (name === 'pull_request') {
    const read = PullEvent.safeParse(value);
    if (
      !read.success ||
      read.data.pull_request.base.repo.full_name !== read.data.repository.full_name
    )
      throw unreadable(name);
    checkRepository(read.data.repository.full_name, repository);
    return { kind: 'pull_request', pull: factsOfPull(read.data.pull_request) };
  }
  if (name === 'workflow_run') {
    const read = WorkflowRunEvent.safeParse(value);
    if (!read.success) throw unreadable(name);
    const { workflow_run: run, repository: own } = read.data;
    checkRepository(own.full_name, repository);
    if (run.event !== 'pull_request')
      throw inputError(
        `The workflow that ended ran for the event "${makeVisible(run.event)}", not for a pull request.`,
        "Begin the job only where github.event.workflow_run.event == 'pull_request'.",
      );
    return {
      kind: 'workflow_run',
      repository: own.full_name,
      head: run.head_sha,
      headRepository: run.head_repository?.full_name ?? null,
    };
  }
  if (name === undefined || name === '')
    throw usageError(
      'No event of a workflow is known (GITHUB_EVENT_NAME).',
      'Outside of GitHub Actions use jury review --pr N.',
    );
  throw usageError(
    `The event "${makeVisible(name)}" is none that a pull request is reviewed for.`,
    name === 'pull_request_target'
      ? 'It has the rights of the base over what anybody wrote: take pull_request, and workflow_run for forks.'
      : 'Take pull_request, and workflow_run for forks.',
  );
}

function unreadable(name: string) {
  return inputError(`The file GITHUB_EVENT_PATH is no event "${name}" of GitHub.`);
}

/** Both come from the machine that runs the job; where they differ, one was set by somebody else. */
function checkRepository(told: string, set: string | undefined) {
  if (set === undefined || set === '' || set.toLowerCase() === told.toLowerCase()) return;
  throw inputError(`The event is of ${told}, and GITHUB_REPOSITORY is ${makeVisible(set)}.`);
}
