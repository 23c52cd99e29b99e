/** Under which title help lists a flag, where a command has so many that nobody reads them through. */

/** By title, in the order of help. Keys as the requests have them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'What is reviewed:': [
    'exact',
    'base',
    'head',
    'staged',
    'worktree',
    'untracked',
    'patch',
    'pr',
    'files',
    'exclude',
    'plan',
    'description',
    'context',
    'contextFile',
    'mode',
    'untrusted',
    'continue',
    'run',
  ],
  'Who is asked:': [
    'config',
    'trustConfig',
    'reviewers',
    'require',
    'complexity',
    'allStages',
    'timeout',
    'fresh',
    'dryRun',
  ],
  'What it may cost:': [
    'maxCalls',
    'maxTokens',
    'maxCost',
    'maxCostPerMonth',
    'cover',
    'readers',
    'isolation',
  ],
  'What decides:': [
    'failOn',
    'quorum',
    'protocol',
    'strict',
    'ignoreVetos',
    'deliberate',
    'strategy',
    'act',
    'severities',
  ],
  'What is printed:': ['format', 'json', 'out'],
};

const titles = new Map(
  Object.entries(groups).flatMap(([title, keys]) => keys.map(key => [key, title])),
);
const order = [...titles.keys()];

/** Below that the order of the schema tells enough. */
const leastFlags = 12;

/** In the order of help, each with its title; null: among the others, at the end. */
export function groupFlags<Field extends { readonly key: string }>(
  fields: readonly Field[],
): readonly (readonly [Field, string | null])[] {
  if (fields.length < leastFlags) return fields.map(field => [field, null]);
  return fields
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(field => [field, titles.get(field.key) ?? null]);
}

function placeOf({ key }: { readonly key: string }) {
  const index = order.indexOf(key);
  return index === -1 ? order.length : index;
}
