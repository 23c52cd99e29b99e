// Writes the JSON Schema of the configuration from the code that was just built.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from './setup.mjs';

const { Config } = await import(new URL('../dist/core/words/config.js', import.meta.url));
mkdirSync(path.join(root, 'schema'), { recursive: true });
writeFileSync(
  path.join(root, 'schema', 'jury.config.schema.json'),
  `${JSON.stringify({ title: 'Configuration of Jury', ...z.toJSONSchema(Config, { io: 'input' }) }, null, 2)}\n`,
);
