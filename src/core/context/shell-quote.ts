/** A path as one word of a POSIX shell, so that a command we print does what it says whatever the file is called. */

export function shellQuote(path: string): string {
  // A leading dash would be an option.
  const word = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /\p{Cc}/u.test(word) ? quoteControls(word) : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The `$'…'` form of bash and zsh: keeps line ends and escapes out of what is printed. */
function quoteControls(word: string): string {
  const escaped = word.replace(/[\\']|\p{Cc}/gu, character =>
    character === '\\' || character === "'"
      ? `\\${character}`
      : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return `$'${escaped}'`;
}
