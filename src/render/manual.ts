/** The manual page `jury(1)`, made of the commands: roff with the macros of `man(7)`. */
import { type CommandDescription, type CommandGroup, withLesser } from './command-description.ts';

/** `pages`: names of the pages of the documentation. No date stands in it, so that equal commands give equal bytes. */
export function renderManual(
  groups: readonly CommandGroup[],
  { version, pages }: { readonly version: string; readonly pages: readonly string[] },
): string {
  return [
    `.TH JURY 1 "" "jury ${version}" "User Commands"`,
    '.SH NAME',
    'jury \\- put a change, a document or a question before independent reviewers',
    '.SH SYNOPSIS',
    '.B jury',
    '.I COMMAND',
    '.RI [ OPTIONS ]',
    '.SH DESCRIPTION',
    text(
      'A panel of reviewers (models, coding agents, programs, analysers) looks at the same thing, each alone; jury computes what they agree on, and passes nothing that nobody looked at.',
    ),
    '.SH COMMANDS',
    ...groups.flatMap(({ title, commands }) => [
      `.SS ${text(title)}`,
      ...withLesser(commands).flatMap(describeCommand),
    ]),
    '.SH EXIT STATUS',
    ...exits.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, text(meaning)]),
    '.SH FILES',
    '.TP',
    '.B jury.config.yaml',
    text('Configuration of a project, found upwards; "jury init" writes one.'),
    '.SH SEE ALSO',
    text(`"jury help PAGE" shows a page of the documentation: ${pages.join(', ')}.`),
    '',
  ].join('\n');
}

const exits: readonly (readonly [number, string])[] = [
  [0, 'Pass, or done.'],
  [1, 'The gate failed.'],
  [2, 'Incomplete, or the input could not be used.'],
  [3, 'Wrong usage or configuration.'],
  [4, 'A fault in Jury, or of the machine.'],
  [130, 'Interrupted.'],
];

const environment: readonly (readonly [string, string])[] = [
  ['ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY', 'Keys of model APIs and of clients.'],
  ['JURY_STATE', 'Folder of runs, memory and decisions.'],
  ['JURY_DEBUG', 'Set: a fault in Jury is printed with its stack.'],
  ['NO_COLOR', 'Set: nothing is coloured.'],
];

function describeCommand({
  name,
  summary,
  aliases,
  positionals,
  flags,
  epilogue,
}: CommandDescription): string[] {
  const words = positionals.map(({ value, isVariadic }) => `[${value}${isVariadic ? '...' : ''}]`);
  return [
    '.TP',
    `.B jury ${text(name)}${words.length === 0 ? '' : ` \\fR${text(words.join(' '))}`}`,
    text(`${summary}.${aliases.length === 0 ? '' : ` Also: ${aliases.join(', ')}.`}`),
    '.RS',
    ...positionals.flatMap(({ value, description, choices }) =>
      described(`\\fI${text(value)}\\fR`, description, choices),
    ),
    ...flags.flatMap(({ name: flag, short, value, description, choices }) =>
      described(
        `${short === null ? '' : `\\fB${text(short)}\\fR, `}\\fB${text(flag)}\\fR${value === null ? '' : ` \\fI${text(value)}\\fR`}`,
        description,
        choices,
      ),
    ),
    ...(epilogue === '' ? [] : ['.PP', '.nf', ...epilogue.split('\n').map(text), '.fi']),
    '.RE',
  ];
}

function described(term: string, description: string, choices: readonly string[]): string[] {
  const values = choices.every(choice => description.includes(choice))
    ? ''
    : ` Values: ${choices.join(', ')}.`;
  return ['.TP', term, text(`${description}.${values}`)];
}

/** Nothing of it is a request or an escape of roff; dashes stay dashes that can be copied. */
function text(words: string): string {
  const escaped = words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('·', '\\(bu');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
