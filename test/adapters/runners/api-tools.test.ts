/** Models behind an API that ask for Jury's own tools, scripted in each of the four protocols. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiRunner } from '../../../src/adapters/runners/api.ts';
import { mostRounds } from '../../../src/adapters/runners/client.ts';
import type { ReviewerTools } from '../../../src/core/ports/runner.ts';
import { toolNames } from '../../../src/core/tools/offers.ts';
import { openToolBench } from '../../engine/tools/tool-bench.ts';
import {
  scriptedText,
  startModelServer,
  type Behaviour,
  type ModelServer,
  type ToolCall,
} from '../../model-server.ts';
import { turnOf } from './turns.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const read: ToolCall = { name: 'read_anchor', input: { path: 'src/sum.ts' } };

describe.each(['anthropic', 'openai', 'google', 'openai-compatible'])(
  'a model of %s with tools',
  provider => {
    async function ask(
      tools: ReviewerTools | null,
      plan: readonly [Behaviour, ...Behaviour[]],
      calls: readonly ToolCall[] = [read],
    ) {
      let number = 0;
      server.set({
        plan,
        text: scriptedText,
        usage: { input: 1234, output: 21, cached: 100 },
        tool: () => calls[Math.min(number++, calls.length - 1)] ?? read,
      });
      const runner = createApiRunner({
        environment: {
          ANTHROPIC_API_KEY: 'fake-a',
          OPENAI_API_KEY: 'fake-o',
          GEMINI_API_KEY: 'fake-g',
        },
        temporaryFolder: '/tmp',
      });
      return runner.ask(
        {
          ...turnOf({
            runner: 'api',
            model: `${provider}/test-model`,
            baseUrl: `${server.url}/v1`,
          }),
          tools,
        },
        new AbortController().signal,
      );
    }

    it('reads, reports and answers in one call of several rounds, all of which it pays for', async () => {
      const { tools, ledger } = await openToolBench();
      const answer = await ask(
        tools,
        ['tool', 'tool', 'ok'],
        [
          read,
          {
            name: 'report_finding',
            input: {
              severity: 'HIGH',
              text: 'The sum of nothing throws',
              file: 'src/sum.ts',
              line: 3,
            },
          },
        ],
      );
      expect(answer).toMatchObject({
        status: 'answered',
        text: scriptedText,
        stop: 'end',
        usage: {
          calls: 3,
          inputTokens: provider === 'anthropic' ? 3 * 1334 : 3 * 1234,
          outputTokens: 63,
          cachedTokens: 300,
          estimated: false,
        },
      });
      expect(answer.transcript).toContain('[read_anchor {"path":"src/sum.ts"}]');
      expect(tools.reported()).toMatchObject([{ severity: 'high', path: 'src/sum.ts', line: 3 }]);
      expect(ledger.standing().used).toBeGreaterThan(50);
      expect(server.modelCalls()).toHaveLength(3);
      for (const name of toolNames) expect(server.modelCalls()[0]?.text).toContain(`"${name}"`);
      expect(server.modelCalls().at(-1)?.text).toContain('export function sumAll(list: number[])');
    });

    it('is told what went wrong, and goes on', async () => {
      const { tools } = await openToolBench();
      expect(
        await ask(tools, ['tool', 'ok'], [{ name: 'read_anchor', input: { path: '/etc/passwd' } }]),
      ).toMatchObject({ status: 'answered', text: scriptedText });
      expect(server.modelCalls().at(-1)?.text).toContain('outside of the repository');
    });

    it('stays within its ledger when it goes on asking for ever, and is ended', async () => {
      const { tools, ledger } = await openToolBench({ total: 600 });
      expect(await ask(tools, ['tool'])).toMatchObject({
        status: 'failed',
        failure: { cause: 'budget' },
      });
      expect(ledger.standing().used).toBeLessThanOrEqual(600);
      expect(server.modelCalls().length).toBeLessThanOrEqual(mostRounds);
    });

    it('is offered none when it has none', async () => {
      expect(await ask(null, ['ok'])).toMatchObject({ status: 'answered', text: scriptedText });
      expect(server.modelCalls()[0]?.text).not.toContain('read_anchor');
    });
  },
);
