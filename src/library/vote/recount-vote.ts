/** Counts a recorded vote again and compares what the answers give with what is recorded, file by file. */
import path from 'node:path';
import { readResultJson, readResultText, readRows } from '../../adapters/motions/recorded-files.ts';
import { nameBasedUuid, sha256 } from '../../adapters/system/ids.ts';
import { inputError, UserError } from '../../core/errors.ts';
import {
  type Artifact,
  type ArtifactOptions,
  artifactsOf,
  historyName,
  inputsName,
  panelFile,
  responsesName,
  resultName,
  trailName,
} from '../../core/vote/artifacts.ts';
import { type AuditEvent, fingerprintsIn, noPredecessor } from '../../core/vote/audit-trail.ts';
import { findDifference, findOtherLine, type Moments } from '../../core/vote/compare-results.ts';
import type { MotionsRun } from '../../core/vote/motions-run.ts';
import { RecordedInputs } from '../../core/vote/recorded-inputs.ts';
import {
  checkResult,
  RecordedAnswer,
  RecordedFigures,
  RecordedRevision,
  RecordedStart,
} from '../../core/vote/recorded-results.ts';
import { PanelRecord, type ReviewResponse } from '../../core/vote/records.ts';
import { recount, type VoteRecord } from '../../engine/vote/recount.ts';
import { renderMotionsMarkdown } from '../../render/motions-markdown.ts';

/** Triage, packets, counts, panels and ratification as they follow from the recorded answers. */
export interface Recounted {
  /** `not_recorded`: there is no record of what the vote was held on, as in folders of earlier versions. */
  readonly status: 'same' | 'different' | 'not_recorded' | 'not_checked';
  /** The first difference, or why nothing can be counted, in one line; null where there is none. */
  readonly difference: string | null;
}

export interface ResultFiles {
  readonly folder: string;
  /** Names below it; false for what is no file. */
  readonly files: ReadonlyMap<string, boolean>;
}

/** What stands in the way of the recount was changed like what differs from it. */
export async function countAgain(
  results: ResultFiles,
  events: readonly AuditEvent[],
  head: string,
): Promise<Recounted> {
  if (!results.files.has(inputsName) && !isToldOf(events))
    return { status: 'not_recorded', difference: null };
  try {
    const difference = await findFirstDifference(results, events, head);
    return { status: difference === null ? 'same' : 'different', difference };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { status: 'different', difference: error.message.replace(/^Error: /, '') };
  }
}

/** Did the vote keep what it was held on? Then that is not there any more. */
function isToldOf([started]: readonly AuditEvent[]): boolean {
  return started !== undefined && Object.hasOwn(started.details, 'settings_sha256');
}

async function findFirstDifference(
  results: ResultFiles,
  events: readonly AuditEvent[],
  head: string,
): Promise<string | null> {
  const record = await readRecord(results, events);
  const { inputs } = record;
  const options: Omit<ArtifactOptions, 'report'> = {
    savesPackets: inputs.settings.save_packets,
    compact: true,
    uuid: nameBasedUuid,
    runId: inputs.run_id,
  };
  const counted = await recount(record, { hash: sha256, uuid: nameBasedUuid }, run =>
    namesOf(run, { ...options, report: () => '' }),
  );
  const times = checkResult(await readOne(results, resultName), resultName, RecordedFigures);
  const report = (): string =>
    renderMotionsMarkdown({
      run: {
        ...counted,
        startedAt: times.started_at,
        completedAt: times.completed_at,
        audit: { ...counted.audit, head },
      },
      source: record.source,
      isDetected: false,
      folder: resultsLine,
    });
  const expected = new Set<string>();
  const moments: Moments = new Map();
  for (const artifact of artifactsOf(counted, { ...options, report })) {
    expected.add(artifact.name);
    const difference = await compareArtifact(artifact, results, moments);
    if (difference !== null) return difference;
  }
  const stranger = [...results.files.keys()].find(name => !expected.has(name));
  return stranger === undefined ? null : `${stranger}: the answers give no such file`;
}

