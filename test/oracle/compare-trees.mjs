/** The lines in which two trees differ, file by file, without those that are in a class. */
import { diffArrays } from 'diff';
import picomatch from 'picomatch';

const matches = (glob, name) => glob === undefined || picomatch.isMatch(name, glob, { dot: true });

export function compareTrees(caseName, [before, after], classes, inClasses) {
  const files = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return files.flatMap(file => {
    if (before[file] === after[file]) return [];
    const applying = classes.filter(one => matches(one.case, caseName) && matches(one.file, file));
    const lines = changedLines(before[file], after[file]).filter(line => {
      const found = applying.find(one => one.line?.test(line) ?? true);
      if (found !== undefined) inClasses.set(found.name, (inClasses.get(found.name) ?? 0) + 1);
      return found === undefined;
    });
    return lines.length === 0 ? [] : [{ file, lines }];
  });
}

function changedLines(before, after) {
  if (before === undefined) return [`+ only the new one has it: ${firstLine(after)}`];
  if (after === undefined) return [`- only the old one has it: ${firstLine(before)}`];
  const changes = diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: 3_000 });
  if (changes === undefined) return [`+ nothing is as it was: ${firstLine(after)}`];
  return changes.flatMap(({ added, removed, value }) =>
    added || removed ? value.map(line => `${added ? '+' : '-'} ${line}`) : [],
  );
}

const firstLine = text => text.split('\n', 1)[0];
