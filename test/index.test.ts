import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

function parse(name: string): ts.SourceFile {
  const file = fileURLToPath(new URL(`../src/${name}`, import.meta.url));
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

const index = parse('index.ts');

it('the public library exports and does nothing else', () =>
  expect(
    index.statements
      .filter(statement => !ts.isExportDeclaration(statement))
      .map(statement => statement.getText()),
  ).toEqual([]));

it('every type that a caller takes or gives can be imported', () => {
  const ofTheLanguage =
    'AbortSignal AsyncGenerator Date Partial Pick Promise Readonly Record ReadOnly z.infer'.split(
      ' ',
    );
  const exported = index.statements
    .filter(ts.isExportDeclaration)
    .flatMap(({ exportClause }) =>
      exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.flatMap(({ name, propertyName }) => [name, propertyName ?? name])
        : [],
    );
  const known = new Set([...ofTheLanguage, ...exported.map(({ text }) => text)]);
  const faces = [
    ...interfacesOf('library/jury.ts', ['Jury', 'JurySettings', 'CallOptions']),
    ...interfacesOf('library/call.ts', ['Call']),
    ...interfacesOf('core/ports/runner.ts', ['Turn', 'Runner', 'Answered', 'NotAnswered']),
    ...interfacesOf('core/ports/matcher.ts', ['Matcher']),
    ...interfacesOf('core/ports/runner.ts', ['Clock', 'Ids']),
  ];
  expect(faces).toHaveLength(11);
  expect([...new Set(faces.flatMap(namesIn))].filter(name => !known.has(name))).toEqual([]);
});

function interfacesOf(file: string, names: readonly string[]): ts.Node[] {
  return parse(file).statements.filter(
    statement =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
      names.includes(statement.name.text),
  );
}

function namesIn(node: ts.Node): string[] {
  const own = ts.isTypeReferenceNode(node)
    ? [node.typeName.getText()]
    : ts.isExpressionWithTypeArguments(node)
      ? [node.expression.getText()]
      : [];
  return [...own, ...node.getChildren().flatMap(namesIn)];
}
