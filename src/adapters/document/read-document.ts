/** Reads a document, or the Markdown files of a folder, as one subject. */
import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Document, type DocumentFile, readSections } from '../../core/words/document.ts';
import { UserError } from '../../core/errors.ts';

/** All files together; more than that nobody reviews in one go. */
const mostBytes = 32 << 20;
const mostFiles = 500;
const unread: ReadonlySet<string> = new Set(['node_modules', 'vendor']);

/** `name` is absolute; `title` is what the caller called it. Throws `UserError` (kind `input`) for what cannot be reviewed. */
export async function readDocument(name: string, title: string): Promise<Document> {
  const entry = await stat(name).catch((error: unknown) => Promise.reject(unreadable(name, error)));
  if (entry.isDirectory()) return readFolder(name, title);
  if (!entry.isFile())
    throw new UserError(`${name} is neither a file nor a folder.`, { kind: 'input' });
  const folder = folderNamed(path.dirname(title));
  const file = await readFile(name, inFolder(folder, path.basename(name)), mostBytes);
  if (file.text.trim() === '')
    throw new UserError(`${name} is empty: there is nothing to review.`, { kind: 'input' });
  return {
    kind: 'document',
    source: 'file',
    title,
    ...(folder !== '' && { folder }),
    files: [file],
    warnings: [],
  };
}

async function readFolder(name: string, title: string): Promise<Document> {
  const folder = folderNamed(title);
  const { found, warnings } = await findMarkdown(name);
  const files: DocumentFile[] = [];
  let left = mostBytes;
  for (const relative of found) {
    const own = inFolder(folder, relative);
    const file = await readFile(path.join(name, relative), own, left);
    left -= file.bytes;
    if (file.text.trim() === '') warnings.push(`${own} is empty.`);
    else files.push(file);
  }
  if (files.length === 0)
    throw new UserError(`${name} holds no Markdown file with text.`, {
      kind: 'input',
      hint: 'Name a folder with .md files, or a file of any name.',
    });
  return {
    kind: 'document',
    source: 'directory',
    title,
    ...(folder !== '' && { folder }),
    files,
    warnings,
  };
}

/** With slashes and without detours; empty for the folder the caller stands in. */
function folderNamed(name: string): string {
  const normal = path.posix.normalize(name.split(path.sep).join('/'));
  return normal === '.' || normal === './' ? '' : normal.replace(/(?<=.)\/+$/, '');
}

function inFolder(folder: string, name: string): string {
  return path.posix.join(folder, name);
}

/** Links are not followed: a folder may hold one that leads out of it. */
async function findMarkdown(
  folder: string,
): Promise<{ readonly found: string[]; readonly warnings: string[] }> {
  const found: string[] = [];
  const warnings: string[] = [];
  const walk = async (relative: string): Promise<void> => {
    const entries = await readdir(path.join(folder, relative), { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const own = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.name.startsWith('.') || unread.has(entry.name)) continue;
      if (entry.isDirectory()) await walk(own);
      else if (!/\.(?:md|markdown)$/i.test(entry.name)) continue;
      else if (entry.isFile()) found.push(own);
      else warnings.push(`${own} is not a regular file and was not read.`);
      if (found.length > mostFiles)
        throw new UserError(`${folder} holds more than ${mostFiles} Markdown files.`, {
          kind: 'input',
          hint: 'Name a smaller folder.',
        });
    }
  };
  await walk('');
  return { found, warnings };
}

async function readFile(name: string, own: string, most: number): Promise<DocumentFile> {
  try {
    // What only looks like a file (some below /proc) would wait for data that may never come.
    const handle = await open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { size } = await handle.stat();
      if (size > most)
        throw new UserError(
          `${name} is too large: documents of up to ${mostBytes >> 20} MiB in all are reviewed.`,
          { kind: 'input' },
        );
      const text = decode(await handle.readFile(), name);
      return {
        path: own,
        text,
        bytes: Buffer.byteLength(text),
        sections: (await readSections(text)) ?? [],
      };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(name, error);
  }
}

function decode(bytes: Uint8Array, name: string): string {
  const text = bytes.includes(0) ? null : decodeStrictly(bytes);
  if (text === null) throw new UserError(`${name} is no text in UTF-8.`, { kind: 'input' });
  return text.replace(/^\uFEFF/, '');
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function unreadable(name: string, error: unknown): UserError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason =
    { ENOENT: 'there is no such file', EACCES: 'permission denied' }[code] ??
    (code || 'it cannot be opened');
  return new UserError(`${name} cannot be read: ${reason}.`, { kind: 'input', cause: error });
}
