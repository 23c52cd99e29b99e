// The records of all repositories as Markdown: shares with what they are shares of, an interval over commits, every baseline.

const names = {
  'definition files': 'definitions, file only',
  together: 'definitions, callers and tests together',
};

export const methods = {
  jury: 'Jury',
  files: 'whole files',
  repomix: 'Repomix',
  compressed: 'Repomix --compress',
  map: 'map (PageRank)',
  search: 'text search',
  history: 'history, as many paths',
  'history 10': 'history, 10 paths',
};

const rounds = 1000;

/** One row for each question: `{ measure, cap, of, shares, interval }`; shares by method, `null` where not measured. */
export function measuresOf(records) {
  const caps = [...new Set(records.flatMap(({ cap }) => cap ?? []))].toSorted((a, b) => a - b);
  const rows = [];
  for (const cap of caps)
    for (const measure of ['definitions', 'definition files', 'callers', 'tests', 'together'])
      rows.push({
        measure,
        cap,
        units: records.flatMap(one =>
          one.kind === 'commit' && one.cap === cap
            ? [{ group: one.commit, hits: one.hits[measure] }]
            : [],
        ),
      });
  for (const [measure, kind] of [
    ['co-change', 'co-change'],
    ['users of removed names', 'removed'],
  ])
    rows.push({
      measure,
      cap: caps[0],
      units: records.flatMap(one =>
        one.kind === kind ? [{ group: one.name ?? one.commit, hits: one.hits }] : [],
      ),
    });
  rows.push({
    measure: 'removed names with a risk note',
    cap: caps[0],
    units: records.flatMap(one =>
      one.kind === 'removed'
        ? [{ group: one.name, hits: { of: 1, jury: Number(one.isRiskNoted) } }]
        : [],
    ),
  });
  return rows.map(({ units, ...row }) => ({ ...row, ...shareOut(units) }));
}

function shareOut(units) {
  const of = sum(units.map(({ hits }) => hits.of));
  const shares = Object.fromEntries(
    Object.keys(methods).map(method => {
      const isMeasured =
        units.length > 0 && units.every(({ hits }) => Number.isFinite(hits[method]));
      return [
        method,
        isMeasured && of > 0 ? sum(units.map(({ hits }) => hits[method])) / of : null,
      ];
    }),
  );
  return { of, shares, interval: of === 0 ? null : bootstrap(units) };
}

/** Commits are drawn, not names: those of one commit hang together. Always the same draws. */
function bootstrap(units) {
  const groups = [...(Map.groupBy?.(units, ({ group }) => group)?.values() ?? groupsOf(units))].map(
    members => [sum(members.map(({ hits }) => hits.jury)), sum(members.map(({ hits }) => hits.of))],
  );
  const next = generator();
  const shares = [];
  for (let round = 0; round < rounds; round += 1) {
    let [hit, of] = [0, 0];
    for (let draw = 0; draw < groups.length; draw += 1) {
      const [hits, all] = groups[Math.floor(next() * groups.length)];
      hit += hits;
      of += all;
    }
    if (of > 0) shares.push(hit / of);
  }
  shares.sort((one, other) => one - other);
  return [shares[Math.floor(shares.length * 0.025)], shares[Math.floor(shares.length * 0.975)]];
}

function groupsOf(units) {
  const groups = new Map();
  for (const unit of units) groups.set(unit.group, [...(groups.get(unit.group) ?? []), unit]);
  return groups.values();
}

