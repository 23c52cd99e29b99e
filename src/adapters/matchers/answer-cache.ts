/** What the matchers need of whoever remembers answers that were paid for: a text by the hash of the question. */
export interface AnswerCache {
  get(key: string): string | null;
  put(entries: readonly (readonly [key: string, value: string])[]): void;
  close(): void;
}

export type OpenAnswerCache = () => Promise<AnswerCache>;
