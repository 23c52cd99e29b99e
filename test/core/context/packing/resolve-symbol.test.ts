/** What the names on a changed line lead to, in small projects of each language, through the real index. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodeView } from '../../../../src/core/context/packing/code-view.ts';
import { resolveSymbol, symbolsUsed } from '../../../../src/core/context/packing/resolve.ts';
import { openCodeIndex } from '../../../../src/adapters/index/code-index.ts';
import { openRepository } from '../../../../src/adapters/git/repository.ts';
import { atFileEnd } from '../../../file-end.ts';
import { createFolder, createSampleRepository } from '../../../adapters/git/sample-repository.ts';
import { stateIn } from '../../../adapters/store/temporary.ts';
import { moreProjects } from './more-projects.ts';
import { projects, type Project } from './projects.ts';

type Resolve = (path: string, line: string, name: string) => string[];

/** Answers `path: text of the line`, or the kind of what is no definition; nothing for what is no use. */
async function openProject({ files }: Project): Promise<Resolve> {
  const sample = createSampleRepository();
  for (const [path, text] of Object.entries(files)) sample.write(path, text);
  const repository = await openRepository(sample.root);
  const { index } = await openCodeIndex(stateIn(createFolder()), {
    tree: await repository.tree(null),
    read: id => repository.content(id, 1 << 20),
  });
  atFileEnd(() => index.close());
  await repository.close();
  const view = createCodeView(index);
  const linesOf = (path: string): readonly string[] => (files[path] ?? '').split('\n');
  return (path, text, name) => {
    const line = linesOf(path).findIndex(one => one.trim() === text) + 1;
    if (line === 0) throw new Error(`${path} has no line ${text}`);
    const range = { start: line, end: line };
    const piece = { path, changed: [range], added: [line], removed: [], hunk: range };
    return symbolsUsed([piece], view, linesOf)
      .filter(use => use.name === name)
      .map(use => {
        const found = resolveSymbol(use, view, linesOf(path));
        return found.at
          ? `${found.at.path}: ${(linesOf(found.at.path)[found.at.startLine - 1] ?? '').trim()}`
          : found.kind;
      });
  };
}

describe.each(Object.entries({ ...projects, ...moreProjects }))('in %s', (_, project) => {
  let resolve: Resolve;
  beforeAll(async () => {
    resolve = await openProject(project);
  });

  it.each(project.rows)('%s', (_what, path, line, name, ...expected) => {
    expect(resolve(path, line, name)).toEqual(expected);
  });
});
