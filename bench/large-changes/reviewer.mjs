// A reviewer of the benchmark: finds one thing in the first file it is shown, at some length, and notes what it was shown.
import { appendFileSync } from 'node:fs';

let prompt = '';
process.stdin
  .setEncoding('utf8')
  .on('data', text => (prompt += text))
  .on('end', () => {
    const files = [...prompt.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(match => match[1]);
    appendFileSync(
      new URL('./asked.jsonl', import.meta.url),
      `${JSON.stringify({ reviewer: process.env.JURY_REVIEWER, files })}\n`,
    );
    const [first = null] = files;
    if (first !== null)
      console.log(
        `SUGGESTION|${first}:2|the list is filtered twice where one pass would do, which ` +
          `${'matters for long lists and '.repeat(4)}is easily put right`,
      );
    console.log(`${first === null ? 'None\n' : ''}VERDICT: safe`);
  });
