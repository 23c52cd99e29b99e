/** What a consolidator leaves, as a session to vote on: defaults filled in, names checked against the roster, oddities noted. */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import { nearest } from '../schema-problem.ts';
import { locateFault } from '../../answers/index.ts';
import type { Position } from './conflicts.ts';
import {
  byCodePoint,
  type ConsensusTier,
  type Member,
  memberIdOf,
  type Motion,
  type Session,
} from './motion.ts';

/** Contents of the files of a session folder; undefined: there is no such file. */
export interface SessionFiles {
  /** Name of the folder: the id of the session. */
  readonly id: string;
  readonly megaMotions: unknown;
  readonly novelProposals: unknown;
  readonly deferredProposals: unknown;
  readonly summary: unknown;
  readonly positions: unknown;
  readonly roster: unknown;
}

export const sessionFileNames = {
  megaMotions: 'mega-motions.json',
  novelProposals: 'novel-proposals.json',
  deferredProposals: 'deferred-novel-proposals.json',
  summary: 'conclave-summary.json',
  positions: 'positions.json',
  roster: 'roster.json',
} as const satisfies Record<Exclude<keyof SessionFiles, 'id'>, string>;

export interface SessionInput {
  readonly session: Session;
  readonly positions: readonly Position[];
  readonly megaMotions: number;
  readonly novelProposals: number;
  readonly deferredSkipped: number;
  /** Names that support something and are on no roster, sorted. */
  readonly unknownSupporters: readonly string[];
  readonly warnings: readonly string[];
}

interface ReadingOptions {
  readonly includeDeferred: boolean;
  /** The roster where the session has none of its own. */
  readonly defaultRoster: unknown;
  /** A UUID that is always the same for one name. */
  readonly uuid: (name: string) => string;
}

/** A key that is null is a key that is missing. */
const text = (fallback: string): z.ZodType<string> =>
  z
    .string()
    .nullish()
    .transform(given => given ?? fallback);
const names = z
  .array(z.string())
  .nullish()
  .transform(given => given ?? []);

const declared = z.boolean().nullish();

const MegaMotion = z.object({
  mega_motion_id: text(''),
  title: text(''),
  theme: text('Unknown'),
  consolidated_text: text(''),
  rationale: z.unknown().optional().transform(statedText),
  source_motion_ids: names,
  all_supporting_archons: names,
  unique_archon_count: z.number().nullish(),
  consensus_tier: z.enum(['high', 'medium', 'low']).nullish(),
  category: z.string().nullish(),
  constitutional: declared,
});

const NovelProposal = z.object({
  proposal_id: text(''),
  recommendation_id: text(''),
  archon_name: text(''),
  text: text(''),
  novelty_reason: z.unknown().optional().transform(statedText),
  category: text('novel'),
  constitutional: declared,
  deferred: z.boolean().nullish(),
});

const StatedPosition = z.object({
  archon_name: z.string(),
  mega_motion_id: z.string().nullish(),
  stance: z.string().nullish(),
  text: z.string().nullish(),
  source: z.string().nullish(),
});

const Summary = z.object({ session_name: z.string().nullish() });

/** Throws `UserError` (kind `input`) naming file and element. */
export function readSession(files: SessionFiles, options: ReadingOptions): SessionInput {
  const roster =
    files.roster === undefined
      ? readRoster(options.defaultRoster, 'the default roster')
      : readRoster(files.roster, sessionFileNames.roster);
  const onRoster = new Set(roster.map(({ name }) => name));
  const warnings: string[] = [];
  const reading: Reading = {
    id: files.id,
    onRoster,
    warn: warning => void warnings.push(warning),
    uuid: options.uuid,
  };
  const mega = checkElements(sessionFileNames.megaMotions, files.megaMotions, MegaMotion).map(
    (motion, index) => toMotion(motion, index, reading),
  );
  const { proposals, deferredSkipped } = gatherProposals(files, options.includeDeferred);
  const novel = proposals.map((proposal, index) => toNovelMotion(proposal, index, reading));
  refuseDuplicates(mega, novel);
  const motions = [...mega, ...novel];
  const unknownSupporters = [
    ...new Set(motions.flatMap(({ unknownSupporters: unknown }) => unknown)),
  ].sort(byCodePoint);
  if (unknownSupporters.length > 0)
    warnings.push(describeUnknown(unknownSupporters, [...onRoster], files.roster !== undefined));
  return {
    session: { id: files.id, name: nameOf(files), motions, roster },
    deferredSkipped,
    warnings,
    positions: readPositions(files.positions, motions, reading),
    megaMotions: mega.length,
    novelProposals: novel.length,
    unknownSupporters,
  };
}

