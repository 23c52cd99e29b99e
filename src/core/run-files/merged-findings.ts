/**
 * `findings.json`: the claims of a run as merged findings, each with the index entries it was made of. Everything is computed; no
 * model merges.
 */
import { z } from 'zod';
import { pairsSharing, overlapOfWords, words } from '../../agreement/index.ts';
import { type FindingsIndex, readSeverity } from '../../answers/index.ts';
import { by, groupBy } from '../groups.ts';
import { toOneLine } from '../text.ts';
import { groundingExits } from '../verdict/outcome.ts';
import { openClaims, overallVerdictOf, sentencesOf } from '../verdict/review-status.ts';
import { type Claim, type Grounding, countSupport } from '../words/claim.ts';
import { Rows, Text, Texts } from '../words/fields.ts';
import { type Finding, type StatedFinding, indexLevelOf } from '../words/finding.ts';
import type { Review } from '../words/review.ts';
import type { Run, RunReviewer } from '../words/run.ts';
import { indexIdOf } from './review-file.ts';

/** What the record of a run does not tell about its panel. */
interface PanelFacts {
  /** Model families by agent, where known. */
  readonly families: ReadonlyMap<string, string>;
  /** Agents with a persona of the project's own: they know it better than a general one. */
  readonly ofProject: ReadonlySet<string>;
}

const nothingKnown: PanelFacts = { families: new Map(), ofProject: new Set() };

export function toMergedFindings(
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
  facts: PanelFacts = nothingKnown,
  nameOf = nameClaims(record.claims),
) {
  const named = (status: RunReviewer['status']) =>
    record.reviewers.filter(reviewer => reviewer.status === status).map(({ id }) => id);
  return {
    schema: 'jury.findings/1' as const,
    synthesis_protocol_version: '1.0' as const,
    run_id: record.run,
    process: record.command,
    reviewed: record.completedAt,
    input: record.subject.title,
    input_type: inputTypeOf(record.subject),
    agents_launched: record.reviewers.map(({ id }) => id),
    agents_completed: named('complete'),
    agents_failed: named('failed'),
    agents_partial: named('partial'),
    findings: mergeClaims(record, reviews, facts, nameOf),
    improvements: mergeImprovements(reviews),
    discarded: record.claims
      .filter(({ state }) => state === 'dismissed')
      .map(({ id, text }) => ({
        id: nameOf(id),
        title: text,
        reason: record.dismissed.find(dismissal => dismissal.id === id)?.reason ?? 'dismissed',
      })),
    conflicts: openClaims(record)
      .filter(isConflict)
      .map(({ id, severityConflict, contradicts }) => ({
        id: nameOf(id),
        severity_conflict: toLevels(severityConflict),
        contradicts: contradicts.map(nameOf),
      })),
    verdict: overallVerdictOf(record),
    gate: { result: record.outcome, reasons: [...sentencesOf(record)] },
    overrides: record.gate?.overrides ?? [],
    /** A later stage of reviewers was not asked. */
    early_stop: (record.stages ?? []).some(({ asked }) => !asked),
    content_routing_active: false,
    models: Object.fromEntries(
      record.reviewers.map(({ id, runner, model }) => [
        id,
        { provider: runner, model_family: facts.families.get(id) ?? null, model_id: model },
      ]),
    ),
    synthesis_timestamp: record.completedAt,
  };
}

interface Mergeable {
  readonly claims: readonly Claim[];
  readonly reviewers: readonly Pick<RunReviewer, 'id' | 'status'>[];
}

