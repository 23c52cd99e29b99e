/**
 * Reads a Findings Index, as a file or as an answer: tolerant of every deviation seen in the wild, each of which it reports, and
 * losing no line. What its prose says once more of an entry is no finding beside it.
 */
import { type StatedFinding, rankOf } from '../core/words/finding.ts';
import type { ReviewVerdict } from '../core/words/review.ts';
import { cut, squash } from '../core/text.ts';
import type { VerdictStatus } from '../core/verdict/record.ts';
import { deviations, readIndexBlock, type IndexBlock } from './index-block.ts';
import { entriesOf, readImprovements } from './place-in-text.ts';
import { readVerdictLine } from './labels.ts';
import { isSpoken, statedLines, type Line, isTableRow } from './layout.ts';
import { reject, type Attempt, type Draft, type Question } from './reading.ts';
import { readReport } from './items.ts';
import { createSieve } from './sieve.ts';
import { nameInOrder, unstatedLabel } from '../core/words/stated.ts';

export interface FindingsIndex extends Pick<Draft, 'improvements' | 'unparsed' | 'deviations'> {
  /** `malformed`: content without a usable index; its entries, if any, were read from the prose. */
  readonly state: 'valid' | 'malformed' | 'error';
  /** By unique ids: a second use of one is `<id>#2`; `#n` where there is none. */
  readonly entries: readonly StatedFinding[];
  /** Null when missing or not understood. */
  readonly claimed: ReviewVerdict | null;
}

export function readFindingsIndex(text: string): FindingsIndex {
  const lines = statedLines(text);
  const block = readIndexBlock(lines, plainOptions.scale);
  const { state, draft } = readParts(lines, block, plainOptions);
  const { findings: entries, improvements, unparsed, deviations: codes } = draft;
  return {
    state: text.trim() === '' ? 'error' : state,
    entries,
    improvements,
    unparsed,
    deviations: codes,
    claimed: block.verdict?.verdict ?? null,
  };
}

const noText = { instructions: '', prompt: '' };
/** Of a file that nobody was asked for. */
const plainOptions: Question = {
  scale: new Map(),
  sent: noText,
  sieve: createSieve(noText),
  stop: 'end',
  strict: false,
  undeclaredLabel: 'keep',
  nonce: null,
  units: [],
  voting: false,
};

/** Null when there is no index. */
export function readIndex(lines: readonly Line[], options: Question): Attempt {
  const block = readIndexBlock(lines, options.scale);
  if (!block.hasIndex) return null;
  const { draft } = readParts(lines, block, options);
  const { verdict, unparsed } = draft;
  const isStrange = options.undeclaredLabel === 'reject' && block.undeclared.length > 0;
  const undeclared = block.undeclared.find(line => !isTableRow(line));
  if (isStrange && undeclared !== undefined)
    return reject('schema', `Nobody declared the severity of "${cut(undeclared.trim(), 120)}".`, {
      unparsed,
    });
  if (verdict?.verdict === null)
    return reject(
      'schema',
      `The stated verdict "${cut(verdict.words, 80)}" is none of the declared words.`,
      { unparsed },
    );
  const isOwn = (finding: StatedFinding) => {
    const chaff = options.sieve(finding.text, finding.raw);
    if (chaff !== null) draft.dropped[chaff] += 1;
    return chaff === null;
  };
  const findings = draft.findings.filter(isOwn);
  const improvements = draft.improvements.filter(isOwn);
  const isSilent = findings.length === 0 && draft.dropped.template + draft.dropped.prompt === 0;
  // Nothing can be missing behind a verdict on the last line.
  const last = lines.findLast(line => line.text.trim() !== '');
  const isMarked = readVerdictLine(last?.text.trimEnd() ?? '') !== null;
  return {
    ...draft,
    findings,
    improvements,
    isZeroStated: isSilent && verdict?.verdict === 'safe',
    // Beside rows of a table that nobody understands there may be more than was found.
    doubt: isStrange ? { cause: 'schema' } : draft.doubt,
    ...(isMarked && { isMarked: true as const }),
  };
}

