/** Tests that check less than before: assertions that go, with nothing like them coming. */
import { isTestPath } from '../../languages/path-kinds.ts';
import type { ChangedFile } from '../../words/change.ts';
import {
  addedLines,
  type ChangedText,
  keyOf,
  removedLines,
  type SideLine,
  stockOf,
} from './changed-lines.ts';
import { countOf, quote, type Risk, type RiskMaterial } from './risk.ts';

const assertion =
  /^\s*(?:await\s+|yield\s+)?(?:(?:self|this|t|assert|expect|should|chai|sinon|Assert|Assertions|\$this|static|require|suite|s|ass)(?:\.|->|::))*(?:expect|assert\w*|should\w*|verify\w*|fail|is(?:_deeply)?|ok|equal|deepEqual|strictEqual|throws|rejects|NoError|Error|Equal|NotNil|Nil|True|False|Contains|Fatalf?|Errorf|must_\w+|refute\w*|flunk|wont_\w+)\b!?\s*(?:\(|\s|\.)|^\s*assert\b|\)\.(?:to|not|should)\b|\.expect\(/;

export function findRemovedAssertions(
  texts: readonly (readonly [ChangedFile, ChangedText])[],
  { names }: RiskMaterial,
): Risk[] {
  const tests = texts.filter(([{ path }]) => isTestPath(path));
  const stock = stockOf(tests.flatMap(([, text]) => addedLines(text).map(one => keyOf(one.text))));
  const lost = tests.map(([file, text]) => ({ file, text, gone: goneFrom(text, stock) }));
  const gained = tests.reduce((sum, [, text]) => sum + assertionsIn(addedLines(text)).length, 0);
  const moved = tests.reduce((sum, [, text]) => sum + assertionsIn(removedLines(text)).length, 0);
  // As many come as go: the tests are written anew.
  if (gained >= moved) return [];
  const left = new Set(names.filter(({ change }) => change === 'removed').map(({ name }) => name));
  return lost.flatMap(({ file, text, gone }) => {
    const kept = gone.filter(
      ({ code }) =>
        ![...code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)].some(([name]) => left.has(name)),
    );
    const added = assertionsIn(addedLines(text)).length;
    const [first] = kept;
    if (first === undefined || kept.length <= added) return [];
    const at = file.status === 'deleted' ? file.path : `${file.path}:${Math.max(1, first.newLine)}`;
    return [
      {
        kind: 'removed-assertion' as const,
        path: file.path,
        line: file.status === 'deleted' ? null : Math.max(1, first.newLine),
        sentence: `${at} loses ${countOf(kept.length, 'assertion')}${added > 0 ? ` and gains ${added}` : ''}, first (was line ${first.number}): ${quote(first.text)}`,
        evidence: kept.slice(0, 5).map(({ text: line }) => line),
        action: `Check what still proves ${quote(first.text)}`,
      },
    ];
  });
}

function goneFrom(text: ChangedText, stock: ReturnType<typeof stockOf>): SideLine[] {
  return assertionsIn(removedLines(text)).filter(({ text: line }) => !stock.take(keyOf(line)));
}

function assertionsIn(lines: readonly SideLine[]): SideLine[] {
  return lines.filter(({ code }) => code.length < 500 && assertion.test(code));
}
