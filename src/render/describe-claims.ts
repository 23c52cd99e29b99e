/** What the reviewers say: a claim in short for the eye, and in full for whoever opens it. */
import { engineIdOf } from '../core/run-files/finding-names.ts';
import {
  type Claim,
  claimNumbers,
  countSupport,
  isClosed,
  likelihood,
  orderClaims,
} from '../core/words/claim.ts';
import { type Finding, placeText, severities } from '../core/words/finding.ts';
import type { DismissedClaim, RunRecord } from '../core/words/run.ts';
import { present } from '../core/groups.ts';
import { describeAsked } from './explanation.ts';
import { dismissalsIn } from './formats/entries.ts';
import { pathText, escapeHidden } from './figures.ts';
import {
  type Detail,
  type Line,
  type Section,
  type Span,
  data,
  frameOf,
  group,
  joined,
  lines,
  list,
  literal,
  more,
  part,
  placeOf,
  remark,
  say,
  table,
  toned,
} from './section.ts';

const mostClaims = 20;

/** What fails the run in full, the engine's own findings first; then the rest in the order of the numbers. */
export function describeClaims(record: RunRecord, detail: Detail): readonly Section[] {
  const { engineFindings = [], blocking, frames = {} } = record;
  const numbers = claimNumbers(record);
  const open = openOf(record);
  const shown = detail === 'screen' ? open.slice(0, mostClaims) : open;
  const isBlocking = ({ id }: Claim) => blocking.includes(id);
  const others = shown.filter(claim => !isBlocking(claim));
  const count = engineFindings.length + blocking.length;
  const rest = open.slice(shown.length);
  const amounts = severities
    .map(severity => [rest.filter(claim => claim.severity === severity).length, severity] as const)
    .filter(([amount]) => amount > 0);
  return [
    ...part(`Blocking (${count})`, [
      ...engineFindings.map(describeEngineFinding),
      ...shown
        .filter(isBlocking)
        .map(claim => describeClaim(claim, { numbers, isBlocking: true, frame: frames[claim.id] })),
    ]),
    ...part(
      `${count === 0 ? 'Claims' : 'Others'} (${open.filter(claim => !isBlocking(claim)).length})`,
      detail === 'screen'
        ? others.map(claim =>
            describeClaim(claim, { numbers, opposers: opposersOf(claim, open, numbers) }),
          )
        : tableOfClaims(others, numbers),
    ),
    ...lines(
      more(rest.length, '', [
        ` (${amounts.map(pair => pair.join(' ')).join(', ')}): `,
        literal(`jury report ${record.run} --format markdown`),
      ]),
    ),
  ];
}

function openOf(record: RunRecord): readonly Claim[] {
  return orderClaims(record).filter(claim => !isClosed(claim));
}

/** `index`: which of those of the run it is. */
export function describeEngineFinding(
  { path, line, text }: NonNullable<RunRecord['engineFindings']>[number],
  index: number,
): Section {
  const place = placeText({ path, line });
  return group(
    say`${literal(place)}  ${toned('critical', 'critical')}  found by Jury itself`,
    lines([data(withoutPlace(text, place))], [literal(engineIdOf(index), 'faint')]),
  );
}

interface Telling {
  numbers: ReadonlyMap<string, number>;
  isBlocking?: boolean;
  frame?: NonNullable<RunRecord['frames']>[string] | undefined;
  /** Who says the opposite in a claim that stands above: their words need no second line. */
  opposers?: ReadonlySet<string>;
}

function opposersOf(
  { id, contradicts }: Claim,
  shown: readonly Claim[],
  numbers: ReadonlyMap<string, number>,
) {
  const above = shown.filter(
    other =>
      contradicts.includes(other.id) && (numbers.get(other.id) ?? 0) < (numbers.get(id) ?? 0),
  );
  return new Set(above.flatMap(({ supporters }) => supporters));
}

/** Place, severity, who says it; what they say; the lines that are meant; how to mend it. */
export function describeClaim(
  claim: Claim,
  { numbers, isBlocking = false, frame, opposers = new Set() }: Telling,
): Section {
  const { id, severity, location, against } = claim;
  const opposed = against.filter(({ reviewer }) => !opposers.has(reviewer));
  const fix = claim.findings.find(({ recommendation }) => (recommendation ?? '').trim() !== '');
  return group(
    say`${toned('strong', String(numbers.get(id) ?? ''))}  ${placeOf(location)}  ${toned(severity, severity)}  ${namesOf(claim)}`,
    [
      ...lines([data(textOf(claim))]),
      ...frameOf(frame),
      ...lines(
        isBlocking &&
          fix !== undefined &&
          say`fix (${data(fix.reviewer, 40)}): ${data(fix.recommendation ?? '', 300)}`,
        ...opposed.slice(0, mostAgainst).map(denial => say`against: ${saidOf(denial, 160)}`),
        opposed.length > mostAgainst && [`against: ${opposed.length - mostAgainst} more`],
        ...describeAsked(claim, false),
        factsOf(claim, numbers, isBlocking),
      ),
    ],
  );
}

