/** A checkout whose comparison build is played, and what it did before. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ownFolder = path.join(tmpdir(), 'jury-oracle');
export const digestOf = text => createHash('sha256').update(text).digest('hex');

/** How cases are played is part of what was done. */
const player = ['place', 'canonical', 'model-server', 'mcp-client']
  .map(name => fileURLToPath(new URL(`${name}.mjs`, import.meta.url)))
  .map(file => readFileSync(file))
  .join('');

export function openBuild(checkout) {
  const folder = path.resolve(checkout);
  const dist = path.join(folder, 'dist', 'comparison');
  if (!existsSync(dist)) throw new Error(`${dist}: run "npm run build -- --comparison" there.`);
  const commit = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], {
    encoding: 'utf8',
  }).trim();
  const bundle = digestOf(
    ['program-main.js', 'program-multi-consensus.js']
      .map(name => readFileSync(path.join(dist, name)))
      .concat(readdirSync(path.join(dist, 'parts')).join())
      .join('\0'),
  ).slice(0, 12);
  const results = path.join(ownFolder, 'results', `${commit}-${bundle}`);
  mkdirSync(results, { recursive: true });
  return {
    folder,
    program: name => path.join(dist, `${name}.js`),
    kept(one) {
      const file = path.join(
        results,
        `${digestOf(player + JSON.stringify(one)).slice(0, 24)}.json`,
      );
      return {
        read: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null),
        write: tree => writeFileSync(file, JSON.stringify(tree)),
      };
    },
  };
}
