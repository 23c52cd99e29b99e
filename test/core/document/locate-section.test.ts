import { describe, expect, it } from 'vitest';
import { createDocumentLocator } from '../../../src/core/document/locate-section.ts';

const text = '# Design\n\n## 1. Goals\n\n## 2.1 Data flow\n\nTokens live for ever.\n';
const locate = createDocumentLocator({
  files: [
    {
      path: 'design.md',
      text,
      bytes: text.length,
      sections: [
        { title: 'Design', level: 1, line: 1 },
        { title: '1. Goals', level: 2, line: 3 },
        { title: '2.1 Data flow', level: 2, line: 5 },
      ],
    },
    {
      path: 'plan.md',
      text: '# Steps\n\n## Goals again\n',
      bytes: 24,
      sections: [
        { title: 'Steps', level: 1, line: 1 },
        { title: 'Goals again', level: 2, line: 3 },
      ],
    },
  ],
});
const stated = { path: null, line: null, endLine: null, quote: null, section: null };

describe('a place in a document', () => {
  it.each([
    ['Goals', 'design.md', 3],
    ['1. Goals', 'design.md', 3],
    ['§2.1 Data Flow', 'design.md', 5],
    ['data flow', 'design.md', 5],
    ['Section 2.1: Data flow', 'design.md', 5],
    ['Design § Data flow', 'design.md', 5],
    ['Steps', 'plan.md', 1],
  ])('is the heading that "%s" means', (section, path, line) => {
    expect(locate({ ...stated, section })).toMatchObject({ path, line, anchoring: 'exact' });
  });

  it('is unknown for a section nobody wrote, and for a file the document only talks about', () => {
    expect(locate({ ...stated, section: 'Rollback' })).toBeNull();
    expect(locate({ ...stated, path: 'src/auth.ts', line: 12 })).toBeNull();
    expect(locate(stated)).toBeNull();
  });

  it('is the line of a quote, and one that is wrong stays visible as such', () => {
    expect(
      locate({ ...stated, path: 'design.md', quote: 'Tokens live for ever.', section: 'Goals' }),
    ).toMatchObject({ line: 7, checked: true });
    expect(locate({ ...stated, path: 'design.md', quote: 'Nobody wrote this.' })).toMatchObject({
      path: 'design.md',
      anchoring: 'unanchored',
    });
    expect(locate({ ...stated, path: 'design.md', section: 'Data flow' })).toMatchObject({
      path: 'design.md',
      line: 5,
    });
  });
});
