/** A claim as a result of SARIF: where, how bad, who agrees and who does not, the other wordings beside it. */
import type { Location as SarifLocation, Result, Suppression } from 'sarif';
import type { DismissedClaim } from '../../core/words/known-claim.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { sarifLink, sarifMessage, sarifUri } from '../../core/safety/sarif-text.ts';
import { cut } from '../../core/text.ts';
import { type Claim, countSupport } from '../../core/words/claim.ts';
import type { CodeFrame } from '../../core/words/code-frame.ts';
import type { Finding, Location } from '../../core/words/finding.ts';
import type { Run } from '../../core/words/run.ts';
import type { Severity } from '../../core/words/severity.ts';
import type { ClaimEntry } from './entries.ts';
import { type Place, placeOn } from './places.ts';
import { tellDismissal } from './telling.ts';

interface ResultsRequest extends Pick<Run, 'record' | 'reviews'> {
  /** How many claims there are to tell: the more, the shorter each. */
  readonly results: number;
  readonly fingerprints: ReadonlyMap<string, string>;
}

/** Characters of all texts together: GitHub takes ten megabytes, compressed. */
const room = 12_000_000;
/** GitHub shows a hundred locations of a result, of which the first is its own. */
const mostRelated = 99;
/** Characters of a result from which on there is room for the code it is about. */
const roomForCode = 8_000;
const longestText = 4_000;
const shortestText = 200;
const longestWording = 1_000;

/** Without its rule. */
export function createClaimResult({
  record,
  reviews,
  results,
  fingerprints,
}: ResultsRequest): (entry: ClaimEntry) => Omit<Result, 'ruleId'> {
  const { frames = {} } = record;
  const share = Math.floor(room / Math.max(1, results));
  const longest = Math.max(shortestText, Math.min(longestText, Math.floor(share / 3)));
  const related = Math.max(1, Math.min(mostRelated, Math.floor(share / (3 * shortestText))));
  const said = new Map(reviews.flatMap(({ findings }) => findings.map(one => [one.id, one])));
  const dismissals = new Map(record.dismissed.map(dismissal => [dismissal.id, dismissal]));
  return ({ claim, effect, level, place, tell }) => {
    const others = otherWordings(claim, said).slice(0, related);
    const worth = claim.worth ?? claim.confidence;
    return {
      level,
      // 0 to 100, absent where no model computed what it is worth.
      ...(worth !== null && { rank: Math.round(1_000 * worth) / 10 }),
      message: { text: [...tell(longest).map(sarifMessage), ...linksTo(others)].join('\n\n') },
      locations: [locate(place, share < roomForCode ? undefined : frames[claim.id])],
      ...(others.length > 0 && {
        relatedLocations: others.map((wording, index) => ({
          id: index + 1,
          ...locate(placeOn(wording.location ?? claim.location, record)),
          message: { text: sarifMessage(tellWording(wording, Math.min(longest, longestWording))) },
        })),
      }),
      partialFingerprints: {
        // The one of these that GitHub reads.
        primaryLocationLineHash: fingerprints.get(claim.id) ?? claim.id,
        'juryClaim/v1': claim.id,
      },
      ...(claim.state === 'dismissed' && {
        suppressions: [suppress(dismissals.get(claim.id) ?? null)],
      }),
      properties: { ...factsOf(claim), blocks: effect !== null, state: claim.state },
    };
  };
}

export const rootId = '%SRCROOT%';

/** `frame`: the lines around, for readers that have no code at hand. */
export function locate({ path, line, endLine }: Place, frame?: CodeFrame): SarifLocation {
  return {
    physicalLocation: {
      artifactLocation: { uri: sarifUri(path), uriBaseId: rootId },
      region: { startLine: line, ...(endLine > line && { endLine }) },
      ...(frame !== undefined &&
        frame.first < line && {
          contextRegion: {
            startLine: frame.first,
            endLine: Math.max(endLine, frame.first + frame.lines.length - 1),
            snippet: { text: makeVisible(frame.lines.join('\n')) },
          },
        }),
    },
  };
}

interface Wording {
  readonly reviewer: string;
  readonly text: string;
  readonly isDenial: boolean;
  readonly severity: Severity | null;
  /** Null: that of the claim. */
  readonly location: Location | null;
}

/** What stands in the message already is left out; what denies the claim comes first. */
function otherWordings(
  { text, findings, against }: Claim,
  said: ReadonlyMap<string, Finding>,
): Wording[] {
  const told = findings.findIndex(finding => finding.text === text);
  return [
    ...against.map(({ reviewer, finding, statement }) => ({
      reviewer,
      text: statement,
      isDenial: true,
      severity: null,
      location: said.get(finding)?.location ?? null,
    })),
    ...findings
      .filter((_, index) => index !== told)
      .map(({ reviewer, text: own, severity, location }) => ({
        reviewer,
        text: own,
        isDenial: false,
        severity,
        location,
      })),
  ];
}

function tellWording({ reviewer, text, isDenial, severity }: Wording, longest: number): string {
  const how = isDenial ? 'denies it' : severity;
  return `${reviewer} (${how}): ${cut(text, longest)}`;
}

const mostLinks = 12;

/** Readers show a related location only where the message leads to it. */
function linksTo(wordings: readonly Wording[]): string[] {
  const links = wordings
    .slice(0, mostLinks)
    .map(({ reviewer }, index) => sarifLink(cut(reviewer, 100), index + 1));
  return links.length === 0 ? [] : [`In other words: ${links.join(', ')}.`];
}

/** A decision of a person, made here or in the baseline file of the team. */
function suppress(dismissal: DismissedClaim | null): Suppression {
  return {
    kind: 'external',
    status: 'accepted',
    justification: sarifMessage(tellDismissal(dismissal, longestWording)),
  };
}

function factsOf(claim: Claim): Record<string, unknown> {
  const { id, severity, agreement, electorate, against } = claim;
  return {
    claim: id,
    severity,
    agreement,
    supporters: countSupport(claim),
    electorate,
    denials: against.length,
    confidence: claim.confidence,
    matters: claim.matters,
  };
}
