/** Plays a seed: the real library on a simulated machine, from the first start until the run has ended, whatever happens on the way. */
import {
  createJury,
  type JurySettings,
  UserError,
  type Answer,
  type RunEvent,
  type RunResult,
} from '../../src/index.ts';
import { type Turn, answered, failedAnswer } from '../../src/core/ports/runner.ts';
import { createChance } from './chance.ts';
import { createMachine, settle, type Machine, type SimulatedProcess } from './machine.ts';
import { callsOf, recordsOn, type JournalRecord, type RecordedCall } from './records.ts';
import {
  answerOf,
  type Delivery,
  type Scenario,
  type SimulatedFile,
  type SimulatedReviewer,
} from './scenario.ts';

/** What was seen from outside of the product. */
export interface Story {
  readonly scenario: Scenario;
  readonly result: RunResult;
  readonly questions: readonly Question[];
  /** All that the journals hold in the end, in the order in which it was written. */
  readonly records: readonly JournalRecord[];
  readonly processes: number;
  readonly crashes: number;
  readonly steps: number;
  readonly trace: number;
  /** By reviewer: so many answers were known to be kept. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** How often the panel was put to work to the end. */
  readonly rounds: number;
}

/** One question that reached a reviewer. */
export interface Question {
  readonly reviewer: string;
  /** Answers of this reviewer that were kept by then. */
  readonly before: readonly RecordedCall[];
  /** So many of them were known to be kept: the engine had said that a review was over. */
  readonly acknowledged: number;
  readonly run: string;
  readonly round: number;
  readonly attempt: number;
  /** Goes by the number of answers that were kept: a question that has to be put again gets the same one. */
  readonly delivery: Delivery;
  /** Files whose change it was shown. */
  readonly shown: readonly SimulatedFile[];
}

/** A fault of the product, as opposed to one of its failures. */
export class Violation extends Error {}

const stateFolder = '/state';

/** No folder of this machine: to look for something there takes longer than all the rest. */
const cwd = '/project-that-is-simulated';
const mostSteps = 20_000;

/** Of real time, in which a module may be loaded. */
const stuckMs = 10_000;

export interface Playing {
  readonly seed: number;
  readonly machine: Machine;
  readonly story: Promise<Story>;
}

/** The machine has to be stepped while the story is waited for. `calm`: nothing goes wrong, and nobody else is there. */
export function startPlay(scenario: Scenario, course: 'disturbed' | 'calm'): Playing {
  const machine = createMachine(
    createChance(scenario.seed, 'machine'),
    // What is older than its days by the clock of a new run goes when that one starts.
    scenario.again === 'resume' && scenario.rival?.does !== 'review',
  );
  const disturbances = course === 'calm' ? { fates: [], rival: null } : scenario;
  return { seed: scenario.seed, machine, story: playOn(machine, scenario, disturbances) };
}

/** Plays many at a time, each step of all of them together: waiting for all code to settle costs as much as for one. */
export async function settleAll(
  playing: readonly Playing[],
): Promise<readonly PromiseSettledResult<Story>[]> {
  const open = new Set(playing);
  const settled = Promise.allSettled(
    playing.map(each => each.story.finally(() => open.delete(each))),
  );
  let moved = performance.now();
  while (open.size > 0) {
    await settle();
    const isMoving = [...open].filter(({ machine }) => machine.step()).length > 0;
    if (isMoving) moved = performance.now();
    else if (performance.now() - moved > stuckMs)
      throw new Violation(
        `Nothing can happen any more, and the run has not ended.\n${replayOf([...open].map(({ seed }) => seed))}`,
      );
  }
  return settled;
}

export function replayOf(seeds: readonly number[]): string {
  return seeds
    .map(seed => `To play it again: SEED=${seed} npx vitest run test/simulation/`)
    .join('\n');
}

