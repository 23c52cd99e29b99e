import { describe, expect, it } from 'vitest';
import type { Seat } from '../../src/core/words/config.ts';
import { confidenceSettingsFor } from '../../src/engine/conclude.ts';
import { sampleChange } from '../core/sample.ts';

const seats = [
  { id: 'opus', runner: 'claude' },
  { id: 'local', runner: 'api', model: 'openai-compatible/qwen3-coder' },
  { id: 'own', runner: 'command' },
  { id: 'named', runner: 'command', family: 'acme' },
  { id: 'secrets', runner: 'builtin' },
] as const satisfies readonly Partial<Seat>[] as unknown as readonly Seat[];

describe('the confidence of a run', () => {
  it('counts seats of one family together, by configuration, model or runner', async () => {
    const settings = await confidenceSettingsFor(sampleChange({ title: '' }), seats, null);
    expect(Object.fromEntries(settings?.families ?? [])).toEqual({
      opus: 'anthropic',
      local: 'qwen',
      named: 'acme',
    });
    expect(settings?.reliability).toEqual([]);
  });

  it('is not computed for questions', async () =>
    expect(
      await confidenceSettingsFor(
        { kind: 'question', title: '', prompt: '', context: null },
        seats,
        null,
      ),
    ).toBeNull());
});