/** The findings alone: they are the same whatever the outcome is. */
export function mergeClaims(
  { claims, reviewers }: Mergeable,
  reviews: readonly Review[],
  facts: PanelFacts = nothingKnown,
  nameOf = nameClaims(claims),
) {
  const open = openClaims({ claims: [...claims] });
  const [beside, elsewhere] = [neighbours(open), crossReferences(open)];
  const partial = new Set(
    reviewers.filter(({ status }) => status === 'partial').map(({ id }) => id),
  );
  const malformed = new Set(
    reviews
      .filter(
        ({ format, status, failure }) =>
          format === 'index' && status === 'partial' && failure?.cause === 'schema',
      )
      .map(({ reviewer }) => reviewer),
  );
  return open.map(claim => {
    const { id, supporters, severity, location, findings } = claim;
    const isLone = supporters.length === 1 && (severity === 'critical' || severity === 'high');
    const families = new Set(supporters.flatMap(agent => facts.families.get(agent) ?? []));
    const neighbouring = beside.get(id) ?? [];
    return {
      /** As its first reviewer called it where only one finding of the run is called so, else `<agent>:<id>`, else as the claim. */
      id: nameOf(id),
      /** The same in later runs. */
      claim: id,
      severity: indexLevelOf(severity),
      agents: supporters,
      provenance: findings.map(finding => ({
        agent: finding.reviewer,
        original_id: indexIdOf(finding),
      })),
      section: findings.find(({ section }) => section !== null)?.section ?? '',
      title: mostSpecific(findings, facts) ?? claim.text,
      file: location?.path ?? null,
      line: location?.line ?? null,
      convergence: countSupport(claim),
      /** Agents that received the file and are valid. */
      convergence_of: claim.electorate,
      confidence: supporters.every(agent => malformed.has(agent))
        ? ('low' as const)
        : confidenceOf(supporters.length),
      /** Distinct model families among the agents; null where nobody's is known. */
      cross_family_convergence: families.size === 0 ? null : families.size,
      co_located: neighbouring.length > 0,
      co_located_with: neighbouring.map(nameOf),
      /** That say the same about another place. */
      cross_references: (elsewhere.get(id) ?? []).map(nameOf),
      severity_conflict: toLevels(claim.severityConflict),
      /** What each agent says and advises; no winner is chosen. */
      descriptions: describe(findings),
      verification_recommended: isLone,
      partial: supporters.some(agent => partial.has(agent)),
      note: isLone ? 'verify independently' : null,
    };
  });
}

/** `diff`, `file`, `directory`, `document` or `question`. */
export function inputTypeOf({ kind, source }: Pick<Run['record']['subject'], 'kind' | 'source'>) {
  if (kind === 'change') return 'diff';
  return kind === 'document' && source === 'directory' ? 'directory' : kind;
}

/** Reviewers disagree about how severe it is, or about whether it is so. */
export function isConflict({ severityConflict, contradicts }: Claim) {
  return severityConflict !== null || contradicts.length > 0;
}

/** Reviewers of the project before general ones, then the longer wording; the first one said among equals. */
function mostSpecific(findings: readonly Finding[], { ofProject }: PanelFacts) {
  return findings.toSorted(
    by(
      ({ reviewer }) => !ofProject.has(reviewer),
      ({ text }) => -text.length,
    ),
  )[0]?.text;
}

function describe(findings: readonly Finding[]) {
  return Object.fromEntries(
    [...groupBy(findings, ({ reviewer }) => reviewer)].map(([agent, said]) => [
      agent,
      said
        .map(({ text, recommendation }) =>
          recommendation === null ? text : `${text} → ${toOneLine(recommendation)}`,
        )
        .join(' / '),
    ]),
  );
}

export function improvementsOf(reviews: readonly Review[]): readonly Finding[] {
  return reviews.flatMap(({ findings }) => findings).filter(({ isImprovement }) => isImprovement);
}

/** Improvements of the same words are one. */
export function mergeImprovements(reviews: readonly Review[]) {
  return [
    ...groupBy(improvementsOf(reviews), ({ text }) =>
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' '),
    ).values(),
  ].flatMap(said => {
    const agents = [...new Set(said.map(({ reviewer }) => reviewer))];
    return said.slice(0, 1).map(({ originalId, section, text }) => ({
      id: originalId,
      agents,
      section: section ?? '',
      title: text,
      convergence: agents.length,
    }));
  });
}

function confidenceOf(supporters: number) {
  if (supporters >= 3) return 'high';
  return supporters === 2 ? 'medium' : 'low';
}

