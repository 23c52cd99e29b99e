/** One reader of what clients print as lines of JSON: for each client a table says which of its records tells what. */
import { parseJson } from '../../core/json.ts';
import type { Usage } from '../../core/words/review.ts';
import { estimateTokens, overrunFault, type Judgement, type Reading } from './client.ts';
import type { Fault } from './provider-failure.ts';

/** What the records of one run have told so far. */
export interface Told {
  /** Model requests. */
  requests: number;
  /** What was said since a tool answered last: what was said before was said on the way. */
  pieces: string[];
  /** Of all that was said. */
  characters: number;
  model: string | null;
  /** By the client; null until it has counted. */
  counted: Counted | null;
}

export type Counted = {
  -readonly [Key in Exclude<keyof Usage, 'calls' | 'estimated'>]: Usage[Key];
};

export function nothingTold(): Told {
  return { requests: 0, pieces: [], characters: 0, model: null, counted: null };
}

export interface Table<State> {
  /** By the type of a record. */
  readonly records: Readonly<Record<string, (state: State, record: unknown) => void>>;
  /** What it counts while it works; absent: nothing. */
  readonly meter?: (state: State) => Counted;
  readonly conclude: (state: State, end: Parameters<Reading['conclude']>[0]) => Judgement;
}

export function createReading<State extends Told>(
  state: State,
  { records, meter, conclude }: Table<State>,
  own: Partial<Reading> = {},
): Reading {
  const takers = new Map(Object.entries(records));
  const calls = () => Math.max(1, state.requests);
  const metered = (promptTokens = 0) =>
    meter?.(state) ?? {
      inputTokens: promptTokens * calls(),
      outputTokens: estimateTokens(state.characters),
      cachedTokens: 0,
      cost: null,
    };
  return {
    take: record => takers.get(textAt(record, 'type'))?.(state, record),
    requests: () => state.requests,
    outputTokens: () => Math.max(state.counted?.outputTokens ?? 0, metered().outputTokens),
    usage: promptTokens => ({
      calls: calls(),
      ...(state.counted ?? metered(promptTokens)),
      estimated: !state.counted,
    }),
    model: () => state.model,
    overrun: overrunFault,
    conclude: end => conclude(state, end),
    ...own,
  };
}

export function say(state: Told, text: string) {
  state.pieces.push(text);
  state.characters += text.length;
}

export const noText: Fault = { cause: 'empty', message: 'The answer has no text.' };

/** What stands at a path of names and indexes; undefined where nothing does. */
export function at(record: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Readonly<Record<string, unknown>>)[key]
          : undefined,
      record,
    );
}

/** Empty where there is no text. */
export function textAt(record: unknown, path: string) {
  const value = at(record, path);
  return typeof value === 'string' ? value : '';
}

/** Null where there is no number that counts anything. */
export function numberAt(record: unknown, path: string) {
  const value = at(record, path);
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : null;
}

/** Whole; 0 where there is none. */
export function countAt(record: unknown, path: string) {
  return Math.round(numberAt(record, path) ?? 0);
}

/**
 * Cuts a stream into lines and reads each as JSON, whatever its length; lines that are no object or array are not for us: warnings and
 * progress share the stream. Linear also when one line comes in many chunks: the pieces are joined once, at its end.
 */
export function readJsonLines(onRecord: (record: unknown) => void) {
  let pieces: string[] = [];
  const finishLine = () => {
    const line = pieces.join('').trim();
    pieces = [];
    const record = /^[{[]/.test(line) ? parseJson(line) : undefined;
    if (record !== undefined) onRecord(record);
  };
  return {
    add(chunk: string) {
      const [first = '', ...more] = chunk.split('\n');
      pieces.push(first);
      for (const piece of more) {
        finishLine();
        pieces.push(piece);
      }
    },
    end: finishLine,
  };
}
