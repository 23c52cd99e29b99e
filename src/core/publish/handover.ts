/**
 * What the job that reviews hands to the job that publishes: a folder with `handover.json` (`jury.handover/1`), the run as
 * `--format json` prints it and as SARIF. The one who reads it has a token that writes and trusts nothing in it: every file is held
 * to its hash, and the whole to the pull request that the reader was told of by the host.
 */
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { PrintedRun } from '../printed/reports.ts';
import { bytesOf } from '../text.ts';
import { exitCodeOf, outcomeOf } from '../verdict/outcome.ts';
import type { PrintedRecord } from '../words/run.ts';
import { BranchName, CommitId, PullNumber, RepositoryName } from '../words/pull-request.ts';

/** The files beside `handover.json`, by what they hold. */
const handoverFiles = { report: 'report.json', sarif: 'report.sarif' } as const;
const handoverName = 'handover.json';

/** Bytes of UTF-8. A folder that holds more is not read. */
export const handoverLimits = {
  [handoverName]: 65_536,
  [handoverFiles.report]: 67_108_864,
  [handoverFiles.sarif]: 67_108_864,
} as const satisfies Record<string, number>;

export type HandoverFileName = keyof typeof handoverLimits;

/** What the review was told to look at. `base` is the tip of the base branch then, not where the branches meet. */
const HandoverFacts = z.object({
  repository: RepositoryName,
  pull: PullNumber,
  /** The branch that it asked to be merged into. */
  branch: BranchName,
  head: CommitId,
  base: CommitId,
  /** True where the head lies in another repository. */
  isFork: z.boolean(),
});
type HandoverFacts = z.infer<typeof HandoverFacts>;

