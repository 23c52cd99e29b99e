/** Counts tokens on this machine. Linear in the text, whatever it holds. */
export interface TokenCounter {
  /** Encoding, for the record: `o200k_base`, or `bytes/4` when no encoding could be loaded. */
  readonly name: string;
  readonly version: string;
  /** True when the figure is ⌈bytes ÷ 4⌉. */
  readonly estimated: boolean;
  count(text: string): number;
}
