/** What git tells a pre-push hook, one reference a line, and what there is to review of each. */
import { UserError } from '../errors.ts';

export interface PushedRef {
  /** As it was named here; `(delete)` of one that is removed. */
  readonly local: string;
  /** Object id; null: the reference is removed. */
  readonly id: string | null;
  /** Full name there. */
  readonly remote: string;
  /** What it stands on there; null: it is new. */
  readonly remoteId: string | null;
}

/** Throws `UserError` for a line that is none: what cannot be read must not pass for nothing. */
export function readPushed(text: string): readonly PushedRef[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      // What is pushed may be any expression, with blanks in it too.
      const [, local, id, remote, remoteId] =
        /^(.*) ([0-9a-f]{40}|[0-9a-f]{64}) (\S+) ([0-9a-f]{40}|[0-9a-f]{64})\r?$/.exec(line) ?? [];
      if (local === undefined || id === undefined || remote === undefined || remoteId === undefined)
        throw new UserError('What git told the pre-push hook cannot be read.', { kind: 'input' });
      return { local, remote, id: orNull(id), remoteId: orNull(remoteId) };
    });
}

function orNull(id: string): string | null {
  return /^0+$/.test(id) ? null : id;
}

/** `feature`, `v1.2` or `notes/x`: as people name it. */
export function shortRef(name: string): string {
  return name.replace(/^refs\/(?:heads\/|tags\/)?/, '');
}
