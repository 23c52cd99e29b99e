/**
 * Why a claim is what it is, in three sentences that a person can check: what made it one, what spoke against that, how sure it
 * is. They quote both sides, so that a wrong merge and a wrong split can be seen.
 */
import { by, groupsBy } from '../../core/groups.ts';
import { cutToWord, toOneLine } from '../../core/text.ts';
import { type Claim, type Estimate, likelihood } from '../../core/words/claim.ts';
import type { Finding } from '../../core/words/finding.ts';
import {
  type Disposition,
  type KnownClaim,
  type RunRecord,
  isDismissal,
} from '../../core/words/run.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import type { ClaimExplanation } from '../../core/printed/checks.ts';
import type { Assessor } from '../confidence/confidence.ts';
import { selectForMatching } from '../statements.ts';
import { createSearch, isGrouping } from '../linkage.ts';
import { polarityOf } from '../polarity.ts';
export type Recorded = ClaimExplanation['recorded'][number];

/** What was formed, be it by a run or of findings that were handed over. */
interface Formed extends Pick<RunRecord, 'claims' | 'strategy' | 'dismissed'> {
  run: string | null;
  /** ISO time; null for findings that were handed over. */
  completedAt: string | null;
}

interface ExplainRequest {
  formed: Formed;
  /** Ids of findings as they are printed. */
  printed: ReadonlyMap<string, string>;
  claim: Claim;
  /** That which formed them; it is prepared here. */
  matcher: Matcher;
  /** Null where no confidence is computed. */
  assess: Assessor | null;
  recorded: readonly Recorded[];
  known: KnownClaim | null;
  decisions: readonly Disposition[];
}

/** Findings of one claim that are looked at. */
const mostFindings = 12;
const mostNeighbours = 3;

export async function explainClaim(request: ExplainRequest): Promise<ClaimExplanation> {
  const { formed, printed, claim, matcher, assess, recorded, known } = request;
  const decisions = request.decisions.toSorted((one, other) => (one.at > other.at ? -1 : 1));
  const { least, ...pairs } = await comparePairs(claim, formed.claims, matcher);
  const explanation = {
    claim,
    strategy: formed.strategy,
    ...pairs,
    ...findOpposition(claim, formed.claims),
    confidence: claim.confidence === null ? null : (assess?.(claim) ?? null),
  };
  const texts = new Map(
    formed.claims.flatMap(({ findings }) => findings.map(({ id, text }) => [id, text] as const)),
  );
  const quote = (id: string) => `${printed.get(id) ?? id} ${quoted(texts.get(id) ?? '')}`;
  const named = new Set([
    ...claim.findings.map(({ id }) => id),
    ...explanation.against.map(({ finding }) => finding),
    ...explanation.apart.flatMap(({ nearest: { one, other } }) => [one, other]),
  ]);
  return {
    schema: 'jury.explanation/1',
    run: formed.run,
    sentence: [
      ...tellDismissal(claim, formed, decisions),
      tellMerge(explanation, least, quote),
      tellOpposition(explanation, quote),
      tellSureness(explanation),
    ].join('\n'),
    ...explanation,
    names: Object.fromEntries([...printed].filter(([id]) => named.has(id))),
    recorded,
    remembered: known && {
      history: known.history,
      wordings: known.wordings,
      supporters: known.supporters,
    },
    decisions,
  };
}

type PairReasons = ClaimExplanation['joined'][number];
type Pairs = Pick<ClaimExplanation, 'joined' | 'apart'>;
type Opposition = Pick<ClaimExplanation, 'against' | 'denies'>;
type Explained = Pairs & Opposition & Pick<ClaimExplanation, 'claim' | 'strategy' | 'confidence'>;

const mostCompared = 24;

/** Each finding with the one it is most like, the two least alike, and the other claims that come nearest. Prepares the matcher. */
async function comparePairs(
  claim: Claim,
  claims: readonly Claim[],
  matcher: Matcher,
): Promise<Pairs & { least: PairReasons | undefined }> {
  const told = mostTelling(claim.findings, mostFindings);
  const { matched } = selectForMatching(
    claims.flatMap(({ findings }) => findings),
    isGrouping(matcher) ? matcher.capacity : undefined,
  );
  await matcher.prepare([...new Set([...told, ...matched.map(([first]) => first)])]);
  const compared = (ones: readonly Finding[], rest: readonly Finding[]) =>
    ones
      .flatMap(one =>
        rest
          .filter(other => other !== one)
          .map(other => {
            const { score, same, reason } = matcher.compare(one, other);
            return { one: one.id, other: other.id, score, same, reason };
          }),
      )
      .sort(by(({ score }) => -score));
  return {
    joined: told.slice(1).flatMap(finding => compared(told, [finding]).slice(0, 1)),
    // In a chain each is near to some other, and only its ends show that it is one.
    least: compared(told, told).sort(by(({ score }) => score))[0],
    apart: createSearch(
      claims.filter(({ id }) => id !== claim.id && !claim.contradicts.includes(id)),
      textsOf,
    )(textsOf(claim))
      .slice(0, mostCompared)
      .flatMap(({ id, text, supporters, findings }) =>
        compared(told, findings.slice(0, mostFindings))
          .slice(0, 1)
          .map(nearest => ({ claim: id, text, supporters, nearest })),
      )
      .sort(by(({ nearest }) => -nearest.score))
      .slice(0, mostNeighbours),
  };
}

