/** Words inside identifiers: `getHTTPUser_name2` reads get, http, user, name2. */

/** Lower case, in order. */
export function splitIdentifier(identifier: string): string[] {
  return identifier
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(part => part !== '')
    .map(part => part.toLowerCase());
}

/** Every run of letters and digits, each once, in order of appearance; `_` and `$` count as parts of identifiers. */
export function identifiersOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}
