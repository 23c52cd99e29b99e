/** A thing has one name, that of the field: a word that was taken back does not return. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** What the house said once, and what the field says. */
const fieldTerms: Readonly<Record<string, RegExp>> = {
  'taint flow': /ways? of values?/i,
  subcommand: /lesser[ -]?commands?|withLesser/i,
  dependant: /leaning[ -]?files?/i,
  'agent and CI configuration': /obeyed[ -]?(?:files?|names)/i,
  'entry point, or proxy': /\bdoors?\b|[a-z]Doors?\b|\bDoor[A-Z]/i,
  preview: /\bfore(?:see|seen|tell|told)\b/i,
  'common room': /(?:^|\/)(?:utils|helpers|common|shared|types|services|manager)(?:\/|\.ts)/,
};

function sayings(text: string) {
  return Object.entries(fieldTerms).flatMap(([term, old]) => {
    const found = old.exec(text);
    return found === null ? [] : [`${found[0]}: say ${term}`];
  });
}

describe('a word that was taken back', () => {
  it('stands in no source and in no name of a file', () => {
    const files = execFileSync('git', ['ls-files', 'src', 'scripts', 'docs', 'AGENTS.md'], {
      encoding: 'utf8',
    }).split('\n');
    const read = files.filter(file => /\.(?:ts|mjs|md)$/.test(file));
    expect(
      read.flatMap(file =>
        [file, readFileSync(file, 'utf8')].flatMap(sayings).map(said => `${file}: ${said}`),
      ),
    ).toEqual([]);
  });

  it.each(['src/core/shared/a.ts', 'const openDoor = 1;', 'lesser commands', 'ObeyedNames'])(
    'is found: %s',
    text => expect(sayings(text)).toHaveLength(1),
  );
});
