/**
 * What comes before anybody is asked, one way for a run that begins, one that goes on and one that is only shown: subject,
 * configuration, panel, what may go to whom, plan. Nothing is written.
 */
import path from 'node:path';
import type { GitRepository } from '../adapters/git/repository.ts';
import { excludeFrom } from '../core/change/unshown.ts';
import { type Complexity, defaultThresholds } from '../core/context/budget.ts';
import { inputError, usageError, didYouMean, UserError } from '../core/errors.ts';
import { type Process, processes, processOf, Request, type Settings } from '../core/process.ts';
import type { ContinueRequest } from '../core/request.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { parseRequest, nearest } from '../core/schema-problem.ts';
import { refuseUnmeetable } from '../core/panel.ts';
import type { Coverage } from '../core/verdict/record.ts';
import type { Change, Subject } from '../core/words/change.ts';
import type { Config, Seat } from '../core/words/config.ts';
import { modeNamed } from '../core/words/mode.ts';
import { isReader, voicesOf, kindOf, runnerNames } from '../core/words/runner.ts';
import type { Plan, SubjectRequest } from '../core/words/plan.ts';
import type { Call } from './call.ts';
import { egressOf } from './egress.ts';
import { checkStrategy, readDecisions } from './open-memory.ts';
import { journalsOf } from '../adapters/store/journal.ts';
import { openState } from './own-state.ts';
import { type Opening, openRunnersOn } from './open-world.ts';
import {
  findAgain,
  type Found,
  type Order,
  planAgain,
  planFor,
  readOutcomeRules,
  ruleChoiceOf,
} from './settle.ts';
import {
  applySettings,
  choosePanelOf,
  measureOf,
  panelFor,
  type Seating,
  sizeUp,
  type Sizing,
} from './panel-choice.ts';
import type { ReadSubject } from './read-subject.ts';
import { type Configured, seatReviewer } from './seat-reviewers.ts';
import { readAgain, readSubject } from './subjects.ts';
import { inspectChange, noteTouched, type TrustedBase } from './trusted-base.ts';
import { decodeWhole, whyUnreadable } from '../adapters/system/given-file.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { bytesOf } from '../core/text.ts';
import { type Guideline, mostBytesTogether, mostGuidelineBytes } from '../core/words/guideline.ts';
import { projectOf } from './manifest.ts';
import { placeIn, viewDisk } from './tree-view.ts';
import { configure } from './trust.ts';
import type { Situation } from '../core/words/isolation.ts';

export interface Prepared extends Opening {
  readonly config: Config;
  readonly excluded: Coverage['excluded'];
  /** What the caller should know before anybody is asked. One sentence each. */
  readonly notes: readonly string[];
  /** Null where nobody is chosen by the size of a change. */
  readonly sizing: Sizing | null;
  /** Is everybody asked about everything, whatever earlier runs have read? */
  readonly fresh: boolean;
}

/** Throws `UserError` for what the caller can put right. */
export async function prepare(
  request: Request,
  repository: GitRepository,
  call: Call,
): Promise<Prepared> {
  const names: readonly string[] = processes.map(({ name }) => name);
  if (!names.includes(request.process))
    throw usageError(
      `There is no process "${request.process}".`,
      `Use one of ${names.join(', ')}.`,
    );
  const { process: name, ...settings }: Order['settings'] & Pick<Request, 'process'> = parseRequest(
    Request,
    request,
  );
  const process = processOf(name);
  const mode = process.mode ?? modeNamed(settings.mode ?? 'general') ?? 'general-prompt';
  const state = await openState(repository.root, call);
  return prepareOrder({ process, mode, settings, repository, state, call, before: null });
}

/**
 * A plan says who was asked, never who is: programs, endpoints and variables come from the configuration as it is now, and where that
 * says something else the run is over: `UserError` (kind `input`) that names it.
 */
export async function prepareAgain(
  before: Plan,
  given: ContinueRequest,
  where: Pick<Order, 'repository' | 'state' | 'call'>,
): Promise<Prepared> {
  const { command, mode, cwd } = before;
  return prepareOrder({
    ...where,
    process: processOf(command),
    mode,
    settings: settingsAgain(before, given),
    call: { ...where.call, cwd },
    before,
  });
}

