// The source of ids of a build made for comparison, in place of `src/adapters/system/ids.ts`: an id is made of what JURY_COMPARISON_IDS
// says and of how many came before. Two commands on one state need two words, or their runs would have one name.
import { systemIds as machine } from '../../src/adapters/system/ids.ts';
import { sha256 } from '../../src/core/hash.ts';

export * from '../../src/adapters/system/ids.ts';

const { JURY_COMPARISON_IDS: seed } = process.env;
if (!seed) throw new Error('Set JURY_COMPARISON_IDS to a word of which ids are made.');

let drawn = 0;
const draw = () => sha256(`${seed}\0${(drawn += 1)}`);

/** @type {import('../../src/core/ports/runner.ts').Ids} */
export const systemIds = {
  run: now => `${machine.run(now).slice(0, -6)}${draw().slice(0, 6)}`,
  nonce: () => draw().slice(0, 32),
};
