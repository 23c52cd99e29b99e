/**
 * `findings.json`: the claims of a run as merged findings, each with the index entries it was made of. Everything is computed; no
 * model merges.
 */
import { pairsSharing, overlapOfWords, words } from '../../agreement/index.ts';
import { toOneLine } from '../text.ts';
import { sentencesOf } from '../verdict/reasons.ts';
import { openClaims, overallVerdictOf } from '../verdict/review-status.ts';
import { type Claim, countSupport } from '../words/claim.ts';
import type { Finding } from '../words/finding.ts';
import type { Review } from '../words/review.ts';
import type { Run, RunReviewer } from '../words/run.ts';
import { indexLevelOf } from '../words/severity.ts';
import { indexIdOf } from './review-file.ts';

export type Level = ReturnType<typeof indexLevelOf>;

export interface MergedFinding {
  /** As its first reviewer called it where only one finding of the run is called so, else `<agent>:<id>`, else as the claim. */
  readonly id: string;
  /** Id of the claim, the same in later runs. */
  readonly claim: string;
  readonly severity: Level;
  readonly agents: readonly string[];
  readonly provenance: readonly { readonly agent: string; readonly original_id: string }[];
  readonly section: string;
  readonly title: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly convergence: number;
  /** Agents that received the file and are valid. */
  readonly convergence_of: number;
  readonly confidence: 'high' | 'medium' | 'low';
  /** Distinct model families among the agents; null where nobody's is known. */
  readonly cross_family_convergence: number | null;
  readonly co_located: boolean;
  readonly co_located_with: readonly string[];
  /** Ids of findings that say the same about another place. */
  readonly cross_references: readonly string[];
  readonly severity_conflict: Readonly<Record<string, Level>> | null;
  /** What each agent says and advises; no winner is chosen. */
  readonly descriptions: Readonly<Record<string, string>>;
  readonly verification_recommended: boolean;
  readonly partial: boolean;
  readonly note: string | null;
}

/** What the record of a run does not tell about its panel. */
export interface PanelFacts {
  /** Model families by agent, where known. */
  readonly families: ReadonlyMap<string, string>;
  /** Agents with a persona of the project's own: they know it better than a general one. */
  readonly ofProject: ReadonlySet<string>;
}

const nothingKnown: PanelFacts = { families: new Map(), ofProject: new Set() };

export interface MergedFindings {
  readonly schema: 'jury.findings/1';
  readonly synthesis_protocol_version: '1.0';
  readonly run_id: string;
  readonly process: string;
  readonly reviewed: string;
  readonly input: string;
  readonly input_type: string;
  readonly agents_launched: readonly string[];
  readonly agents_completed: readonly string[];
  readonly agents_failed: readonly string[];
  readonly agents_partial: readonly string[];
  readonly findings: readonly MergedFinding[];
  readonly improvements: readonly Pick<
    MergedFinding,
    'id' | 'agents' | 'section' | 'title' | 'convergence'
  >[];
  readonly discarded: readonly {
    readonly id: string;
    readonly title: string;
    readonly reason: string;
  }[];
  readonly conflicts: readonly {
    readonly id: string;
    readonly severity_conflict: Readonly<Record<string, Level>> | null;
    readonly contradicts: readonly string[];
  }[];
  readonly verdict: string;
  readonly gate: { readonly result: string | null; readonly reasons: readonly string[] };
  readonly overrides: readonly {
    readonly rule: string;
    readonly reason: string;
    readonly source: string;
  }[];
  /** A later stage of reviewers was not asked. */
  readonly early_stop: boolean;
  readonly content_routing_active: boolean;
  readonly models: Readonly<
    Record<
      string,
      {
        readonly provider: string;
        readonly model_family: string | null;
        readonly model_id: string | null;
      }
    >
  >;
  readonly synthesis_timestamp: string;
}

