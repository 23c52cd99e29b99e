/** One slice of a document as reviewers see it, with what it is a part of. */
import { delimit } from '../prompt/material.ts';
import { makeVisible } from '../visible-text.ts';
import type { Document } from './document.ts';
import type { SlicePart } from './slices.ts';

export interface SlicePrompt {
  readonly document: Pick<Document, 'title' | 'files'>;
  /** With their secrets masked. */
  readonly parts: readonly SlicePart[];
  /** 1-based. */
  readonly number: number;
  readonly total: number;
  /** What the document is for; null when nobody said. */
  readonly description: string | null;
  readonly fence: string;
}

export function renderSlice({ document, parts, number, total, description, fence }: SlicePrompt): string {
  const lines = [
    '# Document Review Context',
    `**Document:** ${oneLine(document.title)}`,
    `**Purpose:** ${description === null || description.trim() === '' ? 'None provided' : makeVisible(description)}`,
    ...(document.files.length > 1 ? [`**Files:** ${document.files.length}`] : []),
    ...(total > 1 ? [`**Part:** ${number} of ${total}. The document is too long for one reading; you get its parts one after the other. What is missing here may stand in another part: do not report it as missing.`] : []),
  ];
  return [...lines, ...parts.map(part => `**${nameOf(part)}**\n${delimit(part.text, fence)}`)].join('\n\n');
}

function nameOf({ path, startLine, endLine, isWhole }: SlicePart): string {
  return isWhole ? oneLine(path) : `${oneLine(path)}, lines ${startLine}–${endLine}`;
}

function oneLine(text: string): string {
  return makeVisible(text).replace(/\s+/g, ' ').trim();
}
