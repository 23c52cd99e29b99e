import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAttendance } from '../../../src/engine/review/open-tokens.ts';

describe('waiting for what others leave', () => {
  it('ends when somebody has finished, and is not begun where nobody else is at work', async () => {
    const ended: string[] = [];
    const attendance = openAttendance(reviewer => ended.push(reviewer));
    attendance.begin('a');
    expect(await attendance.whenMore('a')).toBe(false);
    attendance.begin('b');
    const waiting = attendance.whenMore('a');
    attendance.end('b');
    expect([await waiting, ended]).toEqual([true, ['b']]);
    expect(await attendance.whenMore('a')).toBe(false);
  });

  it('never locks a panel, however its reviewers wait for one another', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }),
        async (waits: readonly number[]) => {
          const attendance = openAttendance(() => {});
          const work = async (name: string, times: number) => {
            attendance.begin(name);
            for (let time = 0; time < times; time++) if (!(await attendance.whenMore(name))) break;
            attendance.end(name);
          };
          await Promise.all(waits.map((times, index) => work(`r${index}`, times)));
          expect(attendance.ended.size).toBe(waits.length);
        },
      ),
    ));
});
