/** What the characters of a text are, looked up unit by unit: several times as fast as an expression that takes words apart. */

const unknown = 0;
const letter = 1;
const space = 2;
const other = 3;

/** By UTF-16 unit, filled as they are met. */
const classes = new Uint8Array(0x1_0000);

function classOf(unit: number): number {
  const known = classes[unit] as number;
  if (known !== unknown) return known;
  const character = String.fromCharCode(unit);
  const own = /[\p{L}\p{Nd}_$]/u.test(character) ? letter : /\s/.test(character) ? space : other;
  classes[unit] = own;
  return own;
}

export function isSpaceAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && classOf(text.charCodeAt(at)) === space;
}

/** Where the run of letters, digits, `_` and `$` ends that begins at the position; the position itself if none does. */
export function endOfRun(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (classOf(unit) === letter) at += 1;
    else if (isHighSurrogate(unit) && /^[\p{L}\p{Nd}]/u.test(text.slice(at, at + 2))) at += 2;
    else break;
  }
  return at;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
