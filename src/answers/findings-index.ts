/**
 * Reads a Findings Index, as a file or as an answer: tolerant of every deviation seen in the wild, each of which it reports, and
 * losing no line.
 */
import type { StatedFinding } from '../core/words/finding.ts';
import type { ReviewVerdict } from '../core/words/review.ts';
import { cut } from '../core/text.ts';
import type { VerdictStatus } from '../core/verdict/verdict-file.ts';
import { withoutRestated } from './account.ts';
import {
  deviations,
  isIndexHeading,
  readIndexBlock,
  type Deviation,
  type IndexBlock,
} from './index-block.ts';
import { readImprovements } from './index-prose.ts';
import { namesOf } from './issues.ts';
import { readVerdictLine } from './labels.ts';
import { layOut } from './layout.ts';
import {
  emptyDraft,
  reject,
  type Attempt,
  type Draft,
  type Dropped,
  type ReadingOptions,
} from './reading.ts';
import { readReportLines } from './report.ts';
import { createSieve } from './sieve.ts';
import { nameInOrder, unstatedLabel } from '../core/words/stated.ts';
import { isTableRow } from './tables.ts';
import type { Report } from './walk.ts';

export interface FindingsIndex {
  /** `malformed`: content without a usable index; its entries, if any, were read from the prose. */
  readonly state: 'valid' | 'malformed' | 'error';
  /** By unique ids: a second use of one is `<id>#2`; `#n` where there is none. */
  readonly entries: readonly StatedFinding[];
  /** Entries of the kinds IMP, INFO, NOTE, and the items of the section *Improvements*. */
  readonly improvements: readonly StatedFinding[];
  /** Lines of the block that are no entry. */
  readonly unparsed: readonly string[];
  /** Those of them that are shaped like an entry and begin with a word nobody declared. */
  readonly undeclared: readonly string[];
  readonly dropped: Dropped;
  /** Each once, in the order of `deviations`. */
  readonly deviations: readonly Deviation[];
  /** Null when missing or not understood. */
  readonly claimed: ReviewVerdict | null;
  /** The claimed verdict in the reviewer's words; null when missing. */
  readonly claimedWords: string | null;
  /** What its prose says, read like any other answer. */
  readonly report: Report;
}

/** `options.scale` adds the labels of a mode to those every index may use. */
export function readFindingsIndex(
  text: string,
  options: ReadingOptions = plainOptions,
): FindingsIndex {
  const block = readIndexBlock(text, options.scale);
  const { entries, improvements, unparsed, undeclared, dropped, verdict } = block;
  const stated = [...entries, ...improvements, ...readImprovements(block.lines)];
  const indexed = nameInOrder(stated);
  const report = readReportLines(block.outside, options, {
    names: namesOf(new Map(indexed.map(({ originalId, text: title }) => [originalId, title]))),
    labels: new Map(indexed.map(entry => [entry.originalId, entry])),
  });
  const said = new Map(report.findings.toReversed().map(finding => [finding.originalId, finding]));
  const listed = indexed.map(entry => withProse(entry, said.get(entry.originalId)));
  const beyond = beyondIndex(report, listed);
  const hasEntry = entries.length > 0;
  const isRenamed = entries.some(
    ({ originalId }, index) => originalId !== '' && originalId !== indexed[index]?.originalId,
  );
  return {
    state: stateOf(text, block, hasEntry || beyond.length > 0 ? hasEntry : null),
    entries: nameInOrder([...listed.slice(0, entries.length), ...beyond]),
    improvements: listed.slice(entries.length),
    unparsed: unparsed.filter(line => !beyond.some(({ raw }) => raw.startsWith(line))),
    undeclared,
    dropped,
    deviations: deviations.filter(
      code => block.deviations.has(code) || (code === 'duplicate-id' && isRenamed),
    ),
    claimed: verdict?.verdict ?? null,
    claimedWords: verdict?.words ?? null,
    report,
  };
}

/** `said`: the item of the prose that the entry names. */
function withProse(entry: StatedFinding, said: StatedFinding | undefined): StatedFinding {
  if (said === undefined) return entry;
  const { path, line, endLine, evidence, recommendation } = said;
  const told = [entry.evidence, evidence].filter(text => text !== null);
  return {
    ...entry,
    ...(entry.path === null ? { path, line, endLine } : {}),
    evidence: told.length === 0 ? null : told.join('\n'),
    recommendation,
  };
}

/** Of a file that nobody was asked for. */
const plainOptions: ReadingOptions = {
  scale: new Map(),
  sent: { instructions: '', prompt: '' },
  stop: 'end',
  strict: false,
  undeclaredLabel: 'keep',
  nonce: null,
  units: [],
  voting: false,
};

