/** Reviews the states of a made branch one after the other by the built program, beside reviews that keep nothing. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSampleRepository } from '../../adapters/git/sample-repository.ts';
import { juryJson, writePanel } from '../../cli/jury.ts';
import { makeStates } from './branches.ts';

/** Finds fault with each line it is shown as added in what is called `prod`, by its number alone. */
const script = (places: string): string => `
const names = JSON.parse(fs.readFileSync(${JSON.stringify(places)}, 'utf8'));
let line = 0;
const said = [];
for (const text of prompt.split('\\n')) {
  const start = /^@@ -\\S+ \\+(\\d+)/.exec(text);
  if (start) line = Number(start[1]);
  else if (/^[+ ]/.test(text)) {
    if (text.startsWith('+') && text.includes('hot') && names[line] === 'prod')
      said.push('CRITICAL|a.conf:' + line + '|Production is hot');
    line += 1;
  }
}
console.log((said.join('\\n') || 'None') + '\\nVERDICT: ' + (said.length ? 'risky' : 'safe') + '\\nEND OF ANSWER');`;

interface Compared {
  /** States in which a review came to something else than one that keeps nothing. */
  readonly differences: readonly string[];
  /** Reviews that asked nobody. */
  readonly kept: number;
}

export function comparePushes(seed: number, count: number): Compared {
  const sample = createSampleRepository();
  const places = path.join(sample.root, '../places.json');
  const config = writePanel(sample, [{ id: 'm', script: script(places) }]);
  const differences: string[] = [];
  let kept = 0;
  for (const [index, { base, lines, at, name }] of makeStates(seed, count).entries()) {
    sample.git('checkout', '-q', '-B', 'main');
    sample.write('a.conf', `${base.join('\n')}\n`);
    sample.commit(`base ${index}`);
    sample.git('checkout', '-q', '-B', 'work');
    sample.write('a.conf', `${lines.join('\n')}\n`);
    sample.commit(`work ${index}`);
    writeFileSync(places, JSON.stringify({ [at + 1]: name }));
    const review = (...words: readonly string[]) => {
      const args = ['review', 'main..work', '--config', config, ...words];
      const { outcome, claims, usage } = juryJson(sample.root, args).record;
      const said = claims
        .filter(({ state }) => state !== 'fixed')
        .map(({ text, location }) => `${text} ${location?.line}`);
      return { came: [outcome, ...said].join(' | '), calls: usage.calls };
    };
    const [usual, fresh] = [review(), review('--fresh')];
    if (index > 0 && usual.calls === 0) kept += 1;
    if (usual.came !== fresh.came)
      differences.push(`seed ${seed}, state ${index}: ${usual.came}, fresh ${fresh.came}`);
  }
  return { differences, kept };
}
