/** Decides recorded counts again, by one rule set or by all that ship with Jury. Nothing is written. */
import path from 'node:path';
import { readRuleSet, shippedRules } from '../../adapters/motions/rule-files.ts';
import { readRegularFile, whyUnreadable } from '../../adapters/system/given-file.ts';
import { nameBasedUuid } from '../../adapters/system/ids.ts';
import { countOutcomes } from '../../core/vote/motions-run.ts';
import {
  decideMotion,
  type Outcome,
  type RatificationRow,
  tallyOf,
  toRows,
} from '../../core/vote/ratification.ts';
import { readRecordedCounts, type RecordedCounts } from '../../core/vote/ratify.ts';
import { labelOf, type RuleSet } from '../../core/vote/rule-set.ts';
import { parseSessionJson } from '../../core/vote/session-input.ts';
import { UserError } from '../../core/errors.ts';
import { RatifyRequest } from '../../core/request.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import type { Call } from '../call.ts';
import { settleRules } from './settle-motions.ts';

export interface RatifiedAgain {
  readonly rosterSize: number;
  /** One for each rule set that was asked for. */
  readonly sets: readonly {
    readonly rules: string;
    readonly votes: readonly RatificationRow[];
    readonly counts: Readonly<Record<Outcome, number>>;
  }[];
}

/** Throws `UserError`: kind `input` for counts that cannot be read, `usage` for an unknown rule set. */
export async function ratifyAgain(asked: RatifyRequest, call: Call): Promise<RatifiedAgain> {
  const request = parseRequest(RatifyRequest, asked);
  const names = request.rules === 'all' ? shippedRules : [request.rules];
  const rules = await Promise.all(
    names.map(async name => settleRules(await readRuleSet(name, call.cwd), call)),
  );
  const file = path.resolve(call.cwd, request.aggregations);
  const counts = readRecordedCounts(
    path.basename(file),
    await readJson(file),
    await readJson(path.join(path.dirname(file), 'triage_results.json'), true),
  );
  const sessionId = counts.sessionId ?? path.basename(path.dirname(file));
  return {
    rosterSize: counts.rosterSize,
    sets: rules.map(set => decideAll(counts, set, sessionId)),
  };
}

function decideAll(
  { motions, rosterSize }: RecordedCounts,
  rules: RuleSet,
  sessionId: string,
): RatifiedAgain['sets'][number] {
  const votes = motions.flatMap(motion => {
    const decisions = decideMotion({ ...motion, tally: tallyOf(motion, rules) }, rosterSize, rules);
    // Counts carry no names and no panels, and nothing is ratified by looking at it again.
    return toRows(decisions, {
      motionId: motion.id,
      title: motion.title,
      rosterSize,
      cast: null,
      recommendation: null,
      missing: motion.missing,
      at: null,
      voteId: pass => nameBasedUuid(`${sessionId}|vote|${motion.id}|${pass}`),
    }).slice(-1);
  });
  return { rules: labelOf(rules), votes, counts: countOutcomes(votes) };
}

async function readJson(file: string, isOptional = false): Promise<unknown> {
  const text = await readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    if (isOptional && error.code === 'ENOENT') return null;
    throw new UserError(`Error: ${file} cannot be read: ${whyUnreadable(error)}`, {
      kind: 'input',
      cause: error,
    });
  });
  return text === null ? undefined : parseSessionJson(path.basename(file), text);
}
