/** Judges a run that has ended by the gates of a commit: by what lies in its folder now. */
import { readPlainFile } from '../adapters/store/agent-folder.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { processOf } from '../core/process.ts';
import type { Run } from '../core/words/run.ts';
import { judgeFolder } from '../core/verdict/folder.ts';
import { decide } from '../core/verdict/outcome.ts';
import { stateFolder, type Call } from './call.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { readOutcomeRules } from './outcome-rules.ts';
import { ownStateOf } from './own-state.ts';
import { gatherFolder } from './read-folder.ts';
import { rootOf } from './root.ts';

/** Nobody is asked, and only `gate.json` is written: what is missing in the folder stays missing. */
export async function judgeEndedRun(wanted: string, call: Call): Promise<Run> {
  return judge(await readEndedRun(await ownStateOf(call), wanted), call);
}

/** An answer from an earlier run of the gates is as good as its folder is now; other runs stay as they are. */
export async function judgeReused(run: Run, call: Call): Promise<Run> {
  return run.record.reused &&
    processOf(run.record.command).gate === 'folder' &&
    call.signal?.aborted !== true
    ? judge(run, call)
    : run;
}

async function judge(run: Run, call: Call): Promise<Run> {
  const { record, folder } = run;
  const state = stateFolder(await rootOf(call), call);
  const store = await openRunFolder(state, record.run);
  const findings = listIn(await readPlainFile(state.disk, `${folder}/reviews/findings.json`));
  const hasSynthesis = (await readPlainFile(state.disk, `${folder}/reviews/synthesis.md`)) !== null;
  const evidence = await gatherFolder(
    {
      run: record.run,
      coverage: record.coverage,
      findings,
      reasons: record.gate?.run ?? record.reasons,
      missing: [
        ...(findings === null ? ['findings.json'] : []),
        ...(hasSynthesis ? [] : ['synthesis.md']),
      ],
      recorded: recordedInput(await store.read('run.json')),
    },
    { folder, plan: await readPlan(store), call },
  );
  const { reasons, gate } = judgeFolder(
    evidence,
    await readOutcomeRules({ names: ['gates'], hasFailRules: false }),
  );
  await store.write('gate.json', `${JSON.stringify(decide(gate, reasons), null, 2)}\n`);
  return { ...run, record: decide({ ...record, gate }, reasons) };
}

/** The list `findings` of the file; null when there is none. */
function listIn(text: string | null): readonly unknown[] | null {
  const value = parse(text);
  return typeof value === 'object' &&
    value !== null &&
    'findings' in value &&
    Array.isArray(value.findings)
    ? (value.findings as unknown[])
    : null;
}

function recordedInput(text: string | null): string | null {
  const value = parse(text);
  return typeof value === 'object' &&
    value !== null &&
    'input_sha256' in value &&
    typeof value.input_sha256 === 'string'
    ? value.input_sha256
    : null;
}

function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