const mostNamed = 3;

/** With the member that may be meant. */
function describeUnknown(
  names: readonly string[],
  roster: readonly string[],
  hasOwnRoster: boolean,
): string {
  const shown = names.slice(0, mostNamed).map(name => {
    // Of short names every other one is near.
    const meant = nearest(name, roster).find(
      known => name.length >= 6 || known.toLowerCase() === name.toLowerCase(),
    );
    return `"${name}"${meant === undefined ? '' : ` (is "${meant}" meant?)`}`;
  });
  const rest = names.length - shown.length;
  const who = `${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
  const [support, are] = names.length === 1 ? ['supports', 'is'] : ['support', 'are'];
  return (
    `${who} ${support} a motion and ${are} not on the roster: not counted. ` +
    `Correct the name, or put it into ${hasOwnRoster ? '' : 'a '}${sessionFileNames.roster}.`
  );
}

interface Reading {
  readonly id: string;
  readonly onRoster: ReadonlySet<string>;
  readonly warn: (warning: string) => void;
  readonly uuid: ReadingOptions['uuid'];
}

function nameOf({ id, summary }: SessionFiles): string {
  const checked = Summary.safeParse(summary);
  return (checked.success ? checked.data.session_name : null) ?? id;
}

function toMotion(
  given: z.output<typeof MegaMotion>,
  index: number,
  { id, onRoster, warn, uuid }: Reading,
): Motion {
  const title = given.title.trim() === '' ? 'Untitled' : given.title;
  const supporters = supportersOf(given.all_supporting_archons, onRoster);
  const motionId = given.mega_motion_id || uuid(`${id}|${index}|${title}`);
  if (given.title.trim() === '') warn(`mega-motions.json: element ${index} has no title.`);
  const count = given.unique_archon_count ?? null;
  const distinct = new Set(given.all_supporting_archons).size;
  if (count !== null && count !== distinct)
    warn(
      `mega-motions.json: element ${index} ("${title}") gives unique_archon_count ${count}, but names ${distinct} supporters.`,
    );
  return {
    id: motionId,
    title,
    theme: given.theme,
    text: given.consolidated_text,
    rationale: given.rationale,
    sourceMotionIds: given.source_motion_ids,
    ...supporters,
    consensusTier: given.consensus_tier ?? 'low',
    isNovel: false,
    constitutional: declarationOf(given),
  };
}

/** The attribute wins over the category, which declares one thing only: that a motion is constitutional. */
function declarationOf({
  constitutional,
  category,
}: Pick<z.output<typeof MegaMotion>, 'constitutional' | 'category'>): boolean | null {
  if (typeof constitutional === 'boolean') return constitutional;
  return category?.trim().toLowerCase() === 'constitutional' ? true : null;
}

const titleLength = 50;

function toNovelMotion(
  given: z.output<typeof NovelProposal>,
  index: number,
  { id, onRoster, uuid }: Reading,
): Motion {
  const title = `Novel: ${Array.from(given.text.slice(0, 2 * titleLength))
    .slice(0, titleLength)
    .join('')}...`;
  const tier: ConsensusTier = 'low';
  return {
    id: given.proposal_id || uuid(`${id}|novel ${index}|${title}`),
    title,
    theme: given.category,
    text: given.text,
    rationale: given.novelty_reason,
    sourceMotionIds: [given.recommendation_id],
    ...supportersOf(given.archon_name === '' ? [] : [given.archon_name], onRoster),
    consensusTier: tier,
    isNovel: true,
    constitutional: declarationOf(given),
  };
}

/** A set: who is named twice counts once. */
function supportersOf(
  given: readonly string[],
  onRoster: ReadonlySet<string>,
): Pick<Motion, 'supporters' | 'unknownSupporters'> {
  const distinct = [...new Set(given)].sort(byCodePoint);
  return {
    supporters: distinct.filter(name => onRoster.has(name)),
    unknownSupporters: distinct.filter(name => !onRoster.has(name)),
  };
}

interface Gathered {
  readonly proposals: readonly z.output<typeof NovelProposal>[];
  readonly deferredSkipped: number;
}

function gatherProposals(
  { novelProposals, deferredProposals }: SessionFiles,
  includeDeferred: boolean,
): Gathered {
  const present =
    novelProposals === undefined
      ? []
      : checkElements(sessionFileNames.novelProposals, novelProposals, NovelProposal);
  const known = new Set(present.map(({ proposal_id }) => proposal_id).filter(id => id !== ''));
  const deferred = (
    deferredProposals === undefined
      ? []
      : checkElements(sessionFileNames.deferredProposals, deferredProposals, NovelProposal)
  ).filter(({ proposal_id }) => !known.has(proposal_id));
  if (includeDeferred) return { proposals: [...present, ...deferred], deferredSkipped: 0 };
  const proposals = present.filter(proposal => proposal.deferred !== true);
  return { proposals, deferredSkipped: present.length - proposals.length + deferred.length };
}

function refuseDuplicates(mega: readonly Motion[], novel: readonly Motion[]): void {
  const seen = new Map<string, string>();
  for (const [file, motions] of [
    [sessionFileNames.megaMotions, mega],
    [sessionFileNames.novelProposals, novel],
  ] as const) {
    motions.forEach(({ id }, index) => {
      const earlier = seen.get(id);
      if (earlier !== undefined)
        throw wrongElement(file, index, `the id "${id}" is already that of ${earlier}`);
      seen.set(id, `element ${index} of ${file}`);
    });
  }
}

function readPositions(
  value: unknown,
  motions: readonly Motion[],
  { onRoster, warn }: Reading,
): Position[] {
  if (value === undefined) return [];
  const ids = new Set(motions.map(({ id }) => id));
  return checkElements(sessionFileNames.positions, value, StatedPosition).flatMap(
    (given, index) => {
      const motionId = given.mega_motion_id ?? null;
      if (!onRoster.has(given.archon_name))
        warn(
          `positions.json: element ${index}: "${given.archon_name}" is not on the roster; it is passed over.`,
        );
      if (motionId !== null && !ids.has(motionId))
        warn(
          `positions.json: element ${index}: there is no motion "${motionId}"; only what the text says is looked at.`,
        );
      if (!onRoster.has(given.archon_name)) return [];
      return [
        {
          memberName: given.archon_name,
          motionId,
          stance: given.stance ?? null,
          text: given.text ?? null,
          source: given.source ?? null,
        },
      ];
    },
  );
}

/** Reads a roster: names, or members with what is known about them. */
const Entry = z.union(
  [
    z.string(),
    z.object({
      name: z.string(),
      role: z.string().nullish(),
      backstory: z.string().nullish(),
      model: z.string().nullish(),
      base_url: z.url({ protocol: /^https?$/ }).nullish(),
    }),
  ],
  'must be a name, or an object with a name',
);

/** A packet file is called like its member: nothing that leads elsewhere, hides, or is too long for a disk. */
const unusable = /[/\\:*?"<>|]|^\.|[. ]$|\p{C}|\p{Zl}|\p{Zp}/u;
const longestId = 60;

/** Throws `UserError` (kind `input`) naming `file` and the element. */
export function readRoster(value: unknown, file: string): Member[] {
  const members = checkElements(file, value, Entry).map((entry): Member => {
    const {
      name,
      role = null,
      backstory = null,
      model = null,
      base_url = null,
    } = typeof entry === 'string' ? { name: entry } : entry;
    return { name, id: memberIdOf(name), role, backstory, model, baseUrl: base_url };
  });
  if (members.length === 0)
    throw new UserError(`Error: ${file}: the roster is empty`, {
      kind: 'input',
      hint: 'Name at least one member, or take the file away for the roster that ships with Jury.',
    });
  const seen = new Map<string, number>();
  members.forEach(({ name, id }, index) => {
    if (name.trim() === '') throw wrongElement(file, index, 'the name is empty');
    if (unusable.test(id) || id.length > longestId)
      throw wrongElement(file, index, `"${name}" cannot name a file`);
    const earlier = seen.get(id.normalize('NFC'));
    if (earlier !== undefined) {
      const first = members[earlier]?.name ?? '';
      const alike = first === name ? '' : ` ("${first}": names that make one id are one member)`;
      throw wrongElement(file, index, `"${name}" is element ${earlier} already${alike}`, {
        hint: 'Name every member once.',
      });
    }
    seen.set(id.normalize('NFC'), index);
  });
  return members;
}

/** Throws `UserError` (kind `input`) with line and column. A byte order mark is no part of the text. */
export function parseSessionJson(file: string, text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    const { line, column, reason } = locateFault(json);
    const words = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '');
    throw new UserError(
      `Error: ${file} is not valid JSON: ${json.trim() === '' ? 'it is empty' : words} at line ${line} column ${column}`,
      { kind: 'input', cause: error },
    );
  }
}

/** Checks each element of an array by itself, so that the first wrong one is named with its 0-based position. */
export function checkElements<Schema extends z.ZodType>(
  file: string,
  value: unknown,
  element: Schema,
): z.output<Schema>[] {
  if (!Array.isArray(value))
    throw new UserError(`Error: ${file}: must be an array`, { kind: 'input' });
  return value.map((item: unknown, index) => {
    const checked = element.safeParse(item);
    if (checked.success) return checked.data;
    throw wrongElement(file, index, sentenceOf(checked.error));
  });
}

function wrongElement(
  file: string,
  index: number,
  reason: string,
  { hint = null }: { readonly hint?: string | null } = {},
): UserError {
  return new UserError(`Error: ${file}: element ${index}: ${reason}`, { kind: 'input', hint });
}

function sentenceOf(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'Invalid value'}`;
}

