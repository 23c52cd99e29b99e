/**
 * Reads what the team wants reviewers to know. A file is that of the base of the change, so that no change writes the rules it is
 * reviewed by; what it makes of them keeps the run from being proof.
 */
import path from 'node:path';
import { decodeWhole, whyUnreadable } from '../adapters/system/given-file.ts';
import { didYouMean, usageError, UserError } from '../core/errors.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { nearest } from '../core/schema-problem.ts';
import { bytesOf } from '../core/text.ts';
import type { Config, Seat } from '../core/words/config.ts';
import { kindOf, runnerNames } from '../core/words/runner.ts';
import { type Guideline, mostBytesTogether, mostGuidelineBytes } from '../core/words/guideline.ts';
import { projectOf } from './manifest.ts';
import type { Configured } from './seat-reviewers.ts';
import { placeIn, viewDisk } from './tree-view.ts';
import { noteTouched, type TrustedBase } from './trusted-base.ts';

interface ReadGuidelines {
  guidelines: readonly Guideline[];
  /** What became of those that the change touches. One sentence each. */
  notes: readonly string[];
}

/**
 * Nothing where nobody on the panel reads a prompt. Throws `UserError` (kind `usage`) for a file that is missing, lies outside of the
 * project, is no text or is too large, and for a reviewer that nobody knows.
 */
export async function readGuidelines(
  { config, home, ground }: Configured,
  seats: readonly Seat[],
): Promise<ReadGuidelines> {
  if (seats.every(({ runner }) => kindOf(runner) === 'check')) return { guidelines: [], notes: [] };
  const guidelines = [];
  const notes = [];
  for (const [index, given] of config.guidelines.entries()) {
    const name = `guidelines[${index}]${typeof given === 'string' || given.file === undefined ? '' : ` ${given.file}`}`;
    const {
      paths = null,
      reviewers = null,
      text,
      file,
    } = typeof given === 'string' ? { text: given } : given;
    refuseUnknown(name, reviewers ?? [], { config, seats });
    const known = { paths: paths && [...paths], reviewers: reviewers && [...reviewers] };
    if (file === undefined) {
      guidelines.push({ name, ...known, file: null, text: text ?? '' });
      continue;
    }
    const found = await readGuideline({ name, file, home, ground });
    if (found.note !== null) notes.push(found.note);
    if (found.text !== null)
      guidelines.push({ name, ...known, file: found.place, text: found.text });
  }
  refuseTogether(guidelines);
  return { guidelines, notes };
}

function refuseUnknown(
  name: string,
  reviewers: readonly string[],
  { config, seats }: { config: Config; seats: readonly Seat[] },
) {
  const known = [
    ...seats.flatMap(({ id, persona }) => [id, persona.name]),
    ...(config.reviewers ?? []).flatMap(({ id, persona }) => [id, persona]),
    ...runnerNames,
  ];
  const unknown = reviewers.find(reviewer => !known.includes(reviewer));
  if (unknown === undefined) return;
  throw usageError(
    `${makeVisible(name)} is for "${makeVisible(unknown)}", and no reviewer or persona here is called so.`,
    didYouMean(nearest(unknown, [...new Set(known)])),
  );
}

function refuseTogether(guidelines: readonly Guideline[]) {
  const sizes = guidelines.map(({ name, text }) => ({ name, bytes: bytesOf(text) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= mostBytesTogether) return;
  const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes);
  throw usageError(
    `The guidelines come to ${total} bytes, and ${mostBytesTogether} are the most a prompt takes.`,
    `Shorten them; the longest is ${makeVisible(largest?.name ?? '')} with ${largest?.bytes ?? 0}.`,
  );
}

interface Named {
  name: string;
  /** As it is written. */
  file: string;
  home: string;
  ground: TrustedBase;
}

interface ReadGuideline {
  /** Null: the base does not have it, and what the change brings is not used. */
  text: string | null;
  /** From the top of the repository; as it is written where it lies in none. */
  place: string;
  note: string | null;
}

async function readGuideline({ name, file: written, home, ground }: Named): Promise<ReadGuideline> {
  const file = path.resolve(home, written);
  const refuse = (why: string, hint: string | null = null) =>
    usageError(`${makeVisible(name)} ${why}.`, hint);
  const { root } = ground;
  // The folder of a configuration that the change moves away is there at the base alone.
  const project =
    root !== null && (await placeIn(root, home)) !== null
      ? root
      : await projectOf(path.join(home, path.basename(written)));
  const inProject = await placeIn(project, file);
  if (inProject === null) throw refuse('lies outside of the project');
  if (inProject.split('/').includes('.git')) throw refuse('is part of what git keeps');
  const inRepository = await placeIn(root, file);
  const place = inRepository ?? written;
  const { touched, base: trusted } = await ground.trustedFileOf(file);
  // Untouched or not, a file of the repository is that of the base: what lies in the checkout and nobody committed may be anything, a
  // file of passwords too. What somebody allowed counts as it stands, and so does what lies in no repository.
  const isSettled = touched !== null || ground.accepted.has(place);
  const base = isSettled ? trusted : await ground.baseFileOf(file);
  const isOfBase = base.kind !== 'unknown';
  const onDisk = touched ? ({ kind: 'absent' } as const) : await viewDisk(project).find(inProject);
  const found = isOfBase ? base : onDisk;
  if (found.kind === 'outside')
    throw refuse(`is a link to ${makeVisible(found.path)}, outside of the project`);
  if (found.kind === 'folder') throw refuse('is a folder', 'Name a file.');
  if (found.kind === 'absent') {
    if (!touched)
      throw refuse(
        'is not there',
        (await viewDisk(project).find(inProject)).kind === 'absent'
          ? 'Write it, or take the entry out.'
          : 'It is read at the base of the change: commit it there first.',
      );
    const note = noteTouched(
      ground,
      touched,
      'it is a guideline that the base does not have, and is not used',
    );
    return { text: null, place, note };
  }
  // A rule of egress names a file by where it stands: behind a link it would stand elsewhere.
  if (found.path !== (isOfBase ? inRepository : inProject))
    throw refuse('lies behind a link', `Name the file itself: ${makeVisible(found.path)}`);
  const bytes = await found.read().catch((error: unknown) => {
    throw error instanceof UserError ? error : refuse(`cannot be read: ${whyUnreadable(error)}`);
  });
  if (bytes.length > mostGuidelineBytes)
    throw refuse(
      `has ${bytes.length} bytes, and ${mostGuidelineBytes} are the most of one guideline`,
      'Shorten it, or make several of it with paths of their own.',
    );
  const text = readText(bytes, refuse);
  if (!touched) return { text, place, note: null };
  const note = noteTouched(ground, touched, 'it is a guideline, whose version at the base is used');
  return { text, place, note };
}

function readText(bytes: Buffer, refuse: (why: string, hint?: string) => UserError) {
  let text = '';
  try {
    text = decodeWhole(bytes);
  } catch (error) {
    throw refuse(`cannot be read: ${whyUnreadable(error)}`);
  }
  if (text.includes('\0')) throw refuse('is no text');
  if (text.trim() === '') throw refuse('is empty', 'Write it, or take the entry out.');
  return text;
}
