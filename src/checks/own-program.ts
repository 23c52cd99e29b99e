/** Programs of the project that people start by hand, by what stands in them: what they print and are told is their own. */

const argument =
  /^#!|\bprocess\.argv(?:\[\d|\.slice\()|\bshelljs\/make\b|\bgrunt\.registerTask\(|\bgulp\.task\(|^[ \t]*(?:\/\/|\*|#)[ \t]*usage:[ \t]*`?(?:node|deno|bun|npx)\b/im;
const ending = /\bprocess\.exit\(/;
const offers = /^[ \t]*export\b|\bmodule\.exports\b|(?<![\w.])exports\.\w/m;
const serves = /\.listen\(|\bcreateServer\(|\bsocket\.on\(/;

/** A JavaScript or TypeScript file that is started with arguments of its own, or ends the process and offers nothing. */
export function isOwnProgram(lines: readonly string[]): boolean {
  return judge(lines);
}

/** By the lines of a file, which are the same array for all that is asked of it. */
const known = new WeakMap<readonly string[], boolean>();

function judge(lines: readonly string[]): boolean {
  const before = known.get(lines);
  if (before !== undefined) return before;
  const text = lines.join('\n');
  const isOwn =
    !serves.test(text) && (argument.test(text) || (ending.test(text) && !offers.test(text)));
  known.set(lines, isOwn);
  return isOwn;
}