// Words of a member, whatever shape it gave them. Asked for a text, models answer with lists and with objects such as
// `{"Clause 1": "…"}`; all of it is kept as text, a line for each entry.

/** Null when nothing is said; a bare number says nothing. Objects may be plain ones or maps. */
export function statedText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'object') return null;
  const text = linesOf(value, 0).join('\n');
  return text.trim() === '' ? null : text;
}

/** One text for each thing that is listed; a single one is a list of one. */
export function statedTexts(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.map(item => statedText(item)).filter(text => text !== null);
}

/** As deep as the scanner of answers goes; a file can go deeper. */
const deepest = 64;

function linesOf(value: unknown, depth: number): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split('\n');
  if (typeof value !== 'object') return [JSON.stringify(value)];
  if (depth === deepest) return ['…'];
  if (Array.isArray(value)) return value.flatMap(item => linesOf(item, depth + 1));
  const entries: Iterable<readonly [unknown, unknown]> =
    value instanceof Map ? value : Object.entries(value);
  return [...entries].flatMap(([key, inner]) => entryOf(String(key), linesOf(inner, depth + 1)));
}

function entryOf(key: string, lines: readonly string[]): string[] {
  const [only = ''] = lines;
  return lines.length <= 1
    ? [`${key}: ${only}`.trimEnd()]
    : [`${key}:`, ...lines.map(line => `  ${line}`)];
}
