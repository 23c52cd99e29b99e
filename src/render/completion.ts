/**
 * Completion for shells: a script for each, small enough to be read, that asks `jury completion words` what may stand where
 * somebody presses Tab; and what that answers, computed from the commands.
 */
/**
 * What may stand in place of the last of the words behind `jury`, each whole; or `@` and where it comes from (`@files`, `@runs`, …),
 * which whoever asks looks up. Nothing where a person alone knows.
 */
export function suggestWords(commands: readonly CommandDescription[], typed: readonly string[]) {
  const last = typed.at(-1) ?? '';
  const [first, ...others] = typed.slice(0, -1);
  if (first === undefined)
    return beginning(last, [...commands.map(({ name }) => name), '--help', '--version']);
  const parent = commands.find(({ name, aliases }) => name === first || aliases.includes(first));
  if (parent === undefined) return [];
  const subcommand = parent.subcommands.find(({ name }) => name === `${parent.name} ${others[0]}`);
  const { flags, positionals } = subcommand ?? parent;
  const given = subcommand === undefined ? others : others.slice(1);
  const takerOf = (word = '') =>
    flags.find(({ name, short, value }) => value !== null && (name === word || short === word));
  const [, flag, value = ''] = /^(--[^=]*)=(.*)$/s.exec(last) ?? [];
  const before = takerOf(flag ?? given.at(-1));
  if (before !== undefined)
    return flag === undefined
      ? valuesOf(before, last)
      : valuesOf(before, value).map(word => (word.startsWith('@') ? word : `${flag}=${word}`));
  if (last.startsWith('-'))
    return beginning(last, [
      ...flags.flatMap(({ name, short }) => (short === null ? [name] : [name, short])),
      '--help',
    ]);
  const place = given.filter(
    (word, index) => !word.startsWith('-') && takerOf(given[index - 1]) === undefined,
  ).length;
  const positional =
    positionals[place] ?? positionals.slice(-1).find(({ isVariadic }) => isVariadic);
  const further = place === 0 && subcommand === undefined ? parent.subcommands : [];
  return [
    ...beginning(
      last,
      further.map(({ name }) => name.slice(parent.name.length + 1)),
    ),
    ...(positional === undefined ? [] : valuesOf(positional, last)),
  ];
}

/** Of a list the value behind the last comma. */
function valuesOf(
  { value, choices }: Pick<PositionalDescription, 'choices'> & { readonly value: string | null },
  typed: string,
) {
  const lead = typed.slice(0, typed.lastIndexOf(',') + 1);
  // Nobody but the person knows any other.
  const [source] =
    Object.entries(sources).find(([, values]) => values.split(' ').includes(value ?? '')) ?? [];
  if (choices.length === 0) return source === undefined ? [] : [`@${source}`];
  return beginning(
    typed,
    choices.map(choice => lead + choice),
  );
}

export function beginning(start: string, words: readonly string[]) {
  return words.filter(word => word.startsWith(start));
}

const revisions =
  "git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null";

export const completions = {
  // Readline splits words at colons and equals signs, and completes what stands behind the last of them.
  bash: `# Completion of jury for bash. In ~/.bashrc: eval "$(jury completion bash)"
_jury_add() {
  local reply
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done
}

_jury() {
  local line=\${COMP_LINE:0:COMP_POINT} word reply
  local -a parts
  read -r -a parts <<< "$line"
  if [[ $line == *[[:space:]] ]]; then parts+=(''); fi
  word=\${parts[\${#parts[@]}-1]}
  COMPREPLY=()
  while IFS= read -r reply; do
    case $reply in
      @files) compopt -o filenames 2>/dev/null; _jury_add < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}") ;;
      @folders) compopt -o filenames 2>/dev/null; _jury_add < <(compgen -d -- "\${COMP_WORDS[COMP_CWORD]}") ;;
      @revisions) _jury_add < <(compgen -W "HEAD $(${revisions})" -- "$word"; compgen -f -- "$word") ;;
      *) COMPREPLY+=("\${reply#"\${word%"\${word##*[:=]}"}"}") ;;
    esac
  done < <(jury completion words -- "\${parts[@]:1}" 2>/dev/null)
}

complete -F _jury jury
`,
  zsh: `#compdef jury
# Completion of jury for zsh. In ~/.zshrc, behind compinit: eval "$(jury completion zsh)"
_jury() {
  local reply
  local -a plain
  for reply in "\${(@f)$(jury completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $reply in
      (@files) _files ;;
      (@folders) _files -/ ;;
      (@revisions) compadd HEAD \${(f)"$(${revisions})"}; _files ;;
      (?*) plain+=("$reply") ;;
    esac
  done
  compadd -a plain
}

if [[ \${funcstack[1]} == _jury ]]; then
  _jury "$@"
else
  compdef _jury jury
fi
`,
  fish: `# Completion of jury for fish. In ~/.config/fish/config.fish: jury completion fish | source
function __jury_words
    set -l typed (commandline -opc) (commandline -ct)
    for reply in (jury completion words -- $typed[2..] 2>/dev/null)
        switch $reply
            case @files
                __fish_complete_path (commandline -ct)
            case @folders
                __fish_complete_directories (commandline -ct)
            case @revisions
                echo HEAD
                ${revisions}
                __fish_complete_path (commandline -ct)
            case '*'
                echo $reply
        end
    end
end

complete -c jury -f -a '(__jury_words)'
`,
} as const;

export const shells = ['bash', 'zsh', 'fish'] as const satisfies (keyof typeof completions)[];

// What help, completion and the manual are made of: the commands as data.

export interface CommandDescription {
  /** As it is typed behind `jury`: `review`, `motions show`. */
  readonly name: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly positionals: readonly PositionalDescription[];
  readonly flags: readonly FlagDescription[];
  /** Lines below the help: examples, mostly. Empty where there are none. */
  readonly epilogue: string;
  readonly subcommands: readonly CommandDescription[];
}

interface PositionalDescription {
  /** `RUN`, `FILE`: what kind of value it is, in the word that help prints. */
  readonly value: string;
  readonly isVariadic: boolean;
  readonly description: string;
  /** The only values, or the usual ones; empty where there are none. */
  readonly choices: readonly string[];
}

interface FlagDescription extends Omit<PositionalDescription, 'value'> {
  /** With its dashes. */
  readonly name: string;
  /** With its dash; null where there is none. */
  readonly short: string | null;
  /** Null: it takes none. */
  readonly value: string | null;
}

/** A group of commands under one title, as the help prints them. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandDescription[];
}

/** Where a shell finds what a value may be, besides its choices, by the words that help prints. */
const sources = {
  files: 'FILE FILE|DIR DIR|FILE PATH GLOB',
  folders: 'DIR',
  runs: 'RUN DIR|RUN',
  claims: 'CLAIM CLAIM|REVIEWER',
  revisions: 'REV COMMIT RANGE RANGE|FILE',
};

/** All of them, each followed by its subcommands. */
export function withSubcommands(commands: readonly CommandDescription[]): CommandDescription[] {
  return commands.flatMap(command => [command, ...withSubcommands(command.subcommands)]);
}
