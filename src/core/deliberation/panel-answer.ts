/** Reads what a panel says: each member's argument and vote, and the report of the facilitator, checked by code. */
import { isList, isObject, textAt, type JsonObject } from '../parse/scanner.ts';
import { findObjects } from './found-objects.ts';
import { recommendations, type PanelRecord, type Recommendation } from './panel.ts';
import { statedText } from './stated-text.ts';
import type { Argument } from './panel-prompt.ts';

/** The last line that states a vote is the vote; all such lines are taken out of the argument. Null text: nothing else was said. */
export function readArgument(answer: string): Pick<Argument, 'text' | 'vote'> {
  const lines = answer.split(/\r?\n/);
  const votes = lines.map(line => voteIn(line));
  const text = lines.filter((_, index) => votes[index] === null).join('\n').trim();
  return { text: text === '' ? null : text, vote: votes.findLast(vote => vote !== null) ?? null };
}

function voteIn(line: string): Recommendation | null {
  const word = /^[\s>*_#`-]{0,10}vote[\s*_`]{0,5}:[\s*_`]{0,5}(pass|fail|amend|defer)[\s*_`.!]{0,10}$/i.exec(line.slice(0, 80))?.[1];
  return word === undefined ? null : recommendationOf(word);
}

export interface Facilitation {
  /** Anything but a known word defers. */
  readonly recommendation: Recommendation;
  readonly rationale: string | null;
  /** As the facilitator reports them, by the name it uses. */
  readonly votes: readonly (readonly [name: string, vote: Recommendation])[];
  readonly revisedText: string | null;
  readonly revisionSummary: string | null;
  /** Word for word. */
  readonly dissent: PanelRecord['dissenting_opinions'];
}

/** Null: the answer holds no report. Of several the last counts. */
export function readFacilitation(answer: string): Facilitation | null {
  const report = findObjects(answer, 'recommendation').at(-1);
  if (report === undefined) return null;
  return {
    recommendation: recommendationOf(textAt(report, 'recommendation') ?? '') ?? 'defer',
    rationale: filled(report, 'recommendation_rationale'),
    votes: votesOf(report),
    revisedText: filled(report, 'revised_motion_text'),
    revisionSummary: filled(report, 'revision_summary'),
    dissent: dissentOf(report),
  };
}

export interface CountedVotes {
  readonly breakdown: PanelRecord['vote_breakdown'];
  /** Is the recommendation what most voted for? False when nobody voted. */
  readonly agree: boolean;
}

/** A vote that a member cast itself counts for it, whatever the facilitator reports. Votes of others are dropped. */
export function countVotes(said: readonly Argument[], { votes, recommendation }: Pick<Facilitation, 'votes' | 'recommendation'>): CountedVotes {
  const reported = new Map(votes.map(([name, vote]) => [sameName(name), vote]));
  const breakdown = { pass: 0, fail: 0, amend: 0, defer: 0 };
  for (const { name, vote } of said) {
    const counted = vote ?? reported.get(sameName(name));
    if (counted !== undefined) breakdown[counted] += 1;
  }
  const largest = Math.max(...Object.values(breakdown));
  return { breakdown, agree: largest > 0 && breakdown[recommendation] === largest };
}

/** What the facilitator quotes, and the own words of every other member that voted against the recommendation. */
export function collectDissent(said: readonly Argument[], { dissent, recommendation }: Pick<Facilitation, 'dissent' | 'recommendation'>): PanelRecord['dissenting_opinions'] {
  const quoted = new Set(dissent.map(({ archon_name }) => sameName(archon_name)));
  const others = said.filter(({ name, vote, text }) => vote !== null && vote !== recommendation && text !== null && !quoted.has(sameName(name)));
  return [...dissent, ...others.map(({ name, text }) => ({ archon_name: name, opinion: text ?? '' }))];
}

/** Facilitators write names and ids as they please. */
function sameName(name: string): string {
  return name.trim().toLowerCase().replace(/[\s-]/g, '_');
}

function recommendationOf(word: string): Recommendation | null {
  const stated = word.trim().toLowerCase();
  return recommendations.find(known => known === stated) ?? null;
}

function votesOf(report: JsonObject): Facilitation['votes'] {
  const votes = report.get('votes');
  if (!isObject(votes)) return [];
  return [...votes].flatMap(([name, vote]) => {
    const known = typeof vote === 'string' ? recommendationOf(vote) : null;
    return known === null ? [] : [[name, known] as const];
  });
}

function dissentOf(report: JsonObject): Facilitation['dissent'] {
  const stated = report.get('dissenting_opinions');
  if (!isList(stated)) return [];
  return stated.filter(isObject).flatMap(item => {
    const [name, opinion] = [textAt(item, 'archon_name') ?? textAt(item, 'archon_id') ?? textAt(item, 'name'), statedText(item.get('opinion'))];
    return name === null || opinion === null ? [] : [{ archon_name: name, opinion }];
  });
}

function filled(report: JsonObject, key: string): string | null {
  return statedText(report.get(key));
}