const Handover = HandoverFacts.extend({
  schema: z.literal('jury.handover/1'),
  run: z.string().max(200),
  version: z.string().max(100),
  /** ISO time. */
  created: z.iso.datetime(),
  files: z
    .array(
      z.object({
        name: z.enum([handoverFiles.report, handoverFiles.sarif]),
        bytes: z.int().nonnegative(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(2),
});
type Handover = z.infer<typeof Handover>;

export interface HandoverSource extends HandoverFacts {
  /** ISO time. */
  readonly created: string;
  /** As `--format json` prints it. */
  readonly report: string;
  /** As `--format sarif` prints it; null where none is wanted. */
  readonly sarif: string | null;
  readonly record: Pick<PrintedRecord, 'run' | 'version'>;
  /** SHA-256 of a text in UTF-8, in hex. */
  readonly hash: (text: string) => string;
}

/** The files of the folder, in the order in which they are to be written: `handover.json` last, so that half a folder is none. */
export function makeHandover({
  report,
  sarif,
  record,
  hash,
  ...facts
}: HandoverSource): ReadonlyMap<HandoverFileName, string> {
  const held = new Map<HandoverFileName, string>([[handoverFiles.report, report]]);
  if (sarif !== null) held.set(handoverFiles.sarif, sarif);
  const handover = Handover.parse({
    ...facts,
    schema: 'jury.handover/1',
    run: record.run,
    version: record.version,
    files: [...held].map(([name, text]) => ({ name, bytes: bytesOf(text), sha256: hash(text) })),
  });
  return new Map([...held, [handoverName, `${JSON.stringify(handover, null, 2)}\n`]]);
}

/** What the reader knows from the host or from its caller, never from the folder. */
export interface Expected {
  readonly repository: string;
  readonly pull: number;
  /** Full commit id. */
  readonly head: string;
}

export interface HandoverFolder {
  /** Every name in the folder, whatever it is. */
  readonly names: readonly string[];
  /** Texts of the files that are known by name; one that is missing is missing here. */
  readonly texts: ReadonlyMap<HandoverFileName, string>;
}

export interface CheckedHandover {
  readonly status: 'checked';
  readonly handover: Handover;
  /** Its outcome is the one that its reasons come to. Every text in it is untrusted. */
  readonly record: PrintedRecord;
  readonly sarif: string | null;
}

export interface RefusedHandover {
  readonly status: 'refused';
  /**
   * `missing`, `unknown-file`, `too-large`, `unreadable`, `version`, `damaged`: the folder itself. `other-repository`, `other-pull`,
   * `moved` (another head), `other-run`: it is about something else.
   */
  readonly code: RefusalCode;
  /** One sentence. What it quotes of the folder has passed a pattern. */
  readonly sentence: string;
}

type RefusalCode =
  | 'missing'
  | 'unknown-file'
  | 'too-large'
  | 'unreadable'
  | 'version'
  | 'damaged'
  | 'other-repository'
  | 'other-pull'
  | 'moved'
  | 'other-run';

/** `hash`: SHA-256 of a text in UTF-8, in hex. Never throws over what the folder holds. */
export function checkHandover(
  { names, texts }: HandoverFolder,
  expected: Expected,
  hash: (text: string) => string,
): CheckedHandover | RefusedHandover {
  if (names.some(name => !Object.hasOwn(handoverLimits, name)))
    return refuse('unknown-file', 'The handover holds files that are no part of one');
  for (const [name, text] of texts)
    if (bytesOf(text) > handoverLimits[name])
      return refuse('too-large', `${name} is larger than ${handoverLimits[name]} bytes`);
  const text = texts.get(handoverName);
  if (text === undefined) return refuse('missing', `The handover holds no ${handoverName}`);

  const handover = readHandover(text);
  if ('status' in handover) return handover;
  const other = compareWith(handover, expected);
  if (other !== null) return other;
  for (const { name, bytes, sha256 } of handover.files) {
    const held = texts.get(name);
    if (held === undefined) return refuse('missing', `The handover holds no ${name}`);
    if (bytesOf(held) !== bytes || hash(held) !== sha256)
      return refuse('damaged', `${name} is not the file that the handover was made with`);
  }
  const named = new Set<string>(handover.files.map(({ name }) => name));
  const strange = [...texts.keys()].find(name => name !== handoverName && !named.has(name));
  if (strange !== undefined)
    return refuse('unknown-file', `${strange} is not named in ${handoverName}`);

  const record = readReport(
    named.has(handoverFiles.report) ? texts.get(handoverFiles.report) : undefined,
  );
  if ('status' in record) return record;
  if (record.run !== handover.run || ![null, handover.head].includes(record.subject.head))
    return refuse('other-run', 'The report is of another run or of another commit');
  return { status: 'checked', handover, record, sarif: texts.get(handoverFiles.sarif) ?? null };
}

function readHandover(text: string): Handover | RefusedHandover {
  const value = parseJson(text);
  const schema = z.looseObject({ schema: z.string() }).safeParse(value);
  if (schema.success && schema.data.schema !== 'jury.handover/1')
    return refuse('version', 'The handover was written by another version of Jury');
  const checked = Handover.safeParse(value);
  return checked.success ? checked.data : refuse('unreadable', `${handoverName} is no handover`);
}

function compareWith(handover: Handover, expected: Expected): RefusedHandover | null {
  const { repository, pull, head } = handover;
  // GitHub's names do not tell capitals apart.
  if (repository.toLowerCase() !== expected.repository.toLowerCase())
    return refuse(
      'other-repository',
      `The handover is of ${repository}, not of ${expected.repository}`,
    );
  if (pull !== expected.pull)
    return refuse('other-pull', `The handover is of pull request ${pull}, not of ${expected.pull}`);
  if (head !== expected.head)
    return refuse('moved', `The handover is of commit ${head}, not of ${expected.head}`);
  return null;
}

function readReport(text: string | undefined): PrintedRecord | RefusedHandover {
  if (text === undefined) return refuse('missing', `The handover holds no ${handoverFiles.report}`);
  const value = parseJson(text);
  const schema = z.looseObject({ schema: z.string() }).safeParse(value);
  if (schema.success && schema.data.schema !== 'jury.run/1')
    return refuse('version', 'The report was written by another version of Jury');
  const checked = PrintedRun.safeParse(value);
  if (!checked.success)
    return refuse('unreadable', `${handoverFiles.report} is no report of a run`);
  const { outcome, reasons, exitCode } = checked.data;
  const isPlain = outcome === null && reasons.length === 0;
  // 130: it was interrupted, which no outcome has.
  const isConsistent =
    (isPlain || outcome === outcomeOf(reasons)) &&
    (exitCode === exitCodeOf(outcome) || exitCode === 130);
  return isConsistent
    ? checked.data
    : refuse('damaged', 'The outcome of the report is not what its reasons come to');
}

const OwnSarif = z.object({
  version: z.literal('2.1.0'),
  runs: z
    .array(z.object({ tool: z.object({ driver: z.object({ name: z.literal('Jury') }) }) }))
    .length(1),
});

/** Under the name of another tool it would close the alerts of that one. */
export function isOwnSarif(text: string): boolean {
  return OwnSarif.safeParse(parseJson(text)).success;
}

function refuse(code: RefusalCode, sentence: string): RefusedHandover {
  return { status: 'refused', code, sentence: `${sentence}.` };
}
