import { expect, it } from 'vitest';
import { createSampleRepository } from '../git/sample-repository.ts';
import { indexSample } from './open-sample-index.ts';

it.each([
  ['one line of a million characters', 'a.md', 'a'.repeat(1_000_000)],
  ['brackets without end', 'a.ts', '(\n'.repeat(200_000)],
  ['open blocks', 'a.c', 'void f() {\n'.repeat(50_000)],
  ['nothing but definitions', 'a.swift', 'func a() {\n'.repeat(50_000)],
])('%s: the index reads it to its end', async (_, path, text) => {
  const sample = createSampleRepository();
  sample.write(path, text);
  expect((await indexSample(sample.root)).files()).toMatchObject([{ path, bytes: text.length }]);
});
