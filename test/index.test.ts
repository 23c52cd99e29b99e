import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

it('the public library exports and does nothing else', () => {
  const file = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  expect(source.statements.filter(statement => !ts.isExportDeclaration(statement)).map(statement => statement.getText(source))).toEqual([]);
});
