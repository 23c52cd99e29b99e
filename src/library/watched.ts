/** Does the work of a run so that OpenTelemetry is told of it, where the environment of the caller names an endpoint. */
import { randomUUID } from 'node:crypto';
import type { RunEnding, Telemetry } from '../adapters/telemetry/telemetry.ts';
import { readTelemetrySettings, type TelemetrySettings } from '../adapters/telemetry/settings.ts';
import { UserError } from '../core/errors.ts';
import type { Run } from '../core/words/run.ts';
import { type Call, version } from './call.ts';

/** As whoever asks somebody in a run gets it. No caller of the library names one: only `watched` does. */
export interface WatchedCall extends Call {
  readonly telemetry?: Telemetry;
}

export type Came = Omit<RunEnding, 'error'>;

/**
 * `process`: what was asked for. Where nothing is to be sent, nothing of OpenTelemetry is loaded. Whatever becomes of the sending, the
 * work ends as it does.
 */
export async function watched<Result>(
  { process, call }: { process: string; call: Call },
  work: (call: Call) => Promise<Result>,
  came: (result: Result) => Came,
): Promise<Result> {
  const settings = readTelemetrySettings(call.environment);
  const note = (message: string) => call.onEvent?.({ type: 'note', message });
  if (settings === null) return work(call);
  if (typeof settings === 'string') {
    note(settings);
    return work(call);
  }
  const telemetry = await open(settings, process);
  if (!telemetry) {
    note('Telemetry could not be started, so none is sent.');
    return work(call);
  }
  let ending: RunEnding = { ...noRun, error: 'fault' };
  try {
    const watching: WatchedCall = {
      ...call,
      telemetry,
      onEvent(event) {
        telemetry.onEvent(event);
        call.onEvent?.(event);
      },
    };
    const result = await work(watching);
    ending = { ...came(result), error: null };
    return result;
  } catch (error) {
    if (error instanceof UserError) ending = { ...noRun, error: error.kind };
    else if (call.signal?.aborted) ending = { ...noRun, error: 'cancelled' };
    throw error;
  } finally {
    const why = await telemetry.end(ending);
    if (why !== null) note(why);
  }
}

/** Null: the library does not load, or not with these settings; that is no matter of the run. */
async function open(settings: TelemetrySettings, process: string) {
  try {
    const { openTelemetry } = await import('../adapters/telemetry/telemetry.ts');
    return openTelemetry(settings, { process, version, id: randomUUID() });
  } catch {
    return null;
  }
}

const noRun: Came = { run: null, outcome: null, claims: [] };

export function cameOf({ record }: Run): Came {
  const { run, outcome, claims } = record;
  return {
    run,
    outcome,
    claims: claims.map(({ severity, agreement }) => ({ severity, agreement })),
  };
}
