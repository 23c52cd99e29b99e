import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/index.ts';
import { createDesk, type Done } from '../../src/mcp/desk.ts';

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

describe('the desk', () => {
  it('goes on with at most eight runs', () => {
    const desk = createDesk();
    for (let n = 0; n < 8; n++) desk.start({ root: 'here', key: String(n), work: never });
    expect(() => desk.start({ root: 'here', key: 'one more', work: never })).toThrow(
      '8 runs are under way, which is the most at once.',
    );
  });

  it('joins the run under way that asks for the same, of the same root only', () => {
    const desk = createDesk();
    const first = desk.start({ root: 'here', key: 'k', work: never });
    expect(desk.start({ root: 'here', key: 'k', work: never })).toBe(first);
    expect(desk.start({ root: 'there', key: 'k', work: never })).not.toBe(first);
  });

  it('finds a run by its id, the beginning of only one, and latest', async () => {
    const desk = createDesk();
    const one = desk.start({ root: 'here', key: '1', work: obedient('20261122T010203Z-aaaaaa') });
    const two = desk.start({ root: 'here', key: '2', work: obedient('20261122T010203Z-bbbbbb') });
    await new Promise(setImmediate);
    expect(desk.find('here', '20261122T010203Z-a')).toBe(one);
    expect([
      desk.find('here', '20261122'),
      desk.find('here', ''),
      desk.find('there', 'latest'),
    ]).toEqual([null, null, null]);
    expect(desk.find('here', 'latest')).toBe(two);
  });

  it('ends every run when it closes, and remembers how each ended', async () => {
    const desk = createDesk();
    const job = desk.start({ root: 'here', key: '1', work: obedient('20261122T010203Z-aaaaaa') });
    await new Promise(setImmediate);
    await desk.close();
    expect(job.end).toMatchObject({ error: { message: 'stopped' } });
  });
});
