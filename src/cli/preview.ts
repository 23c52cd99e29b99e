/** The dry run as a person wants to read it. */
import { makeVisible } from '../core/safety/visible-text.ts';
import type { Preview } from '../index.ts';

export function renderPreview({ title, reviewers, excluded, quorum, masked }: Preview): string {
  return [
    'DRY RUN: nobody was asked.',
    `Subject: ${makeVisible(title)}`,
    `Panel: ${reviewers.length} reviewers, quorum ${quorum}`,
    ...reviewers.flatMap(reviewer => [
      `  ${reviewer.id}${reviewer.required ? ' (required)' : ''}: ${[reviewer.runner, reviewer.model, reviewer.baseUrl].filter(part => part !== null).join(' ')}, persona ${reviewer.persona}, ${describeSize(reviewer)}, timeout ${reviewer.timeoutSeconds}s`,
      ...reviewer.skipped.map(path => `    not sent: ${makeVisible(path)}`),
    ]),
    ...(excluded.length > 0 ? [`Excluded: ${excluded.map(makeVisible).join(', ')}`] : []),
    ...(masked > 0 ? [`Secrets masked: ${masked}`] : []),
    ...promptOf(reviewers),
  ].join('\n');
}

function describeSize({ files, bytes }: Preview['reviewers'][number]): string {
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return bytes === 0 ? `${count}, read on this machine` : `${count}, ${bytes} bytes`;
}

/** One prompt stands for all: they differ in what does not fit, which is listed above. */
function promptOf(reviewers: Preview['reviewers']): string[] {
  const asked = reviewers.find(({ bytes }) => bytes > 0) ?? reviewers[0];
  return asked ? ['', `Prompt of ${asked.id}:`, '', asked.prompt] : [];
}