function textsOf({ findings }: Claim) {
  return findings.map(({ text }) => text);
}

/** At most so many: each wording once, in the order of their reviewers, then of each reviewer the first, then the rest. */
export function mostTelling(findings: readonly Finding[], most: number): readonly Finding[] {
  const ordered = [
    ...groupsBy(findings, ({ reviewer }) => reviewer).map(([first]) => first),
    ...findings,
  ];
  const wordings = groupsBy(ordered, ({ text }) => text).map(([first]) => first);
  return [...new Set([...wordings, ...ordered])].slice(0, most);
}

/** Who says the opposite, and what the claim is itself a denial of: of two opposites the one that tells of no trouble. */
function findOpposition(claim: Claim, claims: readonly Claim[]): Opposition {
  const denied = tellsOfTrouble(claim)
    ? []
    : claims.filter(other => claim.contradicts.includes(other.id) && tellsOfTrouble(other));
  return {
    denies: denied.map(({ id, text, supporters }) => ({ id, text, supporters })),
    against: claim.against.flatMap(denial => {
      const holder = claims.find(({ findings }) =>
        findings.some(({ id }) => id === denial.finding),
      );
      if (holder && denied.includes(holder)) return [];
      const { id = null, supporters = [denial.reviewer] } = holder ?? {};
      return [{ ...denial, claim: id, supporters }];
    }),
  };
}

function tellsOfTrouble({ findings }: Claim) {
  return findings.some(finding => polarityOf(finding).says === 'trouble');
}

// The three sentences, and before them that the claim is dismissed.

type Quote = (finding: string) => string;

const longestQuote = 160;
const mostDeniers = 2;

function quoted(text: string) {
  return `“${cutToWord(toOneLine(text), longestQuote)}”`;
}

/** Who says it, and of its findings the two that are least alike. */
function tellMerge({ claim, strategy }: Explained, least: PairReasons | undefined, quote: Quote) {
  const { supporters, electorate, findings } = claim;
  const names = tellNames(supporters);
  if (!least)
    return `Only ${names} says it, once: ${quote(findings[0]?.id ?? '')}; nothing was put together.`;
  const who =
    supporters.length === 1
      ? `Only ${names} says it, ${findings.length} times`
      : `${supporters.length} of ${electorate} reviewers say it, ${names}`;
  const which = findings.length === 2 ? 'Taken for the same are' : 'The least alike are';
  return `${who}. ${which} ${tellPair(least, quote, strategy)}`;
}

/** Both sides with what is said of them; a score where it is a probability. */
function tellPair(
  { one, other, score, reason }: PairReasons,
  quote: Quote,
  { threshold }: Explained['strategy'],
) {
  const sure = threshold === null ? ` (${score}%)` : '';
  return `${quote(one)} and ${quote(other)}${sure}: ${reason}`;
}

function tellOpposition({ apart, against, denies, strategy }: Explained, quote: Quote) {
  const denials = against
    .slice(0, mostDeniers)
    .map(({ reviewer, finding }) => `${reviewer} says the opposite: ${quote(finding)}.`);
  const denied = denies
    .slice(0, mostDeniers)
    .map(
      ({ id, supporters, text }) =>
        `It denies what ${tellNames(supporters)} said (${id}): ${quoted(text)}.`,
    );
  const [neighbour] = apart;
  const which = denials.length + denied.length > 0 ? 'further' : 'other';
  const beside = neighbour
    ? `The nearest other claim is ${neighbour.claim}, by ${tellNames(neighbour.supporters)}. ` +
      `Apart are ${tellPair(neighbour.nearest, quote, strategy)}`
    : `No ${which} claim shares a word with it.`;
  const alone = 'Alone these two would go together, the claims as a whole do not.';
  return [...denials, ...denied, beside, ...(neighbour?.nearest.same ? [alone] : [])].join(' ');
}

