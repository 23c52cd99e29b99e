/**
 * Does every merged finding come from what a reviewer wrote? Each entry of `findings.json` must trace to an entry of an
 * index; what merely claims to have sources is no evidence.
 */
import { z } from 'zod';
import { type FindingsIndex, readSeverity } from '../../answers/index.ts';
import { type StatedFinding, indexLevelOf } from '../words/finding.ts';
import type { Grounding } from '../words/claim.ts';
import { groundingExits } from '../verdict/outcome.ts';
import { Rows, Text, Texts } from '../words/fields.ts';

interface AgentIndex {
  readonly agent: string;
  readonly index: Pick<FindingsIndex, 'entries'>;
}

interface GroundingRequest {
  /** The list `findings` of the file. */
  readonly findings: readonly unknown[];
  /** Those of this run; foreign files left out. */
  readonly agents: readonly AgentIndex[];
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
