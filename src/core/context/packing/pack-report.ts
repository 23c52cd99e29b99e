/** A pack with everything a person may ask about it: what the doors print. */
import type { LocalPack, SideFile } from './local-pack.ts';

export interface PackReport {
  readonly pack: LocalPack;
  readonly rendered: string;
  readonly side: SideFile;
}
