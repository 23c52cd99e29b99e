/** Where a test begins and what it is called, by the line that opens it. */
import { indentOf } from './changed-lines.ts';

export interface TestCase {
  /** 1-based. */
  readonly line: number;
  /** As it is written: what stands in quotes, or the name of the function. */
  readonly title: string;
}

/** `it('does', …`, `test "does" do`, `should "do" do` */
const titled =
  /^\s*(?:await\s+)?(?:it|test|specify|should|example|scenario|Deno\.test|t\.(?:Run|test))\b(?:\.\w+(?:\([^()]*\))?)*\s*\(?\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`)/;
/** `def test_does`, `func TestDoes`, `public void testDoes()`, `function testDoes()` */
const named =
  /^\s*(?:(?:public|private|protected|internal|static|final|async|override|pub)\s+)*(?:def|func|fn|fun|function|void|Task)\s+(?:\([^)]*\)\s*)?((?:test|Test|should|it_|spec_)\w*|\w+)\s*(?:\(|$|<)/;

/** Null for a line that opens no test. */
export function titleOf(text: string): string | null {
  if (text.length > 500) return null;
  const quoted = titled.exec(text);
  const title = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3];
  if (title !== undefined) return title;
  const name = named.exec(text)?.[1];
  return name !== undefined && /^(?:test|should|it_|spec_)/i.test(name) ? name : null;
}

/** Name of the function that a line begins; null where it begins none. */
export function functionIn(text: string): string | null {
  return (text.length > 500 ? undefined : named.exec(text)?.[1]) ?? null;
}

/** The test that a line stands in: the nearest one above that is indented less. Functions without such a name count behind an attribute. */
export function caseAbove(lines: readonly string[], line: number): TestCase | null {
  let indent = indentOf(lines[line - 1] ?? '');
  for (let at = line - 2; at >= Math.max(0, line - 400); at -= 1) {
    const text = lines[at] ?? '';
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const title = titleOf(text) ?? markedTitle(lines, at);
    if (title !== null) return { line: at + 1, title };
  }
  return null;
}

const mark =
  /^\s*(?:@(?:Test|ParameterizedTest|RepeatedTest)\b|#\[(?:\w+::)?test|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b)/;

function markedTitle(lines: readonly string[], at: number): string | null {
  const name = named.exec(lines[at] ?? '')?.[1];
  if (name === undefined) return null;
  for (let above = at - 1; above >= Math.max(0, at - 6); above -= 1) {
    const text = lines[above] ?? '';
    if (mark.test(text)) return name;
    if (text.trim() === '' || /[;{}]\s*$/.test(text)) return null;
  }
  return null;
}
