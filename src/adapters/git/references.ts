/** Reads HEAD and the references of a repository as plain files; what does not look like a reference is left out. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { type GitFolder, readPlainText } from './git-folder.ts';

export interface References {
  /** Commit HEAD stands on; null before the first commit. */
  readonly head: string | null;
  /** Full name (`refs/heads/main`) to object id; symbolic ones already followed. */
  readonly named: ReadonlyMap<string, string>;
  /** `ORIG_HEAD`, `FETCH_HEAD` and the like. */
  readonly passing: ReadonlyMap<string, string>;
  /** True when `refs/replace/` holds something: it is never used. */
  readonly replaced: boolean;
}

const content = /^(?:([0-9a-f]{40}|[0-9a-f]{64})|ref: (refs\/\S+))\s*$/;
const passingNames = [
  'ORIG_HEAD',
  'FETCH_HEAD',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
] as const;
const maxReferences = 500_000;
const maxReferenceBytes = 4_096;
const maxPackedBytes = 128 * 1024 * 1024;

type Target = { readonly id: string } | { readonly reference: string };

/** `idLength` is 40 or 64; ids of the other length are left out. */
export async function readReferences(folder: GitFolder, idLength: number): Promise<References> {
  const targets = new Map<string, Target>();
  await readPacked(folder.common, targets);
  await readLoose(folder.common, targets);
  if (folder.own !== folder.common) await readLoose(folder.own, targets);

  const named = new Map<string, string>();
  for (const [name, target] of targets) {
    const id = follow(target, targets);
    if (id?.length === idLength && !name.startsWith('refs/replace/')) named.set(name, id);
  }
  const head = await readHead(folder, targets);
  const replaced = [...targets.keys()].some(name => name.startsWith('refs/replace/'));
  return {
    head: head?.length === idLength ? head : null,
    named,
    passing: await readPassing(folder.own, idLength),
    replaced,
  };
}

async function readHead(
  folder: GitFolder,
  targets: ReadonlyMap<string, Target>,
): Promise<string | null> {
  const target = parseTarget(await readPlainText(join(folder.own, 'HEAD'), maxReferenceBytes));
  if (target === null)
    throw new UserError('HEAD of the repository cannot be read.', {
      kind: 'input',
      hint: 'Run "git status" there to see what is wrong.',
    });
  return follow(target, targets);
}

/** Git follows five links at most. */
function follow(start: Target, targets: ReadonlyMap<string, Target>): string | null {
  let target: Target | undefined = start;
  for (let hops = 0; target !== undefined && hops <= 5; hops++) {
    if ('id' in target) return target.id;
    target = targets.get(target.reference);
  }
  return null;
}

function parseTarget(text: string | null): Target | null {
  const match = text === null ? null : content.exec(text);
  if (match === null) return null;
  if (match[1] !== undefined) return { id: match[1] };
  return match[2] === undefined ? null : { reference: match[2] };
}

async function readPacked(common: string, targets: Map<string, Target>): Promise<void> {
  const text = await readPlainText(join(common, 'packed-refs'), maxPackedBytes);
  for (const line of (text ?? '').split('\n')) {
    const match = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/\S+)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined)
      add(targets, match[2], { id: match[1] });
  }
}

async function readLoose(base: string, targets: Map<string, Target>): Promise<void> {
  const pending = ['refs'];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const entries = await readdir(join(base, name), { withFileTypes: true }).catch(() => []);
    const files = entries.filter(entry => entry.isFile()).map(entry => `${name}/${entry.name}`);
    pending.push(
      ...entries.filter(entry => entry.isDirectory()).map(entry => `${name}/${entry.name}`),
    );
    for (let at = 0; at < files.length; at += 64) {
      const texts = await Promise.all(
        files.slice(at, at + 64).map(async file => ({
          file,
          target: parseTarget(await readPlainText(join(base, file), maxReferenceBytes)),
        })),
      );
      for (const { file, target } of texts) if (target !== null) add(targets, file, target);
    }
  }
}

async function readPassing(own: string, idLength: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of passingNames) {
    const id = /^[0-9a-f]+/.exec((await readPlainText(join(own, name), 1_048_576)) ?? '')?.[0];
    if (id?.length === idLength) found.set(name, id);
  }
  return found;
}

function add(targets: Map<string, Target>, name: string, target: Target): void {
  if (!isReferenceName(name)) return;
  if (targets.size >= maxReferences)
    throw new UserError(`The repository has more than ${maxReferences} references.`, {
      kind: 'input',
    });
  targets.set(name, target);
}

/** The rules of `git check-ref-format`; git refuses a whole list of references over one bad name. */
function isReferenceName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f~^:?*[\\\ufffd]|\.\.|@\{|\/\/|\.$|\/$/.test(name)) return false;
  return name
    .split('/')
    .every(part => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
