/**
 * Tests that check less than before: cases that go while what they are about stays, and assertions that go out of a case that
 * stays. What was reworded, moved or left together with the code it tested is no loss.
 */
import { maskText } from '../../languages/mask-text.ts';
import { familyOf, isFixturePath, isTestPath } from '../../languages/path-kinds.ts';
import { identifiersOf } from '../../text.ts';
import {
  type ChangedText,
  hasCode,
  indentOf,
  keyOf,
  type SideLine,
  stockOf,
} from './changed-lines.ts';
import { countOf, listNames, quote, type Risk, type RiskMaterial } from './risk.ts';
import { caseAbove, type TestCase, titleOf } from './test-cases.ts';

const assertion =
  /^\s*(?:await\s+|yield\s+)?(?:(?:self|this|t|assert|expect|should|chai|sinon|Assert|Assertions|\$this|static|require|suite|s|ass)(?:\.|->|::))*(?:expect|assert\w*|should\w*|verify\w*|fail|is(?:_deeply)?|ok|equal|deepEqual|strictEqual|throws|rejects|NoError|Error|Equal|NotNil|Nil|True|False|Contains|Fatalf?|Errorf|must_\w+|refute\w*|flunk|wont_\w+)\b!?\s*(?:\(|\s|\.)|^\s*assert\b|\)\.(?:to|not|should|must_\w+|wont_\w+)\b|\.(?:expect|must_\w+|wont_\w+|should)\b|\b(?:pytest\.raises|assertRaises\w*|assert_raises?)\b/;

/** An error that is handed to the test ends it: nothing is demanded of what is tested. */
const passingOn = /\b[tb]\.Fatal\(err\)|\bif \(err\)/;

export function findRemovedAssertions(
  texts: readonly ChangedText[],
  material: RiskMaterial,
): Risk[] {
  const tests = texts.filter(({ path }) => isTestPath(path) && !isFixturePath(path));
  if (tests.length === 0) return [];
  const added = tests.flatMap(text => text.added);
  const removed = tests.flatMap(text => text.removed);
  // Much is written anew: a table, or a helper, says the same in other lines.
  if (added.filter(hasCode).length >= removed.filter(hasCode).length) return [];
  const everywhere: Everywhere = {
    stock: stockOf(added.filter(asserts)),
    titles: new Set(added.map(({ text }) => titleOf(text)).filter(title => title !== null)),
    left: namesThatLeft(texts, material),
    gained: added.filter(asserts).length,
    lost: removed.filter(asserts).length,
  };
  const found = tests.map(text => risksOf(text, everywhere, material));
  return [...merged(found.flatMap(({ whole }) => whole)), ...found.flatMap(({ parts }) => parts)];
}

/** Tests go together: the file that loses most is told, the others are named. */
function merged(risks: readonly Risk[]): Risk[] {
  const [first, ...others] = risks.toSorted(
    (one, other) => other.evidence.length - one.evidence.length,
  );
  if (first === undefined) return [];
  const paths = others.map(({ path }) => path);
  return [
    others.length === 0
      ? first
      : {
          ...first,
          sentence: `${first.sentence}; so are tests of ${listNames(paths, 2)}`,
        },
  ];
}

interface Everywhere {
  readonly stock: ReturnType<typeof stockOf>;
  /** Of the cases that the change writes. */
  readonly titles: ReadonlySet<string>;
  /** What the code no longer speaks of. */
  readonly left: ReadonlySet<string>;
  readonly gained: number;
  readonly lost: number;
}

function risksOf(
  text: ChangedText,
  everywhere: Everywhere,
  { linesOf, oldLinesOf }: RiskMaterial,
): { readonly whole: readonly Risk[]; readonly parts: readonly Risk[] } {
  const old = oldLinesOf(text.oldPath ?? text.path);
  const gone = new Set(text.removed.map(({ number }) => number));
  const now = text.status === 'deleted' ? [] : linesOf(text.path);
  const titles = new Set(now.map(titleOf));
  const cases = new Map<number, { readonly of: TestCase; readonly lines: SideLine[] }>();
  for (const line of text.removed.filter(asserts)) {
    if (everywhere.stock.take(line)) continue;
    const of = caseAbove(old, line.number);
    if (of === null || stillSays(now, of, line)) continue;
    const known = cases.get(of.line) ?? { of, lines: [] };
    known.lines.push(line);
    cases.set(of.line, known);
  }
  const lost = [...cases.values()].filter(
    ({ of, lines }) =>
      !bodyOf(of, old).some(name => everywhere.left.has(name)) &&
      !lines.some(({ code }) => [...identifiersOf(code)].some(name => everywhere.left.has(name))),
  );
  const whole = lost.filter(
    ({ of }) => gone.has(of.line) && !titles.has(of.title) && !everywhere.titles.has(of.title),
  );
  const parts = lost.filter(({ of }) => !gone.has(of.line));
  return {
    // As many come as go: the cases have other names.
    whole:
      whole.length === 0 || everywhere.gained * 2 >= everywhere.lost
        ? []
        : [goneCases(text, whole)],
    parts: lessChecked(text, parts, old),
  };
}

