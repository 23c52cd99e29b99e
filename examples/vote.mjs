// A formal vote from code: the members of motions/roster.json answer through a function, and the rule set "quorum" decides.
import { fileURLToPath } from 'node:url';
import { createJury } from 'jury';

const session = fileURLToPath(new URL('motions', import.meta.url));
const member = ({ prompt }) => {
  const motions = [...new Set(prompt.match(/\bm-\d+\b/g))];
  const stances = motions.map(motion_id => ({
    motion_id,
    stance: motion_id === 'm-1' ? 'endorse' : 'oppose',
    reasoning: 'It is as it is.',
    confidence: 0.9,
  }));
  return { text: JSON.stringify(stances) };
};

const jury = createJury({
  config: { motions: { reviewer: { runner: 'member' } } },
  runners: { member },
});
const vote = await jury.vote({ dir: session, realAgent: true, rules: 'quorum' });
for (const { mega_motion_title: title, outcome } of vote.run.results)
  console.log(`${title}: ${outcome}`);
