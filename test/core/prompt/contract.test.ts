import { describe, expect, it } from 'vitest';
import { renderContract, saysWritten } from '../../../src/core/prompt/contract.ts';

describe('the output contract', () => {
  it('tells a reviewer that can write files where to write, and to answer in one line', () => {
    expect(
      renderContract({
        contract: 'index',
        agent: 'alpha',
        outputFolder: '/runs/r/reviews',
        writesFiles: true,
      }),
    ).toContain(`## Output Contract

Write ALL findings to \`/runs/r/reviews/alpha.md\`.
Do NOT return findings in your response text.
Your response text should be a single line: "Findings written to /runs/r/reviews/alpha.md"
If you cannot write that file, answer with its text and nothing else.

File structure:

### Findings Index
- SEVERITY | ID | "Section" | Title
Verdict: safe|needs-changes|risky
### Summary
[3-5 lines]
### Issues Found
[numbered; ID, severity, evidence, file:line]
### Improvements
[numbered; one line each]
`);
  });

  it('asks one that cannot for the text of the file, and never lets it claim to have written one', () => {
    const text = renderContract({
      contract: 'research',
      agent: 'alpha',
      outputFolder: null,
      writesFiles: false,
    });
    expect(text).toContain('Your answer is written to `{OUTPUT_DIR}/alpha.md` for you.');
    expect(text).not.toContain('Findings written');
    for (const block of ['### Sources', '### Findings', '### Confidence', '### Gaps'])
      expect(text).toContain(block);
  });

  it.each([
    ['Findings written to /a/b.md', true],
    ['  "Findings written to /a/b.md"\n', true],
    ['Findings written to /a/b.md\nand more', false],
    ['No findings written to disk', false],
  ])('takes %j for a pointer to the file: %s', (answer, expected) => {
    expect(saysWritten(answer)).toBe(expected);
  });
});
