import { describe, expect, it } from 'vitest';
import { namesThrough } from '../../src/library/tree-view.ts';

const namesOf = async (links: Readonly<Record<string, string>>, place: string) =>
  (
    await namesThrough(
      '/top',
      Object.entries(links).map(([path, target]) => ({ path, target })),
      [place],
    )
  ).get(place);

describe('the other names of a file', () => {
  it.each([
    ['a link to it', { 'CLAUDE.md': 'docs/x.md' }, 'docs/x.md', ['CLAUDE.md']],
    ['a link upwards', { 'a/b/CLAUDE.md': '../../docs/x.md' }, 'docs/x.md', ['a/b/CLAUDE.md']],
    ['an absolute link', { 'CLAUDE.md': '/top/docs/x.md' }, 'docs/x.md', ['CLAUDE.md']],
    ['a link to its folder', { '.claude': 'tools' }, 'tools/a/b.json', ['.claude/a/b.json']],
    ['a link that leads to a link', { one: 'two', two: 'x' }, 'x', ['one', 'two']],
    ['a link in between', { one: 'two', two: 'x' }, 'two', ['one']],
    ['a link past a link', { one: 'two/b', two: 'x' }, 'x/b', ['one', 'two/b']],
    [
      'links below links',
      { '.github': 'gh', 'gh/workflows': '../flows' },
      'flows/ci.yml',
      ['gh/workflows/ci.yml', '.github/workflows/ci.yml'],
    ],
    ['a link to its own folder', { again: '.' }, 'x', ['again/x']],
    ['links in a circle', { one: 'two', two: 'one' }, 'x', []],
    ['a link that leads out', { 'CLAUDE.md': '/etc/x.md', b: '../../x' }, 'x', []],
    ['a neighbour of the same beginning', { 'CLAUDE.md': 'docs/x' }, 'docs/x.md', []],
  ])('come from %s', async (_, links, place, names) => {
    const found = await namesOf(links, place);
    expect(new Set(found)).toEqual(new Set(names));
  });

  it('are not counted for ever', async () => {
    const links = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`l${at}`, '.']));
    expect(await namesOf(links, 'x')).toBe('many');
  });
});