export function toMergedFindings(
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
  facts: PanelFacts = nothingKnown,
): MergedFindings {
  const named = (status: RunReviewer['status']): string[] =>
    record.reviewers.filter(reviewer => reviewer.status === status).map(({ id }) => id);
  const open = openClaims(record);
  const names = nameClaims(record.claims);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const namesOf = (ids: readonly string[] = []): string[] => ids.map(nameOf);
  return {
    schema: 'jury.findings/1',
    synthesis_protocol_version: '1.0',
    run_id: record.run,
    process: record.command,
    reviewed: record.completedAt,
    input: record.subject.title,
    input_type: inputTypeOf(record.subject),
    agents_launched: record.reviewers.map(({ id }) => id),
    agents_completed: named('complete'),
    agents_failed: named('failed'),
    agents_partial: named('partial'),
    findings: mergeClaims(record, reviews, facts),
    improvements: mergeImprovements(reviews),
    discarded: record.claims
      .filter(({ state }) => state === 'dismissed')
      .map(({ id, text }) => ({
        id: nameOf(id),
        title: text,
        reason: record.dismissed.find(dismissal => dismissal.id === id)?.reason ?? 'dismissed',
      })),
    conflicts: open.filter(isConflict).map(({ id, severityConflict, contradicts }) => ({
      id: nameOf(id),
      severity_conflict: toLevels(severityConflict),
      contradicts: namesOf(contradicts),
    })),
    verdict: overallVerdictOf(record),
    gate: { result: record.outcome, reasons: [...sentencesOf(record)] },
    overrides: record.gate?.overrides ?? [],
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
): MergedFinding[] {
  const open = openClaims({ claims: [...claims] });
  const names = nameClaims(claims);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const namesOf = (ids: readonly string[] = []): string[] => ids.map(nameOf);
  const partial = new Set(
    reviewers.filter(({ status }) => status === 'partial').map(({ id }) => id),
  );
  const view: View = {
    nameOf,
    beside: namesIn(neighbours(open), namesOf),
    elsewhere: namesIn(crossReferences(open), namesOf),
    partial,
    malformed: malformedIn(reviews),
    facts,
  };
  return open.map(claim => toFinding(claim, view));
}

/** `diff`, `file`, `directory`, `document` or `question`. */
export function inputTypeOf({
  kind,
  source,
}: Pick<Run['record']['subject'], 'kind' | 'source'>): string {
  if (kind === 'change') return 'diff';
  return kind === 'document' && source === 'directory' ? 'directory' : kind;
}

/** Reviewers disagree about how severe it is, or about whether it is so. */
export function isConflict({ severityConflict, contradicts }: Claim): boolean {
  return severityConflict !== null || contradicts.length > 0;
}

interface View {
  readonly nameOf: (id: string) => string;
  readonly beside: (id: string) => readonly string[];
  readonly elsewhere: (id: string) => readonly string[];
  readonly partial: ReadonlySet<string>;
  readonly malformed: ReadonlySet<string>;
  readonly facts: PanelFacts;
}

function namesIn(
  index: ReadonlyMap<string, readonly string[]>,
  namesOf: (ids?: readonly string[]) => string[],
): (id: string) => readonly string[] {
  return id => namesOf(index.get(id));
}

function toFinding(
  claim: Claim,
  { nameOf, beside, elsewhere, partial, malformed, facts }: View,
): MergedFinding {
  const { supporters, severity, location, findings } = claim;
  const isLone = supporters.length === 1 && (severity === 'critical' || severity === 'high');
  const families = new Set(supporters.flatMap(agent => facts.families.get(agent) ?? []));
  return {
    id: nameOf(claim.id),
    claim: claim.id,
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
    convergence_of: claim.electorate,
    confidence: supporters.every(agent => malformed.has(agent))
      ? 'low'
      : confidenceOf(supporters.length),
    cross_family_convergence: families.size === 0 ? null : families.size,
    co_located: beside(claim.id).length > 0,
    co_located_with: beside(claim.id),
    cross_references: elsewhere(claim.id),
    severity_conflict: toLevels(claim.severityConflict),
    descriptions: describe(findings),
    verification_recommended: isLone,
    partial: supporters.some(name => partial.has(name)),
    note: isLone ? 'verify independently' : null,
  };
}

/** Reviewers of the project before general ones, then the longer wording; the first one said among equals. */
function mostSpecific(findings: readonly Finding[], { ofProject }: PanelFacts): string | undefined {
  return findings.toSorted(
    (one, other) =>
      Number(ofProject.has(other.reviewer)) - Number(ofProject.has(one.reviewer)) ||
      other.text.length - one.text.length,
  )[0]?.text;
}

function describe(findings: readonly Finding[]): Record<string, string> {
  const said = new Map<string, string[]>();
  for (const { reviewer, text, recommendation } of findings)
    said.set(reviewer, [
      ...(said.get(reviewer) ?? []),
      recommendation === null ? text : `${text} → ${toOneLine(recommendation)}`,
    ]);
  return Object.fromEntries([...said].map(([agent, texts]) => [agent, texts.join(' / ')]));
}

function malformedIn(reviews: readonly Review[]): ReadonlySet<string> {
  return new Set(
    reviews
      .filter(
        ({ format, status, failure }) =>
          format === 'index' && status === 'partial' && failure?.cause === 'schema',
      )
      .map(({ reviewer }) => reviewer),
  );
}

/** Improvements of the same words are one. */
function mergeImprovements(reviews: readonly Review[]): MergedFindings['improvements'] {
  const merged = new Map<
    string,
    { id: string; agents: string[]; section: string; title: string }
  >();
  for (const { originalId, reviewer, section, text } of reviews.flatMap(review =>
    review.findings.filter(finding => finding.isImprovement),
  )) {
    const key = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const known = merged.get(key);
    if (known === undefined)
      merged.set(key, { id: originalId, agents: [reviewer], section: section ?? '', title: text });
    else if (!known.agents.includes(reviewer)) known.agents.push(reviewer);
  }
  return [...merged.values()].map(improvement => ({
    ...improvement,
    convergence: improvement.agents.length,
  }));
}

function confidenceOf(supporters: number): 'high' | 'medium' | 'low' {
  if (supporters >= 3) return 'high';
  return supporters === 2 ? 'medium' : 'low';
}

function toLevels(conflict: Claim['severityConflict']): Record<string, Level> | null {
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
function nameClaims(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const finding of claims.flatMap(({ findings }) => findings))
    counts.set(indexIdOf(finding), (counts.get(indexIdOf(finding)) ?? 0) + 1);
  const taken = new Set<string>();
  return new Map(
    claims.map(({ id, findings: [first] }) => {
      if (first === undefined) return [id, id];
      const own = indexIdOf(first);
      const name = counts.get(own) === 1 ? own : `${first.reviewer}:${own}`;
      const free = taken.has(name) ? id : name;
      taken.add(free);
      return [id, free];
    }),
  );
}

// Which claims of a run stand at one place, and which say the same about different places.

/** Claim id → ids of the other claims at the same line of the same file, or of the same section where no line is known. */
export function neighbours(claims: readonly Claim[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const claim of claims) {
    const place = placeOf(claim);
    if (place === null) continue;
    const here = places.get(place);
    if (here === undefined) places.set(place, [claim.id]);
    else here.push(claim.id);
  }
  return new Map(
    claims.map(claim => [
      claim.id,
      (places.get(placeOf(claim) ?? '') ?? [])
        .slice(0, mostLinks + 1)
        .filter(id => id !== claim.id)
        .slice(0, mostLinks),
    ]),
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
  const sets = claims.map(({ text }) => words(text));
  const frequency = new Map<string, number>();
  for (const set of sets)
    for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const telling = sets.map(set =>
    [...set].filter(word => (frequency.get(word) ?? 0) <= commonWord),
  );
  const references = new Map<string, string[]>();
  for (const [one, other] of pairsSharing(telling, telling)) {
    const [left, right, leftWords, rightWords] = [
      claims[one],
      claims[other],
      sets[one],
      sets[other],
    ];
    if (
      left === undefined ||
      right === undefined ||
      leftWords === undefined ||
      rightWords === undefined ||
      !differInPlace(left, right)
    )
      continue;
    if (
      Math.max(overlapOfWords(leftWords, rightWords), overlapOfWords(rightWords, leftWords)) <
      sameWords
    )
      continue;
    link(references, left.id, right.id);
    link(references, right.id, left.id);
  }
  return references;
}

function link(references: Map<string, string[]>, from: string, to: string): void {
  const list = references.get(from) ?? [];
  if (list.length < mostLinks && !list.includes(to)) list.push(to);
  references.set(from, list);
}

function differInPlace(one: Claim, other: Claim): boolean {
  const [left, right] = [placeOf(one), placeOf(other)];
  return left !== null && right !== null && left !== right;
}

function placeOf({ location, findings }: Claim): string | null {
  if (location !== null && location.line !== null) return `${location.line}:${location.path}`;
  const section = findings.find(finding => finding.section !== null)?.section ?? null;
  return section === null || section.trim() === '' ? null : `§${section.trim().toLowerCase()}`;
}
