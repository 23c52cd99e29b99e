/** Completion for zsh: the specifications of `_arguments`, a case for each command. */
import {
  type CommandDescription,
  type FlagDescription,
  type PositionalDescription,
  sourceOf,
  type ValueSource,
  withLesser,
} from '../command-description.ts';

export function zshCompletion(commands: readonly CommandDescription[]): string {
  return `#compdef jury
# Completion of jury for zsh. In ~/.zshrc, behind compinit: eval "$(jury completion zsh)"
_jury_runs() {
  local -a runs=(latest \${(f)"$(jury completion runs 2>/dev/null)"})
  compadd -a runs
}

_jury_claims() {
  local -a claims=(\${(f)"$(jury completion claims 2>/dev/null)"})
  compadd -a claims
}

_jury_revisions() {
  local -a revisions=(HEAD \${(f)"$(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)"})
  compadd -a revisions
  _files
}

_jury_list() {
  compset -P '*,'
  compadd -- "$@"
}

_jury() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    return
  fi
  local command=$words[2] lesser="$words[2] $words[3]"
  shift words
  ((CURRENT--))
${commands
  .filter(({ lesser }) => lesser.length > 0)
  .flatMap(lesserLines)
  .join('\n')}
  case $command in
${withLesser(commands).map(argumentsOf).join('\n')}
  esac
}

if [[ \${funcstack[1]} == _jury ]]; then
  _jury "$@"
else
  compdef _jury jury
fi
`;
}

function lesserLines({ name, lesser }: CommandDescription): string[] {
  const described = lesser.map(({ name: whole, summary }) =>
    quote(`${whole.slice(name.length + 1)}:${summary}`),
  );
  return [
    `  if [[ $command == ${name} ]] && ((CURRENT == 2)); then`,
    `    local -a lesser_commands=(${described.join(' ')})`,
    '    _describe -t commands command lesser_commands',
    '  fi',
    `  if ((CURRENT > 2)) && [[ $lesser == (${lesser.map(({ name: whole }) => quote(whole)).join('|')}) ]]; then`,
    '    command=$lesser',
    '    shift words',
    '    ((CURRENT--))',
    '  fi',
  ];
}

function argumentsOf(command: CommandDescription): string {
  const { name, aliases, flags, positionals } = command;
  const specifications = [
    ...flags.flatMap(flagSpecifications),
    quote('--help[Tell about the command]'),
    ...positionals.map(
      (positional, index) =>
        `${quote(`${positional.isVariadic ? '*' : index + 1}:${positional.value}:`).slice(0, -1)}${action(positional)}'`,
    ),
  ];
  return `    ${[name, ...aliases].map(quote).join('|')}) _arguments -s ${specifications.join(' ')} ;;`;
}

function flagSpecifications(flag: FlagDescription): string[] {
  const { name, short, value, isVariadic, description } = flag;
  const words = `[${description.replaceAll(/[[\]]/g, '\\$&')}]`;
  return [name, ...(short === null ? [] : [short])].map(each =>
    value === null
      ? quote(`${each}${words}`)
      : `${quote(`${isVariadic ? '*' : ''}${each}${each === name ? '=' : ''}${words}:${value}:`).slice(0, -1)}${action(flag)}'`,
  );
}

const actions: Readonly<Record<ValueSource, string>> = {
  files: '_files',
  folders: '_files -/',
  runs: '_jury_runs',
  claims: '_jury_claims',
  revisions: '_jury_revisions',
};

/** In the quotes of its specification. A blank where nobody but the person knows the value. */
function action({
  value,
  choices,
  isVariadic,
}: Omit<PositionalDescription, 'value'> & { readonly value: string | null }): string {
  if (choices.length > 0)
    return isVariadic
      ? `_jury_list ${choices.map(escapeColon).join(' ')}`
      : `(${choices.map(escapeColon).join(' ')})`;
  const source = sourceOf(value);
  return source === null ? ' ' : actions[source];
}

function escapeColon(word: string): string {
  return word.replaceAll(':', '\\:');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
