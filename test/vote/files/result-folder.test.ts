import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkResultFolder, openResultFolder } from '../../../src/vote/files/folders.ts';
import type { Artifact as WholeArtifact } from '../../../src/vote/artifacts.ts';

type Artifact = Pick<WholeArtifact, 'name' | 'pieces'>;

let base: string;
beforeEach(() => void (base = mkdtempSync(path.join(tmpdir(), 'jury-results-'))));
afterEach(() => rmSync(base, { recursive: true, force: true }));

const artifact = (name: string, ...pieces: readonly string[]) => ({
  name,
  pieces: () => pieces,
});

async function writeResultFolder(folder: string, artifacts: readonly Artifact[]) {
  const [results, hashes] = [openResultFolder(folder), [] as string[]];
  for (const one of artifacts) hashes.push(await results.add(one));
  await results.commit();
  return hashes;
}

describe('the result folder', () => {
  it('is replaced as a whole', async () => {
    const folder = path.join(base, 'deep', 'results');
    await writeResultFolder(folder, [
      artifact('triage_results.json', '{', '}'),
      artifact('review_packets/a.json', '1'),
    ]);
    await writeResultFolder(folder, [artifact('audit_trail.json', '[]')]);
    expect(readdirSync(folder)).toEqual(['audit_trail.json']);
    expect(readdirSync(path.dirname(folder))).toEqual(['results']);
  });

  it('holds the text whatever pieces it came in, and gives its hash', async () => {
    const folder = path.join(base, 'results');
    // Longer than what is written at once, whose end falls within a character of each width.
    for (const character of ['a', 'ä', '語', '🙂'])
      for (const offset of [0, 1, 2, 3]) {
        const pieces = [
          'x'.repeat(offset),
          character.repeat(50_000),
          '',
          character.repeat(9),
          '\n',
        ];
        const [hash] = await writeResultFolder(folder, [artifact('report.md', ...pieces)]);
        const text = pieces.join('');
        expect(readFileSync(path.join(folder, 'report.md'), 'utf8') === text).toBe(true);
        expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
      }
  });

  it('keeps the old results when the new ones cannot be made', async () => {
    const folder = path.join(base, 'results');
    await writeResultFolder(folder, [artifact('audit_trail.json', 'old')]);
    const broken: Artifact = {
      name: 'aggregations.json',
      *pieces() {
        yield 'new';
        throw new Error('in the middle');
      },
    };
    await expect(
      writeResultFolder(folder, [artifact('audit_trail.json', 'new'), broken]),
    ).rejects.toThrow('in the middle');
    expect(readFileSync(path.join(folder, 'audit_trail.json'), 'utf8')).toBe('old');
    expect(readdirSync(base)).toEqual(['results']);
  });

  it('is cleared of what a process that is gone left half done, and of nothing else', async () => {
    // A pid beyond any that a system gives.
    for (const name of [
      '.new-99999999-00112233',
      '.old-99999999-00112233',
      `.new-${process.ppid}-00112233`,
      'other',
    ])
      mkdirSync(path.join(base, name));
    await writeResultFolder(path.join(base, 'results'), [artifact('audit_trail.json', '[]')]);
    expect(readdirSync(base).toSorted()).toEqual(
      [`.new-${process.ppid}-00112233`, 'other', 'results'].toSorted(),
    );
  });

  it('never takes the place of the session, of a folder around it, or of files that are no results', async () => {
    const session = path.join(base, 'session');
    mkdirSync(session);
    symlinkSync(session, path.join(base, 'link'));
    for (const folder of [session, base, path.join(base, 'link')])
      await expect(checkResultFolder(folder, session), folder).rejects.toThrow(
        'would replace the session itself',
      );
    writeFileSync(path.join(base, 'diary.txt'), 'mine');
    mkdirSync(path.join(base, 'elsewhere'));
    await expect(checkResultFolder(base, path.join(base, '..', 'nowhere'))).rejects.toThrow(
      'holds files that are no results of a vote',
    );
    await expect(checkResultFolder(path.join(base, 'elsewhere'), session)).resolves.toBeUndefined();
    symlinkSync(path.dirname(base), path.join(base, 'way'));
    await expect(
      checkResultFolder(path.join(base, 'way', 'results'), session, base),
    ).rejects.toThrow('leads');
    await expect(
      checkResultFolder(path.join(base, 'results'), session, base),
    ).resolves.toBeUndefined();
    expect(existsSync(path.join(base, 'diary.txt'))).toBe(true);
  });

  it('says what stands in the way', async () => {
    writeFileSync(path.join(base, 'file'), '');
    await expect(writeResultFolder(path.join(base, 'file', 'results'), [])).rejects.toMatchObject({
      name: 'UserError',
      kind: 'input',
      message: expect.stringContaining('a file is in the way'),
    });
  });
});
