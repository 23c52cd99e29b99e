import { expect, it } from 'vitest';
import { tools } from '../../src/mcp/server.ts';

it('the list of tools is fixed, with text that nobody else writes', () =>
  expect(
    `${JSON.stringify(
      tools.map(({ listing }) => listing),
      null,
      2,
    )}\n`,
  ).toMatchFileSnapshot('tools.golden.json'));

it('no tool takes a path, a command or a folder by any name of such a thing', () => {
  const names = tools.flatMap(({ listing }) =>
    Object.keys(listing.inputSchema.properties as object),
  );
  // `paths` of `start` narrows a change that is named otherwise: nothing is read by it.
  expect(names.filter(name => /path|file|dir|folder|command|cwd|exec/i.test(name))).toEqual([
    'paths',
  ]);
});
