// A reviewer of your own is a function of a turn. This one wants no task left behind in an added line.
import { createJury, exitCodeOf } from 'jury';

const todo = ({ change }) => {
  const found = change.files.flatMap(({ path, hunks }) =>
    hunks.flatMap(hunk => {
      const lines = hunk.lines.filter(line => !line.startsWith('-'));
      return lines.flatMap((line, index) =>
        /^\+.*\bTODO\b/.test(line)
          ? [`MINOR|${path}:${hunk.newStart + index}|A task is left behind`]
          : [],
      );
    }),
  );
  return {
    text: [
      ...(found.length > 0 ? found : ['None']),
      `VERDICT: ${found.length > 0 ? 'needs-changes' : 'safe'}`,
    ].join('\n'),
  };
};

const jury = createJury({
  config: { reviewers: [{ id: 'todo', runner: 'todo' }], failOn: ['single:low'] },
  runners: { todo },
});
const run = await jury.run({ process: 'review', range: 'HEAD' });
console.log(
  run.outcome,
  run.claims.map(({ text, location }) => `${location?.path}:${location?.line} ${text}`),
);
process.exitCode = exitCodeOf(run.outcome);
