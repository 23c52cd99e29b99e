import { describe, expect, it } from 'vitest';
import {
  grantIsolation,
  leastIsolation,
  requireAtLeast,
  SeatIsolation,
} from '../../../src/core/words/isolation.ts';

const seat = (require: 'L0' | 'L1' | 'L2') => SeatIsolation.parse({ require });
const noProxy = 'There is no loopback.';
const hosts = ['api.example.org:443'];
const granted = (baseUrl: string | undefined, why: string | null = null, network = false) =>
  grantIsolation(
    { runner: 'claude', baseUrl, hosts, isolation: SeatIsolation.parse({ network }) },
    { by: 'unshare', noProxy: why },
  );

describe('the least isolation of a program', () => {
  it.each([
    ['own', 'revision', 'L0'],
    ['own', 'worktree', 'L0'],
    ['own', 'document', 'L0'],
    ['own', 'question', 'L0'],
    ['own', 'patch', 'L1'],
    ['untrusted', 'revision', 'L1'],
    ['untrusted', 'document', 'L1'],
  ] as const)('%s %s: %s', (trust, source, level) =>
    expect(leastIsolation({ trust, source })).toBe(level),
  );

  it.each([
    ['nobody says any', undefined, undefined, 'L1'],
    ['the configuration says less', undefined, 'L0', 'L0'],
    ['the seat says less', seat('L0'), undefined, 'L0'],
    ['the configuration says more', undefined, 'L2', 'L2'],
    ['the seat says more than the configuration', seat('L2'), 'L1', 'L2'],
    ['the configuration says more than the seat', seat('L0'), 'L1', 'L1'],
  ] as const)('is L1 for what is untrusted, and where %s', (_, settings, required, level) =>
    expect(requireAtLeast(settings, required, 'L1')?.require ?? 'L0').toBe(level),
  );

  it('changes nothing where L0 is enough', () => {
    expect(requireAtLeast(undefined, undefined)).toBeUndefined();
    const own = SeatIsolation.parse({ network: true });
    expect(requireAtLeast(own, undefined)).toBe(own);
  });

  it('is never had by a seat without a sandbox', () => {
    const isolation = requireAtLeast(SeatIsolation.parse({ sandbox: false }), undefined, 'L1');
    expect(
      grantIsolation({ runner: 'command', isolation }, { by: 'bubblewrap', noProxy: null }),
    ).toMatch(/^Isolation level L1 is required/);
  });

  it('leaves a coding agent one endpoint of this machine, or its hosts, and no network', () => {
    for (const baseUrl of [
      'http://127.0.0.1:8080/v1',
      'http://localhost:8080',
      'http://[::1]:8080',
    ])
      expect(granted(baseUrl)).toEqual({
        level: 'L1',
        by: 'unshare',
        network: false,
        endpoint: baseUrl,
        reason: null,
      });
    for (const baseUrl of [
      undefined,
      'https://models.example.org',
      'http://127.0.0.1.example.org:8080',
    ])
      expect(granted(baseUrl)).toEqual({
        level: 'L1',
        by: 'unshare',
        network: false,
        hosts,
        reason: null,
      });
  });

  it('says why a coding agent keeps the network', () => {
    const open = { level: 'L1', by: 'unshare', network: true };
    expect(granted('http://127.0.0.1:80')).toEqual({
      ...open,
      reason: 'Nobody can listen below port 1024 in a sandbox.',
    });
    for (const baseUrl of [undefined, 'http://127.0.0.1:8080'])
      expect(granted(baseUrl, noProxy)).toEqual({ ...open, reason: noProxy });
    expect(granted(undefined, null, true)).toEqual({
      ...open,
      reason: 'Its configuration leaves it the network.',
    });
  });

  it('leaves a command no host', () =>
    expect(grantIsolation({ runner: 'command', hosts }, { by: 'unshare', noProxy: null })).toEqual({
      level: 'L1',
      by: 'unshare',
      network: false,
      reason: null,
    }));
});
