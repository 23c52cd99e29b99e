// A reviewer of the chain: answers each kind of question in its form, at the length real ones have, and notes that it was asked.
import { appendFileSync } from 'node:fs';

const who = ['claude-like', 'codex-like', 'gemini-like'].indexOf(process.env.JURY_REVIEWER ?? '');
const words = (
  'the order holds a coupon whose value is subtracted after the lines are added and nobody looks ' +
  'whether the code was used before or whether two requests arrive at once while the table is read'
).split(' ');
const prose = (/** @type {number} */ length, /** @type {number} */ seed) =>
  Array.from(
    { length },
    (_, at) => words[(at * 7 + seed * 13 + ((at * at) % 11)) % words.length],
  ).join(' ');
const body = Array.from({ length: 24 }, (_, at) => `${prose(90, who * 17 + at)}.`).join('\n\n');
const shared = 'The total of an order can fall below zero when the coupon is worth more';
const own = [
  'Two requests at once can use one coupon twice',
  'Nothing says when a coupon expires',
  'A coupon without a value makes the total no number',
][who];

let prompt = '';
process.stdin
  .setEncoding('utf8')
  .on('data', text => (prompt += text))
  .on('end', () => {
    appendFileSync(process.env.CHAIN_CALLS ?? '', 'x');
    console.log(answer());
  });

function answer() {
  if (prompt.includes('### Ideas'))
    return (
      `### Summary\nThree ways differ in where the value is kept.\n### Ideas\n- I1 | One table of ` +
      `codes: simple, and hard to share between shops\n- I2 | Signed codes: nothing is stored, and none ` +
      `can be called back\n- I3 | Rules in code: quick, and every campaign is a release\n### Open ` +
      `Questions\n- May two coupons be joined?\n`
    );
  if (prompt.includes('### Findings Index')) {
    return (
      `### Findings Index\n- P1 | C-1 | "Coupons" | ${shared}\n- P2 | C-2 | "Storage" | ` +
      `${own}\nVerdict: needs-changes\n### Summary\nThe plan forgets the lower bound.\n### Issues ` +
      `Found\n1. **C-1** (P1): docs/plan.md:5 subtracts without a bound. ${body}\n2. **C-2** (P2): ` +
      `${prose(60, who)}.\n### Improvements\n1. Add an example\n<!-- jury:complete -->`
    );
  }
  // A choice such as `WORD: one|two` is answered by its first word.
  const asked = /\bend your answer with[^\n]*\n\s*(\S[^\n]*)/i.exec(prompt)?.[1] ?? '';
  const end = asked.replace(/\|.*$/, '');
  if (prompt.includes('PASS|')) return `PASS|1\nPASS|2\n\n${body}\n${end}`;
  if (prompt.includes('STRONG|')) return `STRONG|${shared}\nMODERATE|${own}\n\n${body}\n${end}`;
  return `CRITICAL|src/order.js:3|${shared}\nSUGGESTION|src/order.js:3|${own}\n\n${body}\nVERDICT: risky`;
}
