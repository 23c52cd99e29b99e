/** Between the words of GitHub and those of the port. */
import { z } from 'zod';
import type { Annotation, CheckDraft, HostComment, PullFile } from '../../core/ports/code-host.ts';
import type { Hunk } from '../../core/words/change.ts';
import { BranchName, CommitId } from '../../core/words/pull-request.ts';
import type { HostedComment } from './host-queries.ts';

export const HostedPull = z.object({
  state: z.enum(['open', 'closed']),
  head: z.object({ sha: CommitId }),
  base: z.object({ sha: CommitId, ref: BranchName }),
});

export const HostedFile = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  status: z.string(),
  /** Absent for what is no text, and for what is too large. */
  patch: z.string().optional(),
});

export const HostedCheck = z.object({
  id: z.int(),
  external_id: z.string().nullish(),
  status: z.string(),
  output: z.object({ annotations_count: z.int() }).nullish(),
});

export const sides = { old: 'LEFT', new: 'RIGHT' } as const;

const statuses: Readonly<Record<string, PullFile['status']>> = {
  added: 'added',
  removed: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
};

export function toPullFile({
  filename,
  previous_filename: before,
  status,
  patch,
}: z.output<typeof HostedFile>): PullFile {
  return {
    path: filename,
    oldPath: status === 'renamed' ? (before ?? null) : null,
    status: statuses[status] ?? 'modified',
    hunks: patch === undefined ? [] : readHunks(patch),
  };
}

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/s;

function readHunks(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const line of patch.split('\n')) {
    const found = header.exec(line);
    if (found === null) hunks.at(-1)?.lines.push(line);
    else
      hunks.push({
        oldStart: Number(found[1]),
        oldLines: Number(found[2] ?? 1),
        newStart: Number(found[3]),
        newLines: Number(found[4] ?? 1),
        heading: found[5] ?? '',
        lines: [],
      });
  }
  return hunks;
}

export function toComment({
  fullDatabaseId,
  body,
  viewerDidAuthor,
  author,
  createdAt,
}: z.output<typeof HostedComment>): HostComment {
  return {
    id: fullDatabaseId,
    body,
    isOwn: viewerDidAuthor,
    // GraphQL tells the login of an App without its "[bot]", so that it may be that of a person.
    author: author?.__typename === 'User' ? author.login : null,
    at: createdAt,
  };
}

/** `annotations` are added to those that a check has. */
export function checkBody(
  { name, head, key, conclusion, title, summary }: CheckDraft,
  annotations: readonly Annotation[],
): object {
  return {
    name,
    head_sha: head,
    external_id: key,
    status: 'completed',
    conclusion,
    output: {
      title,
      summary,
      annotations: annotations.map(({ path, line, endLine, level, title: heading, message }) => ({
        path,
        start_line: line,
        end_line: endLine,
        annotation_level: level,
        title: heading,
        message,
      })),
    },
  };
}