/** It stood there twice. */
function stillSays(now: readonly string[], { title }: TestCase, { text }: SideLine): boolean {
  const at = now.findIndex(one => titleOf(one) === title);
  return at !== -1 && caseLines(at + 1, now).some(one => keyOf(one) === keyOf(text));
}

type Lost = { readonly of: TestCase; readonly lines: readonly SideLine[] };

function goneCases({ path, status }: ChangedText, whole: readonly Lost[]): Risk {
  const [first] = whole;
  const line = status === 'deleted' ? null : (first?.lines[0]?.newLine ?? 1);
  const at = line === null ? path : `${path}:${line}`;
  const count = whole.reduce((sum, { lines }) => sum + lines.length, 0);
  const titles = [...new Set(whole.map(({ of }) => quote(of.title)))];
  return {
    kind: 'removed-assertion',
    path,
    line,
    sentence:
      `${at} ${whole.length === 1 ? `the test ${titles[0] ?? ''} is` : `${whole.length} tests are`} ` +
      `gone with ${countOf(count, 'assertion')} (was line ` +
      `${first?.of.line ?? 1})${whole.length === 1 ? '' : `: ${listNames(titles, 3)}`}`,
    evidence: whole.flatMap(({ lines }) => lines.map(({ text }) => text)),
    action: `Check what still tests ${listNames(titles, 2)}`,
  };
}

/** Of a case that stays: nothing is asserted in its place. */
function lessChecked(
  { path, after }: ChangedText,
  parts: readonly Lost[],
  old: readonly string[],
): Risk[] {
  const bare = parts.filter(
    ({ lines }) =>
      !lines.some(line =>
        after.some(
          hunk =>
            hunk.some(one => one.isChanged && asserts(one)) &&
            hunk.some(({ newLine }) => Math.abs(newLine - line.newLine) < 20),
        ),
      ),
  );
  const [first] = bare;
  const [line] = first?.lines ?? [];
  if (first === undefined || line === undefined) return [];
  const number = line.newLine;
  const count = bare.reduce((sum, { lines }) => sum + lines.length, 0);
  const others = bare.length - 1;
  const all = assertionsOf(first.of, old);
  return [
    {
      kind: 'removed-assertion',
      path,
      line: number,
      sentence:
        `${path}:${number} ` +
        `${quote(first.of.title)}${others > 0 ? ` and ${countOf(others, 'more test')} lose ${countOf(count, 'assertion')}` : ` loses ${count} of ${countOf(Math.max(all, count), 'assertion')}`}, ` +
        `first (was line ${line.number}): ${quote(line.text)}`,
      evidence: bare.flatMap(({ lines }) => lines.map(one => one.text)).slice(0, 5),
      action: `Check at ${path}:${number} what still proves ${quote(line.text)}`,
    },
  ];
}

function assertionsOf({ line }: TestCase, old: readonly string[]): number {
  return caseLines(line, old).filter(text => text.length < 500 && assertion.test(text)).length;
}

function caseLines(line: number, old: readonly string[]): readonly string[] {
  const indent = indentOf(old[line - 1] ?? '');
  const rest = old.slice(line);
  const end = rest.findIndex(
    (text, index) => index > 0 && text.trim() !== '' && indentOf(text) <= indent,
  );
  return end === -1 ? rest : rest.slice(0, end);
}

function bodyOf({ line }: TestCase, old: readonly string[]): readonly string[] {
  return [...identifiersOf([old[line - 1] ?? '', ...caseLines(line, old)].join('\n'))];
}

/** Names of the product that stood on its removed lines and stand nowhere in what is left of its files. */
function namesThatLeft(
  texts: readonly ChangedText[],
  { names, linesOf }: RiskMaterial,
): ReadonlySet<string> {
  const product = texts.filter(({ path, family }) => !isTestPath(path) && family !== null);
  const kept = new Set(
    product.flatMap(({ path, status }) =>
      status === 'deleted' ? [] : [...identifiersOf(codeOf(linesOf(path), path))],
    ),
  );
  const gone = product.flatMap(({ removed }) =>
    removed.flatMap(({ text: line }) => [...identifiersOf(line)]),
  );
  return new Set([
    ...gone.filter(name => name.length > 2 && !kept.has(name)),
    ...names.filter(({ change }) => change === 'removed').map(({ name }) => name),
  ]);
}

function codeOf(lines: readonly string[], path: string): string {
  return maskText(lines.join('\n'), familyOf(path)).code;
}

function asserts({ code }: SideLine): boolean {
  return code.length < 500 && assertion.test(code) && !passingOn.test(code);
}
