import { describe, expect, it } from 'vitest';
import { escapeXml, withoutCommands } from '../../../src/core/safety/visible-text.ts';

describe.each([
  ['the log of a workflow', withoutCommands],
  ['XML', escapeXml],
])('%s', (_, escape) => {
  it.each(['::error::x', ' \t::error::x', 'a\n::error::x', 'a\n\n  ::error::x', '##[error]x'])(
    'holds no command: %j',
    text => expect(escape(text)).not.toMatch(/^\s*::|##\[/m),
  );
});
