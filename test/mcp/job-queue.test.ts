import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/index.ts';
import { createJobQueue, type Done } from '../../src/mcp/tool.ts';

const never = (): Promise<Done> => new Promise(() => {});

/** A run that names itself and ends when it is told to. */
const obedient =
  (run: string) =>
  ({ signal, onEvent }: Pick<Call, 'signal' | 'onEvent'>): Promise<Done> => {
    onEvent?.({ type: 'run-start', run, folder: '/x', title: 't', reviewers: [] });
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('stopped'))),
    );
  };

describe('the queue', () => {
  it('goes on with at most eight runs', () => {
    const queue = createJobQueue();
    for (let n = 0; n < 8; n++) queue.start({ root: 'here', key: String(n), work: never });
    expect(() => queue.start({ root: 'here', key: 'one more', work: never })).toThrow(
      '8 runs are under way, which is the most at once.',
    );
  });

  it('joins the run under way that asks for the same, of the same root only', () => {
    const queue = createJobQueue();
    const first = queue.start({ root: 'here', key: 'k', work: never });
    expect(queue.start({ root: 'here', key: 'k', work: never })).toBe(first);
    expect(queue.start({ root: 'there', key: 'k', work: never })).not.toBe(first);
  });

  it('finds a run by its id, the beginning of only one, and latest', async () => {
    const queue = createJobQueue();
    const one = queue.start({ root: 'here', key: '1', work: obedient('20261122T010203Z-aaaaaa') });
    const two = queue.start({ root: 'here', key: '2', work: obedient('20261122T010203Z-bbbbbb') });
    await new Promise(setImmediate);
    expect(queue.find('here', '20261122T010203Z-a')).toBe(one);
    expect([
      queue.find('here', '20261122'),
      queue.find('here', ''),
      queue.find('there', 'latest'),
    ]).toEqual([null, null, null]);
    expect(queue.find('here', 'latest')).toBe(two);
  });

  it('ends every run when it closes, and remembers how each ended', async () => {
    const queue = createJobQueue();
    const job = queue.start({ root: 'here', key: '1', work: obedient('20261122T010203Z-aaaaaa') });
    await new Promise(setImmediate);
    await queue.close();
    expect(job.end).toMatchObject({ error: { message: 'stopped' } });
  });
});