function toLevels(conflict: Claim['severityConflict']) {
  return conflict === null
    ? null
    : Object.fromEntries(
        Object.entries(conflict).map(([agent, severity]) => [agent, indexLevelOf(severity)]),
      );
}

/**
 * Claim id → the id its first reviewer gave, as long as only one finding of the run has it; else `<agent>:<id>`; where the index
 * spells two of an agent alike, the second one keeps the id of the claim.
 */
function nameClaims(claims: readonly Claim[]): (id: string) => string {
  const uses = groupBy(
    claims.flatMap(({ findings }) => findings),
    indexIdOf,
  );
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const {
    id,
    findings: [first],
  } of claims) {
    const own = first === undefined ? id : indexIdOf(first);
    const name = uses.get(own)?.length === 1 ? own : `${first?.reviewer}:${own}`;
    const free = first === undefined || taken.has(name) ? id : name;
    taken.add(free);
    names.set(id, free);
  }
  return id => names.get(id) ?? id;
}

// Which claims of a run stand at one place, and which say the same about different places.

/** Claim id → ids of the other claims at the same line of the same file, or of the same section where no line is known. */
export function neighbours(claims: readonly Claim[]): ReadonlyMap<string, readonly string[]> {
  const places = groupBy(claims, placeOf);
  return new Map(
    claims.map(claim => {
      const place = placeOf(claim);
      const here = place === null ? [] : (places.get(place) ?? []).slice(0, mostLinks + 1);
      const others = here.filter(({ id }) => id !== claim.id).map(({ id }) => id);
      return [claim.id, others.slice(0, mostLinks)];
    }),
  );
}

/** Percent of the words of one that stand in the other, from which two wordings are the same issue: the cut of the overlap strategy. */
const sameWords = 60;

/** Ids listed with a claim, at most: more of them help nobody, and a flood must not be squared. */
const mostLinks = 50;

/** A word that more claims use tells nothing apart. */
const commonWord = 64;

/** Claim id → ids of claims with the same wording at another place. Claims that would be one if they stood at one place. */
export function crossReferences(claims: readonly Claim[]): ReadonlyMap<string, readonly string[]> {
  const said = claims.map(claim => ({
    id: claim.id,
    place: placeOf(claim),
    set: words(claim.text),
  }));
  const frequency = groupBy(
    said.flatMap(({ set }) => [...set]),
    word => word,
  );
  const telling = said.map(({ set }) =>
    [...set].filter(word => (frequency.get(word)?.length ?? 0) <= commonWord),
  );
  const references = new Map<string, string[]>();
  const link = (from: string, to: string) => {
    const linked = references.get(from) ?? [];
    if (linked.length < mostLinks && !linked.includes(to)) linked.push(to);
    references.set(from, linked);
  };
  for (const [left, right] of pairsSharing(telling, telling)) {
    const [one, other] = [said[left], said[right]];
    if (one === undefined || other === undefined) continue;
    if (one.place === null || other.place === null || one.place === other.place) continue;
    const shared = [overlapOfWords(one.set, other.set), overlapOfWords(other.set, one.set)];
    if (Math.max(...shared) < sameWords) continue;
    link(one.id, other.id);
    link(other.id, one.id);
  }
  return references;
}

function placeOf({ location, findings }: Claim) {
  if (location !== null && location.line !== null) return `${location.line}:${location.path}`;
  const section = findings.find(finding => finding.section !== null)?.section ?? null;
  return section === null || section.trim() === '' ? null : `§${section.trim().toLowerCase()}`;
}

// Does every merged finding come from what a reviewer wrote? Each entry of `findings.json` must trace to an entry of an index; what
// merely claims to have sources is no evidence.

interface GroundingRequest {
  /** The list `findings` of the file. */
  readonly findings: readonly unknown[];
  /** Those of this run; foreign files left out. */
  readonly agents: readonly { agent: string; index: Pick<FindingsIndex, 'entries'> }[];
  readonly foreignSkipped: number;
  readonly strict: boolean;
}

