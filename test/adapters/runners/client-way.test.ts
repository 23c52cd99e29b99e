import { describe, expect, it } from 'vitest';
import { withWay } from '../../../src/adapters/runners/enclose.ts';
import { answered, failedAnswer } from '../../../src/core/ports/runner.ts';
import type { Isolation } from '../../../src/core/words/isolation.ts';

const isolation: Isolation = {
  level: 'L1',
  by: 'unshare',
  network: false,
  hosts: ['api.example.org:443'],
  reason: null,
};
type Unreached = Parameters<typeof withWay>[1]['unreached'][number];

const own: Unreached = {
  target: 'api.example.org:443',
  why: 'leads to 10.0.0.1, in a private network',
  isOwn: true,
  times: 3,
};
const other: Unreached = {
  target: 'telemetry.example.org:443',
  why: 'is none of the hosts that it may reach',
  isOwn: false,
  times: 1,
};
const told = (opened: number, ...unreached: Unreached[]) => ({ opened, unreached });
const failed = failedAnswer('auth', 'HTTP 403.', { httpStatus: 403, transcript: 'raw' });

describe('what the way to its hosts says about an answer', () => {
  it('is nothing where all was reached', () =>
    expect(withWay(failed, told(1), isolation)).toBe(failed));

  it('stands in the transcript of a good one, and changes nothing else', () => {
    const good = answered('None');
    expect(withWay(good, told(1, other), isolation)).toEqual({
      ...good,
      transcript:
        'None\n--- network ---\ntelemetry.example.org:443 is none of the hosts that it may reach.',
    });
  });

  it('is the reason of a failure where no provider was heard', () =>
    expect(withWay(failed, told(0, own, other), isolation)).toMatchObject({
      failure: {
        cause: 'unreachable',
        httpStatus: null,
        message:
          'HTTP 403. api.example.org:443 leads to 10.0.0.1, in a private network (3 times). ' +
          'telemetry.example.org:443 is none of the hosts that it may reach.',
      },
      transcript: expect.stringMatching(/^raw\n--- network ---\n/),
    }));

  it('leaves a failure as it is that a provider told, with what a client does without', () => {
    expect(withWay(failed, told(1, other), isolation)).toMatchObject({ failure: failed.failure });
    expect(withWay(failed, told(1, own), isolation)).toMatchObject({
      failure: { cause: 'auth', httpStatus: 403 },
    });
  });

  it('tells where a client of another host is put right', () => {
    const { failure } = withWay(failed, told(0, other), isolation) as typeof failed;
    expect(failure.message).toMatch(
      /It may reach api\.example\.org:443; its baseUrl, or isolation\.network, says otherwise\.$/,
    );
  });

  it('says nothing of another cause than it knows', () => {
    const late = failedAnswer('deadline', 'Not done at the deadline.');
    expect(withWay(late, told(0, own), isolation)).toMatchObject({
      failure: { cause: 'deadline' },
    });
  });
});
