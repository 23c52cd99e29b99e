import { describe, expect, it } from 'vitest';
import type { Change, ChangedFile } from '../../../src/core/words/change.ts';
import type { Persona } from '../../../src/core/words/persona.ts';
import { selectFiles } from '../../../src/core/context/pack.ts';

function file(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    oldPath: null,
    status: 'modified',
    oldMode: '100644',
    newMode: '100644',
    oldId: 'a'.repeat(40),
    newId: 'b'.repeat(40),
    content: 'text',
    additions: 1,
    deletions: 0,
    hunks: [],
    ...changes,
  };
}

const changeOf = (...files: ChangedFile[]): Change => ({
  kind: 'change',
  source: 'range',
  base: null,
  head: null,
  title: 'x',
  files,
  warnings: [],
});

function persona(globs: string[] = []): Persona {
  return {
    name: 'go-reviewer',
    role: 'language',
    focus: 'x',
    veto: false,
    budget: 1,
    capability: 'review',
    files: globs,
    instructions: '',
  };
}

describe('choosing what a reviewer is to read', () => {
  it('takes everything that has a text, in the order of the change', () => {
    const { readable, readings } = selectFiles(changeOf(file('b'), file('a')), persona());
    expect(readable.map(({ path }) => path)).toEqual(['b', 'a']);
    expect(readings.map(({ extent }) => extent)).toEqual(['full', 'full']);
  });

  it('leaves out what is not in the domain of the persona, without calling it skipped', () => {
    const { readable, readings } = selectFiles(
      changeOf(file('a.go'), file('deep/b.go'), file('c.ts')),
      persona(['**/*.go']),
    );
    expect(readable.map(({ path }) => path)).toEqual(['a.go', 'deep/b.go']);
    expect(readings[2]).toMatchObject({ extent: 'outside' });
  });

  it.each([
    ['a binary file', { content: 'binary' }, 'partial'],
    ['a file too large to show', { content: 'too-large' }, 'skipped'],
    ['a deleted binary file', { content: 'binary', status: 'deleted' }, 'full'],
    ['a binary file that was only renamed', { content: 'binary', newId: 'a'.repeat(40) }, 'full'],
    ['a submodule', { content: 'submodule' }, 'full'],
  ] as const)('counts %s as read %s', (_what, changes, extent) => {
    expect(selectFiles(changeOf(file('x', changes)), persona()).readings[0]?.extent).toBe(extent);
  });
});
