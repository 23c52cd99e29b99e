// Writes the manual page from the commands that were just built.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const { describeCommands } = await import(
  new URL('../dist/cli/describe-commands.js', import.meta.url)
);
const { groups } = await import(new URL('../dist/cli/commands.js', import.meta.url));
const { renderManual } = await import(new URL('../dist/render/manual.js', import.meta.url));
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
