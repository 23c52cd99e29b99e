import { setTimeout as sleep } from 'node:timers/promises';
import stringWidth from 'fast-string-width';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import type { Failure, RunEvent } from '../../src/core/words/review.ts';
import { payloads } from '../render/payloads.ts';
import { finding, review } from '../render/sample-run.ts';
import { createScreen, type Screen } from './screen.ts';
import { failureOf } from '../core/sample.ts';

const timedOut: Failure = failureOf('deadline');

function progressOn({ stream }: Screen, isTerminal: boolean, columns: number, clock?: Clock) {
  const stderr = Object.assign(stream, { isTTY: isTerminal, columns });
  return createProgress({ streams: { stderr }, environment: {} }, clock);
}

type Clock = Parameters<typeof createProgress>[1];

function runStart(...ids: string[]): RunEvent {
  return {
    type: 'run-start',
    run: '20261121T221400Z-a1b2c3',
    folder: '/tmp/run',
    title: 'main..feature',
    reviewers: ids.map(id => ({ id, runner: 'claude', required: false })),
  };
}

function reviewEnd(id: string, failure: Failure | null = null): RunEvent {
  return {
    type: 'review-end',
    review:
      failure === null
        ? review(id, [finding({ reviewer: id, text: 'one' }, 1)])
        : review(id, [], {
            status: 'failed',
            failure,
            usage: {
              calls: 1,
              inputTokens: 0,
              outputTokens: 0,
              cachedTokens: 0,
              cost: null,
              estimated: false,
            },
          }),
    remembered: false,
  };
}

const story: RunEvent[] = [
  runStart('alpha', 'beta', 'gamma'),
  { type: 'review-start', reviewer: 'alpha', attempt: 1 },
  { type: 'review-start', reviewer: 'beta', attempt: 1 },
  { type: 'review-progress', reviewer: 'beta', outputTokens: 1234, bytes: 5000 },
  reviewEnd('alpha'),
  { type: 'review-retry', reviewer: 'beta', cause: 'rate-limited', waitMs: 2400 },
  { type: 'review-start', reviewer: 'beta', attempt: 2 },
  reviewEnd('beta', timedOut),
];

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('progress without a terminal', () => {
  it('has one line per change of state, and counts whole reviews only', () => {
    const screen = createScreen(80, 24);
    const progress = progressOn(screen, false, 80);
    for (const event of [
      ...story,
      { type: 'claim-form', claims: 1 } as const,
      { type: 'note', message: 'The history is shallow.' } as const,
    ])
      progress.onEvent(event);
    progress.stop();
    expect(screen.written().split('\n')).toEqual([
      'Run 20261121T221400Z-a1b2c3: main..feature',
      '[0/3 agents complete] waiting for alpha, beta, gamma',
      'alpha: asking',
      'beta: asking',
      '[1/3 agents complete] alpha ✓ 1 finding, 8.8k tokens, 14.2s',
      'beta: retrying in 3s (rate-limited)',
      'beta: asking, attempt 2',
      '[1/3 agents complete] beta ✗ (timeout after 120s) 14.2s',
      '1 claim',
      'The history is shallow.',
      '',
    ]);
  });

  it('says how far it is every thirty seconds while nothing happens, and no longer than it runs', () => {
    vi.useFakeTimers();
    const screen = createScreen(80, 24);
    const progress = progressOn(screen, false, 80);
    for (const event of story) progress.onEvent(event);
    const before = screen.writes();
    vi.advanceTimersByTime(60_000);
    expect(screen.writes() - before).toBe(2);
    expect(screen.written().trimEnd().split('\n').at(-1)).toBe(
      '[1/3 agents complete] 1 failed, waiting for gamma',
    );
    progress.stop();
    vi.advanceTimersByTime(120_000);
    expect(screen.writes() - before).toBe(2);
  });

  it('lets no title, name or note write a control character', () => {
    for (const payload of payloads) {
      const screen = createScreen(80, 24);
      const progress = progressOn(screen, false, 80);
      for (const event of hostileStory(payload)) progress.onEvent(event);
      progress.stop();
      expect(screen.written()).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\uFEFF]/u,
      );
    }
  });
});

