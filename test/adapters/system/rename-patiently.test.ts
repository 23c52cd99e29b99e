import { expect, it } from 'vitest';
import { renamePatiently } from '../../../src/adapters/system/disk.ts';

/** Fails with the codes, one after the other, then succeeds. */
function mover(...codes: readonly string[]) {
  const left = [...codes];
  const calls: string[] = [];
  return {
    calls,
    async move(from: string, to: string): Promise<void> {
      calls.push(`${from} ${to}`);
      const code = left.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    },
  };
}

it('Windows is asked again while somebody else has the file open', async () => {
  const { calls, move } = mover('EPERM', 'EBUSY', 'EACCES');
  await renamePatiently('a', 'b', { move, platform: 'win32' });
  expect(calls).toEqual(['a b', 'a b', 'a b', 'a b']);
});

it('any other refusal is final, and elsewhere every one is', async () => {
  const missing = mover('ENOENT');
  await expect(
    renamePatiently('a', 'b', { move: missing.move, platform: 'win32' }),
  ).rejects.toThrow('ENOENT');
  const forbidden = mover('EPERM');
  await expect(
    renamePatiently('a', 'b', { move: forbidden.move, platform: 'linux' }),
  ).rejects.toThrow('EPERM');
  expect([missing.calls.length, forbidden.calls.length]).toEqual([1, 1]);
});