async function playOn(
  machine: Machine,
  scenario: Scenario,
  { fates, rival }: Pick<Scenario, 'fates' | 'rival'>,
): Promise<Story> {
  const questions: Question[] = [];
  const acknowledged = new Map<string, number>();
  const others = new Set<string>();
  const records = (): JournalRecord[] =>
    recordsOn(machine).filter(({ run: id }) => !others.has(id));
  const known = { scenario, machine, questions, acknowledged, runNow: () => run };
  let [processes, crashes] = [0, 0];
  let run: string | null = null;
  let awaited = rival;
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'run-start') run = event.run;
    if (event.type !== 'review-end') return;
    const { reviewer } = event.review;
    acknowledged.set(reviewer, callsOf(reviewer, recordsOn(machine)).length);
  };
  const mostProcesses = fates.length + 2 * scenario.rounds + 4;
  for (;;) {
    processes += 1;
    if (processes > mostProcesses)
      throw new Violation(`It has not ended after ${mostProcesses} processes.`);
    const own = machine.start(fates[processes - 1] ?? null);
    const isOver = run !== null && roundsIn(records()) >= scenario.rounds && !isUnderway(records());
    const mayStart = run === null || (scenario.again === 'run' && wasEnded(machine, run));
    const isBeside =
      awaited !== null &&
      processes >= awaited.beside &&
      (awaited.does === 'review' || run !== null);
    const other = isBeside ? machine.start(awaited?.fate ?? null) : null;
    const jury = juryOn(own, known, onEvent);
    const isLatest = processes % 2 === 0 && rival?.does !== 'review' && machine.isOnTime();
    const latest = isLatest ? 'latest' : (run ?? 'latest');
    const main = endOf(
      own,
      isOver && run !== null
        ? jury.report(run)
        : mayStart
          ? jury.run({ process: 'review', patch: '-' })
          : jury.resume(latest),
    );
    const [ended, beside] = await Promise.all([
      main,
      other === null || awaited === null
        ? null
        : endOf(
            other,
            awaited.does === 'resume' && run !== null
              ? juryOn(other, known, onEvent).resume(run)
              : strangerOn(other, id => others.add(id)).run({ process: 'review', patch: '-' }),
          ),
    ]);
    if (machine.steps() > mostSteps) throw new Violation(`It took more than ${mostSteps} steps.`);
    const both = [{ process: own, ended }];
    if (other !== null) {
      processes += 1;
      if (awaited?.does === 'resume') both.push({ process: other, ended: beside });
      else checkStranger(beside, other);
      awaited = null;
    }
    const results = both.flatMap(each =>
      each.ended === null || each.ended instanceof Error ? [] : [{ ...each, ended: each.ended }],
    );
    const final = results.find(
      ({ process, ended: { outcome } }) =>
        outcome !== 'INCOMPLETE' ||
        // Whether the other one went on after that, the next process will see.
        (other === null &&
          (isOver || (!process.wasInterrupted() && roundsIn(records()) >= scenario.rounds))),
    );
    const told = new Set(
      results.map(each => each.ended.outcome).filter(outcome => outcome !== 'INCOMPLETE'),
    );
    if (told.size > 1)
      throw new Violation('Two processes tell of one run that it passed and failed.');
    other?.end();
    own.end(final === undefined ? 'kill' : 'power');
    crashes += both.filter(
      each => each.ended === null || (each.ended instanceof Error && each.process.wasRefused()),
    ).length;
    if (final !== undefined) {
      await checkKept(final.ended, machine);
      return {
        scenario,
        result: final.ended,
        questions,
        records: recordsOn(machine),
        processes,
        crashes,
        steps: machine.steps(),
        trace: machine.trace(),
        acknowledged,
        rounds: roundsIn(records()),
      };
    }
    for (const { process, ended: error } of both) {
      if (!(error instanceof Error) || process.wasRefused()) continue;
      if (other !== null && isHeld(error)) continue;
      if (run === null || !isPlanless(error)) throw error;
      if (questions.length > 0)
        throw new Violation('A run that asked somebody is not gone on with.', { cause: error });
      run = null;
    }
  }
}

type Ended = RunResult | Error | null;

/** Null: it was killed. */
function endOf(process: SimulatedProcess, work: Promise<RunResult>): Promise<Ended> {
  return Promise.race([process.killed.then(() => null), work.catch(toFailure)]);
}

/** Whoever came first works on the run. */
function isHeld(error: Error): boolean {
  return (
    error instanceof UserError &&
    /is working on this run|Another process is writing the journal/.test(error.message)
  );
}

/** Somebody who reviews another change in the same project, and has nothing to say about it. */
function strangerOn(
  process: SimulatedProcess,
  onRun: (run: string) => void,
): ReturnType<typeof createJury> {
  const { clock } = process;
  return createJury({
    ...settingsOn(process),
    onEvent: event => {
      if (event.type === 'run-start') onRun(event.run);
    },
    config: { copies: false, reviewers: [{ id: 'stranger', runner: 'silent' }] },
    readInput: () => 'diff --git a/x.js b/x.js\n--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-one\n+two\n',
    runners: {
      silent: async (_, ended) => {
        await clock.sleep(100, ended);
        return { text: '{"findings":[]}' };
      },
    },
  });
}

function checkStranger(ended: Ended, process: SimulatedProcess): void {
  if (ended === null || process.wasRefused() || process.wasInterrupted()) return;
  if (ended instanceof Error)
    throw new Violation('A review of another change is disturbed.', { cause: ended });
  if (ended.outcome !== 'PASS' || ended.claims.length > 0)
    throw new Violation(`A review of another change is ${ended.outcome} now.`);
}

/** What was told once is told again, also when the power went right after. */
async function checkKept({ outcome, record }: RunResult, machine: Machine): Promise<void> {
  const kept = await createJury(settingsOn(machine.start(null)))
    .report(record.run)
    .catch((error: unknown) => toFailure(error));
  if (kept instanceof Error)
    throw new Violation('A run that had ended cannot be read any more.', { cause: kept });
  if (kept.outcome !== outcome)
    throw new Violation(`A run that had ended ${outcome} is ${kept.outcome} now.`);
}

