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
const order = Object.keys(groups);

/** Below that the order of the schema tells enough. */
const leastFlags = 12;

/** The keys in the order of help, each with its title; null: among the others, at the end. */
export function groupFlags(
  keys: readonly string[],
): readonly { readonly key: string; readonly title: string | null }[] {
  if (keys.length < leastFlags) return keys.map(key => ({ key, title: null }));
  return keys
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(key => ({ key, title: titles.get(key) ?? null }));
}

function placeOf(key: string) {
  const title = titles.get(key);
  return title === undefined
    ? order.length * 100
    : order.indexOf(title) * 100 + (groups[title]?.indexOf(key) ?? 0);
}
