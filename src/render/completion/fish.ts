/** Completion for fish: one line for each word, each under the command it belongs to. */
import {
  type CommandDescription,
  type FlagDescription,
  type PositionalDescription,
  sourceOf,
  type ValueSource,
  withLesser,
} from '../command-description.ts';

export function fishCompletion(commands: readonly CommandDescription[]): string {
  const parents = commands.filter(({ lesser }) => lesser.length > 0);
  return `# Completion of jury for fish. In ~/.config/fish/config.fish: jury completion fish | source
function __jury_at
    set -l words (commandline -opc)
    set -l command "$words[2]"
    switch "$words[2] $words[3]"
        case ${parents.flatMap(({ lesser }) => lesser.map(({ name }) => quote(name))).join(' ')}
            set command "$words[2] $words[3]"
    end
    contains -- "$command" $argv
end

function __jury_alone
    test (count (commandline -opc)) -eq $argv[1]
end

function __jury_runs
    echo latest
    jury completion runs 2>/dev/null
end

function __jury_claims
    jury completion claims 2>/dev/null
end

function __jury_revisions
    echo HEAD
    git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null
end

complete -c jury -f
${commands.map(({ name, summary }) => `complete -c jury -n '__jury_alone 1' -a ${quote(name)} -d ${quote(summary)}`).join('\n')}
${parents.flatMap(lesserLines).join('\n')}
${withLesser(commands).flatMap(commandLines).join('\n')}
`;
}

function lesserLines({ name, lesser }: CommandDescription): string[] {
  return lesser.map(
    ({ name: whole, summary }) =>
      `complete -c jury -n '__jury_alone 2; and __jury_at ${name}' -a ${quote(whole.slice(name.length + 1))} -d ${quote(summary)}`,
  );
}

function commandLines({ name, aliases, flags, positionals }: CommandDescription): string[] {
  const at = `-n ${quote(`__jury_at ${[name, ...aliases].map(word => `"${word}"`).join(' ')}`)}`;
  return [
    ...flags.map(flag => `complete -c jury ${at} ${flagWords(flag)}`),
    `complete -c jury ${at} -l help -d 'Tell about the command'`,
    ...positionals.flatMap(positional => {
      const words = valueWords(positional);
      return words === '' ? [] : [`complete -c jury ${at} ${words}`];
    }),
  ];
}

function flagWords(flag: FlagDescription): string {
  const { name, short, value, description } = flag;
  return [
    `-l ${name.slice(2)}`,
    ...(short === null ? [] : [`-s ${short.slice(1)}`]),
    `-d ${quote(description)}`,
    ...(value === null ? [] : [flag.choices.length > 0 ? '-x' : '-r', valueWords(flag)]),
  ]
    .filter(word => word !== '')
    .join(' ');
}

const actions: Readonly<Record<ValueSource, string>> = {
  files: '-F',
  folders: "-a '(__fish_complete_directories)'",
  runs: "-a '(__jury_runs)'",
  claims: "-a '(__jury_claims)'",
  revisions: "-F -a '(__jury_revisions)'",
};

function valueWords({
  value,
  choices,
}: Pick<PositionalDescription, 'choices'> & { readonly value: string | null }): string {
  if (choices.length > 0) return `-a ${quote(choices.join(' '))}`;
  const source = sourceOf(value);
  return source === null ? '' : actions[source];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