async function prepareOrder(order: Order): Promise<Prepared> {
  const { before, settings, repository, state, call } = order;
  const read = before ? await readAgain(before, repository) : await readSubject(settings, order);
  const { planned, spoken } = read;
  const seating = await seatPanel(order, read);
  const { config, ground, panel } = seating;
  const asked = spoken ? { ...call, runners: { [spoken.runner.name]: spoken.runner } } : call;
  const runnerFor = openRunnersOn(ground, asked, repository.root);
  // What the first start needs to know is found out beside all that follows.
  for (const seat of panel) void runnerFor(seat).catch(() => null);
  const { subject, excluded } = excludeFrom(read.subject, before ?? config);
  const rules = before?.rules ?? (await readOutcomeRules(ruleChoiceOf(order)));
  const spending = spendingOf(order, subject, config);
  const { quorum = null, failOn = null } = config;
  if (!before && !spoken) refuseUnmeetable({ quorum, failOn, rules }, panel);
  const isSized = spending !== null && subject.kind === 'change';
  const sizing = isSized
    ? sizeUp(panel, { ...spending, change: subject, isNamed: settings.reviewers !== undefined })
    : null;
  if (!before) refuseUnreachable(quorum, panel, sizing);
  const wanted = sizing?.seats ?? panel;
  const seats = before ? findAgain(before, wanted) : wanted;
  const named = { '--plan': settings.plan, '--context-file': settings.contextFile };
  // What was said already goes nowhere.
  const egress = spoken
    ? undefined
    : await egressOf(
        { config, seats, subject, planned: planned.subject, root: repository.root, named },
        call,
      );
  const chosen = { ...read, ...seating, reviewed: subject, rules, spending, sizing, seats, egress };
  const told = await readTold(order, chosen);
  const inspected = await inspectChange(
    ground,
    { subject, source: planned.subject },
    repository,
    call,
  );
  const found: Found = { ...chosen, gaps: inspected.gaps, runnerFor };
  const plan = before
    ? await planAgain(before, found, await journalsOf(state).read(before.run))
    : await planFor(order, found, told);
  return {
    plan,
    subject:
      subject.kind === 'change'
        ? { ...subject, warnings: [...subject.warnings, ...inspected.told] }
        : subject,
    excluded,
    state,
    repository,
    ground,
    runnerFor,
    config,
    copies: call.copies ?? config.copies,
    isNew: !before,
    isAsked: true,
    measure: measureOf(plan, subject, { repository, state }),
    sizing,
    fresh: settings.fresh ?? false,
    notes: [
      ...seating.notes,
      ...(spoken?.notes ?? []),
      ...(before ? [] : (sizing?.triage.leftOut ?? [])).map(
        ({ id, why }) => `${id} is left out: ${why}.`,
      ),
      ...told.notes,
    ],
  };
}

async function seatPanel(
  { process, mode, settings, call, repository, before }: Order,
  { subject, planned, spoken }: ReadSubject,
): Promise<Seating> {
  const settle = (found: Config) => {
    const applied = {
      ...applySettings(found, process, settings),
      ...(spoken && { reviewers: [...spoken.reviewers] }),
      ...(before && { strategy: before.strategy, trust: before.trust }),
    };
    const chosen = choosePanelOf(process, applied, settings, call);
    const reviewers = panelFor({ process, mode }, applied, chosen);
    // Where checks sit alone there is nothing that a judge could join.
    const judge = reviewers.some(isReader) ? {} : { judge: 'off' as const };
    return { ...chosen, reviewers, config: { ...applied, ...judge } };
  };
  const configured = await configure(call, {
    named: settings.config,
    subject,
    repository,
    wants: found => {
      const { reviewers, config } = settle(found);
      // Other questions than reviews are told none.
      const guidelines = mode === 'code-review' ? config.guidelines : [];
      return demandsOfRun(reviewers, { ...config, guidelines });
    },
  });
  const { reviewers, ...settled } = settle(configured.config);
  const { config, choice } = settled;
  if (!before) checkStrategy(config, call);
  const situation = situationOf(config.trust, planned.subject);
  const seated = await Promise.all(
    reviewers.map(reviewer =>
      seatReviewer(reviewer, configured, choice.timeout ?? undefined, situation),
    ),
  );
  return {
    ...configured,
    ...settled,
    panel: spoken ? seated.map(seat => ({ ...seat, persona: spoken.persona })) : seated,
  };
}

/** A quorum that somebody set is never lowered: where too few have anything to read, nobody is asked. */
function refuseUnreachable(quorum: number | null, panel: readonly Seat[], sizing: Sizing | null) {
  const voices = voicesOf(panel);
  const leftOut = (sizing?.triage.leftOut ?? []).filter(({ id }) =>
    voices.some(seat => seat.id === id),
  );
  const readers = voices.length - leftOut.length;
  if (quorum === null || leftOut.length === 0 || quorum <= readers) return;
  const isOfDomain = leftOut.every(({ isOutside }) => isOutside);
  throw inputError(
    `The quorum is ${quorum}, and ${readers} of the ${voices.length} reviewers ` +
      (isOfDomain
        ? `${readers === 1 ? 'has' : 'have'} a file of this change in the domain `
        : `${readers === 1 ? 'is' : 'are'} needed for a change of this size `) +
      `(${leftOut.map(({ id, why }) => `${id}: ${why}`).join('; ')}), so that it can never be met.`,
    isOfDomain
      ? 'Lower the quorum, or seat more reviewers in whose domain the change is.'
      : 'Lower the quorum, or give --complexity STANDARD, which seats all of them.',
  );
}

