/**
 * `jury help`: a first page of one screen, all commands, one command, or a page of the documentation. Loads no command but the one that is
 * asked for.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { didYouMean, usageError, ifUserError } from '../core/errors.ts';
import { argument, flag } from '../core/flags.ts';
import { nearest } from '../core/schema-problem.ts';
import { Texts } from '../core/words/fields.ts';
import { widthOf, wrap, wrapWords } from '../render/figures.ts';
import { type CommandGroups, defineCommand } from './command.ts';
import type { Terminal } from './terminal.ts';
import { processes } from '../core/process.ts';
import {
  type CommandGroup,
  beginning,
  completions,
  shells,
  suggestWords,
} from '../render/completion.ts';

// Where the package lies, for the files that the terminal shows or names. The programs are bundles: no file knows its own place.

export const packageFolder = findFolder(path.dirname(fileURLToPath(import.meta.url)));

function findFolder(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) && existsSync(path.join(folder, 'personas'))
    ? folder
    : folder === path.dirname(folder)
      ? folder
      : findFolder(path.dirname(folder));
}

interface NamedCommand {
  name: string;
  load: CommandGroups[string][string];
}

/** For these commands. */
export function helpOn(groups: CommandGroups, commandNamed: (word: string) => NamedCommand | null) {
  const names = Object.values(groups).flatMap(entries => Object.keys(entries));
  return defineCommand({
    summary: 'Tell about a command, or show a page of the documentation',
    flags: z.strictObject({
      topic: argument(
        Texts.default([]),
        'TOPIC',
        'Command, page such as memory, or "pages" for a list of them; default: where to begin',
        { usual: ['pages', ...names] },
      ),
      all: flag('Every command, and every page'),
    }),
    epilogue: `Examples:
  jury help review          the options of jury review
  jury help review.md       the page about reviews
  jury help memory          the page about what is remembered
  jury help pages           all pages`,
    async run({ topic: [first, ...rest], all }, terminal) {
      const tell = (text: string) => {
        terminal.write(wrapWords(text, terminal.width, true));
        return 0;
      };
      if (first === undefined)
        return tell(
          all ? await wholeHelp(groups, terminal.width) : shortHelp(groups, terminal.width),
        );
      const named = commandNamed(first);
      if (named) return tellCommand(named, rest, terminal);
      return tell(first === 'pages' ? listPages() : readPage(first, names));
    },
  });
}

function shortHelp(groups: CommandGroups, columns: number) {
  const width = Math.max(...Object.keys(groups).map(title => title.length)) + 2;
  return `Usage: jury COMMAND [OPTIONS]

Independent reviewers look at a change; jury computes what they agree on.

  jury demo                 see a review of a bad commit, by recorded answers
  jury review               review what is not committed, else the branch, else the last commit
  jury review main..HEAD    review a branch
  jury show latest          show the run again; explain c-… tells why
  jury init                 seat the models and coding agents found here
  jury doctor               try every seat

${Object.entries(groups)
  .flatMap(([title, entries]) =>
    hang(`${title}:`.padEnd(width), Object.keys(entries).join(', '), columns),
  )
  .join('\n')}

jury COMMAND --help tells the options; jury --help --all, what each is for;
jury help pages, what there is to read.`;
}

/** Each page by its name and its title. */
function listPages() {
  const names = pageNames();
  const width = Math.max(...names.map(name => name.length));
  const lines = names.map(name => {
    const [, title = ''] = /^# (.+)$/m.exec(textOf(name)) ?? [];
    return `  ${name.padEnd(width)}  ${title}`;
  });
  return ['Pages, each shown by jury help PAGE:', '', ...lines].join('\n');
}

function textOf(page: string) {
  return readFileSync(path.join(docs, `${page}.md`), 'utf8');
}

async function wholeHelp(groups: CommandGroups, columns: number) {
  const described = await describeCommands(groups);
  const width = Math.max(
    ...described.flatMap(({ commands }) => commands.map(({ name }) => name.length)),
  );
  const lines = described.flatMap(({ title, commands }) => [
    `${title}:`,
    ...commands.flatMap(({ name, summary }) => hang(`  ${name.padEnd(width)}  `, summary, columns)),
    '',
  ]);
  return `Usage: jury COMMAND [OPTIONS]

Puts a change, a document or a question before independent reviewers and computes what they agree on.

${lines.join('\n')}
jury COMMAND --help       tells the options of a command
jury help PAGE            shows a page of the documentation:
${hang('  ', pageNames().join(', '), columns).join('\n')}
jury -v                   tells the version

Exit codes: 0 pass or done, 1 the gate failed, 2 incomplete or unusable input, 3 usage or configuration, 4 fault in Jury, 130 interrupted.`;
}

