/** What a consolidator leaves, as a session to vote on: defaults filled in, names checked against the roster, oddities noted. */
import { z } from 'zod';
import { nameBasedUuid } from '../core/hash.ts';
import { nearest } from '../core/schema-problem.ts';
import { type Motion, type Session, eachOnce } from './triage.ts';
import { Position } from './records.ts';
import { checkElements, wrongElement } from '../core/given-json.ts';
import { readRoster, rosterName } from '../core/words/roster.ts';
import { Amount, Flag, type ReadOnly, Text, Texts, orNull } from '../core/words/fields.ts';

export const sessionFileNames = {
  megaMotions: 'mega-motions.json',
  novelProposals: 'novel-proposals.json',
  deferredProposals: 'deferred-novel-proposals.json',
  summary: 'conclave-summary.json',
  positions: 'positions.json',
  roster: rosterName,
} as const;

/** Contents of the files of a session folder; undefined: there is no such file. */
export interface SessionFiles extends Readonly<Record<keyof typeof sessionFileNames, unknown>> {
  /** Name of the folder: the id of the session. */
  readonly id: string;
}

export type SessionInput = ReadOnly<ReturnType<typeof readSession>>;

interface ReadingOptions {
  includeDeferred: boolean;
  /** The roster where the session has none of its own. */
  defaultRoster: unknown;
}

/** A key that is null is a key that is missing. */
const or = <Value>(schema: z.ZodType<Value>, missing: Value) =>
  schema.nullish().transform(given => given ?? missing);
const text = (missing: string) => or(Text, missing);
const names = or(Texts, []);
const flag = orNull(Flag);
const words = z.unknown().optional().transform(statedText);

/** What both kinds of motions give, before ids and names are held against the session. */
interface GivenMotion extends Omit<Motion, 'supporters' | 'unknownSupporters'> {
  readonly names: readonly string[];
  readonly deferred: boolean | null;
  /** What there is to warn of, behind the place. */
  readonly oddities: readonly string[];
}

const MegaMotion = z
  .object({
    mega_motion_id: text(''),
    title: text(''),
    theme: text('Unknown'),
    consolidated_text: text(''),
    rationale: words,
    source_motion_ids: names,
    all_supporting_archons: names,
    unique_archon_count: Amount.nullish(),
    consensus_tier: or(z.enum(['high', 'medium', 'low']), 'low'),
    category: text(''),
    constitutional: flag,
  })
  .transform((given): GivenMotion => {
    const { all_supporting_archons: supporters, unique_archon_count: count } = given;
    const title = given.title.trim() === '' ? 'Untitled' : given.title;
    const distinct = new Set(supporters).size;
    const oddities = title === given.title ? [] : [' has no title.'];
    if (given.consolidated_text.trim() === '')
      oddities.push(' has no consolidated_text to vote on.');
    if ((count ?? distinct) !== distinct)
      oddities.push(
        ` ("${title}") gives unique_archon_count ${count}, but names ${distinct} supporters.`,
      );
    return {
      id: given.mega_motion_id,
      title,
      theme: given.theme,
      text: given.consolidated_text,
      rationale: given.rationale,
      sourceMotionIds: given.source_motion_ids,
      consensusTier: given.consensus_tier,
      isNovel: false,
      constitutional: declarationIn(given),
      names: supporters,
      deferred: null,
      oddities,
    };
  });

const titleLength = 50;

const NovelProposal = z
  .object({
    proposal_id: text(''),
    recommendation_id: text(''),
    archon_name: text(''),
    text: text(''),
    novelty_reason: words,
    category: text('novel'),
    constitutional: flag,
    deferred: flag,
  })
  .transform((given): GivenMotion => ({
    id: given.proposal_id,
    title: `Novel: ${Array.from(given.text.slice(0, 2 * titleLength))
      .slice(0, titleLength)
      .join('')}...`,
    theme: given.category,
    text: given.text,
    rationale: given.novelty_reason,
    sourceMotionIds: [given.recommendation_id],
    consensusTier: 'low',
    isNovel: true,
    constitutional: declarationIn(given),
    names: given.archon_name === '' ? [] : [given.archon_name],
    deferred: given.deferred,
    oddities: [],
  }));

/** The attribute wins over the category, which declares one thing only: that a motion is constitutional. */
function declarationIn(given: Readonly<{ constitutional: boolean | null; category: string }>) {
  const isCategory = given.category.trim().toLowerCase() === 'constitutional';
  return given.constitutional ?? (isCategory ? true : null);
}

const Summary = z.object({ session_name: Text });

