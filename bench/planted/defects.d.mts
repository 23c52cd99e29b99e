export interface PlantedDefect {
  readonly id: string;
  readonly language: string;
  /** `CWE-89` */
  readonly weakness: string;
  /** The published rule it was made after. */
  readonly origin: string;
  readonly path: string;
  readonly text: string;
  /** 1-based lines on which it may be reported. */
  readonly lines: readonly number[];
  readonly safe: string;
  readonly isAside: boolean;
}

export function readDefects(): readonly PlantedDefect[];
