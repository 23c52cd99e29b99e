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
    name: 'risks-from-a-table',
    why: 'Risks are told by one table: other sentences, and facts of a file in place of facts of a line.',
    file: '{state,repository}/**/{context,handoff}/**',
    line: /security-sensitive|puts SQL|compares a secret|parses|builds (?:SQL|shell)|starts a process|and no test is|lines? of (?:\d+ )?tests?|call-sites|\d+ uses|changes in|is (?:taken out|changed)|"(?:ref|summary)"|^[-+] \s*[{}\]],?$/,
  },
  {
    name: 'tokens-of-a-pack',
    why: 'A pack with other sentences has other tokens.',
    file: 'state/**/journal.md',
    line: /lcp\.json` · \d+ tokens/,
  },
  {
    name: 'quotes-in-a-list',
    why: 'What is quoted below an item of a list stands at its indent.',
    file: '**/report.md',
    line: /^[-+] \s*(?:>|$)/,
  },
  {
    name: 'sampling-is-told',
    why: 'A vote by a sample says so in its report, also where it had no motions.',
    file: '**/report.md',
    line: /^\+ - Sampling: 0 of 0 motions/,
  },
  {
    name: 'no-second-way-to-ask',
    why: 'Claims are put to the vote in one way: `--verify`, `verify`, `band` and `verified` are gone.',
    line: /\bverif(?:y|ied)\b|\bband\b/,
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
  {
    name: 'facts-of-a-vote',
    why: 'The Markdown report of a vote begins with the lines that the terminal prints; what an amendment changes is a plain difference.',
    file: '**/report.md',
    line: /^[-+] - (?:Session|Input|Mode|Rules|Roster|Motions|Triage|Reviews|Sampling|Second pass|Loaded|Unknown supporters|Phase \d|LOW|MEDIUM|HIGH|Average|Potential|Time|Audit|Results)\b|^[-+] (?:  )?> (?:[-+…]|```)/,
  },
  {
    name: 'order-of-commands',
    why: 'Help lists the commands of a group by the file they stand in.',
    line: /jury (?:show|explain|report|resume|runs|import|clean)|show, /,
  },
  {
    name: 'wrapped-heads',
    why: 'The head of a claim wraps where the lines below it do, three columns earlier.',
    file: '{stdout,stderr}',
    line: /\(\d+ of \d+\)$|^[-+] {4}\S/,
  },
  {
    name: 'order-of-keys',
    why: 'What a run prints as JSON has its keys in the order of the record.',
    line: /^[-+] \s*"?(?:outcome|exitCode|reasons|uri|version|command|mode|subject)"?\b/,
  },
];
