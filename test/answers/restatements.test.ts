/** However a critical is stated beside other things, it is read with its severity, or the answer is not whole. */
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../src/answers/answer.ts';
import { bases, indexed, json, lined, units } from './bad-answers/samples.ts';
import { optionsWith } from './reading-options.ts';

const text = 'Any user can read the orders of others';
const place = 'src/b.ts:2';

/** A label in place of `@`. */
const forms: readonly string[] = [
  `@|${place}|${text}`,
  `- @|${place}|${text}`,
  `**@**|${place}|${text}`,
  `| @ | ${place} | ${text} |`,
  `| Severity | File | Line | Issue |\n|---|---|---|---|\n| @ | src/b.ts | 2 | ${text} |`,
  `| # | Issue | Severity | Location |\n|---|---|---|---|\n| 1 | ${text} | **@** | \`${place}\` |`,
  `**@**: ${place} ${text}`,
  `__@__ ${place} ${text}`,
  `**@: ${place} ${text}**`,
  `**[@]** ${text} (${place})`,
  `[@] ${place} - ${text}`,
  `@: ${place} ${text}`,
  `@ - ${place}: ${text}`,
  `- @: ${place} ${text}`,
  `* **@** \`${place}\`: ${text}`,
  `  - **@**: ${text} (${place})`,
  `1. **@** ${place} — ${text}`,
  `1. [@] ${text} — ${place}`,
  `### @: ${text}\n${place} shows it.`,
  `### 1. [@] ${text}\n\n**File:** src/b.ts, line 2`,
  `### ${text} (@)\n\n${place}`,
  `### 1. ${text} — @\n${place}`,
  `## @\n\n- ${place}: ${text}`,
  `## @ issues\n\n1. ${text} (${place})`,
  `Severity: @\nFile: ${place}\n${text}`,
  `File: ${place}\nSeverity: @\nIssue: ${text}`,
  `### ${text}\n- **Severity:** @\n- **Location:** ${place}`,
  `🔴 **@** \`${place}\`: ${text}`,
  `${place}: @: ${text}`,
  `**${place}** - @: ${text}`,
  `_⚠️ Potential issue_ | _🔴 @_\n\n**${text}** ${place}`,
  `![@](https://example.com/badge.svg) ${place} ${text}`,
  `<b>@</b>: ${place} ${text}`,
  `{"severity":"@","file":"src/b.ts","line":2,"issue":"${text}"}`,
  `\`\`\`json\n[{"severity":"@","path":"src/b.ts","line":2,"message":"${text}"}]\n\`\`\``,
];
const labels = 'CRITICAL Critical critical P0 BLOCKER KRITISCH 严重 ＣＲＩＴＩＣＡＬ'.split(' ');

const mild = bases
  .slice(1, 2)
  .map(base =>
    base.map(stated => ({ ...stated, severity: 'LOW' as const, file: 'docs/guide.md', line: 1 })),
  );
const answers: readonly string[] = mild.flatMap(base => [
  lined(base, null),
  indexed(base, 'Verdict: safe'),
  json(base, { verdict: 'OK' }),
  base.map(({ issue }, index) => `${index + 1}. **[LOW]** ${issue}`).join('\n'),
  `## Low\n\n${base.map(({ issue }) => `- ${issue}`).join('\n')}`,
]);

const beside: Readonly<Record<string, (answer: string, said: string) => string>> = {
  under: (answer, said) => `${answer}\n${said}`,
  below: (answer, said) => `${answer}\n\n${said}\n`,
  before: (answer, said) => `${said}\n\n${answer}`,
};
const hidden: Readonly<Record<string, (said: string) => string>> = {
  quoted: said => said.replace(/^/gm, '> '),
  fenced: said => `\`\`\`\`text\n${said}\n\`\`\`\``,
  nested: said => said.replace(/^/gm, '    '),
  'quoted twice': said => said.replace(/^/gm, '> > '),
};

const options = optionsWith({ units });

/** What is wrong with the reading; null when nothing. */
function look(answer: string, mustBeRead: boolean): string | null {
  const reading = readAnswer(answer, options);
  const isRead = reading.ok && reading.findings.some(({ severity }) => severity === 'critical');
  if (isRead || (!mustBeRead && (!reading.ok || reading.status === 'partial'))) return null;
  return `${reading.ok ? reading.status : reading.cause}: ${answer}`;
}

/** Every form under, below and before every answer, in words that `wordOf` chooses by the number of the case. */
function lookAtAll(
  wordOf: (index: number) => string,
  mustBeRead: boolean,
  hide = (said: string): string => said,
): readonly (string | null)[] {
  let index = 0;
  return forms.flatMap(form =>
    answers.flatMap(answer =>
      Object.values(beside).map(put =>
        look(put(answer, hide(form.replace('@', wordOf(index++)))), mustBeRead),
      ),
    ),
  );
}

const turns = (words: readonly string[], least: number): readonly ((index: number) => string)[] =>
  process.env['JURY_HOSTILE'] === 'all'
    ? words.map(word => () => word)
    : Array.from(
        { length: least },
        (_, turn) => index => words[(index + turn * 4) % words.length] ?? '',
      );

describe('a critical beside milder findings', () => {
  test('it is read in every form and by every label', () => {
    const wrong = turns(labels, 2).flatMap(wordOf => lookAtAll(wordOf, true));
    expect(wrong.filter(each => each !== null).slice(0, 5)).toEqual([]);
  });

  test.each(Object.entries(hidden))('%s it is read, or the answer is not whole', (_, hide) => {
    const wrong = turns(['CRITICAL', 'critical', '严重'], 1).flatMap(wordOf =>
      lookAtAll(wordOf, false, hide),
    );
    expect(wrong.filter(each => each !== null).slice(0, 5)).toEqual([]);
  });
});

test('what stands in the question is no finding, however it is quoted', () => {
  const line = `CRITICAL|${place}|${text}`;
  const sent = { instructions: '', prompt: `+// ${line}\n+${line}` };
  for (const said of [`> ${line}`, `\`\`\`diff\n+${line}\n\`\`\``])
    expect(readAnswer(`LOW|a name\n\n${said}`, { ...options, sent })).toMatchObject({
      status: 'complete',
      findings: [{ severity: 'low' }],
    });
});

test.each([`CRITICAL|${place}|${text}`, `- CRITICAL: ${text}`])(
  'what stands in the question is asked about again where it is said as if it were found: %s',
  line =>
    expect(
      readAnswer(`LOW|a name\n\n${line}`, {
        ...options,
        sent: { instructions: '', prompt: `+${line}` },
      }),
    ).toMatchObject({ partialCause: 'unaccounted' }),
);
