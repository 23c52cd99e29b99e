import { describe, expect, it } from 'vitest';
import { withoutCommands } from '../../../src/core/safety/workflow-text.ts';
import { escapeXml } from '../../../src/core/safety/xml-text.ts';
import { growthOf, linearAtMost } from '../../growth.ts';

describe.each([
  ['the log of a workflow', withoutCommands],
  ['XML', escapeXml],
])('%s', (_, escape) => {
  it.each(['::error::x', ' \t::error::x', 'a\n::error::x', 'a\n\n  ::error::x', '##[error]x'])(
    'holds no command: %j',
    text => {
      expect(escape(text)).not.toMatch(/^\s*::|##\[/m);
    },
  );

  it.each([
    ['lines without a word', '\n'],
    ['lines of blanks', ' \n'],
    ['blanks', ' '],
    ['colons', ':'],
  ])('takes no longer than its text: %s', (_name, part) => {
    expect(growthOf(40_000, size => escape(part.repeat(size)))).toBeLessThanOrEqual(linearAtMost);
  });
});
