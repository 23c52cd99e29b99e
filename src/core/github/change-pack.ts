/**
 * What a job without keys hands over of a stranger's pull request: its commits as data (`jury.pack/1`), a folder with `pack.json`
 * and `change.pack`. Whoever reads it believes nothing in it: which commit is meant is told by the event of the base, which pull
 * request that is by the API, and what the commit holds by the hashes of git.
 */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { CommitId, type PullFacts, PullNumber, RepositoryName } from '../words/pull-request.ts';

export const packNames = { manifest: 'pack.json', content: 'change.pack' } as const;

export const packLimits = { manifest: 65_536, content: 64 * 1024 * 1024 } as const;

export const ChangePack = z.strictObject({
  schema: z.literal('jury.pack/1'),
  repository: RepositoryName,
  pull: PullNumber,
  base: CommitId,
  head: CommitId,
  version: z.string().max(100),
  file: z.strictObject({
    // The one name there is, so that none leads elsewhere.
    name: z.literal(packNames.content),
    bytes: z.int().nonnegative().max(packLimits.content),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
});
export type ChangePack = z.infer<typeof ChangePack>;

export interface PackSource {
  readonly pull: PullFacts;
  readonly version: string;
  readonly content: { readonly bytes: number; readonly sha256: string };
}

/** Text of `pack.json`. */
export function makeManifest({ pull, version, content }: PackSource): string {
  const { repository, number, base, head } = pull;
  const pack: ChangePack = {
    schema: 'jury.pack/1',
    repository,
    pull: number,
    base,
    head,
    version,
    file: { name: packNames.content, ...content },
  };
  return `${JSON.stringify(pack, null, 2)}\n`;
}

export interface FoundPack {
  /** Every name in the folder. */
  readonly names: readonly string[];
  /** Null: missing, no plain file, or too long. */
  readonly manifest: string | null;
  readonly content: { readonly bytes: number; readonly sha256: string } | null;
}

/** What the event of the base says. */
export interface ExpectedPack {
  readonly repository: string;
  readonly head: string;
}

/** Throws `UserError` (kind `input`) for what is no pack of this commit. */
export function checkPack(
  { names, manifest, content }: FoundPack,
  expected: ExpectedPack,
): ChangePack {
  const known: readonly string[] = Object.values(packNames);
  if (names.some(name => !known.includes(name)))
    throw refuse('it holds files that are no part of one');
  if (manifest === null)
    throw refuse(
      `${packNames.manifest} is missing, no plain file, or longer than ${packLimits.manifest} bytes`,
    );
  const read = ChangePack.safeParse(parseJson(manifest));
  if (!read.success) throw refuse(`${packNames.manifest} is not what jury github pack writes`);
  const pack = read.data;
  if (pack.repository.toLowerCase() !== expected.repository.toLowerCase())
    throw refuse(`it is of ${pack.repository}, and the event of ${expected.repository}`);
  if (pack.head !== expected.head)
    throw refuse(`it is of commit ${pack.head}, and the event of ${expected.head}`);
  if (content === null)
    throw refuse(
      `${packNames.content} is missing, no plain file, or longer than ${packLimits.content / 1_048_576} MiB`,
    );
  if (content.bytes !== pack.file.bytes || content.sha256 !== pack.file.sha256)
    throw refuse(`${packNames.content} is not the file it was made with`);
  return pack;
}

/** The pull request that the API tells of must be the one of the event, whatever the pack says of itself. */
export function checkPull(
  pull: PullFacts,
  expected: ExpectedPack & { readonly headRepository: string | null },
): void {
  if (pull.repository.toLowerCase() !== expected.repository.toLowerCase())
    throw refuse(`pull request ${pull.number} is one of ${pull.repository}`);
  if (pull.head !== expected.head)
    throw refuse(
      `pull request ${pull.number} stands at ${pull.head}, and the event is of ${expected.head}: it was pushed to since, or is another one`,
    );
  const { headRepository } = expected;
  if (
    pull.from !== null &&
    headRepository !== null &&
    pull.from.toLowerCase() !== headRepository.toLowerCase()
  )
    throw refuse(
      `pull request ${pull.number} comes from ${pull.from}, and the event from ${headRepository}`,
    );
}

function refuse(why: string): UserError {
  return new UserError(`The packed change is refused: ${why}.`, { kind: 'input' });
}
