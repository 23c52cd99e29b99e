/** What the reviewers say: a claim in short for the eye, and in full for whoever opens it. */
import {
  type Claim,
  claimNumbers,
  isClosed,
  orderClaims,
  countSupport,
  likelihood,
} from '../core/words/claim.ts';
import type { Finding } from '../core/words/finding.ts';
import { engineIdOf } from '../core/run-files/finding-names.ts';
import type { RunRecord } from '../core/words/run.ts';
import { severities } from '../core/words/severity.ts';
import { dismissalOf, termsOf } from './describe-closed.ts';
import { escapeHidden } from './json.ts';
import { placeOf, placeText } from './place.ts';
import {
  data,
  joined,
  list,
  literal,
  part,
  remark,
  toned,
  type Detail,
  type Line,
  type Section,
  type Span,
} from './section.ts';
import { pathText } from './terminal-text.ts';
import { verifiedOf, voteOf, wholeVerifiedOf, wholeVoteOf } from './describe-vote.ts';

const mostClaims = 20;

/** What fails the run in full, the engine's own findings first; then the rest in the order of the numbers. */
export function describeClaims(record: RunRecord, detail: Detail): readonly Section[] {
  const { engineFindings = [] } = record;
  const numbers = claimNumbers(record);
  const open = orderClaims(record).filter(claim => !isClosed(claim));
  const isBlocking = new Set(record.blocking);
  const found = engineFindings.map(describeEngineFinding);
  const shown = detail === 'screen' ? open.slice(0, mostClaims) : open;
  const blockers = shown
    .filter(({ id }) => isBlocking.has(id))
    .map(claim => describeClaim(claim, { frames: record.frames, numbers, isBlocking: true }));
  const others = open.filter(({ id }) => !isBlocking.has(id));
  const rest = shown.filter(({ id }) => !isBlocking.has(id));
  const told =
    detail === 'screen'
      ? rest.map(claim =>
          describeClaim(claim, {
            frames: record.frames,
            numbers,
            isBlocking: false,
            opposers: opposersOf(claim, open, numbers),
          }),
        )
      : tableOfClaims(rest, numbers);
  return [
    ...part(`Blocking (${found.length + record.blocking.length})`, [...found, ...blockers]),
    ...part(
      `${found.length + isBlocking.size === 0 ? 'Claims' : 'Others'} (${others.length})`,
      told,
    ),
    ...countRest(open.slice(shown.length), record),
  ];
}

/** `index`: which of those of the run it is. */
export function describeEngineFinding(
  { path, line, text }: NonNullable<RunRecord['engineFindings']>[number],
  index: number,
): Section {
  const place = placeText({ path, line });
  return {
    kind: 'group',
    head: [literal(place), '  ', toned('critical', 'critical'), '  found by Jury itself'],
    body: list([[data(withoutPlace(text, place))], [literal(engineIdOf(index), 'faint')]], {
      bullets: false,
    }),
    folded: false,
  };
}

function countRest(rest: readonly Claim[], { run }: RunRecord): readonly Section[] {
  if (rest.length === 0) return [];
  const parts = severities
    .map(severity => [severity, rest.filter(claim => claim.severity === severity).length] as const)
    .filter(([, amount]) => amount > 0);
  const amounts = parts.map(([severity, amount]) => `${amount} ${severity}`).join(', ');
  return list(
    [[`… and ${rest.length} more (${amounts}): `, literal(`jury report ${run} --format markdown`)]],
    { bullets: false },
  );
}

interface Telling {
  readonly frames?: RunRecord['frames'];
  readonly numbers: ReadonlyMap<string, number>;
  readonly isBlocking: boolean;
  /** Who says the opposite in a claim that stands above: their words need no second line. */
  readonly opposers?: ReadonlySet<string>;
}

function opposersOf(
  { id, contradicts }: Claim,
  shown: readonly Claim[],
  numbers: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const above = shown.filter(
    other =>
      contradicts.includes(other.id) && (numbers.get(other.id) ?? 0) < (numbers.get(id) ?? 0),
  );
  return new Set(above.flatMap(({ supporters }) => supporters));
}

/** Place, severity, who says it; what they say; the lines that are meant; how to mend it. */
export function describeClaim(
  claim: Claim,
  { frames, numbers, isBlocking, opposers = new Set() }: Telling,
): Section {
  const { id, severity, location } = claim;
  const frame = isBlocking ? frames?.[id] : undefined;
  return {
    kind: 'group',
    folded: false,
    head: [
      toned('strong', String(numbers.get(id) ?? '')),
      '  ',
      ...placeOf(location),
      '  ',
      toned(severity, severity),
      '  ',
      ...namesOf(claim),
    ],
    body: [
      ...list([[data(textOf(claim))]], { bullets: false }),
      ...(frame === undefined
        ? []
        : [{ kind: 'frame', path: location?.path ?? '', frame } as const]),
      ...list(
        [
          ...(isBlocking ? fixOf(claim) : []),
          ...againstOf(claim.against.filter(({ reviewer }) => !opposers.has(reviewer))),
          ...voteOf(claim),
          ...verifiedOf(claim),
          ...factsOf(claim, { numbers, isBlocking }),
        ],
        { bullets: false },
      ),
    ],
  };
}

