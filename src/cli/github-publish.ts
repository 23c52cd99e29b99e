/** `jury github publish`: writes what another job reviewed into its pull request. */
import { flag, word } from '../core/flags.ts';
import { z } from 'zod';
import { CommitId, PullNumber, RepositoryName } from '../core/words/pull-request.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { programExits, sayOutcome } from '../core/verdict/outcome.ts';
import { createJury, type Published } from '../index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './terminal.ts';

export const publish = defineCommand({
  summary: 'Write what was reviewed into its pull request: a check, a summary, comments at lines',
  flags: z.strictObject({
    handover: z
      .string({ error: 'Say which folder the review left' })
      .min(1)
      .describe('Folder that jury github review left')
      .meta({ value: 'DIR' }),
    repository: RepositoryName.describe('Repository of the pull request').meta({
      value: 'OWNER/NAME',
    }),
    pull: PullNumber.describe('Number of the pull request').meta({ value: 'N' }),
    sha: CommitId.describe('Full id of its head, as the event of the host tells it').meta({
      value: 'SHA',
    }),
    sarif: flag('Upload the SARIF file to code scanning as well'),
    decisions: word(
      'FILE',
      'Write what people decided in replies to this file, in the form of jury.baseline.json',
    ),
    dryRun: flag('Look, and tell what would be done'),
  }),
  epilogue: `The token is read from GITHUB_TOKEN or GH_TOKEN: checks: write and pull-requests: write; contents: write to resolve threads,
security-events: write for --sarif. Of a run that is published already nothing is written twice.

Exits with 0 when all is published or the pull request is closed, and with 2 when nothing is, or only a part.`,
  async run({ sha, dryRun, decisions, ...request }, terminal) {
    const published = await createJury(callOf(terminal)).publish({
      ...request,
      head: sha,
      dryRun,
      decisions: decisions ?? null,
    });
    terminal.write(describePublished(published));
    return isDone(published) ? 0 : programExits.unusableInput;
  },
});

function isDone({ status, why }: Published): boolean {
  return status === 'published' || status === 'planned' || why === 'closed';
}

function describePublished(published: Published): string {
  const { sentence, record, posted, updated, resolved, reopened, removed, kept } = published;
  const { beyond, deleted, decisions, calls, notes, troubles } = published;
  const counts = [
    `posted ${posted}`,
    `updated ${updated}`,
    `resolved ${resolved}`,
    ...(reopened > 0 ? [`opened again ${reopened}`] : []),
    `kept ${kept}`,
    `repeated ${removed}`,
    `calls ${calls}`,
  ];
  return [
    `${record === null ? '' : `${sayOutcome(record)}. `}${sentence}`,
    counts.join(', '),
    ...(beyond > 0 ? [`${beyond} more would have a line; they stand in the summary.`] : []),
    ...(deleted > 0 ? [`${deleted} whose comment somebody deleted: not posted again.`] : []),
    ...(decisions.length > 0 ? [`${decisions.length} decided in replies.`] : []),
    ...[...troubles, ...notes].slice(0, 9),
  ]
    .map(makeVisible)
    .join('\n');
}
