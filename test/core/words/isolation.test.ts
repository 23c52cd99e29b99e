import { describe, expect, it } from 'vitest';
import {
  grantIsolation,
  leastIsolation,
  requireAtLeast,
  SeatIsolation,
} from '../../../src/core/words/isolation.ts';

const seat = (require: 'L0' | 'L1' | 'L2') => SeatIsolation.parse({ require });
const granted = (baseUrl: string | undefined, hasDoors = true) =>
  grantIsolation({ runner: 'claude', baseUrl }, { by: 'unshare', hasDoors });

describe('the least isolation of a program', () => {
  it.each([
    ['own', 'revision', 'L0'],
    ['own', 'worktree', 'L0'],
    ['own', 'document', 'L0'],
    ['own', 'question', 'L0'],
    ['own', 'patch', 'L1'],
    ['untrusted', 'revision', 'L1'],
    ['untrusted', 'document', 'L1'],
  ] as const)('%s %s: %s', (trust, source, level) => {
    expect(leastIsolation({ trust, source })).toBe(level);
  });

  it.each([
    ['nobody says any', undefined, undefined, 'L1'],
    ['the configuration says less', undefined, 'L0', 'L0'],
    ['the seat says less', seat('L0'), undefined, 'L0'],
    ['the configuration says more', undefined, 'L2', 'L2'],
    ['the seat says more than the configuration', seat('L2'), 'L1', 'L2'],
    ['the configuration says more than the seat', seat('L0'), 'L1', 'L1'],
  ] as const)('is L1 for what is untrusted, and where %s', (_, settings, required, level) => {
    expect(requireAtLeast(settings, required, 'L1')?.require ?? 'L0').toBe(level);
  });

  it('changes nothing where L0 is enough', () => {
    expect(requireAtLeast(undefined, undefined)).toBeUndefined();
    const own = SeatIsolation.parse({ network: true });
    expect(requireAtLeast(own, undefined)).toBe(own);
  });

  it('is never had by a seat without a sandbox', () => {
    const isolation = requireAtLeast(SeatIsolation.parse({ sandbox: false }), undefined, 'L1');
    expect(grantIsolation({ runner: 'command', isolation }, { by: 'bubblewrap' })).toMatch(
      /^Isolation level L1 is required/,
    );
  });

  it('leaves a coding agent one endpoint of this machine and no network, where that can be had', () => {
    for (const baseUrl of [
      'http://127.0.0.1:8080/v1',
      'http://localhost:8080',
      'http://[::1]:8080',
    ])
      expect(granted(baseUrl)).toMatchObject({ network: false, endpoint: baseUrl });
    for (const baseUrl of [
      undefined,
      'https://models.example.org',
      'http://127.0.0.1:80',
      'http://127.0.0.1.example.org:8080',
    ])
      expect(granted(baseUrl)).toEqual({ level: 'L1', by: 'unshare', reason: null, network: true });
    expect(granted('http://127.0.0.1:8080', false)).toMatchObject({ network: true });
  });
});
