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
  {
    name: 'motion-account',
    why: 'Why a motion ended so is a line for each question, in the figures of the tables; MCP names the figures of a vote in the same order.',
    line: /It (?:passed|did not pass|was put off|is undecided)|who were asked|for it, |As it was first put|How close it was|[Pp]anel|(?:Before|before) the vote|[Oo]ther rule|gave a reason|sure\), about the |\d yea, \d/,
  },
];
