/** Finds credentials in text. Offsets are UTF-16, half open, sorted and disjoint. */
export interface SecretScanner {
  scan(text: string, path: string): Promise<readonly SecretSpan[]>;
}

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** Short kind: `aws`, `github`, `private-key`. */
  readonly kind: string;
  readonly message: string;
}