describe('progress on a terminal', () => {
  it('has a live line per reviewer with its state, tokens and findings', async () => {
    let now = 5000;
    const screen = createScreen(80, 24);
    const progress = progressOn(screen, true, 80, { monotonicMs: () => now });
    for (const event of story.slice(0, 6)) progress.onEvent(event);
    now = 17_500;
    await shown(screen.lines, '12s');
    expect(screen.lines()).toEqual([
      '[1/3 agents complete] 12s · main..feature',
      '  alpha  ✓ 1 finding, 8.8k tokens, 14.2s',
      '  beta   retrying in 3s (rate-limited), 1.2k tokens',
      '  gamma  waiting',
    ]);
    for (const event of story.slice(6)) progress.onEvent(event);
    await shown(screen.lines, 'timeout');
    expect(screen.lines()[2]).toBe('  beta   ✗ (timeout after 120s) 14.2s');
    progress.stop();
  });

  it('leaves nothing behind, and writes nothing after it was stopped', async () => {
    const screen = createScreen(80, 24);
    const progress = progressOn(screen, true, 80);
    for (const event of story) progress.onEvent(event);
    await shown(screen.lines, 'gamma');
    progress.stop();
    const written = screen.writes();
    expect(screen.lines()).toEqual(['']);
    progress.onEvent(reviewEnd('gamma'));
    progress.stop();
    await sleep(150);
    expect(screen.writes()).toBe(written);
  });

  it('writes nothing at all when it is stopped before the display is loaded', async () => {
    const screen = createScreen(80, 24);
    const progress = progressOn(screen, true, 80);
    progress.onEvent(runStart('alpha'));
    progress.stop();
    await sleep(150);
    expect(screen.written()).toBe('');
  });

  it('redraws ten times a second however many events come', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const screen = createScreen(80, 24);
    const progress = progressOn(screen, true, 80);
    for (const event of [
      runStart('alpha'),
      { type: 'review-start', reviewer: 'alpha', attempt: 1 } as const,
    ])
      progress.onEvent(event);
    await shown(screen.lines, 'asking');
    const before = screen.writes();
    for (let attempt = 2; attempt < 502; attempt += 1) {
      progress.onEvent({ type: 'review-start', reviewer: 'alpha', attempt });
      vi.advanceTimersByTime(1);
    }
    expect(screen.writes() - before).toBe(5);
    progress.stop();
  });

  it('sums up the reviewers that do not fit, showing those at work', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `seat-${index + 1}`);
    const screen = createScreen(60, 12);
    const progress = progressOn(screen, true, 60);
    progress.onEvent(runStart(...ids));
    for (const id of ids.slice(0, 20)) progress.onEvent(reviewEnd(id));
    for (const id of ids.slice(30, 33))
      progress.onEvent({ type: 'review-start', reviewer: id, attempt: 1 });
    await shown(screen.lines, '… and 31 more');
    expect(screen.lines()).toHaveLength(11);
    expect(screen.lines()[1]).toContain('seat-31');
    progress.stop();
    expect(screen.lines()).toEqual(['']);
  });

  it('keeps every line within the terminal, whatever its title and notes say', async () => {
    const screen = createScreen(40, 24);
    const progress = progressOn(screen, true, 40);
    for (const event of hostileStory('漢字'.repeat(100))) progress.onEvent(event);
    await shown(screen.lines, 'agents complete');
    expect(screen.lines().filter(line => stringWidth(line) >= 40)).toEqual([]);
    progress.stop();
  });

  it('never writes to standard output', async () => {
    const output = vi.spyOn(process.stdout, 'write');
    const screen = createScreen(80, 24);
    const progress = progressOn(screen, true, 80);
    for (const event of story) progress.onEvent(event);
    await shown(screen.lines, 'gamma');
    progress.stop();
    expect(output).not.toHaveBeenCalled();
  });
});

function hostileStory(payload: string): RunEvent[] {
  return [
    {
      type: 'run-start',
      run: payload,
      folder: payload,
      title: payload,
      reviewers: [{ id: payload, runner: payload, required: true }],
    },
    { type: 'review-start', reviewer: payload, attempt: 1 },
    reviewEnd(payload),
    { type: 'note', message: payload },
  ];
}

async function shown(lines: () => string[], text: string): Promise<void> {
  await vi.waitFor(() => expect(lines().join('\n')).toContain(text), {
    timeout: 5000,
    interval: 10,
  });
}
