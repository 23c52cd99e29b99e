/** Gives each chosen reviewer its persona and its limits: the seats of the panel. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  lackedKey,
  lacks,
  linkedOut,
  parsePersona,
  personaFile,
  readPersona,
} from '../adapters/configuration/read-configuration.ts';
import { gitFolderAt } from '../adapters/git/git-folder.ts';
import { type Config, type Seat, defaultTimeout, ReviewerConfig } from '../core/words/config.ts';
import { asksModel, runnerNames } from '../core/words/runner.ts';
import { usageError } from '../core/errors.ts';
import { leastIsolation, requireAtLeast, type Situation } from '../core/words/isolation.ts';
import { isInside } from '../adapters/system/disk.ts';
import { substituteFor } from './manifest.ts';
import { noteTouched, readTrusted, type TrustedBase } from './trusted-base.ts';

export interface Configured {
  readonly config: Config;
  /** Folder relative paths of the configuration refer to. */
  readonly home: string;
  /** What the person should know about where the configuration came from. */
  readonly notes: readonly string[];
  /** What of the files that the configuration names is that of the base. */
  readonly ground: TrustedBase;
}

/** `timeout`: in place of what is configured. */
export async function seatReviewer(
  reviewer: ReviewerConfig,
  configured: Configured,
  timeout: number | undefined,
  situation: Situation,
): Promise<Seat> {
  checkRunner(reviewer);
  const { home, config } = configured;
  const persona = await readTrustedPersona(reviewer, configured);
  const isKnown = typeof persona !== 'string';
  const withheld = isKnown ? await substitute(reviewer, configured) : persona;
  return {
    ...reviewer,
    ...(reviewer.runner === 'sarif' && ({ runner: 'builtin', analyser: 'sarif' } as const)),
    home,
    persona: isKnown ? persona : await readPersona(usualPersona, home),
    isolation: requireAtLeast(
      reviewer.isolation,
      config.isolation?.require,
      leastIsolation(situation),
    ),
    timeout: timeout ?? reviewer.timeout ?? config.timeout ?? defaultTimeout,
    ...(withheld !== null && { withheld }),
  };
}

const usualPersona = ReviewerConfig.shape.persona.parse(undefined);

/** A sentence: the reviewer cannot be asked as this persona, which comes with the change. */
async function readTrustedPersona(
  { id, persona: name }: ReviewerConfig,
  { home, ground }: Configured,
) {
  const file = personaFile(name, home);
  if (file === null) return readPersona(name, home);
  const touched = await ground.touchedOf(file);
  const base = await ground.baseFileOf(file);
  const target = touched ? (base.kind === 'outside' ? base.path : null) : await leadsOut(file);
  if (target !== null) throw linkedOut(name, id, target);
  if (!touched) return readPersona(name, home);
  const text = base.kind === 'unknown' ? null : await readTrusted(file, base);
  const sentence = noteTouched(
    ground,
    touched,
    text === null
      ? `it is the persona of reviewer ${id}, who is not asked`
      : `it is the persona of reviewer ${id}, whose version at the base is used`,
  );
  return text === null ? sentence : { ...(await parsePersona(file, text)), isOwn: true };
}

/** Where the links of a repository lead with a file that lies in it by its name; null when it stays there. */
async function leadsOut(file: string) {
  const real = await realpath(file).catch(() => null);
  if (real === null) return null;
  for (
    let folder = path.dirname(file);
    folder !== path.dirname(folder);
    folder = path.dirname(folder)
  ) {
    // A folder may itself be a link, to another repository or from where its user stands.
    const top = (await gitFolderAt(folder)) ? await realpath(folder) : null;
    if (top !== null && !isInside(top, real)) return real;
  }
  return null;
}

/** Null: the reviewer can be asked, where need be through what stands in for its files. */
async function substitute(reviewer: ReviewerConfig, { home, ground }: Configured) {
  const { touched, standIn } = await substituteFor(reviewer, home, ground);
  if (touched.length === 0) return null;
  const become = standIn ? 'asked as it was at the base' : 'not asked';
  const sentence = noteTouched(
    ground,
    touched,
    `reviewer ${reviewer.id} is made of it, and is ${become}`,
  );
  if (!standIn) return sentence;
  ground.standIns.set(reviewer.id, standIn);
  return null;
}

function checkRunner(reviewer: ReviewerConfig) {
  if (reviewer.tools && !asksModel(reviewer.runner)) {
    throw usageError(
      `Reviewer "${reviewer.id}": runner ${reviewer.runner} has no tools to offer.`,
      `Leave out "tools", or use one of ${runnerNames.filter(asksModel).join(', ')}.`,
    );
  }
  if (lackedKey(reviewer) !== null) throw lacks(reviewer);
}