/** Reviewers like to begin with the place, which stands above already. */
function textOf({ text, location }: Claim): string {
  return location === null ? text : withoutPlace(text, placeText(location));
}

function withoutPlace(text: string, place: string): string {
  if (!text.startsWith(place)) return text;
  const rest = text.slice(place.length).replace(/^\s*[—–:-]+\s*/, '');
  return rest.trim() === '' ? text : rest;
}

const mostNames = 12;

function namesOf(claim: Claim): Line {
  const { supporters, electorate } = claim;
  const rest = supporters.length - mostNames;
  return [
    ...joined(supporters.slice(0, mostNames)),
    `${rest > 0 ? ` and ${rest} more` : ''} (${countSupport(claim)} of ${electorate})`,
  ];
}

/** The first recommendation of whoever gives one. */
function fixOf({ findings }: Claim): readonly Line[] {
  const finding = findings.find(
    ({ recommendation }) => recommendation !== null && recommendation.trim() !== '',
  );
  return finding === undefined
    ? []
    : [['fix (', data(finding.reviewer, 40), '): ', data(finding.recommendation ?? '', 300)]];
}

/** A line for each reviewer that says the opposite, at most so many. */
const mostAgainst = 2;

function againstOf(against: Claim['against']): readonly Line[] {
  const rest = against.length - mostAgainst;
  return [
    ...against.slice(0, mostAgainst).map(denial => ['against: ', ...saidOf(denial, 160)]),
    ...(rest > 0 ? [[`against: ${rest} more`]] : []),
  ];
}

/** `gamma: “The amount is validated”`. */
function saidOf({ reviewer, statement }: Claim['against'][number], cap: number | null): Line {
  return [data(reviewer, 40), ': “', data(statement, cap), '”'];
}

function factsOf(claim: Claim, { numbers, isBlocking }: Omit<Telling, 'frames'>): readonly Line[] {
  const facts = [
    ...(claim.confidence === null
      ? []
      : [`confidence: ${likelihood(claim.confidence, claim.cases)}`]),
    ...(claim.matters === null ? [] : [`matters: ${likelihood(claim.matters)}`]),
    ...(claim.act === true && !isBlocking ? ['worth a person’s time'] : []),
    ...(claim.state === 'persisting'
      ? [keptFrom(claim) ?? 'said in an earlier run too']
      : claim.state === 'reopened'
        ? ['back after it was fixed']
        : []),
    ...(claim.severityConflict === null ? [] : ['rated differently']),
    ...(claim.contradicts.length === 0
      ? []
      : [
          `says the opposite of ${claim.contradicts
            .slice(0, 3)
            .map(id => numbers.get(id) ?? id)
            .join(', ')}`,
        ]),
  ];
  return [[literal(claim.id, 'faint'), ...facts.flatMap(fact => [' · ', remark(fact)])]];
}

/** Null where somebody said it in this run. */
function keptFrom({ findings }: Claim): string | null {
  const runs = [...new Set(findings.map(({ from }) => from ?? null))];
  return runs.includes(null) || runs.length === 0 ? null : `kept from run ${runs.join(', ')}`;
}

/** Everything that is known of a claim, with every word that was said. */
export function describeWholeClaim(
  claim: Claim,
  record: RunRecord,
  telling: Wording,
): readonly Section[] {
  const dismissal = dismissalOf(record, claim.id);
  return [
    ...list([
      ['id: ', literal(claim.id)],
      [`severity: ${claim.severity}, labelled `, data(claim.label, 40)],
      ['place: ', ...placeOf(claim.location)],
      [
        'said by ',
        ...joined(claim.supporters),
        `: ${countSupport(claim)} of ${claim.electorate} who could have said it`,
      ],
      ...(claim.severityConflict === null
        ? []
        : [['rated differently: ', ...ratingsOf(claim.severityConflict)]]),
      ...(claim.contradicts.length === 0
        ? []
        : [
            [
              'says the opposite of ',
              ...claim.contradicts.flatMap((id, index) => [
                ...(index === 0 ? [] : [', ']),
                literal(id),
              ]),
            ],
          ]),
      [`state: ${claim.state}`],
      ...(dismissal === null ? [] : [['dismissed: ', data(dismissal.reason), termsOf(dismissal)]]),
      ...claim.against.map(denial => ['against: ', ...saidOf(denial, null)]),
      ...(claim.confidence === null
        ? []
        : [[`confidence: ${likelihood(claim.confidence, claim.cases)}`]]),
      ...(claim.matters === null ? [] : [[`matters, if it is true: ${likelihood(claim.matters)}`]]),
      ...(claim.act === null ? [] : [[`worth a person’s time: ${claim.act ? 'yes' : 'no'}`]]),
      ...wholeVoteOf(claim),
      ...wholeVerifiedOf(claim),
    ]),
    ...claim.findings.map(finding => describeFinding(finding, telling)),
  ];
}

