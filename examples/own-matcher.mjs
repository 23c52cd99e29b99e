// A matcher of your own decides which findings say the same: here those at one line of one file, whatever their words.
import { createJury } from 'jury';

const place = ({ location }) => (location?.line ? `${location.path}:${location.line}` : null);
const sameLine = {
  name: 'same-line',
  version: '1',
  threshold: null,
  prepare: async () => {},
  compare: (one, other) => {
    const same = place(one) !== null && place(one) === place(other);
    return { same, score: same ? 100 : 0, reason: same ? 'one line' : 'different lines' };
  },
};

const says = text => () => ({ text: `${text}\nVERDICT: needs-changes` });
const jury = createJury({
  matcher: sameLine,
  config: {
    reviewers: [
      { id: 'one', runner: 'one' },
      { id: 'other', runner: 'other' },
    ],
  },
  runners: {
    one: says('MINOR|src/sum.js:2|An empty list throws'),
    other: says('MINOR|src/sum.js:2|There is no initial value'),
  },
});
const run = await jury.run({ process: 'review', range: 'HEAD' });
for (const { text, supporters } of run.claims) console.log(`${text}: ${supporters.join(' and ')}`);