/** Everything of a simulated process that the product is given in place of this machine's. */
function settingsOn({ disk, clock, ids, processes, signal }: SimulatedProcess): JurySettings {
  const environment = { JURY_TMPDIR: cwd };
  return { cwd, environment, state: stateFolder, disk, clock, ids, processes, signal };
}

interface Cast {
  readonly scenario: Scenario;
  readonly machine: Machine;
  readonly questions: Question[];
  /** By reviewer. */
  readonly acknowledged: ReadonlyMap<string, number>;
  runNow(): string | null;
}

function juryOn(
  process: SimulatedProcess,
  { scenario, machine, questions, acknowledged, runNow }: Cast,
  onEvent: (event: RunEvent) => void,
): ReturnType<typeof createJury> {
  const { clock } = process;
  const ask = async (turn: Turn, signalOfTurn: AbortSignal): Promise<Reply> => {
    const reviewer = scenario.reviewers.find(({ id }) => id === turn.seat.id);
    if (reviewer === undefined) throw new Violation(`Nobody is called ${turn.seat.id}.`);
    const asked = questionTo(reviewer, turn, scenario, {
      records: recordsOn(machine),
      run: runNow() ?? '',
      acknowledged,
    });
    questions.push(asked);
    const { delivery } = asked;
    await clock.sleep(delivery.kind === 'lost' ? 1e9 : delivery.delayMs, signalOfTurn);
    return { delivery, text: answerOf(delivery, scenario.files) };
  };
  return createJury({
    ...settingsOn(process),
    onEvent,
    config: scenario.config,
    readInput: () => scenario.patch,
    runners: {
      function: async (turn, ended) => {
        const { delivery, text } = await ask(turn, ended);
        if (text === null) throw new Error(delivery.kind);
        return text;
      },
      whole: {
        name: 'whole',
        transportRetries: 1,
        fingerprint: () => Promise.resolve('whole'),
        ask: (turn, ended) => askWhole(ask, clock, turn, ended),
      },
    },
  });
}

interface Reply {
  readonly delivery: Delivery;
  readonly text: ReturnType<typeof answerOf>;
}

/** A runner of the caller's own keeps its deadlines itself. */
async function askWhole(
  ask: (turn: Turn, ended: AbortSignal) => Promise<Reply>,
  clock: SimulatedProcess['clock'],
  turn: Turn,
  signal: AbortSignal,
): Promise<Answer> {
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([
      clock
        .sleep(turn.deadlines.totalMs, ended)
        .then(() => failedAnswer('deadline', 'No answer came in time.')),
      ask(turn, ended).then(({ delivery, text }) =>
        text === null
          ? failedAnswer(delivery.kind === 'unreachable' ? 'unreachable' : 'exit', delivery.kind)
          : answered(text.text, { stop: text.stop ?? 'end' }),
      ),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return failedAnswer('cancelled', 'The run was interrupted.');
  } finally {
    over.abort();
  }
}

interface Known extends Pick<Cast, 'acknowledged'> {
  readonly records: readonly JournalRecord[];
  readonly run: string;
}

function questionTo(
  reviewer: SimulatedReviewer,
  turn: Turn,
  { files }: Scenario,
  { records, run, acknowledged }: Known,
): Question {
  const before = callsOf(reviewer.id, records);
  const planned = reviewer.deliveries[before.length] ?? wellAndSilent;
  // Who is tried again has what is left of its time.
  const isLate = planned.delayMs >= turn.deadlines.totalMs;
  return {
    reviewer: reviewer.id,
    before,
    acknowledged: acknowledged.get(reviewer.id) ?? 0,
    run,
    round: roundsIn(records.filter(record => record.run === run)) + 1,
    attempt: turn.attempt,
    delivery: isLate ? { ...planned, kind: 'late' } : planned,
    shown: files.filter(({ mark }) => turn.prompt.includes(mark)),
  };
}

const wellAndSilent: Delivery = { kind: 'silent', delayMs: 10, said: [], leavesOut: null };

function roundsIn(records: readonly JournalRecord[]): number {
  return records.filter(({ key }) => key.startsWith('end/')).length;
}

/** Somebody has answered since a round ended. */
function isUnderway(records: readonly JournalRecord[]): boolean {
  const last = records.findLastIndex(({ key }) => key.startsWith('end/'));
  return records.slice(last + 1).some(({ key }) => key.includes('/call/'));
}

function wasEnded(machine: Machine, run: string): boolean {
  return recordsOn(machine).some(record => record.run === run && record.key.startsWith('end/'));
}

function toFailure(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Killed before anybody was asked. */
function isPlanless(error: Error): boolean {
  return (
    error instanceof UserError && /killed before it had a plan|There is no run/.test(error.message)
  );
}