/** The first line starts with `lead`, the others with as many blanks; the lead counts towards the width. */
function hang(lead: string, text: string, width: number) {
  const indent = widthOf(lead);
  return wrap(text, width - indent).map(
    (line, index) => `${index === 0 ? lead : ' '.repeat(indent)}${line}`,
  );
}

async function tellCommand(
  { name, load }: NamedCommand,
  rest: readonly string[],
  terminal: Terminal,
) {
  const code = await (await load()).execute(name, [...rest, '--help'], terminal);
  if (rest.length === 0 && pageNames().includes(name))
    terminal.write(`\nThe page about it: jury help ${name}.md`);
  return code;
}

const docs = path.join(packageFolder, 'docs');

function pageNames() {
  return existsSync(docs)
    ? readdirSync(docs)
        .filter(name => name.endsWith('.md'))
        .map(name => name.slice(0, -'.md'.length))
        .toSorted()
    : [];
}

/** Throws `UserError` for a word that is neither a command nor a page. */
function readPage(word: string, commands: readonly string[]) {
  const name = word.replace(/^docs\//, '').replace(/\.md$/, '');
  const pages = pageNames();
  if (pages.includes(name)) return textOf(name);
  throw usageError(
    `There is no command and no page "${word}".`,
    didYouMean(nearest(word, [...commands, ...pages])) ?? 'See "jury --help --all".',
  );
}

// `jury completion`: the script that makes a shell complete, and the words that such a script asks for.

/** For these commands. */
export function completionOf(commands: CommandGroups) {
  return defineCommand({
    summary: 'Print what makes a shell complete the words of jury',
    flags: z.strictObject({
      shell: argument(
        z.enum([...shells, 'words'], { error: `Name a shell: ${shells.join(', ')}` }),
        'SHELL',
        'Shell; or words: what may stand in place of the last of the words behind --',
      ),
      typed: argument(Texts.default([]), 'WORD', 'What was typed behind jury'),
    }),
    epilogue: `Examples:
  eval "$(jury completion bash)"         in ~/.bashrc
  eval "$(jury completion zsh)"          in ~/.zshrc, behind compinit
  jury completion fish | source          in ~/.config/fish/config.fish`,
    async run({ shell, typed }, terminal) {
      if (shell !== 'words') {
        terminal.write(completions[shell]);
        return 0;
      }
      const groups = await describeCommands(commands);
      const all = groups.flatMap(group => group.commands);
      const words = await Promise.all(
        suggestWords(all, typed).map(async word =>
          word === '@runs' || word === '@claims'
            ? await idsOf(word, typed.at(-1) ?? '', terminal)
            : [word],
        ),
      );
      if (words.flat().length > 0) terminal.write(words.flat().join('\n'));
      return 0;
    },
  });
}

/** None where there is nothing yet: whoever presses Tab is told nothing about the state of a project. */
async function idsOf(kind: '@runs' | '@claims', start: string, terminal: Terminal) {
  const { createJury } = await import('../index.ts');
  const jury = createJury(terminal);
  const ids =
    kind === '@claims'
      ? jury.report('latest').then(({ claims }) => claims.map(({ id }) => id))
      : jury
          .list()
          .then(({ ended, unfinished, votes, imported }) => [
            'latest',
            ...[...ended, ...unfinished, ...votes, ...imported].map(({ run }) => run),
          ]);
  return beginning(start, await ids.catch(ifUserError([])));
}

export async function describeCommands(groups: CommandGroups): Promise<readonly CommandGroup[]> {
  return Promise.all(
    Object.entries(groups).map(async ([title, entries]) => ({
      title,
      commands: await Promise.all(
        Object.entries(entries).map(async ([name, load]) =>
          (await load()).describe(
            name,
            processes.find(process => process.name === name)?.entry?.aliases ?? [],
          ),
        ),
      ),
    })),
  );
}
