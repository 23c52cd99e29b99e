/** The manners of steps, over whatever keeps their results: one at work for a key, results as JSON gives them back. */
import type { z } from 'zod';
import type { Steps } from './ports/steps.ts';

interface StepStore {
  /** Null: nothing is kept of the key. */
  find(key: string): { readonly value: unknown } | null;
  /** `body`: JSON of the key and the result, without one of the key alone. Resolves when it is kept. */
  keep(key: string, body: string): Promise<void>;
  close(): Promise<void>;
}

export function stepsOver({ find, keep, close }: StepStore): Steps {
  const running = new Map<string, Promise<unknown>>();
  const runOnce = async (
    key: string,
    work: () => Promise<unknown>,
    schema: z.ZodType | undefined,
  ): Promise<unknown> => {
    const known = find(key);
    if (known !== null && schema?.safeParse(known.value).success !== false) return known.value;
    const result = await work();
    await keep(key, JSON.stringify(result === undefined ? [key] : [key, result]));
    return find(key)?.value;
  };
  return {
    step<Result>(key: string, work: () => Promise<Result>, schema?: z.ZodType<NoInfer<Result>>) {
      const shared =
        running.get(key) ?? runOnce(key, work, schema).finally(() => running.delete(key));
      running.set(key, shared);
      return shared as Promise<Result>;
    },
    recall: recallOver(find),
    close,
  };
}

export function recallOver(find: StepStore['find']): Steps['recall'] {
  return <Result>(key: string, schema?: z.ZodType<Result>) => {
    const value = find(key)?.value;
    return Promise.resolve(
      schema === undefined ? (value as Result | undefined) : schema.safeParse(value).data,
    );
  };
}

/** Remembered as long as the process lives: for what no folder is kept of, and for work that is only rehearsed. */
export function createPassingSteps(known: Map<string, unknown> = new Map()): Steps {
  return stepsOver({
    find: key => (known.has(key) ? { value: known.get(key) } : null),
    keep(key, body) {
      const [, value] = JSON.parse(body) as [string, unknown?];
      known.set(key, value);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
}