function namesOf(run: Omit<MotionsRun, 'audit'>, options: ArtifactOptions): string[] {
  const audit = { events: [], head: noPredecessor };
  return [...artifactsOf({ ...run, audit }, options)].map(({ name }) => name);
}

/** Where the results were written: a folder can be moved. */
const resultsLine = '.';
const freeLines = ['- Results: '];

async function compareArtifact(
  { name, content }: Artifact,
  results: ResultFiles,
  moments: Moments,
): Promise<string | null> {
  if (content.kind === 'text')
    return findOtherLine((await readText(results, name)) ?? '', content.text(), {
      file: name,
      free: freeLines,
    });
  const compared = { file: name, moments };
  if (content.kind === 'object')
    return findDifference(await readOne(results, name), content.value(), compared);
  const rows = readRows(placeOf(results, name));
  let count = 0;
  for (const given of content.rows()) {
    const { value: recorded, done } = await rows.next();
    if (done === true) return `${name}: holds ${count} rows, the answers give more`;
    count += 1;
    const difference = findDifference(recorded, given, compared);
    if (difference !== null) return difference;
  }
  return (await rows.next()).done === true
    ? null
    : `${name}: holds more than the ${count} rows that the answers give`;
}

async function readRecord(
  results: ResultFiles,
  events: readonly AuditEvent[],
): Promise<VoteRecord> {
  const inputs = checkResult(await readOne(results, inputsName), inputsName, RecordedInputs);
  const isDecided = inputs.mode === 'real';
  const { consolidator_path: source } = checkResult(events[0]?.details, trailName, RecordedStart);
  const { calls, tokens, cost } = checkResult(
    await readOne(results, resultName),
    resultName,
    RecordedFigures,
  );
  return {
    inputs,
    source,
    spent: { calls, tokens, cost },
    fingerprints: fingerprintsIn(events) ?? {},
    takeAnswer: isDecided ? await readAnswers(results) : () => null,
    written: isDecided ? await readWritten(results) : new Map(),
    async readPanel(id) {
      const name = panelFile(id);
      return checkResult(await readOne(results, name), name, PanelRecord);
    },
  };
}

/** Of two answers to one question the first stands; the recount has a row less. */
async function readAnswers(results: ResultFiles): Promise<VoteRecord['takeAnswer']> {
  const answers = new Map<string, Map<string, ReviewResponse>>();
  // A model and an endpoint are the same text in a million rows.
  const texts = new Map<string, string>();
  const once = (text: string | null): string | null => {
    if (text === null) return null;
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  let index = 0;
  for await (const row of readRows(placeOf(results, responsesName))) {
    const { pass, ...answer } = checkResult(row, responsesName, RecordedAnswer, index);
    index += 1;
    const ofMember = `${pass} ${answer.archon_id}`;
    const own = answers.get(ofMember) ?? new Map<string, ReviewResponse>();
    answers.set(ofMember, own);
    const { model, endpoint } = answer;
    if (!own.has(answer.mega_motion_id))
      own.set(answer.mega_motion_id, { ...answer, model: once(model), endpoint: once(endpoint) });
  }
  return (archonId, motionId, pass) => {
    const own = answers.get(`${pass} ${archonId}`);
    const answer = own?.get(motionId) ?? null;
    own?.delete(motionId);
    return answer;
  };
}

async function readWritten(results: ResultFiles): Promise<Map<string, string>> {
  const written = new Map<string, string>();
  let index = 0;
  for await (const row of readRows(placeOf(results, historyName))) {
    const revised = checkResult(row, historyName, RecordedRevision, index);
    index += 1;
    if (revised.revised_by === 'facilitator' && revised.revised_motion_text !== null)
      written.set(revised.mega_motion_id, revised.revised_motion_text);
  }
  return written;
}

function placeOf({ folder, files }: ResultFiles, name: string): string {
  if (files.get(name) !== true)
    throw inputError(files.has(name) ? `${name}: is no file` : `${name}: is missing`);
  return path.join(folder, name);
}

function readOne(results: ResultFiles, name: string): Promise<unknown> {
  return readResultJson(placeOf(results, name));
}

async function readText(results: ResultFiles, name: string): Promise<string | null> {
  return readResultText(placeOf(results, name));
}
