/** Answers that lie in a folder already: what a caller's own agents wrote, given back once each. */
import type { Answer, Runner } from '../../core/ports.ts';
import { failedAnswer, type LeftFile } from '../../core/words/answer.ts';
import { hashValue } from './fingerprint.ts';
import { decodeText } from './process-output.ts';
import { answerLimit, textAnswer } from './text-answer.ts';
import { estimateUsage } from './usage.ts';

/** `folder` is named to people. An agent without a file is a failed review. */
export function createCollectedRunner(
  name: string,
  folder: string,
  files: readonly LeftFile[],
): Runner {
  const fileOf = (agent: string): LeftFile | undefined => files.find(file => file.agent === agent);
  return {
    name,
    ask({ seat, attempt }) {
      const file = fileOf(seat.id);
      return Promise.resolve(
        attempt > 1
          ? failedAnswer('missing', 'It wrote one answer.')
          : file === undefined
            ? failedAnswer('missing', `There is no ${seat.id}.md in ${folder}.`)
            : answerOf(file, seat),
      );
    },
    fingerprint: ({ id }) => {
      const file = fileOf(id);
      return Promise.resolve(
        hashValue([
          'collected',
          file?.isPartial ?? null,
          file?.why ?? null,
          file?.bytes === undefined || file.bytes === null
            ? null
            : Buffer.from(file.bytes).toString('base64'),
        ]),
      );
    },
  };
}

function answerOf(
  { agent, bytes, why, isPartial }: LeftFile,
  seat: Parameters<typeof estimateUsage>[0],
): Answer {
  if (bytes === null)
    return failedAnswer('missing', `${agent}.md cannot be read: ${why ?? 'nobody knows why'}.`);
  if (bytes.length > answerLimit)
    return failedAnswer('flood', `${agent}.md exceeds ${answerLimit} bytes.`);
  const decoded = decodeText(Buffer.from(bytes));
  return textAnswer(decoded, {
    stop: isPartial ? 'cut' : 'end',
    usage: { ...estimateUsage(seat, '', decoded.text), calls: 0, cost: null },
  });
}
