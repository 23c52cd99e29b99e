// Writes the ranks of the token encoding as the file the built program reads, from the code that was just built.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as encoding from 'ai-tokenizer/encoding/o200k_base';
import { root } from './setup.mjs';

const { rankTableName, readVersion, writeRankTable } =
  await import('../dist/adapters/tokens/token-counter.js');
const folder = path.join(root, 'dist', 'tokens');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, rankTableName), writeRankTable(encoding, await readVersion()));
