// The manual page `jury(1)`, made of the commands: roff with the macros of `man(7)`.
import { withSubcommands } from '../dist/render/completion.js';

/**
 * `pages`: names of the pages of the documentation. No date stands in it, so that equal commands give equal bytes.
 * @param {readonly import('../src/render/completion.ts').CommandGroup[]} groups
 * @param {{ readonly version: string, readonly pages: readonly string[] }} about
 */
export function renderManual(groups, { version, pages }) {
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
      ...withSubcommands(commands).flatMap(describeCommand),
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

/** @type {readonly (readonly [number, string])[]} */
const exits = [
  [0, 'Pass, or done.'],
  [1, 'The gate failed.'],
  [2, 'Incomplete, or the input could not be used.'],
  [3, 'Wrong usage or configuration.'],
  [4, 'A fault in Jury, or of the machine.'],
  [130, 'Interrupted.'],
];

const environment = [
  ['ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY', 'Keys of model APIs and of clients.'],
  ['JURY_STATE', 'Folder of runs, memory and decisions.'],
  ['JURY_DEBUG', 'Set: a fault in Jury is printed with its stack.'],
  ['NO_COLOR', 'Set: nothing is coloured.'],
];

/** @param {import('../src/render/completion.ts').CommandDescription} command */
function describeCommand({ name, summary, aliases, positionals, flags, epilogue }) {
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

/**
 * @param {string} term
 * @param {string} description
 * @param {readonly string[]} choices
 */
function described(term, description, choices) {
  const values = choices.every(choice => description.includes(choice))
    ? ''
    : ` Values: ${choices.join(', ')}.`;
  return ['.TP', term, text(`${description}.${values}`)];
}

/**
 * Nothing of it is a request or an escape of roff; dashes stay dashes that can be copied.
 * @param {string} words
 */
function text(words) {
  const escaped = words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('·', '\\(bu');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
