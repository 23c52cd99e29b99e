/**
 * Completion for bash 3.2 and later, without the package bash-completion: one function over three tables (flags, values, positionals), of which
 * ids alone are asked for when they are wanted.
 */
import {
  type CommandDescription,
  type FlagDescription,
  type PositionalDescription,
  sourceOf,
  withLesser,
} from '../command-description.ts';

export function bashCompletion(commands: readonly CommandDescription[]): string {
  const all = withLesser(commands);
  return `# Completion of jury for bash. In ~/.bashrc: eval "$(jury completion bash)"
_jury_flags() {
  case $1 in
${all.map(({ name, flags }) => entry(name, flagNames(flags).join(' '))).join('\n')}
  esac
}

# Words, or @ and where they come from.
_jury_values() {
  case $1 in
${valueEntries(all).join('\n')}
  esac
}

_jury_positionals() {
  case $1 in
${all.flatMap(positionalEntries).join('\n')}
  esac
}

_jury_command() {
  case $1 in
${commands.flatMap(({ name, aliases }) => aliases.map(alias => entry(alias, name))).join('\n')}
    *) echo "$1" ;;
  esac
}

_jury_words() {
  case $1 in
    @runs) echo "latest $(jury completion runs 2>/dev/null)" ;;
    @claims) jury completion claims 2>/dev/null ;;
    @revisions) echo "HEAD $(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)" ;;
    *) echo "$1" ;;
  esac
}

_jury_reply() {
  local reply
  while IFS= read -r reply; do COMPREPLY+=("$1\${reply}"); done
}

_jury() {
  local line=\${COMP_LINE:0:COMP_POINT} word before command place count lead='' cut='' values='' index position=1
  local -a parts
  # Readline takes a colon for a word of its own; a flag and its value are told apart by blanks.
  read -r -a parts <<< "$line"
  if [[ $line == *[[:space:]] ]]; then parts+=(''); fi
  count=\${#parts[@]}
  word=\${parts[count-1]}
  before=\${parts[count-2]}
  COMPREPLY=()
  if [[ $word == --*=* ]]; then
    before=\${word%%=*}
    word=\${word#*=}
  fi
  if ((count <= 2)); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$word"))
    return
  fi
  command=$(_jury_command "\${parts[1]}")
  place=3
  if ((count > 3)) && [[ -n $(_jury_flags "$command \${parts[2]}") ]]; then
    command="$command \${parts[2]}"
    place=4
  fi
  if [[ $before == -* ]]; then values=$(_jury_values "$command $before"); fi
  if [[ -z $values && $word == -* ]]; then
    COMPREPLY=($(compgen -W "$(_jury_flags "$command") --help" -- "$word"))
    return
  fi
  if [[ -z $values ]]; then
    for ((index = place - 1; index < count - 1; index++)); do
      if [[ \${parts[index]} != -* ]]; then
        position=$((position + 1))
      elif [[ \${parts[index]} != --*=* && -n $(_jury_values "$command \${parts[index]}") ]]; then
        index=$((index + 1))
      fi
    done
    values=$(_jury_positionals "$command $position")
    if ((count == place)); then
      case $command in
${commands
  .filter(({ lesser }) => lesser.length > 0)
  .map(
    ({ name, lesser }) =>
      `        ${name}) COMPREPLY=($(compgen -W '${lesser.map(({ name: each }) => each.slice(name.length + 1)).join(' ')}' -- "$word")) ;;`,
  )
  .join('\n')}
      esac
    fi
  fi
  case $values in
    '' | -) return ;;
    @files) compopt -o filenames 2>/dev/null; _jury_reply '' < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"); return ;;
    @folders) compopt -o filenames 2>/dev/null; _jury_reply '' < <(compgen -d -- "\${COMP_WORDS[COMP_CWORD]}"); return ;;
  esac
  if [[ $word == *,* ]]; then
    lead=\${word%,*},
    word=\${word##*,}
  fi
  # Readline completes what stands behind the last of its word breaks.
  if [[ $lead$word == *:* && $COMP_WORDBREAKS == *:* ]]; then
    cut=$lead$word
    cut=\${cut%:*}:
  fi
  _jury_reply "$lead" < <(compgen -W "$(_jury_words "$values")" -- "$word")
  if [[ $values == @revisions ]]; then _jury_reply '' < <(compgen -f -- "$word"); fi
  for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=\${COMPREPLY[index]#"$cut"}; done
}

complete -F _jury jury
`;
}

function entry(pattern: string, words: string): string {
  return `    '${pattern}') echo '${words}' ;;`;
}

function flagNames(flags: readonly FlagDescription[]): string[] {
  return flags.flatMap(({ name, short }) => (short === null ? [name] : [name, short]));
}

function valueEntries(commands: readonly CommandDescription[]): string[] {
  const flagsByWords = new Map<string, string[]>();
  for (const { name, flags } of commands)
    for (const flag of flags) {
      if (flag.value === null) continue;
      const words = wordsOf(flag);
      flagsByWords.set(words, [
        ...(flagsByWords.get(words) ?? []),
        ...flagNames([flag]).map(each => `'${name} ${each}'`),
      ]);
    }
  return [...flagsByWords].map(([words, flags]) => `    ${flags.join(' | ')}) echo '${words}' ;;`);
}

/** A dash for values that nobody but the person knows: no other word stands in their place. */
function wordsOf({
  value,
  choices,
}: Pick<PositionalDescription, 'choices'> & { readonly value: string | null }): string {
  const source = sourceOf(value);
  if (choices.length > 0) return choices.join(' ');
  return source === null ? '-' : `@${source}`;
}

/** By command and place; of a list all that follow. */
function positionalEntries({ name, positionals }: CommandDescription): string[] {
  return positionals.flatMap((positional, index) => {
    const words = wordsOf(positional);
    const place = positional.isVariadic ? `'${name} '[0-9]*` : `'${name} ${index + 1}'`;
    return words === '-' ? [] : [`    ${place}) echo '${words}' ;;`];
  });
}
