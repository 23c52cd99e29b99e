// The records of all repositories as Markdown: shares with what they are shares of, an interval over commits, every baseline.
import { fractionsFrom, median } from '../program.mjs';

/**
 * @typedef {import('./results.mjs').ResultRecord} ResultRecord
 * @typedef {{ readonly name: string, readonly records: readonly ResultRecord[] }} MeasuredRepository
 * @typedef {ResultRecord & { readonly repository?: string }} NamedRecord
 * @typedef {Readonly<Record<string, number | null>>} Shares
 * @typedef {{ readonly group: string | undefined, readonly hits: Shares }} Unit
 * @typedef {ReturnType<typeof measuresOf>[number]} MeasureRow
 */

/** @type {Readonly<Record<string, string>>} */
const names = {
  'definition files': 'definitions, file only',
  together: 'definitions, callers and tests together',
};

/** @type {Readonly<Record<string, string>>} */
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

/** One row for each question; shares by method, `null` where not measured. */
export function measuresOf(/** @type {readonly ResultRecord[]} */ records) {
  const caps = [...new Set(records.flatMap(({ cap }) => cap ?? []))].toSorted((a, b) => a - b);
  /** @type {{ measure: string, cap: number, units: Unit[] }[]} */
  const rows = [];
  for (const cap of caps)
    for (const measure of ['definitions', 'definition files', 'callers', 'tests', 'together'])
      rows.push({
        measure,
        cap,
        units: records.flatMap(one =>
          one.kind === 'commit' && one.cap === cap
            ? [{ group: one.commit, hits: /** @type {Shares} */ (one.hits?.[measure]) }]
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
        one.kind === kind
          ? [{ group: one.name ?? one.commit, hits: /** @type {Shares} */ (one.hits) }]
          : [],
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

function shareOut(/** @type {readonly Unit[]} */ units) {
  const of = sum(units.map(({ hits }) => Number(hits.of)));
  const shares = Object.fromEntries(
    Object.keys(methods).map(method => {
      const isMeasured =
        units.length > 0 && units.every(({ hits }) => Number.isFinite(hits[method]));
      return [
        method,
        isMeasured && of > 0 ? sum(units.map(({ hits }) => Number(hits[method]))) / of : null,
      ];
    }),
  );
  return { of, shares, interval: of === 0 ? null : bootstrap(units) };
}

/** Commits are drawn, not names: those of one commit hang together. Always the same draws. */
function bootstrap(/** @type {readonly Unit[]} */ units) {
  /** @type {Map<string | undefined, Unit[]>} */
  const byGroup = new Map();
  for (const unit of units) byGroup.set(unit.group, [...(byGroup.get(unit.group) ?? []), unit]);
  const groups = [...byGroup.values()].map(members =>
    ['jury', 'of'].map(key => sum(members.map(({ hits }) => Number(hits[key])))),
  );
  const next = fractionsFrom(20_240_607);
  /** @type {number[]} */
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

const sum = (/** @type {readonly number[]} */ numbers) =>
  numbers.reduce((total, one) => total + one, 0);
const percent = (/** @type {number | null} */ share) =>
  share === null ? '–' : `${(100 * share).toFixed(0)} %`;
const table = (/** @type {readonly (readonly unknown[])[]} */ [head, ...rows]) =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

/**
 * @param {{ readonly repositories: readonly MeasuredRepository[], readonly settings: string, readonly notes: readonly string[] }} told
 */
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

/**
 * @param {readonly MeasuredRepository[]} repositories
 * @param {readonly NamedRecord[]} all
 */
function packRows(repositories, all) {
  const caps = [...new Set(all.flatMap(({ cap }) => cap ?? []))].toSorted((a, b) => a - b);
  const ofKind = (/** @type {string} */ wanted) => all.filter(({ kind }) => kind === wanted);
  const kinds = [
    ...caps.map(size => ({
      name: `Planner, ${size} tokens`,
      records: ofKind('commit').filter(({ cap }) => cap === size),
    })),
    { name: 'Reviewer, its own sizes', records: ofKind('own') },
    { name: 'Planner, commits with a hidden file', records: ofKind('co-change') },
    { name: 'Planner, commits that remove a function', records: ofKind('removed') },
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
    ...kinds.map(({ name, records }) => {
      const made = records.filter(({ refusal, packs = 0 }) => refusal === null && packs > 0);
      const off = made
        .filter(({ stated = 0 }) => stated > 0)
        .map(({ stated = 0, tokens = 0 }) => Math.abs(stated - tokens) / tokens);
      const seconds = records.map(({ ms = 0 }) => ms / 1000);
      return [
        name,
        records.length,
        records.filter(({ refusal }) => refusal !== null).length,
        made.length === 0 ? '–' : sum(made.map(({ packs = 0 }) => packs)),
        made.length === 0 ? '–' : median(made.map(({ tokens = 0 }) => tokens)),
        off.length === 0 ? '–' : `${(100 * Math.max(...off)).toFixed(1)} %`,
        records.length === 0 ? '–' : median(seconds).toFixed(1),
        records.length === 0 ? '–' : Math.max(...seconds).toFixed(1),
      ];
    }),
    ...repositories.flatMap(({ name, records }) =>
      records
        .filter(({ kind }) => kind === 'cold')
        .map(({ ms = 0 }) => [
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
function pathsNamed(/** @type {readonly NamedRecord[]} */ all) {
  const named = all.filter(({ kind }) => kind === 'co-change').map(({ paths = 0 }) => paths);
  return named.length === 0
    ? 'No commit was fit for co-change.'
    : `With a file hidden, packs name ${median(named)} other paths (median of ${named.length}), ` +
        `${Math.max(...named)} at most; map and "as many paths" get as many.`;
}

function repositoryRows(/** @type {readonly MeasuredRepository[]} */ repositories) {
  const measured = repositories.map(({ name, records }) => ({ name, rows: measuresOf(records) }));
  const heads = (measured[0]?.rows ?? []).map(({ measure, cap }) => `${measure} ${cap}`);
  return [
    ['', ...heads],
    ...measured.map(({ name, rows }) => [
      name,
      ...rows.map(({ of, shares }) => {
        const [method, best] = Object.entries(shares)
          .filter(([one, share]) => one !== 'jury' && share !== null)
          .toSorted(([, one], [, other]) => Number(other) - Number(one))[0] ?? [null, null];
        const baseline = method === null ? '' : ` · ${percent(best)} ${method}`;
        return of === 0 ? '–' : `**${percent(shares.jury)}**${baseline} · ${of}`;
      }),
    ]),
  ];
}

function refusals(/** @type {readonly NamedRecord[]} */ all) {
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const { refusal, repository = '', commit = repository } of all)
    if (refusal) reasons.set(refusal, [...(reasons.get(refusal) ?? []), commit]);
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
