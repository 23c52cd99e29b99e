/**
 * Differences that are wanted, written down before the change that makes them. A changed line is in a class where `case` and `file`
 * (globs, absent: any) hold it and `line` (absent: any) is found in it.
 */
export const classes = [
  {
    name: 'state-shape',
    why: 'State and journal of a run may change their shape: nobody but Jury reads them.',
    file: 'state/**/{run,plan,subject,last-answer}.json',
  },
  {
    name: 'no-scip',
    why: 'Names are resolved by the index alone: files of SCIP are no longer read.',
    line: /\bscip\b/i,
  },
];
