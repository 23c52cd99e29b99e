/** Reads one streamed answer to its end or to the first reason to stop. */
import {
  type LanguageModel,
  type LanguageModelUsage,
  Output,
  dynamicTool,
  jsonSchema,
  stepCountIs,
  streamText,
} from 'ai';
import type { Progress, ReviewerTools, Turn } from '../../core/ports/runner.ts';
import { mostRounds } from './client.ts';
import { answerLimit } from './executable.ts';

/** What a stream left, however it ended. */
export interface Streamed {
  /** Of the last round: what was said before a tool answered was said on the way. */
  text: string;
  /** Everything that was said. */
  transcript: string;
  /** Model requests that came to an end. */
  rounds: number;
  /** Tokens of the rounds before the last one, as reported. */
  before: { input: number; output: number; cached: number };
  /** Input of the first round, which is the prompt; undefined when nobody counted it. */
  promptTokens: number | undefined;
  /** Null when the stream ended without its closing event. `raw` is the provider's own word, undefined when it gave none. */
  finish: {
    readonly reason: string;
    readonly raw: string | undefined;
    readonly usage: Counted;
    readonly model: string;
  } | null;
  /** Every end that the provider stated, in whatever event, in its own words: the library passes on the last one. */
  readonly ends: Set<string>;
  /** The first error, thrown or sent as an event. */
  error: { readonly value: unknown } | null;
}

/** As a provider reported it; undefined where it said nothing, or what cannot be. */
interface Counted {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  cachedTokens: number;
}

interface StreamSettings {
  model: LanguageModel;
  turn: Turn;
  signal: AbortSignal;
  onProgress: ((progress: Progress) => void) | undefined;
  onFlood: () => void;
}

/** Fills `into` as it goes, so that an interrupted call still shows what came. Never rejects. */
export async function readStream(
  { model, turn, signal, onProgress, onFlood }: StreamSettings,
  into: Streamed,
) {
  // The library prints what it thinks of the settings; standard output belongs to the report.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  let bytes = 0;
  const loop = turn.tools ? loopOf(turn.tools) : {};
  try {
    const { fullStream } = streamText({
      model,
      prompt: turn.prompt,
      ...(turn.instructions !== '' && { system: turn.instructions }),
      ...(turn.seat.answerTokens !== undefined && { maxOutputTokens: turn.seat.answerTokens }),
      ...loop,
      // The output of the library keeps back what is no JSON: what breaks off would never have been said.
      ...(turn.schema && {
        output: {
          ...Output.text(),
          responseFormat: Output.object({ schema: jsonSchema(turn.schema) }).responseFormat,
        },
      }),
      // Retrying is the engine's business: it must see and pay for every call.
      maxRetries: 0,
      abortSignal: signal,
      onError: () => {},
      includeRawChunks: true,
      // What is sent must not stay with the provider longer than the call needs.
      providerOptions: { openai: { store: false } },
    });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') {
        bytes += Buffer.byteLength(part.text);
        if (bytes > answerLimit) return onFlood();
        into.text += part.text;
        into.transcript += part.text;
        onProgress?.({ bytes, ...spentIn(into) });
      } else if (part.type === 'start-step') {
        startRound(into);
      } else if (part.type === 'tool-call') {
        into.transcript += `\n[${part.toolName} ${JSON.stringify(part.input)}]\n`;
      } else if (part.type === 'finish-step') {
        const usage = countsIn(part.usage, into.text !== '');
        into.rounds += 1;
        into.promptTokens ??= usage.inputTokens;
        into.finish = {
          reason: part.finishReason,
          raw: part.rawFinishReason,
          usage,
          model: part.response.modelId,
        };
        onProgress?.({
          bytes,
          ...spentIn(into, part.finishReason === 'tool-calls' ? 2 * (usage.inputTokens ?? 0) : 0),
        });
      } else if (part.type === 'raw') {
        for (const [, ...ends] of JSON.stringify(part.rawValue).matchAll(statedEnd))
          into.ends.add(ends.join(''));
      } else if (part.type === 'error') {
        into.error ??= { value: part.error };
      }
    }
  } catch (error) {
    into.error ??= { value: error };
  }
}

