import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bypassesIn, findBypasses } from './sinks.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

describe('what prints', () => {
  it('prints through the encoder of its sink', () => expect(findBypasses(source)).toEqual([]));

  it.each([
    ['JSON of a command', 'cli/runs.ts', 'terminal.write(JSON.stringify(runs, null, 2));'],
    ['JSON of a report', 'render/claims.ts', 'return `${JSON.stringify(claims)}\n`;'],
    ['a page of its own', 'render/runs.ts', "text.replaceAll('<', '&lt;')"],
    ['a fence of its own', 'core/run-files/review-file.ts', "const fence = '`'.repeat(3);"],
    ['an escape of its own', 'render/motions.ts', "title.replaceAll('|', '\\\\|')"],
    ['an escape by a pattern', 'core/run-files/index.ts', "text.replace(/<(?=[a-z])/g, '\\\\<')"],
    ['a stream', 'library/start-run.ts', 'process.stdout.write(text);'],
    ['an error', 'cli/main.ts', 'process.stderr.write(`jury: ${error.message}`);'],
  ])('is caught where it has %s', (_, file, text) =>
    expect(bypassesIn(file, text)).toHaveLength(1),
  );
});