function ratingsOf(conflict: NonNullable<Claim['severityConflict']>): Line {
  return Object.entries(conflict).flatMap(([name, severity], index) => [
    ...(index === 0 ? [] : [', ']),
    data(name, 40),
    ` ${severity}`,
  ]);
}

export interface Wording {
  /** Ids of findings as they are printed. */
  readonly names: ReadonlyMap<string, string>;
  /** With the notes of whoever read it, and the untouched words. */
  readonly full: boolean;
}

export function describeFinding(finding: Finding, { names, full }: Wording): Section {
  const { severity, label, isImprovement, raw } = finding;
  const details: readonly (readonly [string | Span, string | null])[] = [
    ['section', finding.section],
    ['category', finding.category],
    ['evidence', finding.evidence],
    ['fix', finding.recommendation],
    ...furtherOf(finding),
    ['place', finding.location?.note ?? null],
    ['kept from run', finding.from ?? null],
    ...(full ? finding.notes.map(note => ['note', note] as const) : []),
  ];
  return {
    kind: 'group',
    folded: false,
    head: [
      literal(names.get(finding.id) ?? finding.id, 'strong'),
      '  ',
      isImprovement ? 'improvement' : toned(severity, severity),
      ' (',
      data(label, 40),
      ')  ',
      ...placeOf(finding.location),
    ],
    body: [
      ...list([[data(finding.text)]], { bullets: false }),
      ...details.flatMap(([name, text]) =>
        text === null || text.trim() === '' ? [] : describeDetail(name, text),
      ),
      ...(full && raw !== '' ? describeDetail('raw', `${raw}\n`) : []),
    ],
  };
}

/** What a reviewer says beyond what it was asked for, under names of its own. */
function furtherOf({ extra = {} }: Finding): readonly (readonly [Span, string])[] {
  return Object.entries(extra).map(
    ([name, value]) =>
      [
        data(name, 40),
        typeof value === 'string' ? value : escapeHidden(JSON.stringify(value)),
      ] as const,
  );
}

/** What was said in several lines keeps them. */
function describeDetail(name: string | Span, text: string): readonly Section[] {
  if (!text.includes('\n')) return list([[name, ': ', data(text)]]);
  return [...list([[name, ':']]), { kind: 'quote', text: text.trimEnd().slice(0, longestQuote) }];
}

const longestQuote = 20_000;

/** One row for each claim: where, how bad, who, and in a few words what. */
function tableOfClaims(
  claims: readonly Claim[],
  numbers: ReadonlyMap<string, number>,
): readonly Section[] {
  const rows = claims.map((claim): readonly Line[] => [
    [String(numbers.get(claim.id) ?? '')],
    placeOf(claim.location),
    [toned(claim.severity, claim.severity)],
    namesOf(claim),
    [
      data(textOf(claim), 160),
      ...claim.against
        .slice(0, mostAgainst)
        .flatMap(denial => ['; against: ', ...saidOf(denial, 100)]),
    ],
  ]);
  return rows.length === 0
    ? []
    : [
        {
          kind: 'table',
          columns: [
            { title: 'No.', align: 'right' },
            { title: 'Place', least: 14 },
            { title: 'Severity' },
            { title: 'Said by', least: 10 },
            { title: 'What', least: 28 },
          ],
          rows,
        },
      ];
}

/** Claims × reviewers. Silence says something only of one who read the place. */
export function matrixOf(record: RunRecord): readonly Section[] {
  const { reviewers } = record;
  const open = orderClaims(record).filter(claim => !isClosed(claim));
  if (open.length === 0) return [];
  const numbers = claimNumbers(record);
  const rows = open.map((claim): readonly Line[] => [
    [`${numbers.get(claim.id) ?? ''}  `, ...placeOf(claim.location)],
    ...reviewers.map(reviewer => [markOf(claim, reviewer)]),
  ]);
  const columns = [
    { title: 'Claim', least: 28 },
    ...reviewers.map(({ id }) => ({ title: pathText(id) })),
  ];
  return [{ kind: 'table', columns, rows }, ...list([[legendOf(open)]], { bullets: false })];
}

function legendOf(claims: readonly Claim[]): string {
  const opposed = claims.some(({ against }) => against.length > 0);
  return `● said it   ${opposed ? '≠ says the opposite   ' : ''}○ read the place and is silent   – did not read it   ✗ failed`;
}

function markOf(
  { supporters, electors, against }: Claim,
  { id, status }: RunRecord['reviewers'][number],
): Span {
  if (supporters.includes(id)) return toned('bad', '●');
  if (against.some(({ reviewer }) => reviewer === id)) return toned('good', '≠');
  if (status === 'failed') return toned('faint', '✗');
  return electors.includes(id) ? toned('good', '○') : toned('faint', '–');
}
