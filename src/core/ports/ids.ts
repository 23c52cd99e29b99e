/** Names that no two runs share. A program may bring its own, so that a run can be replayed. */
export interface Ids {
  /** `YYYYMMDDTHHMMSSZ-` and six hex digits. */
  run(now: Date): string;
  /** 128 random bits in hex. */
  nonce(): string;
}