/** Park and Miller's minimal standard generator. */
function generator() {
  let state = 20_240_607;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const sum = numbers => numbers.reduce((total, one) => total + one, 0);
const percent = share =>
  share === null || share === undefined ? '–' : `${(100 * share).toFixed(0)} %`;
const table = ([head, ...rows]) =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

/** `repositories`: `{ name, records }`. */
export function writeReport({ repositories, settings, notes }) {
  const all = repositories.flatMap(({ name, records }) =>
    records.map(one => ({ ...one, commit: `${name} ${one.commit}`, repository: name })),
  );
  const rows = measuresOf(all);
  const used = Object.keys(methods).filter(method => rows.some(row => row.shares[method] !== null));
  return [
    '# Context packs, measured',
    '',
    settings,
    ...notes.map(note => `\n${note}`),
    '',
    `## All ${repositories.length} repositories together`,
    '',
    table([
      ['', 'tokens', 'of', '95 %', ...used.map(method => methods[method])],
      ...rows.map(row => [
        names[row.measure] ?? row.measure,
        row.cap,
        row.of,
        row.interval === null ? '–' : row.interval.map(share => (100 * share).toFixed(0)).join('–'),
        ...used.map(method => percent(row.shares[method])),
      ]),
    ]),
    '',
    '## Packs',
    '',
    table(packRows(repositories, all)),
    '',
    pathsNamed(all),
    '',
    '## By repository: Jury, best baseline, of how many',
    '',
    table(repositoryRows(repositories)),
    '',
    ...refusals(all),
  ].join('\n');
}

function packRows(repositories, all) {
  const caps = [...new Set(all.flatMap(({ cap }) => cap ?? []))].toSorted((a, b) => a - b);
  const kinds = [
    ...caps.map(cap => [`Planner, ${cap} tokens`, one => one.kind === 'commit' && one.cap === cap]),
    ['Reviewer, its own sizes', one => one.kind === 'own'],
    ['Planner, commits with a hidden file', one => one.kind === 'co-change'],
    ['Planner, commits that remove a function', one => one.kind === 'removed'],
  ];
  return [
    [
      '',
      'commits',
      'refused',
      'packs',
      'tokens, median',
      'off by, at worst',
      'seconds, median',
      'at worst',
    ],
    ...kinds.map(([name, isOf]) => {
      const records = all.filter(isOf);
      const made = records.filter(({ refusal, packs }) => refusal === null && packs > 0);
      const off = made
        .filter(({ stated }) => stated > 0)
        .map(({ stated, tokens }) => Math.abs(stated - tokens) / tokens);
      const seconds = records.map(({ ms }) => ms / 1000);
      return [
        name,
        records.length,
        records.filter(({ refusal }) => refusal !== null).length,
        made.length === 0 ? '–' : sum(made.map(({ packs }) => packs)),
        made.length === 0 ? '–' : median(made.map(({ tokens }) => tokens)),
        off.length === 0 ? '–' : `${(100 * Math.max(...off)).toFixed(1)} %`,
        records.length === 0 ? '–' : median(seconds).toFixed(1),
        records.length === 0 ? '–' : Math.max(...seconds).toFixed(1),
      ];
    }),
    ...repositories.flatMap(({ name, records }) =>
      records
        .filter(({ kind }) => kind === 'cold')
        .map(({ ms }) => [
          `first pack of ${name}, with its index`,
          1,
          '',
          '',
          '',
          '',
          (ms / 1000).toFixed(1),
          '',
        ]),
    ),
  ];
}

/** Naming everything would hit everything. */
function pathsNamed(all) {
  const named = all.filter(({ kind }) => kind === 'co-change').map(({ paths }) => paths);
  return named.length === 0
    ? 'No commit was fit for co-change.'
    : `With a file hidden, packs name ${median(named)} other paths (median of ${named.length}), ` +
        `${Math.max(...named)} at most; map and "as many paths" get as many.`;
}

function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

function repositoryRows(repositories) {
  const measured = repositories.map(({ name, records }) => [name, measuresOf(records)]);
  const heads = (measured[0]?.[1] ?? []).map(({ measure, cap }) => `${measure} ${cap}`);
  return [
    ['', ...heads],
    ...measured.map(([name, rows]) => [
      name,
      ...rows.map(({ of, shares }) => {
        const [method, best] = Object.entries(shares)
          .filter(([one, share]) => one !== 'jury' && share !== null)
          .toSorted(([, one], [, other]) => other - one)[0] ?? [null, null];
        const baseline = method === null ? '' : ` · ${percent(best)} ${method}`;
        return of === 0 ? '–' : `**${percent(shares.jury)}**${baseline} · ${of}`;
      }),
    ]),
  ];
}

function refusals(all) {
  const reasons = new Map();
  for (const { refusal, repository, commit } of all)
    if (refusal) reasons.set(refusal, [...(reasons.get(refusal) ?? []), commit ?? repository]);
  if (reasons.size === 0) return [];
  return [
    '## Refused',
    '',
    ...[...reasons]
      .slice(0, 40)
      .map(
        ([reason, where]) =>
          `- ${reason} (${where[0].slice(0, 40)}${where.length > 1 ? `, ${where.length} times` : ''})`,
      ),
    '',
  ];
}
