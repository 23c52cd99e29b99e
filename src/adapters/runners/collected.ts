/** Answers that lie in a folder already: what a caller's own agents wrote, given back once each. */
import { createHash } from 'node:crypto';
import type { Runner } from '../../core/ports/runner.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { toOneLine } from '../../core/text.ts';
import { failedAnswer, type LeftFile } from '../../core/words/answer.ts';
import { hashValue } from './fingerprint.ts';
import { decodeText } from './process-output.ts';
import { textAnswer } from './text-answer.ts';
import { estimateUsage } from '../../core/spending/usage.ts';

/** `folder` is named to people. An agent without a file is a failed review. */
export function createCollectedRunner(
  name: string,
  folder: string,
  files: readonly LeftFile[],
): Runner {
  const fileOf = (agent: string) => files.find(file => file.agent === agent);
  return {
    name,
    ask({ seat, attempt }) {
      const file = fileOf(seat.id);
      return Promise.resolve(
        attempt > 1
          ? failedAnswer('missing', 'It wrote one answer.')
          : file
            ? answerOf(file, seat)
            : failedAnswer('missing', `There is no ${seat.id}.md in ${folder}.`),
      );
    },
    fingerprint: ({ id }) => {
      const file = fileOf(id);
      return Promise.resolve(
        hashValue([
          'collected',
          file?.isPartial ?? null,
          file?.why ?? null,
          file?.bytes ? createHash('sha256').update(file.bytes).digest('hex') : null,
        ]),
      );
    },
  };
}

function answerOf(
  { name, agent, bytes, why, isPartial }: LeftFile,
  seat: Parameters<typeof estimateUsage>[0],
) {
  const file = toOneLine(name);
  if (!bytes)
    return failedAnswer('unopened', `${file} cannot be read: ${why ?? 'nobody knows why'}.`);
  const decoded = decodeText(Buffer.from(bytes));
  const usage = { ...estimateUsage(seat, '', decoded.text), calls: 0, cost: null };
  const other = otherAgentIn(decoded.text, agent);
  return other === null
    ? textAnswer(decoded, { stop: isPartial ? 'cut' : 'end', usage })
    : failedAnswer('misnamed', `${file} says that it is of ${makeVisible(other)}.`, {
        usage,
        transcript: decoded.text,
      });
}

/** The agent that the front matter names, where it is another one than the name of the file; `jury:a` and `A` are `a`. */
export function otherAgentIn(text: string, agent: string) {
  const front = /^\uFEFF?---\r?\n([\s\S]{0,4000}?)\n---\r?\n/.exec(text)?.[1] ?? '';
  const named = /^agent:[ \t]*["']?([^\s"']{1,200})/m.exec(front)?.[1];
  return named === undefined || bareName(named) === bareName(agent) ? null : named;
}

function bareName(name: string) {
  return (name.split(/[:/]/).at(-1) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}
