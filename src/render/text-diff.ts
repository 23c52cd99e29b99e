/** What an amended text changes, line by line; sentences are lines, because a motion is often one long paragraph. */
import { diffArrays } from 'diff';

/** Lines around a change that are shown. */
const context = 2;
/** Changed lines up to which the shortest way from one text to the other is looked for. */
const mostChanges = 2000;

/**
 * `- ` before what was taken away, `+ ` before what is new, two blanks before what stayed; longer stretches that stayed are
 * counted instead. Texts that have next to nothing in common are shown one after the other.
 */
export function diffText(before: string, after: string): string[] {
  const [old, amended] = [sentencesOf(before), sentencesOf(after)];
  const parts = diffArrays(old, amended, { maxEditLength: mostChanges });
  if (parts === undefined) return [...marked('-', old), ...marked('+', amended)];
  return parts.flatMap(({ added, removed, value }, index) => {
    if (removed) return marked('-', value);
    if (added) return marked('+', value);
    return foldUnchanged(value, { isFirst: index === 0, isLast: index === parts.length - 1 });
  });
}

function sentencesOf(text: string): string[] {
  if (text.trim() === '') return [];
  return text
    .replaceAll('\r\n', '\n')
    .trim()
    .split('\n')
    .flatMap(line => line.trimEnd().split(/(?<=[\p{L}\p{N})"”][.!?;])\s+(?=[\p{Lu}\p{N}"“(])/u));
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map(line => `${mark} ${line}`.trimEnd());
}

function foldUnchanged(
  lines: readonly string[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): string[] {
  const [head, tail] = [isFirst ? 0 : context, isLast ? 0 : context];
  const folded = lines.length - head - tail;
  if (folded < 2) return marked(' ', lines);
  return [
    ...marked(' ', lines.slice(0, head)),
    `  … ${folded} lines unchanged`,
    ...marked(' ', lines.slice(lines.length - tail)),
  ];
}