/** Null where nobody has a budget. */
function spendingOf({ before, process, settings }: Order, subject: Subject, config: Config) {
  const { cover } = settings;
  if (before) return before.spending && { ...before.spending, ...(cover && { cover }) };
  if (process.sizing === 'none' || subject.kind !== 'change') return null;
  return {
    complexity: settings.complexity ?? smallest(process, subject),
    isolation: settings.isolation ?? 'auto',
    sensitiveFiles: config.sensitiveFiles,
    thresholds: config.progressive_summarization ?? defaultThresholds,
    cover: cover ?? config.cover ?? null,
    readers: settings.readers ?? null,
  };
}

async function readTold(
  { before, mode, state, call }: Order,
  found: Omit<Found, 'runnerFor' | 'gaps'>,
) {
  const { reviewed: subject, seats, ground, egress, spoken } = found;
  if (before) return { guidelines: [], learnt: [], decisions: '', notes: [] };
  const isReview = subject.kind === 'change' && mode === 'code-review' && !spoken;
  const { guidelines, notes } = isReview
    ? await readGuidelines(found, seats)
    : { guidelines: [], notes: [] };
  const decided = await readDecisions({ state, subject, ground }, call.clock.now(), call);
  return {
    guidelines,
    // A claim may quote whatever its reviewer was shown: where rules say what may go to whom, nobody is told what was said.
    learnt: !egress && isReview ? decided.learnt : [],
    decisions: decided.stand,
    notes: [...notes, ...decided.notes],
  };
}

// Reads what the team wants reviewers to know. A file is that of the base of the change, so that no change writes the rules it is
// reviewed by; what it makes of them keeps the run from being proof.

/**
 * Nothing where nobody on the panel reads a prompt. Throws `UserError` (kind `usage`) for a file that is missing, lies outside of the
 * project, is no text or is too large, and for a reviewer that nobody knows.
 */
async function readGuidelines({ config, home, ground }: Configured, seats: readonly Seat[]) {
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

/**
 * No text: the base does not have it, and what the change brings is not used. The place is told from the top of the repository, or as
 * it is written where it lies in none.
 */
async function readGuideline({ name, file: written, home, ground }: Named) {
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
  const touched = await ground.touchedOf(file);
  // What nobody committed may be a file of passwords too.
  const base = await ground.baseFileOf(file);
  const isOfBase = base.kind !== 'unknown';
  const here = await viewDisk(project).find(inProject);
  const found = isOfBase ? base : touched ? ({ kind: 'absent' } as const) : here;
  if (found.kind === 'outside')
    throw refuse(`is a link to ${makeVisible(found.path)}, outside of the project`);
  if (found.kind === 'folder') throw refuse('is a folder', 'Name a file.');
  if (found.kind === 'absent') {
    if (!touched)
      throw refuse(
        'is not there',
        here.kind === 'absent'
          ? 'Write it, or take the entry out.'
          : 'It is read at the base of the change: commit it there first.',
      );
    const consequence = 'it is a guideline that the base does not have, and is not used';
    return { text: null, place, note: noteTouched(ground, touched, consequence) };
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
  const consequence = 'it is a guideline, whose version at the base is used';
  return { text, place, note: touched && noteTouched(ground, touched, consequence) };
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

/** Under 20 changed lines in one file: the quality reviewer and whoever the file forces onto the panel are enough. */
function smallest({ sizing }: Process, { files }: Change): Complexity | null {
  const [only] = files;
  const isSmall =
    files.length === 1 &&
    only?.content === 'text' &&
    only.additions + only.deletions < smallChangeLines;
  return sizing === 'small' && isSmall ? 'SIMPLE' : null;
}

const smallChangeLines = 20;

/** What is given now, else what was given when the run began; all else is as the configuration says it now. */
function settingsAgain({ panel: { limits, ...named } }: Plan, given: ContinueRequest): Settings {
  return Object.fromEntries(
    Object.entries({ ...named, ...limits, ...given }).filter(([, value]) => value !== null),
  );
}

/** For the least that a program must be kept apart by. */
function situationOf(trust: Config['trust'], subject: SubjectRequest): Situation {
  if (subject.kind !== 'change') return { trust, source: subject.kind };
  const { request } = subject;
  const isStranger = request.source === 'pull' && request.isStranger;
  return { trust, source: isStranger ? 'fork' : request.source };
}
