/** Finds what writes the outcome of a run or the exit code of the program: that is for one file to do. */
import ts from 'typescript';
import { eachSource } from '../layers.ts';

export const writer = 'core/verdict/outcome.ts';

/** Where an `outcome` or an `exitCode` is of another thing: a motion, a claim that was voted on, a child process. */
const ofOtherThings: readonly RegExp[] = [
  /^vote\/(?!holding\/)/,
  /^adapters\//,
  /^render\/(motions|ratification)/,
];

export interface Written {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

export function findWriters(source: string): Written[] {
  return eachSource(source, writersIn);
}

export function writersIn(file: string, text: string): Written[] {
  if (file === writer || ofOtherThings.some(pattern => pattern.test(file))) return [];
  // Most files say nothing of either, and need not be parsed.
  if (!/outcome|exit|return [1-9]/i.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Written[] = [];
  const visit = (node: ts.Node) => {
    const what = whatIsWritten(node);
    if (what !== null)
      found.push({
        file,
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        what,
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const names: ReadonlySet<string> = new Set(['outcome', 'exitCode', 'exit_code']);

function whatIsWritten(node: ts.Node) {
  if (
    ts.isPropertyAssignment(node) &&
    names.has(nameOf(node.name)) &&
    !isHandedOn(node.initializer)
  )
    return node.getText();
  // `process.exitCode` takes what the door returns: only a literal decides.
  if (
    isAssignment(node) &&
    ts.isPropertyAccessExpression(node.left) &&
    names.has(node.left.name.text) &&
    !isHandedOn(node.right)
  )
    return node.getText();
  if (
    ts.isCallExpression(node) &&
    /^(process\.)?exit$/.test(node.expression.getText()) &&
    node.arguments.some(isCode)
  )
    return node.getText();
  if (
    ts.isVariableDeclaration(node) &&
    /exit(Code)?s?$/i.test(node.name.getText()) &&
    node.initializer !== undefined &&
    holdsCode(node.initializer)
  )
    return node.getText();
  return ts.isReturnStatement(node) &&
    node.expression !== undefined &&
    isCode(node.expression) &&
    isExitCodeOf(node)
    ? node.getText()
    : null;
}

function nameOf(name: ts.PropertyName) {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}

/** Read elsewhere and passed on, said in words for people, absent, or a schema: nothing is decided there. */
function isHandedOn(value: ts.Expression) {
  if (ts.isParenthesizedExpression(value)) return isHandedOn(value.expression);
  if (value.kind === ts.SyntaxKind.NullKeyword) return true;
  if (ts.isPropertyAccessExpression(value))
    return (
      names.has(value.name.text) ||
      ['consensusExits', 'programExits'].includes(value.expression.getText())
    );
  if (ts.isIdentifier(value)) return true;
  const text = value.getText();
  return (
    /^(z\.|Whole\.|exitCodeOf\(|outcomeOf\(|await )/.test(text) ||
    (ts.isConditionalExpression(value) &&
      [value.whenTrue, value.whenFalse].every(isWordsOrHandedOn))
  );
}

/** A sentence is none of the three words. */
function isWordsOrHandedOn(value: ts.Expression) {
  if (ts.isStringLiteral(value)) return !['PASS', 'FAIL', 'INCOMPLETE'].includes(value.text);
  return isHandedOn(value);
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

/** Nought is no decision: a command that judges nothing ends well. */
function isCode(value: ts.Node) {
  return ts.isNumericLiteral(value) && value.text !== '0';
}

function holdsCode(value: ts.Node) {
  return (
    isCode(value) ||
    (ts.isObjectLiteralExpression(value) &&
      value.properties.some(
        property => ts.isPropertyAssignment(property) && isCode(property.initializer),
      ))
  );
}

/** Does the function around it give exit codes: a command, or whatever `main` calls? */
function isExitCodeOf(node: ts.Node) {
  const file = node.getSourceFile().fileName;
  if (!/^(cli|mcp)\//.test(file)) return false;
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (ts.isFunctionDeclaration(at))
      return /^(main|report|refuse|print|run|hold|execute|resume|ask|compare|show)/.test(
        at.name?.text ?? '',
      );
    if (ts.isMethodDeclaration(at)) return ['run', 'execute'].includes(nameOf(at.name));
  }
  return false;
}
