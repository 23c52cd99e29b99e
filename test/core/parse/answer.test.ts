import { describe, expect, test } from 'vitest';
import { briefs, read, sent, unread } from './reading-options.ts';

describe('severity lines and headed bullets', () => {
  test('headings, bullets, lines and placeholders of one answer are told apart', () => {
    const answer = '## Critical Issues\n- a\n-b\n  - indented\n* star\n## CRITICAL Issue\n- c\n## Important\n- d\n## Suggestions\n- e\n## Suggestion\n- f\n## Strong Issues\n- CRITICAL|g\n## Weak\n- None\n## Critical issues\n- h\n# Other\n- i\nno dash\n-\n';
    const reading = read(answer);
    expect(reading.findings.map(({ label, text }) => `${label} ${text}`)).toEqual(['CRITICAL a', 'CRITICAL b', 'CRITICAL star', 'CRITICAL c', 'IMPORTANT d', 'SUGGESTION e', 'SUGGESTION f', 'CRITICAL g', 'CRITICAL h']);
    expect(reading.dropped).toEqual({ placeholder: 1, template: 0, prompt: 0 });
    expect(reading.unparsed).toEqual(['- i']);
    expect(reading.findings[1]?.evidence).toBe('- indented');
  });

  test('a label of another scale is understood', () => {
    expect(read('STRONG|Missing error handling').findings).toMatchObject([{ originalId: '#1', label: 'STRONG', severity: 'critical', text: 'Missing error handling' }]);
  });

  test.each([
    ['CRITICAL|src/a.ts:10|SQL injection', 'critical src/a.ts:10 SQL injection'],
    ['- **IMPORTANT**|src/b.ts|No test', 'high src/b.ts No test'],
    ['* `SUGGESTION`|rename limit (src/b.ts:7-9)', 'low src/b.ts:7-9 rename limit (src/b.ts:7-9)'],
    ['+ [CRITICAL] | a | b', 'critical - a | b'],
    ['**CRITICAL|all bold**', 'critical - all bold'],
    ['critical|Makefile:3|tabs', 'critical Makefile:3 tabs'],
  ])('%s', (line, brief) => {
    expect(briefs(read(line))).toEqual([brief]);
  });

  test('an answer of placeholders only is complete and finds nothing', () => {
    for (const answer of ['None', '"No issues found."', '- n/a', '## Critical Issues\n- None\n## Suggestions\n- Nothing to report\n']) {
      expect(read(answer)).toMatchObject({ status: 'complete', findings: [] });
    }
  });

  test('the instruction block said back is no review', () => {
    expect(unread(sent.instructions).cause).toBe('echo');
    expect(unread(' \n ').cause).toBe('empty');
  });
});

describe('JSON answers', () => {
  test('an object with findings is read bare, in a fence and between prose', () => {
    const json = '{"agent":"a","findings":[{"id":"S-1","severity":"HIGH","file":"src/a.ts","line":3,"issue":"No check","recommendation":"Add one"}],"verdict":"WARN"}';
    for (const answer of [json, `\`\`\`json\n${json}\n\`\`\``, `I read {both} files.\n\n${json}\nGood luck!`]) {
      const reading = read(answer);
      expect(reading).toMatchObject({ status: 'complete', format: 'json', statedVerdict: 'WARN' });
      expect(reading.findings).toMatchObject([{ originalId: 'S-1', label: 'HIGH', severity: 'high', path: 'src/a.ts', line: 3, text: 'No check', recommendation: 'Add one' }]);
    }
  });
});
