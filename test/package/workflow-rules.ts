/**
 * What a workflow of this repository must not do, as data and pure functions: the tests plant violations in it. The linter of
 * workflows knows the language; these rules are about trust.
 */
import { z } from 'zod';
import { parse } from 'yaml';

const Permissions = z.record(z.string(), z.enum(['none', 'read', 'write']));
const Step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const Workflow = z.looseObject({
  on: z.unknown(),
  permissions: Permissions,
  jobs: z.record(
    z.string(),
    z.looseObject({
      'timeout-minutes': z.number().optional(),
      permissions: Permissions.optional(),
      steps: z.array(Step),
    }),
  ),
});

/**
 * Sentences, none when all is well. `writes` names for each job the rights to write that it has and may have, `keyed` the jobs that may
 * read secrets: keys of models, beside no right to write.
 */
export function judgeWorkflow(
  text: string,
  writes: Readonly<Record<string, readonly string[]>>,
  keyed: readonly string[] = [],
): readonly string[] {
  const read = Workflow.safeParse(parse(text));
  if (!read.success) return [z.prettifyError(read.error)];
  const { on, permissions, jobs } = read.data;
  return [
    ...(/\bpull_request_target\b/.test(JSON.stringify(on))
      ? ['It runs on pull_request_target, with rights of the base over code of a fork.']
      : []),
    ...(secretsIn(text) > keyed.reduce((sum, name) => sum + secretsIn(jobs[name]), 0)
      ? ['It reads a secret: no long-lived token is needed.']
      : []),
    ...keyed
      .filter(name => writesOf(jobs[name]?.permissions ?? {}).length > 0)
      .map(name => `${name} reads a secret and may write.`),
    ...(/\bworkflow_run\b/.test(JSON.stringify(on)) &&
    Object.values(jobs).some(({ steps }) => steps.some(choosesCommit))
      ? ['It has rights of the base and checks out a commit that somebody else chose.']
      : []),
    ...writesOf(permissions).map(right => `Every job may write ${right}.`),
    ...Object.entries(jobs).flatMap(([name, job]) => [
      ...(job['timeout-minutes'] === undefined ? [`${name} has no limit of time.`] : []),
      ...writesOf(job.permissions ?? {})
        .filter(right => !writes[name]?.includes(right))
        .map(right => `${name} may write ${right}.`),
      ...job.steps.flatMap(step => judgeStep(step).map(fault => `${name}: ${fault}`)),
    ]),
    ...unpinned(text),
  ];
}

/** A composite action: its steps are held to the same, but for what only a workflow says. */
export function judgeAction(text: string): readonly string[] {
  const read = Action.safeParse(parse(text));
  if (!read.success) return [z.prettifyError(read.error)];
  return [...read.data.runs.steps.flatMap(judgeStep), ...unpinned(text)];
}

const Action = z.looseObject({
  runs: z.looseObject({ using: z.literal('composite'), steps: z.array(Step) }),
});

function secretsIn(part: unknown) {
  const text = typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
  return text.split('secrets.').length - 1;
}

function choosesCommit({ uses, with: inputs }: z.infer<typeof Step>) {
  return (
    uses?.startsWith('actions/checkout@') === true &&
    (inputs?.['ref'] !== undefined || inputs?.['repository'] !== undefined)
  );
}

function writesOf(permissions: z.infer<typeof Permissions>) {
  return Object.keys(permissions).filter(right => permissions[right] === 'write');
}

function judgeStep({ uses, run, with: inputs }: z.infer<typeof Step>) {
  return [
    // What GitHub puts in there becomes a part of the program text; by a variable it stays a value.
    ...(run?.includes('${{') ? [`an expression stands in a shell text: ${run.trim()}`] : []),
    ...(uses?.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false
      ? ['the checkout leaves its token on the disk.']
      : []),
  ];
}

/** A tag can be moved to other code. The version stands beside the commit for whoever renews it. */
function unpinned(text: string) {
  return text
    .split('\n')
    .filter(line => /^\s*(?:- )?uses:/.test(line))
    .filter(line => !/uses: (?:\.\/\S*|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line))
    .map(line => `Not pinned by commit and version: ${line.trim()}`);
}
