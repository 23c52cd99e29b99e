/** The run folder. Every write is atomic: a temporary name, then a rename. Paths are relative, with slashes. */
export interface RunStore {
  readonly runId: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /** Absolute folder of copies that people are pointed to; null: there are none. */
  readonly copies: string | null;
  write(path: string, text: string): Promise<void>;
  append(path: string, line: string): Promise<void>;
  read(path: string): Promise<string | null>;
  list(folder: string): Promise<readonly string[]>;
}
