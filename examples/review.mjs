// A review in ten lines: the latest commit, before the analysers that come with Jury. Start it inside a git repository.
import { createJury, exitCodeOf } from 'jury';

const jury = createJury();
const run = await jury.run({ process: 'review', range: 'HEAD' });
console.log(jury.render(run, 'brief'));
for (const claim of run.claims)
  console.log(`${claim.severity} ${claim.location?.path ?? ''} ${claim.text}`);
process.exitCode = exitCodeOf(run.outcome);