/** The keys that are evidence; everything else an entry may hold is not looked at. */
const Merged = z.object({
  id: Text.min(1).nullish().catch(null),
  severity: Text.catch(''),
  agent: Text.optional().catch(undefined),
  agents: Texts.optional().catch(undefined),
  provenance: Rows({ agent: Text, original_id: Text }).optional().catch([]),
});
type Merged = z.infer<typeof Merged>;

export function groundFindings({
  findings,
  agents,
  foreignSkipped,
  strict,
}: GroundingRequest): Grounding {
  const indexes = new Map(
    agents.map(({ agent, index }) => [
      agent,
      new Map(index.entries.map(entry => [entry.originalId, entry])),
    ]),
  );
  const known = new Map<string, StatedFinding>();
  for (const { index } of agents)
    for (const entry of index.entries)
      if (!known.has(entry.originalId)) known.set(entry.originalId, entry);
  const traced = findings.map(finding =>
    trace(Merged.safeParse(finding).data ?? noEvidence, indexes, known),
  );
  const pick = (kind: string) => traced.flatMap(each => (each?.kind === kind ? [each.words] : []));
  const [ungrounded, severityMismatch, wrongAgent] = [
    pick('ungrounded'),
    pick('severity'),
    pick('agent'),
  ];
  const isGrave = ungrounded.some(entry => /^P[01]\|/.test(entry));
  const isWarned = ungrounded.length + severityMismatch.length + wrongAgent.length > 0;
  return {
    status: isGrave || (strict && isWarned) ? 'violation' : isWarned ? 'warn' : 'ok',
    checked: findings.length,
    ungrounded,
    severity_mismatch: severityMismatch,
    wrong_agent: wrongAgent,
    foreign_skipped: foreignSkipped,
    strict,
  };
}

/** Warnings are no violation. */
export function groundingExit({ status }: Grounding) {
  return status === 'violation' ? groundingExits.violation : groundingExits.grounded;
}

const noEvidence = { id: null, severity: '' };

type Indexes = ReadonlyMap<string, ReadonlyMap<string, StatedFinding>>;

function trace(merged: Merged, indexes: Indexes, known: ReadonlyMap<string, StatedFinding>) {
  const { id, provenance } = merged;
  const ungrounded = { kind: 'ungrounded', words: `${levelOf(merged)}|${id ?? '-'}` };
  if (id === null || id === undefined) return ungrounded;
  const sources =
    provenance === undefined
      ? [known.get(id)]
      : provenance.map(({ agent, original_id: original }) => indexes.get(agent)?.get(original));
  if (sources.length === 0 || sources.includes(undefined)) return ungrounded;
  const stated = provenance === undefined ? missingIn(merged, id, indexes) : null;
  if (stated !== null) return { kind: 'agent', words: `${id}: not in the index of ${stated}` };
  return compareSeverities(
    merged,
    id,
    sources.filter(source => source !== undefined),
  );
}

/** The agent that is named and does not have the id; null when there is none. With several names one that has it is enough. */
function missingIn({ agent, agents = [] }: Merged, id: string, indexes: Indexes) {
  const named = agent === undefined ? agents : [agent];
  const [first] = named;
  return first === undefined || named.some(name => indexes.get(name)?.has(id)) ? null : first;
}

/** The merged severity is the worst of its sources, or that of one of them. */
function compareSeverities(merged: Merged, name: string, sources: readonly StatedFinding[]) {
  const level = levelOf(merged);
  const levels = [...new Set(sources.map(({ severity }) => indexLevelOf(severity)))].sort();
  return levels.includes(level)
    ? null
    : { kind: 'severity', words: `${name}: ${level}, its index says ${levels.join(', ')}` };
}

/** An alias becomes its level; a word nobody declared counts as the gravest: it must not slip through. */
function levelOf({ severity }: Merged) {
  const read = readSeverity(severity.trim());
  return read === null ? 'P0' : indexLevelOf(read);
}
