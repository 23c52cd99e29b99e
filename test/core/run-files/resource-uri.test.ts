import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseResourceUri, runResourceUri } from '../../../src/core/run-files/run-page.ts';

describe('the name of a resource', () => {
  it('names a file of a run, a handoff with its arrow, or a page of the knowledge base', () => {
    expect(
      parseResourceUri('resources://runs/20261121T101500Z-0a1b2c/context/Reviewer.lcp.json'),
    ).toEqual({ kind: 'run', run: '20261121T101500Z-0a1b2c', path: 'context/Reviewer.lcp.json' });
    expect(parseResourceUri('resources://runs/r1/handoff/Planner→Reviewer.json')).toEqual({
      kind: 'run',
      run: 'r1',
      path: 'handoff/Planner→Reviewer.json',
    });
    expect(parseResourceUri('resources://runs/r1/handoff/Planner%E2%86%92Reviewer.json')).toEqual({
      kind: 'run',
      run: 'r1',
      path: 'handoff/Planner→Reviewer.json',
    });
    expect(parseResourceUri('resources://kb/style.md')).toEqual({
      kind: 'knowledge',
      file: 'style.md',
    });
  });

  it.each([
    'resources://runs/r1/../r2/report.md',
    'resources://runs/../../etc/passwd',
    'resources://runs/r1//etc/passwd',
    'resources://runs/r1/%2e%2e/x',
    'resources://runs/r1/a%2F..%2Fb',
    'resources://runs/r1',
    'resources://runs/r1/',
    'resources://runs//x',
    'resources://kb/a/b',
    'resources://kb/..',
    'file:///etc/passwd',
    'resources://runs/r1/.hidden',
    'resources://runs/r1/a\\b',
    'resources://runs/r1/%zz',
    'resources://runs/r1/x\0',
    'resources://other/x',
    `resources://runs/${'a'.repeat(101)}/x`,
    '',
    `resources://runs/r/${'a/'.repeat(600)}b`,
  ])('is refused when it could lead elsewhere: %j', uri =>
    expect(parseResourceUri(uri)).toBeNull(),
  );

  it('never yields a path that leaves its folder', () =>
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('.', '/', '%', '2', 'e', 'f', 'a', '\\', '\0', '→', ':'),
        }),
        text => {
          const resource = parseResourceUri(`resources://runs/r/${text}`);
          if (resource?.kind === 'run')
            expect(
              resource.path
                .split('/')
                .every(name => /^[A-Za-z0-9]/.test(name) && !name.includes('\\')),
            ).toBe(true);
        },
      ),
    ));

  it('is read back as it was written', () =>
    expect(parseResourceUri(runResourceUri('r1', 'reviews/alpha.md'))).toEqual({
      kind: 'run',
      run: 'r1',
      path: 'reviews/alpha.md',
    }));
});
