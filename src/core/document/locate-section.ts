/** Resolves what a reviewer says about a document to a place in it: by the path it names, else by the section. */
import { resolveLocation, type AnchorTree, type StatedPlace } from '../change/anchor.ts';
import type { Location, StatedFinding } from '../words/finding.ts';
import type { Document, DocumentFile, Section } from './document.ts';

type Stated = StatedPlace & Pick<StatedFinding, 'section'>;

/**
 * Null when neither a file nor a section of the document is named. A document talks about files that are not part of it:
 * such a path is no place in the document and none that could be wrong.
 */
export function createDocumentLocator({
  files,
}: Pick<Document, 'files'>): (stated: Stated) => Location | null {
  const tree: AnchorTree = {
    files: new Map(
      files.map(({ path, text }) => [
        path,
        { path, oldPath: null, status: 'added', newText: text, oldText: null },
      ]),
    ),
  };
  const sections = indexSections(files);
  return stated => {
    const byPath = resolveLocation(stated, tree);
    if (byPath !== null && byPath.anchoring !== 'unanchored')
      return byPath.line === null
        ? (bySection(stated.section, sections, byPath.path) ?? byPath)
        : byPath;
    const section = bySection(stated.section, sections, null);
    if (section !== null) return section;
    // A place that lies in the document and is wrong stays visible; one elsewhere is what the document talks about.
    return byPath !== null && tree.files.has(byPath.path) ? byPath : null;
  };
}

interface Heading {
  readonly path: string;
  readonly section: Section;
}

type SectionIndex = ReadonlyMap<string, readonly Heading[]>;

function indexSections(files: readonly DocumentFile[]): SectionIndex {
  const index = new Map<string, Heading[]>();
  for (const { path, sections } of files) {
    for (const section of sections) {
      for (const key of keysOf(section.title)) {
        const list = index.get(key);
        if (list === undefined) index.set(key, [{ path, section }]);
        else list.push({ path, section });
      }
    }
  }
  return index;
}

/** The heading that a name means when it means exactly one; the name may lead through several: `3. Rules § Retry`, the last counts most. */
function bySection(
  named: string | null,
  sections: SectionIndex,
  path: string | null,
): Location | null {
  if (named === null) return null;
  const parts = named
    .slice(0, 1_000)
    .split(/\s*(?:§|›|»|→| > | \/ )\s*/)
    .filter(part => part.trim() !== '');
  for (const name of [named, ...parts.toReversed()]) {
    for (const key of keysOf(name)) {
      const found = (sections.get(key) ?? []).filter(
        heading => path === null || heading.path === path,
      );
      const [only] = found;
      if (only !== undefined && found.length === 1)
        return {
          path: only.path,
          line: only.section.line,
          endLine: null,
          side: 'new',
          anchoring: 'exact',
          checked: false,
          note: 'The line is that of the heading.',
        };
    }
  }
  return null;
}

/** The words of a title, and the same without its number: `2.1 Data flow` is also called `Data flow`. */
function keysOf(title: string): string[] {
  const words =
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const bare = words.slice(words.findIndex(word => !/^(?:\p{N}+|section|chapter)$/u.test(word)));
  return [...new Set([words.join(' '), bare.join(' ')])].filter(key => key !== '');
}
