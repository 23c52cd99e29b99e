/** Records what a person decides about a claim, on this machine and, if wanted, in the committed baseline. */
import { writeBaseline } from '../adapters/memory/baseline-file.ts';
import type { Claim } from '../core/words/claim.ts';
import { UserError } from '../core/errors.ts';
import {
  categoryOf,
  decideAbout,
  type DecidedThing,
  type Decision,
  findClaim,
} from '../core/memory/decision.ts';
import { latestByClaim, type Disposition } from '../core/memory/known-claim.ts';
import { clockOf, type Call } from './call.ts';
import { openProject, type ProjectFiles } from './project-files.ts';

export interface DecisionRequest extends Omit<Decision, 'at'> {
  /** Id of a claim, the beginning of one, or a finding of the run that answered last. */
  readonly claim: string;
  /** Write it into the committed baseline as well. */
  readonly baseline: boolean;
}

export interface Decided {
  readonly disposition: Disposition;
  /** Id of the run that says it, if that is the one that answered last; null when the claim is only remembered. */
  readonly run: string | null;
  /** Path of the baseline file; null when it was not written. */
  readonly file: string | null;
}

export async function decideClaim(
  { claim: wanted, baseline, ...decision }: DecisionRequest,
  call: Call,
): Promise<Decided> {
  const project = await openProject(call);
  const disposition = decideAbout(thingNamed(wanted, project), {
    ...decision,
    at: clockOf(call).now().toISOString(),
  });
  await project.file.update(() =>
    Promise.resolve({ claims: [], dispositions: [disposition], result: null }),
  );
  const { latest } = project;
  const run =
    latest?.record.claims.some(({ id }) => id === disposition.claim) === true
      ? latest.record.run
      : null;
  return {
    disposition,
    run,
    file: baseline ? await writeBaseline(topOf(project), [disposition, ...project.baseline]) : null,
  };
}

export interface WrittenBaseline {
  readonly file: string;
  readonly dispositions: number;
}

/** Every decision that is remembered, with those the baseline has already. Null, and nothing is written, when there are none. */
export async function writeProjectBaseline(call: Call): Promise<WrittenBaseline | null> {
  const project = await openProject(call);
  const dispositions = [...latestByClaim(project.memory.dispositions).values()];
  return dispositions.length === 0
    ? null
    : {
        file: await writeBaseline(topOf(project), dispositions),
        dispositions: dispositions.length,
      };
}

function topOf({ repositoryRoot }: ProjectFiles): string {
  if (repositoryRoot === null)
    throw new UserError('A baseline lies at the top of a git repository, and this is none.', {
      kind: 'input',
    });
  return repositoryRoot;
}

/** The memory knows best; a claim of the last answer may be younger than it, one of the baseline from another machine. */
function thingNamed(wanted: string, { memory, latest }: ProjectFiles): DecidedThing {
  const things = new Map<string, DecidedThing>([
    ...(latest?.record.claims ?? []).map(claim => [claim.id, fromRun(claim)] as const),
    ...[...latestByClaim(memory.dispositions).values()].map(
      disposition => [disposition.claim, { ...disposition, id: disposition.claim }] as const,
    ),
    ...memory.claims.map(claim => [claim.id, claim] as const),
  ]);
  const id = findClaim(wanted, [...things.keys()], latest?.record ?? null);
  const thing = things.get(id);
  if (thing === undefined) throw new Error(`The claim ${id} was found and is not there.`);
  if (
    latest?.subject.kind === 'question' &&
    !memory.claims.some(claim => claim.id === id) &&
    latest.record.claims.some(claim => claim.id === id)
  ) {
    throw new UserError(
      `${id} is part of the answer to a question; only claims about changes and files are remembered.`,
      { kind: 'input' },
    );
  }
  return thing;
}

function fromRun(claim: Claim): DecidedThing {
  return {
    id: claim.id,
    text: claim.text,
    severity: claim.severity,
    category: categoryOf(claim),
    path: claim.location?.path ?? null,
    code: null,
  };
}