/** The entries of the block, told more of by the items of the prose that name them, and what the prose says beyond. */
function readParts(
  lines: readonly Line[],
  block: IndexBlock,
  options: Question,
): { state: FindingsIndex['state']; draft: Draft } {
  const { draft, verdict } = block;
  const count = draft.findings.length;
  const improvements = [...draft.improvements, ...readImprovements(lines.filter(isSpoken))];
  const indexed = nameInOrder([...draft.findings, ...improvements]);
  const { draft: prose, admission } = readReport(block.outside, options, entriesOf(indexed));
  const said = new Map(prose.findings.toReversed().map(finding => [finding.originalId, finding]));
  const listed = indexed.map(entry => withProse(entry, said.get(entry.originalId)));
  const beyond = withoutRestated(
    prose.findings.filter(({ label }) => label !== unstatedLabel),
    listed,
  );
  const isRenamed = draft.findings.some(
    ({ originalId }, index) => originalId !== '' && originalId !== indexed[index]?.originalId,
  );
  if (isRenamed) block.deviations.add('duplicate-id');
  // An index that names nothing is believed where the prose names nothing either.
  const isUsable = count > 0 || (beyond.length === 0 && verdict?.verdict === 'safe');
  const state = block.hasIndex && isUsable ? 'valid' : 'malformed';
  const isLossy = state === 'malformed' && verdict?.verdict !== 'error';
  return {
    state: verdict?.verdict === 'error' ? 'error' : state,
    draft: {
      ...draft,
      findings: nameInOrder([...listed.slice(0, count), ...beyond]),
      improvements: listed.slice(count),
      unparsed: draft.unparsed.filter(line => !beyond.some(({ raw }) => raw.startsWith(line))),
      deviations: deviations.filter(code => block.deviations.has(code)),
      verdict,
      hasEndMark: typeof verdict?.verdict === 'string',
      left: prose.left,
      mentions: prose.mentions,
      notes: isLossy ? ['The index is malformed; findings were read from the prose.'] : [],
      doubt: isLossy ? { cause: 'schema' } : admission && { cause: admission },
    },
  };
}

/** `said`: the item of the prose that the entry names. */
function withProse(entry: StatedFinding, said: StatedFinding | undefined) {
  if (!said) return entry;
  const { path, line, endLine, evidence, recommendation } = said;
  const told = [entry.evidence, evidence].filter(text => text !== null);
  return {
    ...entry,
    ...(entry.path === null ? { path, line, endLine } : {}),
    evidence: told.length === 0 ? null : told.join('\n'),
    recommendation,
  };
}

interface IndexStanding {
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
}: IndexStanding): VerdictStatus {
  if (state === 'error' || computed === 'error') return 'ERROR';
  if (isVetoed) return 'BLOCKED';
  if (isPartial) return 'PARTIAL';
  return computed === 'safe' && (claimed === null || claimed === 'safe') && state === 'valid'
    ? 'CLEAN'
    : 'NEEDS_ATTENTION';
}

type Statement = Pick<StatedFinding, 'originalId' | 'severity' | 'text' | 'path' | 'line'>;

/**
 * What is said beyond what is known. A statement says something once more if it is no graver and has its id, or is as grave and has its
 * words or its place; or if one of the two has no place and no other statement is that one already.
 */
export function withoutRestated<Said extends Statement>(
  said: readonly Said[],
  known: readonly Statement[],
): Said[] {
  const byKey = new Map<string, Statement>();
  for (const each of known) for (const key of keysOf(each)) byKey.set(key, each);
  const restated = new Set<Statement>();
  const rest = said.filter(each => {
    const same = keysOf(each)
      .map(key => byKey.get(key))
      .find(found => found !== undefined && rankOf(found.severity) <= rankOf(each.severity));
    if (same) restated.add(same);
    return !same;
  });
  const free = known.filter(each => !restated.has(each));
  const pools = new Map<string, number>();
  const add = (key: string, count: number) => {
    pools.set(key, (pools.get(key) ?? 0) + count);
  };
  for (const { severity, path } of free) add(`${severity} ${path === null}`, 1);
  return rest.filter(({ severity, path }) => {
    const pool = [`${severity} true`, ...(path === null ? [`${severity} false`] : [])].find(
      key => (pools.get(key) ?? 0) > 0,
    );
    if (pool !== undefined) add(pool, -1);
    return pool === undefined;
  });
}

function keysOf({ originalId, severity, text, path, line }: Statement) {
  return [
    ...(originalId === '' || originalId.startsWith('#') ? [] : [`id ${originalId}`]),
    `${severity} text ${squash(text)}`,
    ...(path === null || line === null ? [] : [`${severity} place ${path}:${line}`]),
  ];
}