/** Throws `UserError` (kind `input`) naming file and element. */
export function readSession(files: SessionFiles, options: ReadingOptions) {
  const { id, roster: ownRoster, summary } = files;
  const elementsOf = <Row>(key: keyof typeof sessionFileNames, element: z.ZodType<Row>) =>
    files[key] === undefined ? [] : checkElements(sessionFileNames[key], files[key], element);
  const roster =
    ownRoster === undefined
      ? readRoster(options.defaultRoster, 'the default roster')
      : readRoster(ownRoster, rosterName);
  const onRoster = new Set(roster.map(({ name }) => name));
  const warnings = [];
  const toMotion = (given: GivenMotion, index: number): Motion => {
    const { names: supporting, deferred: _, oddities, ...motion } = given;
    warnings.push(...oddities.map(odd => `mega-motions.json: element ${index}${odd}`));
    const name = `${id}|${motion.isNovel ? 'novel ' : ''}${index}|${motion.title}`;
    const distinct = eachOnce(supporting);
    return {
      ...motion,
      id: motion.id || nameBasedUuid(name),
      supporters: distinct.filter(supporter => onRoster.has(supporter)),
      unknownSupporters: distinct.filter(supporter => !onRoster.has(supporter)),
    };
  };
  const mega = elementsOf('megaMotions', MegaMotion);
  const novel = elementsOf('novelProposals', NovelProposal);
  const known = new Set(novel.map(proposal => proposal.id || null));
  const more = elementsOf('deferredProposals', NovelProposal);
  const all = [...novel, ...more.filter(proposal => !known.has(proposal.id))];
  const proposals = options.includeDeferred ? all : novel.filter(({ deferred }) => !deferred);
  const motions = [...mega.map(toMotion), ...proposals.map(toMotion)];
  refuseDuplicates(motions, mega.length);
  const unknownSupporters = eachOnce(motions.flatMap(motion => motion.unknownSupporters));
  if (unknownSupporters.length > 0)
    warnings.push(describeUnknown(unknownSupporters, [...onRoster], ownRoster !== undefined));
  const ids = new Set(motions.map(motion => motion.id));
  const positions = elementsOf('positions', Position);
  for (const [
    index,
    { archon_name: memberName, mega_motion_id: motionId },
  ] of positions.entries()) {
    const place = `positions.json: element ${index}: `;
    if (!onRoster.has(memberName))
      warnings.push(`${place}"${memberName}" is not on the roster; it is passed over.`);
    if (motionId !== null && !ids.has(motionId))
      warnings.push(
        `${place}there is no motion "${motionId}"; only what the text says is looked at.`,
      );
  }
  const name = Summary.safeParse(summary).data?.session_name ?? id;
  const session: Session = { id, name, motions, roster };
  return {
    session,
    positions: positions.filter(({ archon_name }) => onRoster.has(archon_name)),
    megaMotions: mega.length,
    novelProposals: proposals.length,
    deferredSkipped: all.length - proposals.length,
    /** Names that support something and are on no roster, sorted. */
    unknownSupporters,
    warnings,
  };
}

const mostNamed = 3;

/** With the member that may be meant. */
function describeUnknown(
  unknown: readonly string[],
  roster: readonly string[],
  hasOwnRoster: boolean,
) {
  const shown = unknown.slice(0, mostNamed).map(name => {
    // Of short names every other one is near.
    const meant = nearest(name, roster).find(
      known => name.length >= 6 || known.toLowerCase() === name.toLowerCase(),
    );
    return `"${name}"${meant === undefined ? '' : ` (is "${meant}" meant?)`}`;
  });
  const rest = unknown.length - shown.length;
  const [support, are] = unknown.length === 1 ? ['supports', 'is'] : ['support', 'are'];
  return (
    `${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`} ${support} a motion and ${are} not on the roster: not counted. ` +
    `Correct the name, or put it into ${hasOwnRoster ? '' : 'a '}${sessionFileNames.roster}.`
  );
}

function refuseDuplicates(motions: readonly Motion[], megaMotions: number) {
  const seen = new Map<string, string>();
  for (const [position, { id, isNovel }] of motions.entries()) {
    const file = sessionFileNames[isNovel ? 'novelProposals' : 'megaMotions'];
    const index = position - (isNovel ? megaMotions : 0);
    const earlier = seen.get(id);
    if (earlier !== undefined)
      throw wrongElement(file, index, `the id "${id}" is already that of ${earlier}`);
    seen.set(id, `element ${index} of ${file}`);
  }
}

// Words of a member, whatever shape it gave them. Asked for a text, models answer with lists and with objects such as
// `{"Clause 1": "…"}`; all of it is kept as text, a line for each entry.

/** Null when nothing is said; a bare number says nothing. Objects may be plain ones or maps. */
export function statedText(value: unknown) {
  if (typeof value !== 'string' && typeof value !== 'object') return null;
  const text = linesOf(value, 0).join('\n');
  return text.trim() === '' ? null : text;
}

/** One text for each thing that is listed; a single one is a list of one. */
export function statedTexts(value: unknown) {
  return (Array.isArray(value) ? value : [value])
    .map(item => statedText(item))
    .filter(text => text !== null);
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
  return [...entries].flatMap(([key, inner]) => {
    const lines = linesOf(inner, depth + 1);
    return lines.length > 1
      ? [`${String(key)}:`, ...lines.map(line => `  ${line}`)]
      : [`${String(key)}: ${lines.join('')}`.trimEnd()];
  });
}
