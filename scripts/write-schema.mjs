// Writes the JSON Schemas of the configuration and of everything that is printed as JSON from the code that was just built.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from './setup.mjs';

const { Config } = await import('../dist/core/words/config.js');
mkdirSync(path.join(root, 'schema'), { recursive: true });
writeFileSync(
  path.join(root, 'schema', 'jury.config.schema.json'),
  `${JSON.stringify({ title: 'Configuration of Jury', ...z.toJSONSchema(Config, { io: 'input' }) }, null, 2)}\n`,
);

const { jsonSchemaOf, printed } = await import('../dist/core/printed/printed.js');
for (const name of /** @type {(keyof typeof printed)[]} */ (Object.keys(printed)))
  writeFileSync(
    path.join(root, 'schema', `jury.${name}.schema.json`),
    `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`,
  );
