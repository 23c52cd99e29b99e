/** Where the state of a user lies, by variable and by system. */
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { userStateFolder } from '../../../src/adapters/system/disk.ts';
import { UserError } from '../../../src/core/errors.ts';

it.each([
  ['its own variable first', { JURY_STATE: '/s', XDG_STATE_HOME: '/x' }, 'linux', '/s'],
  ['the usual variable next', { XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', '/x/jury'],
  ['the home otherwise', { HOME: '/h' }, 'linux', '/h/.local/state/jury'],
  [
    'a relative variable counts as none',
    { XDG_STATE_HOME: 'x', HOME: '/h' },
    'linux',
    '/h/.local/state/jury',
  ],
  [
    'empty variables count as none',
    { JURY_STATE: '', XDG_STATE_HOME: '', HOME: '' },
    'linux',
    path.join(homedir(), '.local/state/jury'),
  ],
  ['macOS', { HOME: '/h' }, 'darwin', '/h/Library/Application Support/jury'],
  ['Windows', { LOCALAPPDATA: '/l' }, 'win32', '/l/jury'],
] as const)('%s', (_, environment, platform, folder) =>
  expect(userStateFolder(environment, platform)).toBe(folder),
);

it('refuses a folder that depends on where one stands', () =>
  expect(() => userStateFolder({ JURY_STATE: 'state' })).toThrow(UserError));
