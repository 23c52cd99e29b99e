/** Tests that a change switches off, or that it alone lets run. */
import { isFixturePath, isTestPath } from '../../languages/path-kinds.ts';
import { type ChangedText, stockOf } from './changed-lines.ts';
import { quote, sayOthers, type Risk } from './risk.ts';
import { caseAbove, functionIn, titleOf } from './test-cases.ts';

const off =
  /^\s*(?:it|test|describe|context|suite|specify)\.(?:skip|todo|fixme)\b|^\s*x(?:it|test|describe|context|specify)\b\s*\(?\s*["'`]|^\s*@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip|expectedFailure)|Disabled|Ignore)\b|^\s*pytest\.skip\(|\bself\.skipTest\(|\b[tb]\.(?:Skip|SkipNow|Skipf)\(|^\s*#\[(?:cfg_attr\([^)]*,\s*)?ignore\b|\bmarkTestSkipped\(|\bmarkTestIncomplete\(|^\s*\[(?:Fact|Theory)\(Skip|^\s*\[Ignore\b|^\s*(?:skip|pending)(?:\s+["'(]|$)/;
const alone = /\b(?:it|test|describe|context)\.only\s*\(|^\s*f(?:it|describe)\s*\(\s*["'`]/;

/** One for the whole change: the first place is told, the others are counted. */
export function findSkippedTests(
  texts: readonly ChangedText[],
  { linesOf }: { readonly linesOf: (path: string) => readonly string[] },
): Risk[] {
  const tests = texts.filter(
    ({ path, status }) =>
      isTestPath(path) && !isFixturePath(path) && status !== 'added' && status !== 'deleted',
  );
  const stock = stockOf(tests.flatMap(({ removed }) => removed));
  const found = tests.flatMap(({ path, added }) =>
    added
      .filter(one => (off.test(one.code) || alone.test(one.code)) && !stock.take(one))
      .map(line => ({ path, line })),
  );
  const [first, ...others] = found;
  if (first === undefined) return [];
  const { path, line } = first;
  const at = `${path}:${line.number}`;
  const isAlone = alone.test(line.code);
  const title = titleAt(linesOf(path), line.number);
  return [
    {
      kind: 'skipped-test',
      path,
      line: line.number,
      sentence: `${at} ${isAlone ? 'lets only this test run' : `switches ${title === null ? 'a test' : quote(title)} off`}: ${quote(line.text)}${sayOthers(others)}`,
      evidence: found.slice(0, 5).map(one => one.line.text),
      action: isAlone
        ? `Take ${at} out before this is merged`
        : `Check what else tests ${title === null ? `what ${at} tested` : quote(title)}`,
    },
  ];
}

/** Of the line itself, of the one that a mark stands above, or of the test around it. */
function titleAt(lines: readonly string[], line: number): string | null {
  const [own = '', ...below] = lines.slice(line - 1, line + 4);
  const marked = /^\s*[@#[]/.test(own)
    ? below.map(functionIn).find(one => one !== null)
    : undefined;
  return titleOf(own) ?? marked ?? caseAbove(lines, line)?.title ?? null;
}
