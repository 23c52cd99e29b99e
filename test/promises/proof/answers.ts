/** Answers that state a critical: in a form, with a label, at a place, wrapped, beside what else is said. The same for a seed. */
import { createRandom } from './branches.ts';

const text = 'any user reads the orders of all others';

/** `@` is the label, `%` the place. */
const forms: readonly string[] = [
  `@|%|${text}`,
  `| @ | % | ${text} |`,
  `@ | % | ${text}`,
  `@: % ${text}`,
  `@ - % - ${text}`,
  `**@** % ${text}`,
  `**@: ${text}** %`,
  `__@__: ${text} %`,
  `\`@\` ${text} %`,
  `[@] % ${text}`,
  `【@】% ${text}`,
  `- @: % ${text}`,
  `- @ %: ${text}`,
  `* **@** — ${text} (%)`,
  `- [ ] **@** % ${text}`,
  `1. @: ${text} (%)`,
  `1. ${text} [@] %`,
  `a) @: ${text} %`,
  `### @: ${text}\n%`,
  `### ${text} (@)\n\n%`,
  `## @\n\n- %: ${text}`,
  `## @ issues (1)\n\n### ${text}\n\n%`,
  `@:\n- % ${text}`,
  `@ issues:\n\n${text} at %`,
  `Severity: @\nFile: %\nIssue: ${text}`,
  `### ${text}\n\n- **Severity**: @\n- **File**: %`,
  `%: ${text}. Severity: @.`,
  `Priority: @ - ${text} %`,
  `- severity: @\n  file: %\n  message: ${text}`,
  `{"severity":"@","file":"%","message":"${text}"}`,
  `{"findings":[{"severity":"@","path":"%","text":"${text}"}]}`,
  `{'severity': '@', 'file': '%', 'message': '${text}'}`,
  `<finding severity="@" file="%">${text}</finding>`,
  `<p><strong>@</strong>: ${text} %</p>`,
  `| File | Issue | Severity |\n|:--|:--|--:|\n| % | ${text} | **@** |`,
  `@,%,${text}`,
  `%\t@\t${text}`,
  `🚨 **@**: ${text} %`,
  `_⚠️ Potential issue_ | _🔴 @_\n\n**${text}** %`,
  `![@](https://example.com/b.svg) % ${text}`,
  `issue (@): ${text} %`,
  `%: @: ${text}`,
  `I consider this **@**: ${text}, see %.`,
  `Issue #1 - @ - ${text} %`,
];
const labels =
  'CRITICAL Critical critical P0 BLOCKER Blocker KRITISCH Critique Crítico КРИТИЧНО 严重 심각 ＣＲＩＴＩＣＡＬ';
const places = [
  'src/sum.js:2',
  '`src/sum.js:2`',
  'src/sum.js#L2',
  'src/sum.js, line 2',
  'src/sum.js',
];

type Put = (said: string) => string;
const wrappings: readonly Put[] = [
  said => said,
  said => said,
  said => said,
  said => said.replace(/^/gm, '> '),
  said => said.replace(/^/gm, '> > '),
  said => `\`\`\`\`text\n${said}\n\`\`\`\``,
  said => `~~~\n${said}\n~~~`,
  said => `\`\`\`diff\n${said.replace(/^/gm, '+ ')}\n\`\`\``,
  said => said.replace(/^/gm, '    '),
  said => `- one\n  - ${said.replace(/\n/g, '\n    ')}`,
  said => `<details>\n<summary>More</summary>\n\n${said}\n\n</details>`,
  said => said.replace(/\n/g, '\r\n'),
  said => said.replace(/ /g, '\u00a0'),
  said => `${said} Mend it.`,
];

const low = '{"severity":"low","path":"src/sum.js","line":1,"message":"name"';
const besides: readonly Put[] = [
  said => said,
  said => `SUGGESTION|src/sum.js:1|Name it better\n${said}`,
  said => `${said}\n\nSUGGESTION|src/sum.js:1|Name it better`,
  said => `None\n\n${said}`,
  said => `${said}\n\nNo other issues.`,
  said => `1. **[LOW]** src/sum.js:1 name it better\n${said}`,
  said => `## Low\n\n- src/sum.js:1 name\n\n${said}`,
  said => `## Resolved\n\n- LOW src/sum.js:1 was named badly\n\n${said}`,
  said => `### Findings Index\n- P3 | A-1 | "S" | Name it better\nVerdict: safe\n\n${said}`,
  said => `| Severity | File | Issue |\n|---|---|---|\n| LOW | src/sum.js:1 | name |\n\n${said}`,
  said => `{"findings":[${low}}]}\n\n${said}`,
  said => `${said}\n\n{"findings":[]}`,
  said => JSON.stringify({ findings: [JSON.parse(`${low}}`) as unknown], summary: said }),
  said => JSON.stringify({ findings: [{ ...(JSON.parse(`${low}}`) as object), details: said }] }),
];
const ends = [
  '',
  '\nVERDICT: safe',
  '\nVERDICT: needs-changes',
  '\n\n**Verdict:** approve',
  '\n\nLGTM',
];

export function makeAnswer(seed: number): string {
  const random = createRandom(seed);
  const pick = <Choice>(choices: readonly Choice[]): Choice =>
    choices[random(choices.length)] as Choice;
  const form = pick(forms).replaceAll('@', pick(labels.split(' ')));
  const said = pick(wrappings)(form.replaceAll('%', pick(places)));
  return `${pick(besides)(said)}${pick(ends)}\nEND OF ANSWER\n`;
}
