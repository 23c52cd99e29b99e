/** Reads a document, or the Markdown files of a folder, as one subject. */
import { isUtf8 } from 'node:buffer';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Document, type DocumentFile, readSections } from '../../core/words/change.ts';
import { inputError } from '../../core/errors.ts';
import { readRegularBytes, whyUnreadable } from '../system/given-file.ts';

/** All files together; more than that nobody reviews in one go. */
const mostBytes = 32 << 20;
const mostFiles = 500;
const unread: ReadonlySet<string> = new Set(['node_modules', 'vendor', '.git', '.jury']);

/** `name` is absolute; `title` is what the caller called it. Throws `UserError` (kind `input`) for what cannot be reviewed. */
export async function readDocument(name: string, title: string): Promise<Document> {
  const entry = await stat(name).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  if (entry.isDirectory()) return readFolder(name, title);
  if (!entry.isFile()) throw inputError(`${name} is neither a file nor a folder.`);
  const folder = folderNamed(path.dirname(title));
  const file = await readFile(name, path.posix.join(folder, path.basename(name)), mostBytes);
  if (file.text.trim() === '') throw inputError(`${name} is empty: there is nothing to review.`);
  return documentOf('file', { title, folder, files: [file], warnings: [] });
}

function documentOf(
  source: Document['source'],
  { folder, ...rest }: Pick<Document, 'title' | 'files' | 'warnings'> & { folder: string },
): Document {
  return { kind: 'document', source, ...(folder !== '' && { folder }), ...rest };
}

async function readFolder(name: string, title: string): Promise<Document> {
  const folder = folderNamed(title);
  const { found, warnings } = await findMarkdown(name);
  const files: DocumentFile[] = [];
  let left = mostBytes;
  for (const relative of found) {
    const own = path.posix.join(folder, relative);
    const file = await readFile(path.join(name, relative), own, left);
    left -= file.bytes;
    if (file.text.trim() === '') warnings.push(`${own} is empty.`);
    else files.push(file);
  }
  if (files.length === 0)
    throw inputError(
      `${name} holds no Markdown file with text.`,
      'Name a folder with .md files, or a file of any name.',
    );
  return documentOf('directory', { title, folder, files, warnings });
}

/** With slashes and without detours; empty for the folder the caller stands in. */
function folderNamed(name: string) {
  const normal = path.posix.normalize(name.split(path.sep).join('/'));
  return normal === '.' || normal === './' ? '' : normal.replace(/(?<=.)\/+$/, '');
}

/** Links are not followed: a folder may hold one that leads out of it. */
async function findMarkdown(folder: string) {
  const found: string[] = [];
  const warnings: string[] = [];
  const walk = async (relative: string) => {
    const entries = await readdir(path.join(folder, relative), { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const own = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (unread.has(entry.name)) continue;
      if (entry.isDirectory()) await walk(own);
      else if (!/\.(?:mdx?|markdown|mkdn?|mdown)$/i.test(entry.name)) continue;
      else if (entry.isFile()) found.push(own);
      else warnings.push(`${own} is not a regular file and was not read.`);
      if (found.length > mostFiles)
        throw inputError(
          `${folder} holds more than ${mostFiles} Markdown files.`,
          'Name a smaller folder.',
        );
    }
  };
  await walk('');
  return { found, warnings };
}

/** `left`: bytes that there is room for. */
async function readFile(name: string, own: string, left: number) {
  const bytes = await readRegularBytes(name, mostBytes).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  if (bytes.length > left)
    throw inputError(
      `${name} is too large: documents of up to ${mostBytes >> 20} MiB in all are reviewed.`,
    );
  if (bytes.includes(0) || !isUtf8(bytes)) throw inputError(`${name} is no text in UTF-8.`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return {
    path: own,
    text,
    bytes: Buffer.byteLength(text),
    sections: (await readSections(text)) ?? [],
  };
}

function unreadable(name: string, error: unknown) {
  return inputError(`${name} cannot be read: ${whyUnreadable(error)}.`, null, error);
}
