// Writes the manual page from the commands that were just built.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

// Bundles take the place of this folder, so that nobody can say beforehand what is in it.
const cli = new URL('../dist/cli/', import.meta.url);
const { describeCommands } = await import(new URL('help.js', cli).href);
const { groups } = await import(new URL('commands.js', cli).href);
const { renderManual } = await import('./manual.mjs');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const pages = readdirSync(path.join(root, 'docs'))
  .filter(name => name.endsWith('.md'))
  .map(name => name.slice(0, -'.md'.length))
  .toSorted();
mkdirSync(path.join(root, 'man'), { recursive: true });
writeFileSync(
  path.join(root, 'man', 'jury.1'),
  renderManual(await describeCommands(groups), { version, pages }),
);