/** What the prose says beyond the index: its items name the entries again, and are findings of their own where they do not. */
function beyondIndex(
  { findings }: Report,
  listed: readonly StatedFinding[],
): readonly StatedFinding[] {
  const ids = new Set(listed.map(({ originalId }) => originalId));
  const named = findings
    .filter(({ label }) => label !== unstatedLabel)
    .map(({ originalId, ...said }) => ({
      ...said,
      originalId: originalId === '' ? idIn(said.raw, ids) : originalId,
    }));
  return withoutRestated(named, listed);
}

/** The id of an entry that the first line of an item names. */
function idIn(raw: string, ids: ReadonlySet<string>): string {
  const [line = ''] = raw.split('\n', 1);
  return (
    (line.slice(0, 1_000).match(/[\p{L}\p{N}_.#/-]+/gu) ?? [])
      .flatMap(word => [word, word.replace(/[./-]+$/, '')])
      .find(word => ids.has(word)) ?? ''
  );
}

export interface IndexStanding {
  readonly state: FindingsIndex['state'];
  readonly claimed: ReviewVerdict | null;
  readonly computed: ReviewVerdict;
  /** The file was not finished, or the reviewer was made to return. */
  readonly isPartial: boolean;
  readonly isVetoed: boolean;
}

/** The status of a verdict file, for reviewers that report findings. */
export function statusOf({
  state,
  claimed,
  computed,
  isPartial,
  isVetoed,
}: IndexStanding): Extract<
  VerdictStatus,
  'CLEAN' | 'NEEDS_ATTENTION' | 'BLOCKED' | 'ERROR' | 'PARTIAL'
> {
  if (state === 'error' || computed === 'error') return 'ERROR';
  if (isVetoed) return 'BLOCKED';
  if (isPartial) return 'PARTIAL';
  return computed === 'safe' && (claimed === null || claimed === 'safe') && state === 'valid'
    ? 'CLEAN'
    : 'NEEDS_ATTENTION';
}

/** An index that names nothing is believed where the prose names nothing either (`hasEntry` is null). */
function stateOf(
  text: string,
  block: IndexBlock,
  hasEntry: boolean | null,
): FindingsIndex['state'] {
  const claimed = block.verdict?.verdict ?? null;
  if (text.trim() === '' || claimed === 'error') return 'error';
  return block.hasIndex && (hasEntry ?? claimed === 'safe') ? 'valid' : 'malformed';
}

/** Null when there is no index. */
export function readIndex(text: string, options: ReadingOptions): Attempt {
  const isHeaded = layOut(text).lines.some(
    line => line.fence === null && !line.isQuoted && isIndexHeading(line.text),
  );
  if (!isHeaded) return null;
  const index = readFindingsIndex(text, options);
  const undeclared = index.undeclared.find(line => !isTableRow(line));
  if (undeclared !== undefined && options.undeclaredLabel === 'reject')
    return reject('schema', `Nobody declared the severity of "${cut(undeclared.trim(), 120)}".`, {
      unparsed: index.unparsed,
    });
  if (index.claimedWords !== null && index.claimed === null)
    return reject(
      'schema',
      `The stated verdict "${cut(index.claimedWords, 80)}" is none of the declared words.`,
      { unparsed: index.unparsed },
    );
  const lastLine = text.trimEnd().split('\n').at(-1) ?? '';
  const draft = toDraft(index, options);
  // Nothing can be missing behind it.
  return readVerdictLine(lastLine) === null ? draft : { ...draft, isMarked: true };
}

function toDraft(index: FindingsIndex, options: ReadingOptions): Draft {
  const dropped = { ...index.dropped };
  const sieve = createSieve(options.sent);
  const isOwn = ({ text, raw }: StatedFinding): boolean => {
    const chaff = sieve(text, raw);
    if (chaff !== null) dropped[chaff] += 1;
    return chaff === null;
  };
  const findings = index.entries.filter(isOwn);
  const improvements = index.improvements.filter(isOwn);
  return {
    ...emptyDraft('index'),
    findings,
    improvements,
    verdict:
      index.claimedWords === null ? null : { words: index.claimedWords, verdict: index.claimed },
    isZeroStated:
      findings.length === 0 && index.claimed === 'safe' && dropped.template + dropped.prompt === 0,
    hasEndMark: index.claimed !== null,
    // Read from the prose of a broken index, or beside rows of a table that nobody understands: there may be more than was found.
    doubt:
      index.state === 'malformed' ||
      (options.undeclaredLabel === 'reject' && index.undeclared.length > 0)
        ? { cause: 'schema' }
        : null,
    unparsed: index.unparsed,
    left: index.report.left,
    mentions: index.report.mentions,
    dropped,
    deviations: index.deviations,
    notes:
      index.state === 'malformed'
        ? ['The index is malformed; findings were read from the prose.']
        : [],
  };
}