function tellSureness({ claim, confidence: assessed }: Explained) {
  const { confidence, cases, matters, act } = claim;
  if (confidence === null)
    return 'No confidence was computed: it is known for what models say about changes, not for rules and questions.';
  const figure = likelihood(confidence, cases);
  const isTold = figure.endsWith('%');
  const truth = `${isTold ? 'has a probability of' : 'is'} ${figure}`;
  const basis = isTold
    ? `${cases ?? 0} judged claims are like it`
    : 'too few judged claims are like it for a figure';
  const moved =
    (claim.deliberation?.confidenceBefore ?? confidence) !== confidence
      ? ', after the vote about it'
      : '';
  return [
    `That it is true ${truth}${moved} (${basis})${reasonOf(assessed, confidence)}.`,
    matters === null
      ? ''
      : `That it matters if so is ${likelihood(matters)}${reasonOf(assessed?.matters, matters)}.`,
    act === null ? '' : `It is ${act ? '' : 'not '}marked as worth a person’s time.`,
  ]
    .filter(sentence => sentence !== '')
    .join(' ');
}

/** What holds for every claim of the panel is a reason only where no other is. */
function reasonOf(estimate: Estimate | null | undefined, probability: number) {
  const isLikely = probability >= 0.5;
  const all = estimate?.contributions ?? [];
  const own = all.filter(({ evidence }) => evidence !== 'places');
  const words = tellParts(own.some(({ worth }) => worth > 0 === isLikely) ? own : all, isLikely);
  return words === '' ? '' : `: ${words}`;
}

/** By what the run went by, else by the latest of what was decided since. `decisions`: the latest first. */
function tellDismissal(
  { id }: Claim,
  { dismissed, completedAt }: Formed,
  decisions: readonly Disposition[],
) {
  const since = decisions.find(({ at }) => completedAt === null || at > completedAt);
  if (since && !isDismissal(since)) return [];
  const taken = dismissed.find(each => each.id === id);
  if (taken?.protectedBy !== undefined)
    return [`Set aside by its path, which is protected (${taken.protectedBy}).`];
  const terms = taken ?? (since && { ...since, by: since.claim });
  if (!terms) return [];
  const { by, scope, verdict, until } = terms;
  const given = decisions.find(({ claim, reason }) => claim === by && reason === terms.reason);
  const who = !taken && completedAt !== null ? 'After this run a person' : 'A person';
  const what = scope === 'claim' ? 'it' : `its whole ${scope} (given for ${by})`;
  const day = given ? ` on ${given.at.slice(0, 10)}` : '';
  const as = verdict === 'tolerated' ? verdict : 'false';
  const end = until === null ? '' : `, until ${until}`;
  const why = cutToWord(toOneLine(terms.reason).replace(/[.\s]+$/, ''), longestQuote);
  return [`${who} dismissed ${what} as ${as}${day}${end}${why === '' ? '' : `: ${why}`}.`];
}

// Puts into plain words what speaks for a judgement and what against it: what was seen, never how it is computed.

/** Half a sentence, and what it is worth in log-odds; below 0 it speaks against. */
/** Log-odds that are worth a mention. */
const telling = 0.25;
const mostTold = 2;

/**
 * What speaks for a probability, or else `otherwise`, then what speaks the other way, the weightiest first of each. Half a
 * sentence, or empty.
 */
export function tellParts(
  parts: readonly Pick<Estimate['contributions'][number], 'words' | 'worth'>[],
  isLikely: boolean,
  otherwise = '',
) {
  const ordered = parts.toSorted(by(({ worth }) => -Math.abs(worth)));
  const [reasons, doubts] = [isLikely, !isLikely].map(isFor =>
    ordered
      .filter(
        ({ worth }, index) => worth > 0 === isFor && (index === 0 || Math.abs(worth) >= telling),
      )
      .slice(0, mostTold)
      .map(({ words }) => words)
      .join(', and '),
  );
  const told = reasons || otherwise;
  if (doubts === '') return told;
  return told === '' ? `although ${doubts}` : `${told}; but ${doubts}`;
}

/** What two wordings have in common, names of code first. */
export function tellWording({
  words,
  names,
}: {
  words: readonly string[];
  names: readonly string[];
}) {
  const shared = [
    ...(names.length > 0 ? [`name ${enumerate(names.slice(0, 4))}`] : []),
    ...(words.length > 0
      ? [`speak of ${enumerate(words.slice(0, 6).map(word => `“${word}”`))}`]
      : []),
  ];
  return shared.length > 0 ? `both ${shared.join(' and ')}` : 'they have hardly a word in common';
}

const mostNamed = 3;

/** Names of reviewers: `a`, `a and b`, `a and 4 others`. */
function tellNames(names: readonly string[]) {
  return names.length <= mostNamed
    ? enumerate(names)
    : `${names[0] ?? ''} and ${names.length - 1} others`;
}

function enumerate(items: readonly string[]) {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
