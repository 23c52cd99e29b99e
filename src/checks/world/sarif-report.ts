/** What a tool of the project has reported already, in SARIF 2.1.0: it is read, and nothing is run. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { decodeText, readRegularBytes, whyUnreadable } from '../../adapters/system/given-file.ts';
import type { RunnerWorld } from '../../adapters/runners/runner-world.ts';
import { readSource } from '../../answers/index.ts';
import { parseJson } from '../../core/json.ts';
import { UserError } from '../../core/errors.ts';
import type { Seat } from '../../core/words/config.ts';
import { type Analysis, AnalyserFailure, type Remark, type Task } from '../analyser.ts';

type Place = Pick<Seat, 'answers' | 'home'>;

/** Bytes of the largest report that is read. */
const mostBytes = 67_108_864;

/**
 * What it says about the files of the change; results about other files are counted in a note. It has looked at a file that it names, as
 * an artifact or in a result, whatever its tool is for. A report that was not finished, or is of
 * another commit than the one under review, is none.
 */
export function createReport(seat: Place): (task: Task, world: RunnerWorld) => Promise<Analysis> {
  return async ({ change }, { checkout, note }) => {
    const file = placeOf(seat);
    const bytes = await readRegularBytes(file, mostBytes).catch(whyUnreadable);
    if (typeof bytes === 'string')
      throw new AnalyserFailure('unopened', `The report ${file} cannot be read: ${bytes}.`);
    const text = decodeText(bytes);
    const log = Log.safeParse(parseJson(text)).data;
    if (!log) throw new AnalyserFailure('unopened', `${file} is no report in SARIF.`);
    const other = revisionsIn(log).find(revision => revision !== (change.head ?? revision));
    if (other !== undefined)
      throw new AnalyserFailure(
        'missing',
        `${file} reports on commit ${other}, not on ${change.head}.`,
      );
    const { entries, reviews } = sourceIn(file, text, [checkout ?? []].flat());
    if (reviews.length === 0 || reviews.some(({ status }) => status !== 'complete'))
      throw new AnalyserFailure('thrown', `What wrote ${file} did not run to its end.`);
    const paths = change.files.map(each => each.path);
    const reported = entries.filter(({ leftOut }) => leftOut === null);
    const remarks = reported.flatMap(({ finding, rule, isSecurity }): Remark | [] => {
      const { location, severity, text: issue, evidence, recommendation, reviewer } = finding;
      if (!location || !paths.includes(location.path)) return [];
      return {
        rule: `${reviewer}/${rule ?? 'unnamed'}`,
        severity,
        category: isSecurity ? 'security' : 'check',
        path: location.path,
        line: location.line,
        quote: null,
        issue,
        evidence: evidence ?? `Reported by ${reviewer}.`,
        recommendation: recommendation ?? '',
      };
    });
    const elsewhere = reported.length - remarks.length;
    if (elsewhere > 0)
      note?.(
        `${file}: ${elsewhere} of ${reported.length} results are not about the files of this change.`,
      );
    const named = new Set([
      ...entries.map(({ finding }) => finding.location?.path),
      ...log.runs.flatMap(run => run.artifacts.map(({ location }) => location?.uri)),
    ]);
    const isNamed = (each: string) =>
      [...named].some(name => name === each || name?.endsWith(`/${each}`) === true);
    const coverage = paths.map(each =>
      isNamed(each)
        ? ({ path: each, extent: 'full', why: null } as const)
        : ({ path: each, extent: 'skipped', why: 'its report does not name the file' } as const),
    );
    return { remarks, coverage };
  };
}

/** Hex digest of its bytes; of none where it cannot be read. */
export async function fingerprintReport(seat: Place) {
  const bytes = await readRegularBytes(placeOf(seat), mostBytes).catch(() => Buffer.alloc(0));
  return createHash('sha256').update(bytes).digest('hex');
}

function placeOf({ answers = '', home }: Place) {
  return path.resolve(home, answers);
}

/** Of which commits its runs say they are, and what they looked at (SARIF 2.1.0, sections 3.14.15 and 3.14.18). */
const Log = z.object({
  runs: z.array(
    z.object({
      versionControlProvenance: z
        .array(z.object({ revisionId: z.string().optional() }))
        .default([]),
      artifacts: z
        .array(z.object({ location: z.object({ uri: z.string().optional() }).optional() }))
        .catch([])
        .default([]),
    }),
  ),
});

function revisionsIn({ runs }: z.infer<typeof Log>) {
  const provenance = runs.flatMap(run => run.versionControlProvenance);
  return provenance.flatMap(({ revisionId }) => revisionId ?? []);
}

function sourceIn(name: string, text: string, roots: readonly string[]) {
  try {
    return readSource({ name, text }, roots);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new AnalyserFailure('unopened', error.message);
  }
}