/** `ahead`: the round that carries the results of tools has to be paid for, and one more in which it answers. */
function spentIn({ before, finish, text }: Streamed, ahead = 0) {
  return {
    inputTokens: ahead + before.input + (finish?.usage.inputTokens ?? 0),
    outputTokens: before.output + (finish?.usage.outputTokens ?? Math.ceil(text.length / 4)),
  };
}

/** Money is counted by it: what is less than nothing, or nothing for a question and an answer that there were, was not counted. */
function countsIn(
  { inputTokens, outputTokens, inputTokenDetails }: LanguageModelUsage,
  hasText: boolean,
): Counted {
  const input = countOf(inputTokens) || undefined;
  return {
    inputTokens: input,
    outputTokens: hasText ? countOf(outputTokens) || undefined : countOf(outputTokens),
    cachedTokens: Math.min(countOf(inputTokenDetails.cacheReadTokens) ?? 0, input ?? 0),
  };
}

function countOf(reported: number | undefined) {
  const count = Math.round(reported ?? NaN);
  return count >= 0 && Number.isSafeInteger(count) ? count : undefined;
}

/** A model that is out of tokens is asked for its answer; one that calls a tool even then has had its last round. */
function loopOf(tools: ReviewerTools) {
  let isLast = false;
  return {
    tools: Object.fromEntries(
      tools.list().map(({ name, description, inputSchema }) => [
        name,
        dynamicTool({
          description,
          inputSchema: jsonSchema(inputSchema),
          execute: async (input, { abortSignal }) =>
            (await tools.call(name, input, abortSignal ?? new AbortController().signal)).text,
        }),
      ]),
    ),
    stopWhen: [stepCountIs(mostRounds), () => isLast],
    prepareStep: () => {
      isLast = tools.isSpent();
      return isLast ? { toolChoice: 'none' as const } : {};
    },
  };
}

/** Without tools there is one round. */
function startRound(into: Streamed) {
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0 } = into.finish?.usage ?? {};
  into.before = {
    input: into.before.input + inputTokens,
    output: into.before.output + outputTokens,
    cached: into.before.cached + cachedTokens,
  };
  into.finish = null;
  into.text = '';
}

/** In the JSON of an event, where a quotation in its text stands behind a backslash. */
const statedEnd = new RegExp(
  [
    String.raw`"(?:native_)?(?:finish_?reason|stop_reason|status)":"([^"\\]+)"`,
    String.raw`"type":"(?:response\.)?(refusal)`,
    '"(refusal)":"[^"]',
    String.raw`"(error)":(?:\{|"[^"])`,
  ].join('|'),
  'gi',
);

// The way to the network, with a witness: what came back is known even where the library above says only "failed".

export interface WireRecord {
  readonly status: number;
  readonly contentType: string;
}

/** Bytes of one response on the wire: a streamed answer is up to twenty times its text. */
const wireLimit = 67_108_864;

/** `onBytes` is called on every piece of a body. A body beyond 64 MiB breaks off, with `onFlood` before it does. */
export function openWire(
  baseFetch: typeof globalThis.fetch,
  onBytes: () => void,
  onFlood: () => void,
) {
  let seen: WireRecord | null = null;
  return {
    /** Of the last response; null before one came. */
    seen: () => seen,
    async fetch(...[input, init]: Parameters<typeof baseFetch>): Promise<Response> {
      // A redirect would carry the key to another host.
      const response = await baseFetch(input, { ...init, redirect: 'manual' });
      const contentType = response.headers.get('content-type') ?? '';
      seen = { status: response.status, contentType };
      let bytes = 0;
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          onBytes();
          bytes += chunk.length;
          if (bytes <= wireLimit) return controller.enqueue(chunk);
          onFlood();
          controller.error(new Error('The response exceeds the limit.'));
        },
      });
      return new Response(response.body?.pipeThrough(counter) ?? null, {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      });
    },
  };
}
