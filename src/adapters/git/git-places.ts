/** Where git is looked for, by absolute path on a fixed list of folders, so that no PATH entry of a repository can stand in for it. */
import { homedir } from 'node:os';
import path from 'node:path';

/** Git for Windows is found where its installer, for all or for one person, and Scoop put it. */
export function gitPlaces(platform: NodeJS.Platform = process.platform, home?: string) {
  const isWindows = platform === 'win32';
  const folders = isWindows
    ? windowsFolders(home ?? homedir())
    : [
        '/usr/local/bin',
        '/usr/bin',
        '/bin',
        '/opt/homebrew/bin',
        '/opt/local/bin',
        '/run/current-system/sw/bin',
      ];
  return {
    /** Absolute, in order. */
    folders,
    program: isWindows ? 'git.exe' : 'git',
    /** The folders as git itself is to look for what it starts. */
    searchPath: folders.join(isWindows ? ';' : ':'),
  };
}

function windowsFolders(home: string): string[] {
  const { join } = path.win32;
  return [
    join('C:\\', 'Program Files', 'Git', 'cmd'),
    join('C:\\', 'Program Files (x86)', 'Git', 'cmd'),
    join(home, 'AppData', 'Local', 'Programs', 'Git', 'cmd'),
    join(home, 'scoop', 'apps', 'git', 'current', 'cmd'),
  ];
}
