// Tokens that reach the caller of each process when eight reviewers write some 4,000 tokens each, against all of it inline.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Tokenizer } from 'ai-tokenizer';
import * as o200k from 'ai-tokenizer/encoding/o200k_base';
import { latestRunOf, runJury, stateOf, withSampleRepository } from './program.mjs';

export const title = 'tokens that reach the caller of the dearest process, over 1,000';
export const aim = 1;

const tokenizer = new Tokenizer(o200k);
const count = (/** @type {string} */ text) => tokenizer.encode(text, [], []).length;

const processes = {
  review: ['review'],
  gates: ['gates', 'HEAD~1..HEAD', '--complexity', 'COMPLEX'],
  document: ['document', 'design.md'],
  research: ['research', 'How do others keep state?'],
  brainstorm: ['brainstorm', 'Where to keep state', '--reviewers', 'r1,r2,r3,r4,r5,r6,r7,r8'],
};

const script = `let prompt = '';
const words = 'the cache holds entries that nobody removes when a writer fails between two steps and readers see stale values because locks are taken late while retries double load under pressure'.split(' ');
const who = Number(process.env.JURY_REVIEWER.slice(1));
const prose = (length, seed) => Array.from({ length }, (_, index) => words[(index * 7 + seed * 13 + (index * index) % 11) % words.length]).join(' ');
const item = index => 'Problem ' + 'abcdefgh'[who - 1] + index + ': ' + prose(18, who * 31 + index);
const list = make => Array.from({ length: 12 }, (_, index) => make(index + 1)).join('\\n');
process.stdin.setEncoding('utf8').on('data', text => (prompt += text)).on('end', () => {
  const body = '\\n' + Array.from({ length: 30 }, (_, index) => prose(110, who + index) + '.').join('\\n\\n');
  if (prompt.includes('### Sources')) console.log('### Sources\\n' + list(n => '- community | S' + n + ' | ' + prose(8, n) + ' | https://example.org/' + who + '/' + n) + '\\n### Findings\\n' + list(n => '- F' + n + ' | ' + item(n) + ' | S' + n) + '\\n### Confidence\\nmedium\\n### Gaps\\n- ' + prose(30, who) + '\\n### Notes' + body);
  else if (prompt.includes('### Ideas')) console.log('### Summary\\n' + prose(60, who) + '\\n### Ideas\\n' + list(n => '- I' + n + ' | ' + item(n)) + '\\n### Notes' + body);
  else if (prompt.includes('### Findings Index')) console.log('### Findings Index\\n' + list(n => '- P' + (n % 4) + ' | F' + n + ' | "Storage" | ' + item(n)) + '\\nVerdict: risky\\n### Summary\\n' + prose(40, who) + '\\n### Issues Found' + body);
  else console.log(list(n => ['CRITICAL', 'IMPORTANT', 'SUGGESTION'][n % 3] + '|sum.js:1|' + item(n)) + '\\n' + body + '\\nVERDICT: risky');
});`;

/** @type {import('./main.mjs').Measure} */
export function measure({ size }) {
  const isFull = size === 'full';
  const asked = isFull ? processes : { review: processes.review };
  return withSampleRepository({ count: isFull ? 8 : 2, script }, async folder => {
    writeFileSync(
      path.join(folder, 'design.md'),
      '# Design\n\n## Storage\n\nState is kept in one file.\n',
    );
    const figures = [];
    for (const [name, args] of Object.entries(asked))
      figures.push({ name, ...(await measureProcess(folder, args)) });
    const detail = figures
      .map(
        ({ name, caller, inline, reviewers }) =>
          `${name} ${caller} of ${inline} inline (${reviewers} reviewers)`,
      )
      .join(', ');
    return { figure: Math.max(...figures.map(({ caller }) => caller)) / 1000, detail };
  });
}

/** `caller`: what stands on standard output. `inline`: everything the reviewers said. */
async function measureProcess(/** @type {string} */ folder, /** @type {string[]} */ args) {
  const { stdout } = await runJury(args, folder);
  const raw = path.join(latestRunOf(stateOf(folder)), 'raw');
  const said = readdirSync(raw)
    .filter(name => name.endsWith('.txt'))
    .map(name => readFileSync(path.join(raw, name), 'utf8'));
  return {
    caller: count(stdout),
    inline: said.reduce((sum, text) => sum + count(text), 0),
    reviewers: said.length,
  };
}