/** Reviewers like to begin with the place, which stands above already. */
function textOf({ text, location }: Claim) {
  return location === null ? text : withoutPlace(text, placeText(location));
}

function withoutPlace(text: string, place: string) {
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

/** A line for each reviewer that says the opposite, at most so many. */
const mostAgainst = 2;

/** `gamma: “The amount is validated”`. */
function saidOf({ reviewer, statement }: Claim['against'][number], cap: number | null) {
  return say`${data(reviewer, 40)}: “${data(statement, cap)}”`;
}

function factsOf(claim: Claim, numbers: ReadonlyMap<string, number>, isBlocking: boolean): Line {
  const { confidence, matters, contradicts, state } = claim;
  const opposite = contradicts.slice(0, 3).map(id => numbers.get(id) ?? id);
  const facts = present(
    confidence !== null && `confidence: ${likelihood(confidence, claim.cases)}`,
    matters !== null && `matters: ${likelihood(matters)}`,
    claim.act === true && !isBlocking && 'worth a person’s time',
    state === 'persisting' && (keptFrom(claim) ?? 'said in an earlier run too'),
    state === 'reopened' && 'back after it was fixed',
    claim.severityConflict !== null && 'rated differently',
    contradicts.length > 0 && `says the opposite of ${opposite.join(', ')}`,
  );
  return [literal(claim.id, 'faint'), ...facts.flatMap(fact => [' · ', remark(fact)])];
}

/** Null where somebody said it in this run. */
function keptFrom({ findings }: Claim) {
  const runs = [...new Set(findings.map(({ from }) => from ?? null))];
  return runs.includes(null) || runs.length === 0 ? null : `kept from run ${runs.join(', ')}`;
}

/** Everything that is known of a claim, with every word that was said. */
export function describeWholeClaim(
  claim: Claim,
  record: RunRecord,
  wording: Wording,
): readonly Section[] {
  const { contradicts, confidence, matters, act, severityConflict } = claim;
  const dismissal = dismissalsIn(record).get(claim.id);
  const ratings = Object.entries(severityConflict ?? {});
  return [
    ...list([
      say`id: ${literal(claim.id)}`,
      say`severity: ${[claim.severity]}, labelled ${data(claim.label, 40)}`,
      say`place: ${placeOf(claim.location)}`,
      say`said by ${joined(claim.supporters)}: ${countSupport(claim)} of ${claim.electorate} who could have said it`,
      severityConflict !== null &&
        say`rated differently: ${joined(
          ratings.map(([name, severity]) => `${name.slice(0, 40)} ${severity}`),
          null,
        )}`,
      contradicts.length > 0 &&
        say`says the opposite of ${joined(contradicts.map(id => literal(id)))}`,
      [`state: ${claim.state}`],
      dismissal !== undefined && say`dismissed: ${dismissal.reason}${[termsOf(dismissal)]}`,
      ...claim.against.map(denial => say`against: ${saidOf(denial, null)}`),
      confidence !== null && [`confidence: ${likelihood(confidence, claim.cases)}`],
      matters !== null && [`matters, if it is true: ${likelihood(matters)}`],
      act !== null && [`worth a person’s time: ${act ? 'yes' : 'no'}`],
      ...describeAsked(claim, true),
    ]),
    ...claim.findings.map(finding => describeFinding(finding, wording)),
  ];
}

interface Wording {
  /** Ids of findings as they are printed. */
  names: ReadonlyMap<string, string>;
  /** With the notes of whoever read it, and the untouched words. */
  full: boolean;
}

export function describeFinding(finding: Finding, { names, full }: Wording): Section {
  const { severity, extra = {}, raw } = finding;
  // What a reviewer says beyond what it was asked for stands under names of its own.
  const further = Object.entries(extra).map(([name, value]) => [
    data(name, 40),
    typeof value === 'string' ? value : escapeHidden(JSON.stringify(value)),
  ]);
  const details = [
    ['section', finding.section],
    ['category', finding.category],
    ['evidence', finding.evidence],
    ['fix', finding.recommendation],
    ...further,
    ['place', finding.location?.note],
    ['kept from run', finding.from],
    ...(full ? finding.notes.map(note => ['note', note]) : []),
    ['raw', full && raw !== '' ? `${raw}\n` : ''],
  ] as readonly (readonly [string | Span, string | null | undefined])[];
  const name = literal(names.get(finding.id) ?? finding.id, 'strong');
  const kind = finding.isImprovement ? ['improvement'] : toned(severity, severity);
  return group(say`${name}  ${kind} (${data(finding.label, 40)})  ${placeOf(finding.location)}`, [
    ...lines([data(finding.text)]),
    ...details.flatMap(([name, text]) => describeDetail(name, text ?? '')),
  ]);
}

/** What was said in several lines keeps them. */
function describeDetail(name: string | Span, text: string): readonly Section[] {
  if (text.trim() === '') return [];
  if (!text.includes('\n')) return list([[name, ': ', data(text)]]);
  return [...list([[name, ':']]), { kind: 'quote', text: text.trimEnd().slice(0, longestQuote) }];
}

const longestQuote = 20_000;

/** One row for each claim: where, how bad, who, and in a few words what. */
function tableOfClaims(claims: readonly Claim[], numbers: ReadonlyMap<string, number>) {
  return table(
    [
      { title: 'No.', align: 'right' },
      { title: 'Place', least: 14 },
      'Severity',
      { title: 'Said by', least: 10 },
      { title: 'What', least: 28 },
    ],
    claims.map(claim => [
      numbers.get(claim.id),
      placeOf(claim.location),
      toned(claim.severity, claim.severity),
      namesOf(claim),
      [
        data(textOf(claim), 160),
        ...claim.against
          .slice(0, mostAgainst)
          .flatMap(denial => say`; against: ${saidOf(denial, 100)}`),
      ],
    ]),
  );
}

/** Claims × reviewers. Silence says something only of one who read the place. */
export function matrixOf(record: RunRecord): readonly Section[] {
  const { reviewers } = record;
  const open = openOf(record);
  const numbers = claimNumbers(record);
  const opposed = open.some(({ against }) => against.length > 0);
  return [
    ...table(
      [{ title: 'Claim', least: 28 }, ...reviewers.map(({ id }) => ({ title: pathText(id) }))],
      open.map(claim => [
        say`${numbers.get(claim.id)}  ${placeOf(claim.location)}`,
        ...reviewers.map(reviewer => markOf(claim, reviewer)),
      ]),
    ),
    ...lines(
      open.length > 0 && [
        `● said it   ${opposed ? '≠ says the opposite   ' : ''}○ read the place and is silent   – did not read it   ✗ failed`,
      ],
    ),
  ];
}

function markOf(
  { supporters, electors, against }: Claim,
  { id, status }: RunRecord['reviewers'][number],
) {
  if (supporters.includes(id)) return toned('bad', '●');
  if (against.some(({ reviewer }) => reviewer === id)) return toned('good', '≠');
  if (status === 'failed') return toned('faint', '✗');
  return electors.includes(id) ? toned('good', '○') : toned('faint', '–');
}

// Claims that count no more: who dismissed what and why, and what is fixed.

const mostClosed = 10;
const mostFixed = 3;

export function describeClosed(record: RunRecord, detail: Detail): readonly Section[] {
  const { fixed } = record;
  const closed = orderClaims(record).filter(isClosed);
  const shown = detail === 'screen' ? closed.slice(0, mostClosed) : closed;
  const dismissals = dismissalsIn(record);
  const dismissed = shown.map(({ id, severity, text, state }) => {
    const dismissal = dismissals.get(id);
    const why =
      dismissal === undefined
        ? [state]
        : say`${data(dismissal.reason, 200)}${[termsOf(dismissal)]}`;
    return say`${literal(id)}  ${[severity]}  ${data(text, 120)} – ${why}`;
  });
  return [
    ...part(
      `Dismissed (${closed.length})`,
      list([...dismissed, more(closed.length - shown.length)]),
    ),
    ...part(
      `Fixed (${fixed.length})`,
      list([
        ...(detail === 'screen' ? fixed.slice(0, mostFixed) : fixed).map(
          ({ id, severity, text, location, reason }) => {
            const place = location !== null && say`${literal(placeText(location))}  `;
            return say`${literal(id)}  ${[severity]}  ${place}${text} – ${reason}`;
          },
        ),
        detail === 'screen' ? more(fixed.length - mostFixed) : null,
      ]),
    ),
  ];
}

/** ` (tolerated, its whole file, until 2027-01-31)`; empty for a plain dismissal as false. */
function termsOf({ verdict, scope, until, by, id }: DismissedClaim) {
  const terms = present(
    verdict === 'tolerated' && 'tolerated',
    scope !== 'claim' && `its whole ${scope}`,
    by !== id && `given for ${by}`,
    until !== null && `until ${until}`,
  );
  return terms.length === 0 ? '' : ` (${terms.join(', ')})`;
}
